// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals } from "@std/assert";
import { pak } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { expectedManifest, manifest, pythonJson, type Workspace, workspace } from "./mounting.ts";

const fileCount = 600;
/** Number of the file with damaged compressed bytes. */
const broken = 300;

/** Returns the content of file `number` in the `round`th version. */
const contentOf = `
def content(number, round):
    return (b"%d %d " % (number, round)) * (number % 97 * 10 + 1)
`;

/** Makes a pk3 of many small files in one directory; `broken` is the number of the damaged one, -1 for none. */
const makePack = `${contentOf}
import sys, zipfile, os
path, count, broken, round = sys.argv[1], *map(int, sys.argv[2:])
with zipfile.ZipFile(path + "~", "w", zipfile.ZIP_DEFLATED) as pack:
    for number in range(count):
        pack.writestr("sound/%04d.wav" % number, content(number, round))
    damaged = pack.infolist()[broken] if broken >= 0 else None
if damaged:
    with open(path + "~", "r+b") as file:
        file.seek(damaged.header_offset + 30 + len(damaged.filename))
        bytes = file.read(damaged.compress_size)
        file.seek(-len(bytes), os.SEEK_CUR)
        file.write(bytes[:8] + b"\\0\\0\\0\\0" + bytes[12:])
os.rename(path + "~", path)
print("null")
`;

/** Lists a directory, then reads its files in order; prints the wrong and the unreadable ones. */
const readInOrder = `${contentOf}
import json, os, sys
root, round = sys.argv[1], int(sys.argv[2])
result = {"read": 0, "wrong": [], "errors": []}
for entry in sorted(os.scandir(root), key=lambda entry: entry.name):
    entry.stat()
    number = int(entry.name[:4])
    try:
        with open(entry.path, "rb") as file:
            got = file.read()
        result["read"] += 1
        if got != content(number, round):
            result["wrong"].append(number)
    except OSError as error:
        result["errors"].append([number, os.strerror(error.errno)])
print(json.dumps(result))
`;

async function mountPack(here: Workspace, damaged: number): Promise<string> {
  const pack = `${here.path}/q3/baseq3/pak0.pk3`;
  await Deno.mkdir(`${here.path}/q3/baseq3`, { recursive: true });
  await pythonJson(makePack, pack, String(fileCount), String(damaged), "1");
  await here.mount(`${here.path}/q3`, "--profile", "quake3");
  return pack;
}

Deno.test(
  "who reads a listed directory in order finds files in the kernel's cache, each with its own bytes",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await mountPack(here, broken);
    const sounds = `${here.mountPoint}/q3/baseq3/sound`;
    assertEquals(await pythonJson(readInOrder, sounds, "1"), {
      read: fileCount - 1,
      wrong: [],
      errors: [[broken, "Input/output error"]],
    });
    const { counters } = await here.status();
    assert((counters.readAhead ?? 0) > 0, "nothing was read ahead");
    assert((counters.reads ?? 0) < fileCount, `${counters.reads} requests for ${fileCount} files`);
  },
);

Deno.test("members without a checksum and loose files are read ahead too", needs("python3"), async () => {
  await using here = await workspace();
  const names = Array.from({ length: 200 }, (_, number) => [`progs/${number + 1000}.mdl`, `maps/${number + 1000}.bsp`]);
  const contentOf = (name: string) => name.repeat(1 + name.charCodeAt(name.length - 5) % 7 * 100);
  const compressed = names.map(([name = ""]): [string, string] => [name, contentOf(name)]);
  const loose = names.map(([, name = ""]): [string, string] => [`id1/${name}`, contentOf(name)]);
  await writeFiles(`${here.path}/quake`, { "id1/pak0.pak": pak(compressed), ...Object.fromEntries(loose) });
  await here.mount(`${here.path}/quake`);
  const view = `${here.mountPoint}/quake/id1`;
  const [shown, expected] = await Promise.all([
    manifest(view),
    expectedManifest("quake", `${here.path}/quake/id1`),
  ]);
  assertEquals(shown, expected);
  const { counters } = await here.status();
  assert((counters.readAhead ?? 0) > names.length, `${counters.readAhead} of ${2 * names.length} files`);
});

Deno.test("files read ahead are replaced by a refresh like others", needs("python3"), async () => {
  await using here = await workspace();
  const pack = await mountPack(here, -1);
  const sounds = `${here.mountPoint}/q3/baseq3/sound`;
  for (const round of [1, 2, 3]) {
    await pythonJson(makePack, pack, String(fileCount), "-1", String(round));
    assertEquals((await here.pakfs("refresh", "-q")).code, 0);
    const result = await pythonJson(readInOrder, sounds, String(round));
    assertEquals(result, { read: fileCount, wrong: [], errors: [] });
  }
  assert(((await here.status()).counters.readAhead ?? 0) > 0, "nothing was read ahead");
});
