import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pak } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { isRunning, mountsBelow, output, python, run, until, workspace } from "./mounting.ts";

/** Members for decoders: too large for the session thread, each with different bytes. */
async function packedMembers(path: string, count: number): Promise<void> {
  await Deno.mkdir(path, { recursive: true });
  await python(
    `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/pak0.pk3", "w", zipfile.ZIP_DEFLATED) as archive:
    for member in range(${count}):
        archive.writestr("m%d" % member, (b"%06d\\n" % member) * 40000)
`,
    path,
  );
}

Deno.test(
  "decoders that break are replaced: what they had in hand reads as EIO, all else as it is",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await packedMembers(`${here.path}/q3/baseq3`, 40);
    here.environment.PAKFS_FAULT = "decoder:3";
    await here.mount("--profile", "ioquake3", `${here.path}/q3`);
    const printed = await python(
      `
import errno, os, sys
from concurrent.futures import ThreadPoolExecutor
def read(member):
    try:
        data = open(sys.argv[1] + "/m%d" % member, "rb").read()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "right" if data == (b"%06d\\n" % member) * 40000 else "wrong"
with ThreadPoolExecutor(4) as pool:
    first = list(pool.map(read, range(40)))
    print(sorted(set(first)), first.count("EIO") < 30)
# What failed is no damage: it is tried again.
left = set(range(40))
for _ in range(40):
    left = {member for member in left if read(member) != "right"}
print(len(left))
`,
      `${here.mountPoint}/q3/baseq3`,
    );
    assertEquals(printed, "['EIO', 'right'] True\n0\n");
    const { problems } = await here.status();
    assert(problems.length > 0);
    for (const problem of problems) {
      assertMatch(
        problem,
        /^a decoder thread failed and is started again; .* PAKFS_FAULT/,
      );
    }
    await here.stop();
  },
);

Deno.test("a session thread that breaks leaves no mount, no socket and no daemon, and says why", async () => {
  await using here = await workspace();
  await writeFiles(here.path, { "quake/id1/pak0.pak": pak([["a.txt", "a"], ["big", "x".repeat(5_000_000)]]) });
  here.environment.PAKFS_FAULT = "session:1";
  await here.mount(`${here.path}/quake`);
  const { pid } = await here.status();
  assertEquals(await output("cat", `${here.mountPoint}/quake/id1/a.txt`), "a");
  await writeFiles(here.path, { "quake/id1/new.txt": "new" });
  await here.pakfs("refresh");
  await until("the daemon has ended", () => !isRunning(pid));
  assertEquals(await mountsBelow(here.path), []);
  assertEquals(await Array.fromAsync(Deno.readDir(`${here.path}/run/pakfs`)), []);
  assertEquals((await run("ls", [here.mountPoint])).code, 0);
  const log = await Deno.readTextFile(`${here.path}/state/pakfs/pakfs.log`);
  assertStringIncludes(log, "the session thread failed: ");
});
