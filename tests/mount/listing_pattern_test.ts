import { assert, assertEquals } from "@std/assert";
import { ListingPattern } from "../../mount/session/listing_pattern.ts";
import { zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { pythonJson, workspace } from "./mounting.ts";

const directory = (low: number) => ({ high: 1, low });

/** Lists a directory of files; returns how many of them got attributes. */
function listed(pattern: ListingPattern, low: number, files: number, offset = 0): number {
  if (!pattern.wantsAttributes(directory(low), offset)) return 0;
  return Array.from({ length: files }, () => pattern.isProbe()).filter((isProbe) => !isProbe).length;
}

Deno.test("files are listed without attributes while none is looked up, and with them again once one is", () => {
  const pattern = new ListingPattern(100_000);
  const walk = () => Array.from({ length: 14 }, (_, low) => listed(pattern, low, 100));
  // One in 256 is left out, to test whether it is requested.
  assertEquals(walk(), [100, 100, 99, 100, 100, 99, 100, 99, 100, 100, 99, 0, 0, 0]);
  assertEquals(pattern.lookedUp(), []);
  assertEquals(walk().filter((count) => count === 0).length, 3);
  // A program that reads a whole directory before its files gets attributes to the end.
  pattern.lookedUp();
  assertEquals(listed(pattern, 20, 1000) + listed(pattern, 20, 9000, 1000), 10_000 - 39);
});

Deno.test("1,024 files without a look are enough before the next directory, and 12,000 within one", () => {
  for (const [offset, enough] of [[0, 1024], [1, 12_000]] as const) {
    const pattern = new ListingPattern(100_000);
    for (let file = 1; file < enough; file++) pattern.isProbe();
    assertEquals(pattern.wantsAttributes(directory(1), offset), true);
    pattern.isProbe();
    assertEquals(pattern.wantsAttributes(directory(1), offset), false);
  }
});

Deno.test("files of a small index are listed with attributes whatever is looked up", () => {
  const pattern = new ListingPattern(20_000);
  assertEquals(
    Array.from({ length: 200 }, (_, low) => listed(pattern, low, 100)).every((count) => count === 100),
    true,
  );
  pattern.show(100_000);
  assertEquals(listed(pattern, 201, 20_000) + listed(pattern, 202, 100), 20_000 - 78);
});

Deno.test("directories that were listed without attributes are listed again once many files are looked up", () => {
  const pattern = new ListingPattern(100_000);
  for (let low = 0; low < 14; low++) listed(pattern, low, 100);
  const answers = Array.from({ length: 200 }, () => pattern.lookedUp()).filter((answer) => answer.length > 0);
  assertEquals(answers, [[directory(11), directory(12), directory(13)]]);
});

const directories = 330;
const files = 100;

function packOf(version: string): Uint8Array {
  const names = Array.from({ length: directories * files }, (_, n) => `d${Math.floor(n / files)}/${version}${n}`);
  return zip(names.map((name, number) => ({ name, content: "x".repeat(number % 50), method: 0 })));
}

/** Lists all names with their types and, with a second argument, sizes. */
const walkTree = `
import json, os, sys
root, *sized = sys.argv[1:]
found = []
for path, directories, names in os.walk(root):
    found += [(os.path.relpath(os.path.join(path, name), root), os.stat(os.path.join(path, name)).st_size if sized else -1)
              for name in names]
print(json.dumps(sorted(found)))
`;

function expected(version: string, isSized: boolean): unknown {
  const rows = Array.from({ length: directories * files }, (_, n): [string, number] => [
    `d${Math.floor(n / files)}/${version}${n}`,
    isSized ? n % 50 : -1,
  ]);
  return rows.sort(([a], [b]) => a < b ? -1 : 1);
}

Deno.test(
  "a walk by names, one by sizes, and both after a refresh show every file as it is",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await writeFiles(here.path, { "q3/baseq3/pak0.pk3": packOf("a") });
    await here.mount("--profile", "ioquake3", `${here.path}/q3`);
    const root = `${here.mountPoint}/q3/baseq3`;
    const walk = async (version: string, ...sized: string[]) => {
      const { requests = 0 } = (await here.status()).counters;
      assertEquals(await pythonJson(walkTree, root, ...sized), expected(version, sized.length > 0));
      return ((await here.status()).counters.requests ?? 0) - requests;
    };
    assert(await walk("a") < directories * files / 10);
    await walk("a", "sizes");
    // The kernel has now cached everything.
    assert(await walk("a", "sizes") < directories);
    await walk("a");
    await writeFiles(here.path, { "q3/baseq3/pak0.pk3": packOf("b") });
    assertEquals((await here.pakfs("refresh", "-q")).code, 0);
    assert(await walk("b", "sizes") < directories * files / 2);
    await writeFiles(here.path, { "q3/baseq3/pak0.pk3": packOf("c") });
    assertEquals((await here.pakfs("refresh", "-q")).code, 0);
    await walk("c");
  },
);
