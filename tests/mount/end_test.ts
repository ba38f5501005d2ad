// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pak } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { together } from "../support/together.ts";
import { isRunning, mountsBelow, output, run, until, type Workspace, workspace } from "./mounting.ts";
import { stoppable } from "./stoppable.ts";

const test = together("a daemon ends whatever hangs or is in use");
const launcher = new URL("../../pakfs", import.meta.url).pathname;

async function mounted(): Promise<Workspace> {
  const here = await workspace();
  await writeFiles(here.path, { "quake/id1/pak0.pak": pak([["a.txt", "a"], ["big", "x".repeat(5_000_000)]]) });
  await here.mount(`${here.path}/quake`);
  return here;
}

/** Asserts that no mount, daemon or socket is left, and that the mount point is an empty directory. */
async function assertGone(here: Workspace, pid: number): Promise<void> {
  await until("the mount is gone", async () => (await mountsBelow(here.path)).length === 0);
  await until("the daemon has ended", () => !isRunning(pid));
  assertEquals(await Array.fromAsync(Deno.readDir(`${here.path}/run/pakfs`), (entry) => entry.name), []);
  assertEquals(await Array.fromAsync(Deno.readDir(here.mountPoint)), []);
  assertEquals((await Deno.stat(here.mountPoint)).isDirectory, true);
}

/**
 * Whether the main thread of a process waits for another thread, and has not run for a second; otherwise it waits for
 * events.
 */
async function waitsForEver(pid: number): Promise<boolean> {
  const thread = `/proc/${pid}/task/${pid}`;
  const look = () => output("grep", "-h", "futex\\|switches", `${thread}/wchan`, `${thread}/status`);
  const before = await look();
  if (!before.startsWith("futex")) return false;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return before === await look();
}

// The slowest end comes first.
for (const end of ["unmount", "fusermount3", "SIGTERM three times"] as const) {
  test(`${end} ends the daemon although its main thread hangs`, async () => {
    await using here = await workspace();
    await writeFiles(here.path, { "quake/id1/a.txt": "a" });
    here.environment.PAKFS_FAULT = "main:1";
    await here.mount(`${here.path}/quake`);
    const { pid } = await here.status();
    await using _refresh = startRefresh(here);
    await until("it hangs", () => waitsForEver(pid));
    if (end === "unmount") {
      const { code, stderr } = await here.pakfs("stop");
      const sentence = "pakfs: the daemon does not answer; detach its mount with: pakfs unmount MOUNTPOINT\n";
      assertEquals([code, stderr], [1, sentence]);
      assertEquals((await here.pakfs("unmount", here.mountPoint)).code, 0);
    } else if (end === "fusermount3") await output("fusermount3", "-u", here.mountPoint);
    else for (const _ of "123") Deno.kill(pid, "SIGTERM");
    await assertGone(here, pid);
    const log = await Deno.readTextFile(`${here.path}/state/pakfs/pakfs.log`);
    assertStringIncludes(log, "forced to end: something hung or took too long");
  });
}

test("two signals, as timeout(1) sends them, leave a daemon the time for its end", async () => {
  const root = new URL("../../", import.meta.url);
  const script = `import { Deadline } from "${new URL("daemon/lifecycle/deadline.ts", root)}";
    let heard = 0;
    const end = () => { console.log("ended"); Deno.exit(); };
    const listener = () => void (++heard === 2 && setTimeout(end, 100));
    new Deadline({ mountPoints: [], socket: null, logFormat: "text" }).listen(listener);
    setInterval(() => {}, 1000);
    // Two of one kind may arrive as one.
    for (const signal of ["SIGINT", "SIGTERM"]) Deno.kill(Deno.pid, signal);`;
  const args = ["eval", "--config", new URL("deno.json", root).pathname, script];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "null" }).output();
  assertEquals(new TextDecoder().decode(stdout), "ended\n");
});

test("fusermount3 -u from outside ends the daemon cleanly", async () => {
  await using here = await mounted();
  const { pid } = await here.status();
  await output("fusermount3", "-u", here.mountPoint);
  await assertGone(here, pid);
});

test("pakfs unmount ends the daemon cleanly", async () => {
  await using here = await mounted();
  const { pid } = await here.status();
  assertEquals((await here.pakfs("unmount", here.mountPoint)).code, 0);
  assertEquals(await mountsBelow(here.path), [], "unmount returns when the mount is gone");
  await assertGone(here, pid);
  const again = await here.pakfs("unmount", here.mountPoint);
  assertEquals(again.code, 1);
  assertStringIncludes(again.stderr, here.mountPoint);
});

test("pakfs stop ends the daemon cleanly, and then nothing answers", async () => {
  await using here = await mounted();
  const { pid } = await here.status();
  assertEquals((await here.pakfs("stop")).code, 0);
  await assertGone(here, pid);
  const { code, stderr } = await here.pakfs("status");
  assertEquals(code, 4);
  assertStringIncludes(stderr, `no daemon answers at ${here.socket}`);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} ends the daemon cleanly while a file is open and a shell is in the mount`, async () => {
    await using here = await mounted();
    const { pid } = await here.status();
    const user = new Deno.Command("sh", {
      args: ["-c", 'cd "$1" && exec 3<big && head -c 10 <&3 && read -r line; head -c 10 <&3; echo "$?"', "sh"].concat(
        `${here.mountPoint}/quake/id1`,
      ),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const output = user.stdout.pipeThrough(new TextDecoderStream());
    let printed = "";
    const reading = (async () => {
      for await (const text of output) printed += text;
    })();
    await until("the file is open", () => Promise.resolve(printed === "xxxxxxxxxx"));
    Deno.kill(pid, signal);
    await assertGone(here, pid);
    await user.stdin.close();
    await Promise.all([reading, user.status, user.stderr.cancel()]);
    assertMatch(printed, /^x{10,20}[01]\n$/, "the reader gets its own bytes or an error, and is not stuck");
  });
}

test("after kill -9 the same mount point and socket can be used again at once", async () => {
  await using here = await mounted();
  const { pid } = await here.status();
  Deno.kill(pid, "SIGKILL");
  await until("the daemon has ended", () => !isRunning(pid));
  // A thread that is still ending keeps the connection, and the kernel lists what it knows. A call gets the second error
  // while the kernel is ending the connection.
  const dead = /Transport endpoint is not connected|Software caused connection abort/;
  await until("the mount is dead", async () => dead.test((await run("ls", [here.mountPoint])).stderr));
  assertEquals((await Deno.lstat(here.socket)).isSocket, true);
  await here.mount(`${here.path}/quake`);
  assertEquals(await output("cat", `${here.mountPoint}/quake/id1/a.txt`), "a");
  assertEquals((await mountsBelow(here.path)).length, 1);
  const { pid: second } = await here.status();
  assertEquals((await here.pakfs("unmount", here.mountPoint)).code, 0);
  await assertGone(here, second);
});

test("pakfs unmount takes away what a killed daemon left", async () => {
  await using here = await mounted();
  const { pid } = await here.status();
  Deno.kill(pid, "SIGKILL");
  await until("the daemon has ended", () => !isRunning(pid));
  assertEquals((await here.pakfs("unmount", here.mountPoint)).code, 0);
  assertEquals(await mountsBelow(here.path), []);
});

test("mount -f stays in the foreground and ends with 0 when it is unmounted or interrupted", async () => {
  for (const end of ["unmount", "interrupt"]) {
    await using here = await workspace();
    await writeFiles(here.path, { "quake/id1/a.txt": "a" });
    const { pid, finished } = await here.foreground("mount", "-f", `${here.path}/quake`, here.mountPoint);
    if (end === "interrupt") Deno.kill(pid, "SIGINT");
    else await output("fusermount3", "-u", here.mountPoint);
    const { code, stdout, stderr } = await finished;
    assertEquals([code, stdout], [0, ""], stderr);
    assertStringIncludes(stderr, `mounted at ${here.mountPoint}; socket ${here.socket}`);
    assertEquals(stderr.includes("in use"), false);
    await assertGone(here, pid);
  }
});

Deno.test({
  name: "a busy mount is detached anyway, and the log says so",
  ...needs("root"),
  fn: async () => {
    await using here = await workspace();
    await writeFiles(here.path, { "quake/id1/a.txt": "a" });
    const { pid, finished } = await here.foreground("mount", "-f", `${here.path}/quake`, here.mountPoint);
    const user = new Deno.Command("sh", {
      args: ["-c", 'cd "$1" && echo there && read -r line', "sh", `${here.mountPoint}/quake`],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const reader = user.stdout.getReader();
    await reader.read();
    await here.pakfs("stop");
    assertStringIncludes(
      (await finished).stderr,
      `${here.mountPoint} is busy; detached it anyway: open files will fail`,
    );
    await assertGone(here, pid);
    await user.stdin.close();
    await reader.cancel();
    await user.status;
  },
});

/** Starts a refresh of the daemon without waiting for its end. */
function startRefresh(here: Workspace) {
  const controller = new AbortController();
  const child = new Deno.Command(launcher, {
    args: ["refresh"],
    env: here.environment,
    stdin: "null",
    stdout: "null",
    stderr: "null",
    signal: controller.signal,
  }).spawn();
  let isOver = false;
  child.status.then(() => isOver = true);
  return {
    isOver: () => isOver,
    async [Symbol.asyncDispose](): Promise<void> {
      if (!isOver) controller.abort();
      await child.status;
    },
  };
}

/** Whether a thread of a process waits for a FUSE file system: such a thread takes no signals. */
async function waitsForFileSystem(pid: number): Promise<boolean> {
  return (await run("sh", ["-c", `cat /proc/${pid}/task/*/wchan`])).stdout.includes("request_wait_answer");
}

test("SIGTERM ends the daemon although a source hangs that it looks at", async () => {
  await using here = await workspace();
  await using elsewhere = await temporaryDirectory();
  await writeFiles(elsewhere.path, { "copied/id1/a.txt": "a" });
  await Deno.mkdir(`${elsewhere.path}/mnt`);
  await using remote = await stoppable(`${elsewhere.path}/copied`, `${elsewhere.path}/mnt`);
  await here.mount("--profile", "quake", `${elsewhere.path}/mnt`);
  const { pid } = await here.status();
  remote.stop();
  await using refresh = startRefresh(here);
  await until("the refresh hangs or is over", async () => refresh.isOver() || await waitsForFileSystem(pid));
  Deno.kill(pid, "SIGTERM");
  await assertGone(here, pid);
});
