// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch } from "@std/assert";
import { LookupPattern } from "../../mount/session/lookup_pattern.ts";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { pythonJson, until, type Workspace, workspace } from "./mounting.ts";

const names = Array.from({ length: 40 }, (_, number) => `sound/${number}.wav`);
/** Number of the member with damaged compressed bytes. */
const broken = 20;

function contentOf(name: string): string {
  return `${name} `.repeat(1 + name.length * 40);
}

/** Reads files by name without a listing, and only looks the last one up; then prints the content. */
const readByName = `
import json, os, sys
root, *names, last = sys.argv[1:]
found = []
for name in names:
    try:
        with open(root + "/" + name) as file:
            found.append(file.read())
    except OSError as error:
        found.append(os.strerror(error.errno))
os.stat(root + "/" + last)
print(json.dumps(found))
`;

const readOne = `
import json, os, sys
try:
    print(json.dumps(open(sys.argv[1]).read()))
except OSError as error:
    print(json.dumps(os.strerror(error.errno)))
`;

/** A pk3 with one damaged member. */
function damagedPack(): Uint8Array {
  const bytes = zip(names.map((name) => ({ name, content: contentOf(name), method: 8 })));
  const sound = new TextDecoder("latin1").decode(bytes);
  const name = names[broken] ?? "";
  bytes.fill(0xff, sound.indexOf(name) + name.length + 4, sound.indexOf(name) + name.length + 8);
  return bytes;
}

async function counted(here: Workspace): Promise<{ reads: number; decoded: number }> {
  const { reads = 0, decoded = 0 } = (await here.status()).counters;
  return { reads, decoded };
}

Deno.test("three files read right after they were looked up make the next one expected; one that was not, none", () => {
  const pattern = new LookupPattern();
  for (const entry of [1, 2, 3]) {
    assertEquals(pattern.lookedUp(entry), false);
    pattern.read(entry);
    // A second read of a file changes nothing.
    pattern.read(entry);
  }
  assertEquals(pattern.lookedUp(4), true);
  pattern.read(9);
  assertEquals(pattern.lookedUp(5), false);
  pattern.read(5);
  assertEquals(pattern.lookedUp(6), false);
});

Deno.test(
  "a member that is looked up after others were read is decompressed already, and is read with its own bytes",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await writeFiles(here.path, { "q3/baseq3/pak0.pk3": damagedPack() });
    await here.mount("--profile", "ioquake3", `${here.path}/q3`);
    const root = `${here.mountPoint}/q3/baseq3`;
    const expected = names.map((name, number) => number === broken ? "Input/output error" : contentOf(name));
    assertEquals(await pythonJson(readByName, root, ...names), expected.slice(0, -1));
    const last = names.at(-1) ?? "";
    // All members but the damaged one are decompressed; the last one without a read.
    await until("it is decompressed", async () => (await counted(here)).decoded === names.length - 1);
    const { reads, decoded } = await counted(here);
    assertEquals(await pythonJson(readOne, `${root}/${last}`), contentOf(last));
    assertEquals(await counted(here), { reads: reads + 1, decoded });
    const { problems, counters: { failedReads = 0 } } = await here.status();
    // If a read ahead of the program's failed, the kernel reads once more.
    const ofOthers = names.length - 2;
    assertEquals([problems.length, failedReads], [1, reads - ofOthers]);
    assert(failedReads === 1 || failedReads === 2, `${failedReads} reads failed`);
    assertMatch(problems[0] ?? "", /sound\/20\.wav/);
  },
);

Deno.test(
  "bytes got hold of before their pack or file changed are not given to anybody",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const loose = Object.fromEntries(names.map((name) => [`quake/id1/loose/${name}`, contentOf(name)]));
    const members = names.map((name): [string, string] => [name, contentOf(name)]);
    await writeFiles(here.path, { "quake/id1/pak0.pak": pak(members), ...loose });
    await here.mount(`${here.path}/quake`);
    for (const [directory, changed] of [["", "pak0.pak"], ["loose/", `loose/${names.at(-1)}`]] as const) {
      const asked = names.map((name) => directory + name);
      const found = await pythonJson(readByName, `${here.mountPoint}/quake/id1`, ...asked);
      assertEquals(found, names.slice(0, -1).map(contentOf));
      await writeFiles(here.path, { [`quake/id1/${changed}`]: "something else" });
      const last = await pythonJson(readOne, `${here.mountPoint}/quake/id1/${asked.at(-1)}`);
      assertEquals(last, "Input/output error");
    }
  },
);
