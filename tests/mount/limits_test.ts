// deno-lint-ignore-file no-await-in-loop -- one after the other
/** Mounts with few resources: they stay within their limits, and every file can be read. */
import { assert, assertEquals } from "@std/assert";
import { descriptorBounds } from "../../mount/shared/descriptor_bounds.ts";
import { zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { output, run, workspace } from "./mounting.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

/** Text that is decompressed into a file, as it exceeds half of the memory for members. */
function large(name: string): string {
  return `${name}\n`.repeat(5_000_000 / name.length);
}

Deno.test("a mount that may open 160 files reads all of them, and opens no more than some", async () => {
  await using here = await workspace();
  const names = Array.from({ length: 40 }, (_, number) => `large${number}`);
  const members = names.map((name) => ({ name, content: large(name), method: 8 }));
  const small = Array.from({ length: 300 }, (_, number) => [`q3/baseq3/l/f${number}`, `small ${number}`] as const);
  await writeFiles(here.path, { ...Object.fromEntries(small), "q3/baseq3/a.pk3": zip(members) });
  const script = 'ulimit -n 160; exec "$@"';
  const mount = ["-c", script, "sh", launcher, "mount", "--profile", "ioquake3", `${here.path}/q3`, here.mountPoint];
  assertEquals((await run("sh", mount, { environment: here.environment })).code, 0);
  const { pid } = await here.status();
  const view = `${here.mountPoint}/q3/baseq3`;
  let most = 0;
  for (let round = 0; round < 3; round++) {
    const read = await output("sh", "-c", 'cat "$1"/f*', "sh", `${view}/l`);
    assertEquals(read.match(/small/g)?.length, small.length);
    for (const name of names) {
      const end = await output("tail", "-n", "1", `${view}/${name}`);
      assertEquals(end, `${name}\n`);
      most = Math.max(most, (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length);
    }
    await writeFiles(here.path, { "q3/baseq3/l/f1": `small ${round}` });
    await here.pakfs("refresh");
  }
  assert(most <= 130, `${most} descriptors`);
  assertEquals((await here.status()).pid, pid);
});

Deno.test("bounds of open files follow the limit of the process, between some that always work and some that suffice", () => {
  const boundsFor = (limit: string) => {
    const text =
      `Max processes             1                    2                    processes\nMax open files            ${limit}`;
    const { opened, spilled } = descriptorBounds({ readText: () => text });
    return [opened, spilled];
  };
  assertEquals(boundsFor("64                   64                   files"), [8, 4]);
  assertEquals(boundsFor("160                  4096                 files"), [8, 4]);
  assertEquals(boundsFor("512                  512                  files"), [96, 48]);
  assertEquals(boundsFor("1048576              1048576              files"), [256, 64]);
  assertEquals(boundsFor("unlimited            unlimited            files"), [256, 64]);
  const { opened, spilled } = descriptorBounds({ readText: () => "" });
  assertEquals([opened, spilled], [256, 64]);
});

/** Directory in which this user can make memory control groups, and the name of a group's limit. */
const groups = [["/sys/fs/cgroup/memory", "memory.limit_in_bytes"], ["/sys/fs/cgroup", "memory.max"]] as const;

/** Makes a control group with a limit of memory; `undefined` where that is not possible. */
async function limitedGroup(bytes: number): Promise<string | undefined> {
  for (const [root, name] of groups) {
    const path = `${root}/pakfs-test-${crypto.randomUUID()}`;
    try {
      await Deno.mkdir(path);
    } catch {
      continue;
    }
    try {
      await Deno.writeTextFile(`${path}/${name}`, String(bytes), { create: false });
      return path;
    } catch {
      await Deno.remove(path);
    }
  }
  return undefined;
}

Deno.test({
  name: "with 200 MB of memory a mount reads everything, and refuses to convert instead of being killed",
  ...needs("root"),
  fn: async () => {
    const group = await limitedGroup(200 * 1024 * 1024);
    if (group === undefined) return; // some containers let nobody make one
    try {
      await using here = await workspace();
      const names = Array.from({ length: 10 }, (_, number) => `large${number}`);
      const members = names.map((name) => ({ name, content: large(name), method: 8 }));
      await writeFiles(here.path, { "q3/baseq3/a.pk3": zip(members), "q3/baseq3/gfx/a.tga": "" });
      const script = 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"';
      const mount = [launcher, "mount", "--profile", "ioquake3", `${here.path}/q3`, here.mountPoint];
      const inGroup = await run("sh", ["-c", script, "sh", group, ...mount], { environment: here.environment });
      assertEquals(inGroup.code, 0, inGroup.stderr);
      const { pid } = await here.status();
      for (const name of names) {
        assertEquals(await output("tail", "-n", "1", `${here.mountPoint}/q3/baseq3/${name}`), `${name}\n`);
      }
      assertEquals((await run("ls", [`${here.mountPoint}/.as/q3/baseq3/gfx`])).code === 0, false);
      const { pid: later, problems } = await here.status();
      assertEquals([later, problems.filter((problem) => problem.includes("below .as not converted")).length], [pid, 1]);
      await here.stop();
    } finally {
      await Deno.remove(group);
    }
  },
});
