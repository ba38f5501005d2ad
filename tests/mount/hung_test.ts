// A source whose file system hangs: all others still answer, and readers of this source wait or get an error.
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { signal } from "../support/processes.ts";
import { needs } from "../support/programs.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary.ts";
import { together } from "../support/together.ts";
import { isRunning, mountsBelow, output, run, until, type Workspace, workspace } from "./mounting.ts";
import { type Stoppable, stoppable } from "./stoppable.ts";

const test = together("while a source hangs, nothing else does");
const launcher = new URL("../../pakfs", import.meta.url).pathname;
/** Milliseconds within which a call that must not wait has to return. */
const timeout = 300_000;
const long = "a long text. ".repeat(20_000);

/** Two games, the second on a file system that can be made to hang. */
interface Pair extends AsyncDisposable {
  readonly here: Workspace;
  readonly remote: Stoppable;
  readonly local: string;
  readonly hung: string;
  /** The directory of the second game. */
  readonly source: string;
  readonly pid: number;
  readonly ended: Promise<Deno.CommandStatus>;
  /** Output of a program, which must not wait. */
  prints(program: string, ...parameters: readonly string[]): Promise<string>;
  /** Output of a command of pakfs, which must not wait. */
  says(...parameters: readonly string[]): Promise<string>;
}

/** Starts `pakfs daemon`, which ends with the scope. */
function startDaemon(here: Workspace) {
  const child = new Deno.Command(launcher, {
    args: ["daemon"],
    env: here.environment,
    stdin: "null",
    stdout: "null",
    stderr: Deno.env.get("PAKFS_TEST_LOG") ? "inherit" : "null",
  }).spawn();
  const end = async () => {
    signal(child.pid, "SIGTERM");
    await child.status;
  };
  return { child, end, [Symbol.asyncDispose]: end };
}

async function pair(settings: string, watching: "off" | "events" = "off"): Promise<Pair> {
  await using stack = new AsyncDisposableStack();
  const here = stack.use(await workspace(watching));
  const elsewhere: TemporaryDirectory = stack.use(await temporaryDirectory());
  const files = (name: string) => ({
    "id1/pak0.pak": pak([["stored.txt", `stored of ${name}`], ["both.txt", `both of ${name}`]]),
    "id1/pak1.pk3": zip([
      { name: "packed.txt", content: `packed of ${name} ${long}`, method: 8 },
      { name: "both.txt", content: `BOTH of ${name}` },
      { name: "small.txt", content: `small of ${name}`, method: 8 },
    ]),
    "id1/loose.txt": `loose of ${name}`,
    "id1/maps/start.ent": `entities of ${name}`,
    "id1/progs.dat": "x",
    // The member is empty, but its checksum is not.
    "odd/pak0.pk3": zip([{ name: "empty.txt", content: "", crc: 0x1234_5678 }]),
  });
  await Deno.mkdir(`${elsewhere.path}/mnt`);
  await writeFiles(`${elsewhere.path}/copied`, files("hung"));
  await writeFiles(`${here.path}/local`, files("local"));
  await writeFiles(here.path, {
    "config/pakfs/config.toml": `mount = "../../mnt"\n${settings}\n[[game]]\nname = "local"\nprofile = "generic"\n` +
      `base = "id1"\nsources = ["../../local"]\n[[game]]\nname = "hung"\nprofile = "generic"\nbase = "id1"\n` +
      `sources = ["${elsewhere.path}/mnt"]\n`,
  });
  const remote = stack.use(await stoppable(`${elsewhere.path}/copied`, `${elsewhere.path}/mnt`));
  const { child } = stack.use(startDaemon(here));
  stack.defer(() => remote.go());
  await until("the daemon answers", () => here.status().then(() => true, () => false));
  const prints = async (program: string, ...parameters: readonly string[]) => {
    const { code, stdout, stderr } = await run(program, parameters, { timeout });
    assertEquals([code, stderr], [0, ""], `${program} ${parameters.join(" ")}`);
    return stdout;
  };
  const moved = stack.move();
  return {
    here,
    remote,
    local: `${here.mountPoint}/local/id1`,
    hung: `${here.mountPoint}/hung/id1`,
    source: `${elsewhere.path}/mnt`,
    pid: child.pid,
    ended: child.status,
    prints,
    says: async (...parameters) => {
      const { code, stdout, stderr } = await run(launcher, parameters, { environment: here.environment, timeout });
      assertEquals([code, stderr], [0, ""], parameters.join(" "));
      return stdout;
    },
    [Symbol.asyncDispose]: () => moved[Symbol.asyncDispose](),
  };
}

/** Starts reading a file, as a program that waits for it does. */
function startReading(path: string) {
  const child = new Deno.Command("cat", { args: [path], stdin: "null", stdout: "piped", stderr: "null" }).spawn();
  let isOver = false;
  const content = child.output().then(({ stdout }) => {
    isOver = true;
    return new TextDecoder().decode(stdout);
  });
  return { child, content, isOver: () => isOver };
}

/** Returns the result of a promise, which must arrive in time. */
async function soon<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out: ${what}`)), timeout);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const sentence = /does not answer; its files are kept in the index and cannot be read until it does/;

async function untilHung({ here }: Pair): Promise<void> {
  await until(
    "the problem is reported",
    async () => (await here.status()).problems.some((text) => sentence.test(text)),
  );
}

async function untilWell({ here }: Pair): Promise<void> {
  await until("the problem is gone", async () => !(await here.status()).problems.some((text) => sentence.test(text)));
}

test("a source that hangs holds up its own readers alone, who get the right bytes when it answers", async () => {
  await using both = await pair("hungAfter = 1");
  const { here, local, hung, remote, prints } = both;
  remote.stop();
  const readers = ["loose.txt", "stored.txt", "packed.txt"].map((name) => startReading(`${hung}/${name}`));
  await untilHung(both);
  assertEquals(await prints("cat", `${local}/loose.txt`), "loose of local");
  assertEquals(await prints("cat", `${local}/stored.txt`), "stored of local");
  assertEquals(await prints("cat", `${local}/packed.txt`), `packed of local ${long}`);
  assertEquals(await prints("cat", `${local}/small.txt`), "small of local");
  assertStringIncludes(await prints("ls", "-l", local), "both.txt");
  // Names and attributes come from the index, also for the hung source.
  assertStringIncludes(await prints("ls", "-l", hung), "both.txt");
  assertEquals(readers.map((reader) => reader.isOver()), [false, false, false]);
  const odd = await run("stat", [`${here.mountPoint}/hung/odd/empty.txt`], { timeout });
  assertStringIncludes(odd.stderr, "Input/output error");
  assertEquals(await prints("cat", `${local}/loose.txt`), "loose of local");
  remote.go();
  const contents = await soon("all is read", Promise.all(readers.map((reader) => reader.content)));
  assertEquals(contents, ["loose of hung", "stored of hung", `packed of hung ${long}`]);
  assertEquals(await prints("cat", `${hung}/small.txt`), "small of hung");
  await untilWell(both);
});

test("a reader of a source that hangs can be interrupted", async () => {
  await using both = await pair("hungAfter = 1");
  const { hung, remote, prints } = both;
  remote.stop();
  const buffered = startReading(`${hung}/loose.txt`);
  // Without the page cache the kernel waits for its request, which ends only with the daemon.
  const direct = new Deno.Command("dd", {
    args: [`if=${hung}/stored.txt`, "iflag=direct", "bs=4096", "status=none"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await untilHung(both);
  buffered.child.kill("SIGINT");
  direct.kill("SIGINT");
  const statuses = await soon("the readers end", Promise.all([buffered.child.status, direct.status]));
  assertEquals(statuses.map(({ signal }) => signal), ["SIGINT", "SIGINT"]);
  remote.go();
  assertEquals(await prints("cat", `${hung}/loose.txt`), "loose of hung");
  assertEquals(await prints("cat", `${hung}/stored.txt`), "stored of hung");
});

test("with hung = error reads of a source that hangs fail, until it answers", async () => {
  await using both = await pair('hung = "error"\nhungAfter = 1');
  const { hung, remote, prints } = both;
  remote.stop();
  const first = await run("cat", [`${hung}/loose.txt`], { timeout });
  assertEquals([first.code, first.stdout], [1, ""]);
  assertStringIncludes(first.stderr, "Input/output error");
  assertEquals((await run("cat", [`${hung}/packed.txt`], { timeout })).code, 1);
  remote.go();
  await untilWell(both);
  assertEquals(await prints("cat", `${hung}/loose.txt`), "loose of hung");
  assertEquals(await prints("cat", `${hung}/packed.txt`), `packed of hung ${long}`);
});

test("queries about a source that hangs fail or answer from the index, and others are answered meanwhile", async () => {
  await using both = await pair("hungAfter = 2");
  const { remote, says, here } = both;
  remote.stop();
  const asked = run(launcher, ["cat", "loose.txt", "--view", "hung"], { ...here, timeout });
  // These commands do not wait for the source.
  assertEquals(await says("cat", "loose.txt", "--view", "local"), "loose of local");
  assertStringIncludes(await says("which", "both.txt", "--view", "hung"), "pak0.pak");
  assertStringIncludes(await says("find", "*.txt", "--view", "hung"), "stored.txt");
  const { code, stderr } = await asked;
  assertEquals(code, 1);
  assertStringIncludes(stderr, "(fuse.stoppable) does not answer");
  await untilHung(both);
  assertStringIncludes(await says("stat", "packed.txt", "--view", "hung"), "pak1.pk3");
  const compared = await run(launcher, ["conflicts", "--compare", "--view", "hung"], { ...here, timeout });
  assertEquals(compared.code, 0);
  assertStringIncludes(compared.stderr, "1 not compared");
  assertEquals((await run(launcher, ["cat", "small.txt", "--view", "hung"], here)).code, 1);
  remote.go();
  await untilWell(both);
  assertEquals(await says("cat", "loose.txt", "--view", "hung"), "loose of hung");
  assertEquals(await says("cat", "packed.txt", "--view", "hung"), `packed of hung ${long}`);
});

test("a source that answers late, but before it counts as hung, is no problem", async () => {
  await using both = await pair("hungAfter = 600");
  const { remote, says, here } = both;
  remote.stop();
  const late = ["loose.txt", "packed.txt"].map((name) => says("cat", name, "--view", "hung"));
  // Many checks for hung calls pass meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  remote.go();
  assertEquals(await Promise.all(late), ["loose of hung", `packed of hung ${long}`]);
  assertEquals((await here.status()).problems, []);
});

test("a refresh with a source that hangs sees what has changed elsewhere, and keeps the source as it was", async () => {
  await using both = await pair("hungAfter = 1");
  const { remote, says, here, prints, local, hung } = both;
  remote.stop();
  await writeFiles(here.path, { "local/id1/new.txt": "new" });
  await says("refresh", "--quiet");
  assertEquals(await prints("cat", `${local}/new.txt`), "new");
  assertEquals(await says("cat", "new.txt", "--view", "local"), "new");
  assertStringIncludes(await prints("ls", hung), "loose.txt");
  const { problems } = await here.status();
  const kept = /which does not answer; its known files are kept/;
  assert(problems.some((text) => kept.test(text)), problems.join("\n"));
  // The file system is known to hang, so another refresh does not wait.
  await writeFiles(here.path, { "local/id1/more.txt": "more" });
  await says("refresh", "--quiet");
  assertEquals(await prints("cat", `${local}/more.txt`), "more");
  remote.go();
  await until("nothing is kept", async () => !(await here.status()).problems.some((text) => kept.test(text)));
  await untilWell(both);
  assertEquals(await prints("cat", `${hung}/loose.txt`), "loose of hung");
});

test("watching continues while a source hangs", async () => {
  await using both = await pair("hungAfter = 1", "events");
  const { remote, here, prints, local, source } = both;
  const wayOf = async (path: string) => (await here.status()).watch.find((row) => row.path === path);
  await until(
    "both are watched",
    async () => (await wayOf(`${here.path}/local`))?.mode === "events" && (await wayOf(source))?.mode === "polling",
  );
  assertStringIncludes((await wayOf(source))?.because ?? "", `${source} is on fuse.stoppable`);
  remote.stop();
  await untilHung(both);
  await writeFiles(here.path, { "local/id1/new.txt": "new" });
  await until("the new file is shown", async () => (await prints("ls", local)).includes("new.txt"));
  remote.go();
  await untilWell(both);
});

test("a daemon that starts while a source hangs serves the others, and the source when it answers", async () => {
  await using both = await pair("hungAfter = 1");
  const { remote, here, prints, local, hung, pid, ended } = both;
  Deno.kill(pid, "SIGTERM");
  await soon("the daemon ends", ended);
  // Without an earlier index, the source's files are unknown.
  await Deno.remove(`${here.path}/cache`, { recursive: true }).catch(() => {});
  remote.stop();
  const questions = [["detect", both.source], ["doctor"]];
  const answers = questions.map((question) => run(launcher, question, { ...here, timeout }));
  await using second = startDaemon(here);
  await until("the daemon answers", () => here.status().then(() => true, () => false));
  assertEquals(await prints("cat", `${local}/loose.txt`), "loose of local");
  const { problems } = await here.status();
  assert(problems.some((text) => /does not answer; it appears once it is available/.test(text)), problems.join("\n"));
  // Programs without a daemon do not hang either.
  const [detected, examined] = await Promise.all(answers);
  assertEquals([detected?.code, examined?.code], [1, 1]);
  assertStringIncludes(detected?.stderr ?? "", `${both.source} does not answer`);
  assertStringIncludes(examined?.stdout ?? "", `${both.source} does not answer`);
  remote.go();
  await until("the source is shown", async () => (await run("cat", [`${hung}/loose.txt`])).stdout === "loose of hung");
  await second.end();
});

test("a mount of a source that hangs says so, and the daemon of another can be unmounted", async () => {
  await using both = await pair("hungAfter = 1");
  const { remote, here, hung, pid, ended } = both;
  remote.stop();
  const reader = startReading(`${hung}/loose.txt`);
  await untilHung(both);
  const busy = await here.pakfs("unmount", here.mountPoint);
  assertEquals(busy.code, 1);
  assertStringIncludes(busy.stderr, "--lazy");
  assertEquals((await here.pakfs("unmount", "--lazy", here.mountPoint)).code, 0);
  assertEquals(await soon("the reader ends", reader.content), "");
  await soon("the daemon ends", ended);
  assert(!isRunning(pid));
});

test("a daemon ends although a source hangs", async () => {
  await using both = await pair("hungAfter = 1");
  const { hung, remote, pid, ended, here } = both;
  remote.stop();
  const reader = startReading(`${hung}/loose.txt`);
  await untilHung(both);
  Deno.kill(pid, "SIGTERM");
  assertEquals(await soon("the reader ends", reader.content), "");
  await until("the daemon has ended", () => !isRunning(pid));
  await soon("the daemon ends", ended);
  assertEquals(await output("ls", here.mountPoint), "");
  assert(!isRunning(pid));
});

// Only root can end a daemon that the kernel keeps.
if (!needs("root").ignore) {
  test("a daemon that the kernel keeps, as its reads cannot be broken off, leaves room for another", async () => {
    await using both = await pair("hungAfter = 1");
    const { hung, local, source, remote, pid, ended, here, prints } = both;
    remote.hold();
    const reader = startReading(`${hung}/loose.txt`);
    await untilHung(both);
    Deno.kill(pid, "SIGTERM");
    assertEquals(await soon("the reader ends", reader.content), "");
    await until("it is unmounted", async () => (await mountsBelow(here.path)).length === 0);
    {
      await using next = startDaemon(here);
      await until(
        "the next daemon answers",
        () => here.status().then(({ pid }) => pid === next.child.pid, () => false),
      );
      assertEquals(await prints("cat", `${local}/loose.txt`), "loose of local");
      assert(isRunning(pid), "the kernel did not keep it: this shows nothing");
      const locks = (await output("cat", "/proc/locks")).split("\n");
      assertEquals(locks.filter((line) => line.includes(` WRITE ${pid} `)), [], "another Deno would wait for it");
    }
    await run("umount", ["-f", source]);
    await soon("the daemon ends", ended);
    await until("all of it has ended", () => !isRunning(pid));
  });
}
