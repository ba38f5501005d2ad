// A table of calls that hang, each alone, and of the actions on other games that must then not wait.
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { together } from "../support/together.ts";
import { isRunning, mountsBelow, run, until, type Workspace, workspace } from "./mounting.ts";
import { type Stoppable, stoppable } from "./stoppable.ts";

const test = together("each call of a source hangs by itself", {}, 6);
const launcher = new URL("../../pakfs", import.meta.url).pathname;
/** Milliseconds within which a call that must not wait has to return. */
const timeout = 300_000;

/** A mounted local game, and a game on a file system whose calls can be held. */
interface Pair extends AsyncDisposable {
  readonly here: Workspace;
  readonly remote: Stoppable;
  /** Directory of the second game. */
  readonly source: string;
  /** Starts `pakfs daemon`. */
  start(): Promise<Deno.ChildProcess>;
  /** Output of a program that must end, and succeed. */
  prints(program: string, ...parameters: readonly string[]): Promise<string>;
}

function filesOf(name: string) {
  return {
    "id1/pak0.pak": pak([["stored.txt", `stored of ${name}`]]),
    "id1/pak1.pk3": zip([{ name: "packed.txt", content: `packed of ${name}`.repeat(1000), method: 8 }]),
    "id1/loose.txt": `loose of ${name}`,
    "id1/gfx/palette.lmp": new Uint8Array(768),
    "id1/gfx/small.lmp": new Uint8Array([2, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4]),
    "id1/progs.dat": "x",
  };
}

async function pair(): Promise<Pair> {
  await using stack = new AsyncDisposableStack();
  const here = stack.use(await workspace());
  const elsewhere = stack.use(await temporaryDirectory());
  const source = `${elsewhere.path}/mnt`;
  await Deno.mkdir(source);
  await writeFiles(`${elsewhere.path}/copied`, filesOf("remote"));
  await writeFiles(`${here.path}/local`, filesOf("local"));
  await writeFiles(`${here.path}/other`, filesOf("other"));
  const game = (name: string, path: string) => `[[game]]\nname = "${name}"\nprofile = "quake"\nsources = ["${path}"]\n`;
  await writeFiles(here.path, {
    "home/": "",
    "more/": "",
    "config/pakfs/config.toml": `mount = "../../mnt"\nhungAfter = 1\n${game("local", "../../local")}` +
      game("remote", source),
  });
  const remote = stack.use(await stoppable(`${elsewhere.path}/copied`, source));
  const ended: Promise<unknown>[] = [];
  stack.defer(async () => {
    remote.go();
    await Promise.all((await mountsBelow(here.path)).map((mount) => run("fusermount3", ["-u", "-z", mount])));
    await Promise.all(ended);
  });
  const moved = stack.move();
  return {
    here,
    remote,
    source,
    async start() {
      const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
      const child = new Deno.Command(launcher, { args: ["daemon"], env: here.environment, ...streams }).spawn();
      ended.push(child.status);
      await until("the daemon answers", () => here.status().then(() => true, () => false));
      return child;
    },
    async prints(program, ...parameters) {
      const { code, stdout, stderr } = await run(program, parameters, { environment: here.environment, timeout });
      assertEquals([code, stderr], [0, ""], `${program} ${parameters.join(" ")}`);
      return stdout;
    },
    [Symbol.asyncDispose]: () => moved[Symbol.asyncDispose](),
  };
}

/** Ends a daemon by SIGTERM; asserts that all of its threads end. */
async function end(child: Deno.ChildProcess, { here }: Pair): Promise<void> {
  child.kill("SIGTERM");
  await until("the daemon has ended", async () => !await isRunning(child.pid));
  await child.status;
  assertEquals(await mountsBelow(here.path), []);
}

/** Changes, refreshes, reads and lists the game on the local disk. */
async function useLocal({ here, prints }: Pair, added: string): Promise<void> {
  await writeFiles(here.path, { [`local/id1/${added}`]: added });
  assertEquals((await here.pakfs("refresh", "-q")).code, 0);
  assertEquals(await prints("cat", `${here.mountPoint}/local/id1/${added}`), added);
  assertEquals(await prints(launcher, "cat", "stored.txt", "--view", "local"), "stored of local");
  assertStringIncludes(await prints("ls", `${here.mountPoint}/.as/local/id1/gfx`), "small.lmp.png");
}

const listingCalls = ["lookup", "getattr", "opendir", "readdir"] as const;
const readingCalls = ["open", "read"] as const;

for (const call of [...listingCalls, ...readingCalls]) {
  test(`${call} hangs while an index is refreshed and while a daemon starts: local games do not wait`, async () => {
    await using both = await pair();
    const { here, remote, source, prints } = both;
    const first = await both.start();
    remote.hold(call);
    // The lists of archives that are newer are read again.
    remote.touch();
    await useLocal(both, "first.txt");
    const mounted = await here.pakfs("mount", "-q", `${here.path}/other`, `${here.path}/more`);
    assertEquals([mounted.code, mounted.stderr], [0, ""]);
    assertEquals(await prints("cat", `${here.path}/more/other/id1/loose.txt`), "loose of other");
    const { problems } = await here.status();
    assertStringIncludes(problems.join("\n"), `${source} is on ${source} (fuse.stoppable), which does not answer`);
    await end(first, both);

    await Deno.remove(`${here.path}/cache`, { recursive: true }).catch(() => {});
    const second = await both.start();
    await useLocal(both, "second.txt");
    assertMatch((await here.status()).problems.join("\n"), /does not answer; it appears once it is available/);
    remote.go();
    await until("the source is shown", async () => {
      const { stdout } = await run("cat", [`${here.mountPoint}/remote/id1/loose.txt`], { timeout });
      return stdout === "loose of remote";
    });
    await end(second, both);
  });

  test(`${call} hangs while commands look without a daemon: they end, and name what does not answer`, async () => {
    await using both = await pair();
    const { here, remote, source } = both;
    remote.hold(call);
    const commands = [
      ["doctor"],
      ["detect", source],
      ["ls", "--source", source],
      ["mount", source, `${here.path}/more`],
    ];
    // All output must end too: a process that the kernel keeps holds no stream open.
    const outcomes = await Promise.all(commands.map((words) => run(launcher, words, { ...here, timeout })));
    for (const [index, { stdout, stderr }] of outcomes.entries()) {
      const [name] = commands[index] ?? [];
      // The doctor opens no file of a game.
      const isLooking = name !== "doctor" || listingCalls.some((one) => one === call);
      assertEquals(/does not answer/.test(stdout + stderr), isLooking, `${name}: ${stdout}${stderr}`);
    }
  });
}

for (const call of readingCalls) {
  test(`${call} hangs while files are read, converted and compared: those of other games are not`, async () => {
    await using both = await pair();
    const { here, remote } = both;
    const child = await both.start();
    remote.hold(call);
    const hung = `${here.mountPoint}/remote/id1`;
    const paths = [`${hung}/packed.txt`, `${hung}/loose.txt`, `${here.mountPoint}/.as/remote/id1/gfx/small.lmp.png`];
    const readers = paths.map((path) => new Deno.Command("cat", { args: [path], stdout: "null", stderr: "null" }))
      .map((reader) => reader.spawn());
    const questions = [["cat", "stored.txt"], ["stat", "packed.txt"], ["show", "gfx/small.lmp"], ["missing"]]
      .map((words) => here.pakfs(...words, "--view", "remote"));
    await useLocal(both, "first.txt");
    await Promise.all(questions);
    await useLocal(both, "second.txt");
    remote.go();
    await Promise.all(readers.map((reader) => reader.status));
    await until("it answers", async () => (await here.pakfs("cat", "loose.txt", "--view", "remote")).code === 0);
    await end(child, both);
  });
}
