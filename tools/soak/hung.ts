/**
 * Sources whose file systems hang, fail and return. Needs a user who may mount.
 * @module
 */
import { pak, zip } from "../../tests/formats/bytes.ts";
import { writeFiles } from "../../tests/index/fixtures.ts";
import { isRunning, run, until, workspace } from "../../tests/mount/mounting.ts";
import { type Stoppable, stoppable } from "../../tests/mount/stoppable.ts";
import { signal } from "../../tests/support/processes.ts";
import { temporaryDirectory } from "../../tests/support/temporary.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import { type Bounds, canMount, type Findings, leftovers, Rounds, type Scenario, startDaemon } from "./scenario.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;
/** Milliseconds after which a reader of a source that answers counts as stuck. */
const timeout = 20_000;
/** Readers of the source that hangs begin long before it answers again; milliseconds. */
const remoteTimeout = 120_000;
/**
 * Maximum milliseconds until a daemon has unmounted and removed its socket, whatever hangs; loaded machines take over 3
 * s.
 */
const maxEnd = 10_000;
const heldCalls = ["lookup", "getattr", "opendir", "readdir", "open", "read", "release"] as const;
const names = ["loose.txt", "stored.txt", "packed.txt"];

/** Prints a file without the kernel's page cache, so that its source is asked each time. */
const directly = `
import mmap, os, sys
file = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
room = mmap.mmap(-1, 1 << 20)
while True:
    count = os.readv(file, [room])
    if count == 0:
        break
    sys.stdout.buffer.write(room[:count])
`;

function contentOf(game: string, name: string): string {
  return `${name} of ${game} ${"and so on ".repeat(9000)}`;
}

function filesOf(game: string): Record<string, Uint8Array | string> {
  return {
    "id1/loose.txt": contentOf(game, "loose.txt"),
    "id1/pak0.pak": pak([["stored.txt", contentOf(game, "stored.txt")]]),
    "id1/pak1.pk3": zip([{ name: "packed.txt", content: contentOf(game, "packed.txt"), method: 8 }]),
  };
}

async function runHung(bounds: Bounds): Promise<Findings> {
  if (!canMount()) return { figures: { skipped: "only root may mount what this needs" }, failures: [] };
  await using stack = new AsyncDisposableStack();
  const here = stack.use(await workspace("poll"));
  const elsewhere = stack.use(await temporaryDirectory());
  const below = numbersFrom(bounds.seed + 1);
  const failures: string[] = [];
  const source = `${elsewhere.path}/mnt`;
  await Deno.mkdir(source);
  await writeFiles(`${elsewhere.path}/copied`, filesOf("remote"));
  await writeFiles(`${here.path}/local`, filesOf("local"));
  const game = (name: string, path: string) =>
    `[[game]]\nname = "${name}"\nprofile = "generic"\nbase = "id1"\nsources = ["${path}"]\n`;
  await writeFiles(here.path, {
    "config/pakfs/config.toml": `mount = "../../mnt"\nhungAfter = 1\n${game("local", `${here.path}/local`)}` +
      game("remote", source),
  });
  let remote: Stoppable = await stoppable(`${elsewhere.path}/copied`, source);
  stack.defer(() => remote[Symbol.asyncDispose]());
  const child = await startDaemon(here);
  stack.defer(async () => {
    remote.go();
    signal(child.pid, "SIGKILL");
    await run("umount", ["-l", here.mountPoint]);
  });
  const figures = { rounds: 0, "right reads": 0, "failed reads": 0 };
  const read = async (from: string, name: string, isExpected = /Input\/output error|No such file|Stale/) => {
    const path = `${here.mountPoint}/${from}/id1/${name}`;
    const { code, stdout, stderr } = await run("python3", ["-c", directly, path], {
      timeout: from === "remote" ? remoteTimeout : timeout,
    });
    if (code === 0 && stdout === contentOf(from, name)) figures["right reads"]++;
    else if (code !== 0 && isExpected.test(stderr)) figures["failed reads"]++;
    else failures.push(`${from}/${name}: wrong bytes, or ${stderr.trim().split("\n").at(-1)}`);
    return code === 0;
  };
  const rounds = new Rounds(bounds);
  while (rounds.next()) {
    const fails = below(3) === 0;
    if (fails) remote.kill();
    else if (below(2) === 0) remote.stop();
    else remote.hold(...below(2) === 0 ? [] : [heldCalls[below(heldCalls.length)] ?? "read"]);
    // deno-lint-ignore no-await-in-loop -- one fault after the other
    await pause(below(1500));
    const late = fails ? [] : names.map((name) => read("remote", name));
    for (let reads = 0; reads < 3; reads++) {
      // deno-lint-ignore no-await-in-loop -- as above
      const answers = await Promise.all(names.map((name) => read("local", name)));
      if (answers.includes(false)) failures.push("a local file could not be read");
    }
    // deno-lint-ignore no-await-in-loop -- as above
    const status = await run(launcher, ["status"], { ...here, timeout });
    if (status.code !== 0) failures.push(`status was not answered: ${status.stderr.trim()}`);
    if (fails) {
      // deno-lint-ignore no-await-in-loop -- as above
      await remote[Symbol.asyncDispose]();
      // deno-lint-ignore no-await-in-loop -- as above
      remote = await stoppable(`${elsewhere.path}/copied`, source);
    } else remote.go();
    // deno-lint-ignore no-await-in-loop -- as above
    await Promise.all(late);
    // deno-lint-ignore no-await-in-loop -- as above
    await until("it heals", async () => (await Promise.all(names.map((name) => read("remote", name)))).every(Boolean));
  }
  figures.rounds = rounds.done;
  if (below(2) === 0) remote.stop();
  else remote.hold();
  // A read that comes while the daemon ends finds a connection that the kernel has ended.
  const stuck = read("remote", "loose.txt", /Input\/output error|No such file|Stale|not connected|connection abort/);
  const began = performance.now();
  child.kill("SIGTERM");
  // The kernel may keep the process until the source answers. All else is to be gone.
  const remains = async () => (await leftovers(here, child.pid)).filter((text) => !text.startsWith("process "));
  await until("the daemon has ended its work", async () => (await remains()).length === 0);
  const took = Math.round(performance.now() - began);
  if (took > maxEnd) failures.push(`the daemon ended its work after ${took} ms`);
  await stuck;
  const next = await startDaemon(here);
  stack.defer(() => signal(next.pid, "SIGKILL"));
  if (!(await read("local", "loose.txt"))) failures.push("the next daemon does not serve what is local");
  remote.go();
  await until("the process is gone", () => !isRunning(child.pid));
  next.kill("SIGTERM");
  await next.status;
  failures.push(...await leftovers(here, next.pid));
  return { figures: { ...figures, "end while it hangs (ms)": took }, failures };
}

/** A network file system whose server stops, dies and returns. */
export const hung: Scenario = {
  name: "hung",
  summary: "a source's file system hangs, fails and returns",
  rounds: 300,
  run: runHung,
};
