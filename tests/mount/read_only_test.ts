import { assert, assertEquals } from "@std/assert";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { manifest, output, run, type Workspace, workspace } from "./mounting.ts";

const calls = new URL("./mutating_calls.py", import.meta.url).pathname;

/** A mount of two files that other users may read. */
async function mounted(here: Workspace): Promise<string> {
  await writeFiles(here.path, { "game/file.txt": "a file\n".repeat(1000), "game/directory/inner.txt": "inner\n" });
  await Deno.chmod(here.path, 0o755);
  await here.mount("--profile", "generic", "-o", "allow_other", `${here.path}/game`);
  return (await output("sh", "-c", 'dirname "$(find "$1" -name file.txt)"', "sh", here.mountPoint)).trim();
}

/** Runs a script in its own mount namespace, with the directory on the mount and another as `$1` and `$2`. */
async function apart(here: Workspace, script: string, root: string): Promise<Record<string, Record<string, string>>> {
  const other = `${here.path}/other`;
  await Deno.mkdir(other, { recursive: true });
  const { code, stdout, stderr } = await run("unshare", ["-m", "sh", "-ec", script, calls, root, other]);
  assertEquals([code, stderr], [0, ""]);
  const [first = "{}", second = "{}"] = stdout.trim().split("\n");
  return { first: JSON.parse(first), second: JSON.parse(second) };
}

/** A kernel file system with the same files, mounted read-only as a whole. */
const reference = `
mount -t tmpfs -o mode=0555,nosuid,nodev,noatime none "$2"
cp -a "$1/." "$2"
mount -o remount,ro "$2"`;

for (const [who, user] of [["root", 0], ["another user", 65534]]) {
  Deno.test(
    `to ${who} every call that changes something fails as on a real read-only file system`,
    needs("python3", "root"),
    async () => {
      await using here = await workspace();
      const root = await mounted(here);
      const before = await manifest(here.mountPoint);
      const script = `${reference}\npython3 "$0" "$1" ${user}\npython3 "$0" "$2" ${user}`;
      const { first, second } = await apart(here, script, root);
      assertEquals(first, second);
      assertEquals([first?.create, first?.unlink, first?.setxattr], ["EROFS", "EROFS", "EROFS"]);
      assert(Object.keys(first ?? {}).length > 90);
      assertEquals(await manifest(here.mountPoint), before);
    },
  );
}

/** Calls without an effect: opening changes nothing yet, and renaming a file to its own name changes nothing. */
const harmless =
  /^(open (to (read and )?write|to append|or create what is there.*)|access .*|.* for oneself|rename to itself)$/;

Deno.test("a mount that root makes writable is still changed by no call", needs("root", "python3"), async () => {
  await using here = await workspace();
  const root = await mounted(here);
  const before = await manifest(here.mountPoint);
  const { first } = await apart(here, `mount -i -o remount,rw "${here.mountPoint}"; python3 "$0" "$1" 0`, root);
  const done = Object.entries(first ?? {}).filter(([, result]) => result === "done").map(([name]) => name);
  assertEquals(done.filter((name) => !harmless.test(name)), []);
  assertEquals(await manifest(here.mountPoint), before);
});
