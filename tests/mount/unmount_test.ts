import { assertEquals, assertMatch } from "@std/assert";
import { mountUsers, processesUsing } from "../../repl/output/mount_users.ts";
import { usableMountPoint } from "../../daemon/lifecycle/mount_point.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { isRunning, mountsBelow, until, type Workspace, workspace } from "./mounting.ts";

/** Runs `body` while a shell has its working directory in a mount. */
async function whileBusy(path: string, body: (pid: number) => Promise<void>): Promise<void> {
  const user = new Deno.Command("sh", {
    args: ["-c", 'cd "$1" && echo there && read -r line', "sh", path],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = user.stdout.getReader();
  await reader.read();
  try {
    await body(user.pid);
  } finally {
    await user.stdin.close();
    await reader.cancel();
    await user.status;
  }
}

/** The default daemon, and one that commands do not find by themselves. */
const daemons: readonly { readonly name: string; readonly start: (here: Workspace) => Promise<unknown> }[] = [
  { name: "the usual daemon", start: (here) => here.mount(`${here.path}/quake`) },
  {
    name: "a daemon at another socket",
    start: (here) => here.pakfs("mount", "--socket", `${here.path}/other.sock`, `${here.path}/quake`, here.mountPoint),
  },
];

for (const { name, start } of daemons) {
  Deno.test(`a busy mount of ${name} stays, its users are named, and --lazy detaches it`, async () => {
    await using here = await workspace();
    await writeFiles(here.path, { "quake/id1/a.txt": "a" });
    await start(here);
    const { mountPoint } = here;
    await whileBusy(`${mountPoint}/quake`, async (pid) => {
      const refused = await here.pakfs("unmount", mountPoint);
      assertEquals([refused.code, refused.stdout], [1, ""]);
      assertEquals(
        refused.stderr,
        `pakfs: cannot unmount ${mountPoint}: in use by sh (${pid}); close open files and leave the directory, or ` +
          `detach it anyway: pakfs unmount --lazy ${mountPoint}\n`,
      );
      assertEquals(await mountsBelow(here.path), [mountPoint]);
      const lazy = await here.pakfs("unmount", "--lazy", mountPoint);
      assertEquals([lazy.code, lazy.stderr], [0, `unmounted ${mountPoint}\n`]);
      assertEquals(await mountsBelow(here.path), []);
    });
    await until("the daemon has ended", () => here.processes().length === 0);
  });
}

Deno.test("the REPL unmounts as a shell does, and a mount whose daemon was killed is released while it is in use", async () => {
  await using here = await workspace();
  await writeFiles(here.path, { "quake/id1/a.txt": "a" });
  await here.mount(`${here.path}/quake`);
  await whileBusy(`${here.mountPoint}/quake`, async (pid) => {
    const { code, stderr } = await here.pakfs("-c", `unmount ${here.mountPoint}`);
    assertEquals(code, 3);
    assertMatch(stderr, new RegExp(`in use by sh \\(${pid}\\)`));
    const daemon = (await here.status()).pid;
    Deno.kill(daemon, "SIGKILL");
    await until("the daemon has ended", () => !isRunning(daemon));
    assertEquals((await here.pakfs("-c", `unmount ${here.mountPoint}`)).code, 0);
    assertEquals(await mountsBelow(here.path), []);
  });
});

Deno.test("a path that is not mounted is reported, with advice", async () => {
  await using here = await workspace();
  await writeFiles(here.path, { "quake/id1/a.txt": "a", "elsewhere/": "" });
  await here.mount(`${here.path}/quake`);
  const inside = await here.pakfs("unmount", `${here.mountPoint}/quake`);
  assertEquals(inside.code, 1);
  assertMatch(inside.stderr, /quake is not mounted, but inside \S+\/mnt; run pakfs unmount \S+\/mnt\n$/);
  const other = await here.pakfs("umount", `${here.path}/elsewhere`);
  assertEquals(other.code, 1);
  assertMatch(other.stderr, /elsewhere is not mounted; mounted: .*\/mnt/);
  await here.stop();
});

Deno.test("programs in a directory are found by their links, and others are not", async () => {
  await using directory = await temporaryDirectory();
  await Deno.mkdir(`${directory.path}/in`);
  await whileBusy(`${directory.path}/in`, async (pid) => {
    assertEquals(await mountUsers(directory.path), [`sh (${pid})`]);
    assertEquals(await mountUsers(`${directory.path}/i`), []);
  });
  const listing = "lrwxrwxrwx 1 u u 0 Nov 1 1:00 /proc/7/cwd -> /mnt x/a b\n" +
    "lrwxrwxrwx 1 u u 0 Nov 1 1:00 /proc/8/exe -> /mnt x2/a\n\n" +
    "/proc/9/fd/:\ntotal 0\nlr-x------ 1 u u 64 Nov 1 1:00 3 -> /mnt x\n";
  assertEquals(processesUsing("/mnt x", listing), [7, 9]);
});

Deno.test({
  name: "a mount that is made while its mount point is checked is reported as one",
  ...needs("root"),
  fn: async () => {
    await using directory = await temporaryDirectory();
    const path = `${directory.path}/my mnt`;
    await Deno.mkdir(path);
    const mountThere = () => {
      const { success } = new Deno.Command("mount", { args: ["-t", "tmpfs", "tmpfs", path] }).outputSync();
      assertEquals(success, true);
      Deno.mkdirSync(`${path}/one`);
      return true;
    };
    try {
      let message = "";
      try {
        usableMountPoint(path, ["/elsewhere"], mountThere);
      } catch (error) {
        message = String(error);
      }
      assertMatch(message, /my mnt is already mounted; unmount it first: pakfs unmount '\/\S+\/my mnt'$/);
    } finally {
      await new Deno.Command("umount", { args: [path] }).output();
    }
  },
});
