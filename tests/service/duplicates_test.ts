/** Files with the same bytes, found in random installations and compared with what was written there. */
// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch } from "@std/assert";
import { pages } from "../../protocol/connection.ts";
import type { DuplicateRow } from "../../protocol/rows.ts";
import { pak, zip } from "../formats/bytes.ts";
import type { Files } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";
import { numbersFrom } from "../support/chance.ts";
import { run } from "../mount/mounting.ts";

const games = (root: string) => [
  { sources: [`${root}/q3`], profile: "ioquake3", name: "q3" },
  { sources: [`${root}/quake`], profile: "quake", name: "quake" },
];

/** Contents that often share a size, and sometimes a CRC-32. */
const contents = [
  "",
  "a",
  "b",
  "same size 1",
  "same size 2",
  "same size 3",
  "x".repeat(3000),
  "y".repeat(3000),
  // Two strings with equal CRC-32, which therefore proves nothing.
  "plumless",
  "buckeroo",
];

/** Returns an installation, and each file's content by `SOURCE : MEMBER`. */
function randomFiles(seed: number): { files: Files; held: ReadonlyMap<string, string> } {
  const random = numbersFrom(seed);
  const held = new Map<string, string>();
  const content = (source: string, member: string) => {
    const text = contents[random(contents.length)] ?? "";
    held.set(`${source} : ${member}`, text);
    return text;
  };
  const names = (source: string) =>
    Array.from({ length: 1 + random(8) }, (_, index) => [`d/${index}`, content(source, `d/${index}`)] as const);
  const zipped = (source: string) => zip(names(source).map(([name, text]) => ({ name, content: text, method: 8 })));
  const files: Record<string, Uint8Array | string> = {
    "q3/baseq3/pak0.pk3": zipped("q3/baseq3/pak0.pk3"),
    "q3/baseq3/pak1.pk3": zipped("q3/baseq3/pak1.pk3"),
    "q3/mod/z.pk3": zipped("q3/mod/z.pk3"),
    "quake/id1/pak0.pak": pak([...names("quake/id1/pak0.pak")]),
    "quake/id1/pak1.pak": pak([...names("quake/id1/pak1.pak")]),
  };
  for (const directory of ["q3/baseq3", "quake/id1"]) {
    for (const name of ["x.cfg", "y.cfg", "d/0"]) files[`${directory}/${name}`] = content(directory, name);
  }
  return { files, held };
}

async function sha256Of(text: string): Promise<string> {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, text);
  const { stdout } = await run("sha256sum", [path]);
  await Deno.remove(path);
  return stdout.slice(0, 64);
}

const placesOf = ({ files }: DuplicateRow) => files.map(({ source, member }) => `${source} : ${member}`).sort();

Deno.test("of random installations all files with the same bytes are found, in all games or one view", async () => {
  const sums = new Map<string, string>();
  for (const text of contents) sums.set(text, await sha256Of(text));
  for (const seed of [1, 2, 3, 4]) {
    const { files, held } = randomFiles(seed);
    await using here = await bothConnections(files, games);
    for (const view of [undefined, "q3/baseq3"]) {
      const isSearched = (place: string) => view === undefined || place.startsWith("q3/baseq3");
      const rows = await here.rows("duplicates", view === undefined ? {} : { view });
      const expected = contents.filter((text) => text !== "").map((text) => {
        const places = Array.from(held).filter(([place, own]) => own === text && isSearched(place));
        return {
          sha256: sums.get(text) ?? "",
          size: text.length,
          count: places.length,
          wasted: (places.length - 1) * text.length,
          places: places.map(([place]) => place).sort(),
        };
      }).filter(({ count }) => count > 1);
      const byHash = (a: { sha256: string | null }, b: { sha256: string | null }) =>
        (a.sha256 ?? "") < (b.sha256 ?? "") ? -1 : 1;
      const found = rows.map((row) => {
        const { sha256, size, count, wasted } = row;
        return { sha256, size, count, wasted, places: placesOf(row) };
      });
      assertEquals(found.sort(byHash), expected.sort(byHash), `seed ${seed}, ${view}`);
      const wastes = rows.map(({ wasted }) => wasted);
      assertEquals(wastes, wastes.toSorted((a, b) => b - a), "those first that waste most");
    }
  }
});

Deno.test("only files are read whose size and CRC-32 others have, and those that cannot be read come last", async () => {
  const text = new TextEncoder();
  const damaged = (name: string, content: string) => {
    const bytes = zip([{ name, content }]);
    const at = bytes.indexOf(content.charCodeAt(0), 30 + name.length);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    assert(text.encode(content).length > 0);
    return bytes;
  };
  await using here = await bothConnections({
    "q3/baseq3/pak0.pk3": zip([{ name: "a", content: "12345" }, { name: "b", content: "123" }]),
    "q3/baseq3/pak1.pk3": zip([{ name: "c", content: "12345" }]),
    // No other file has its size or its CRC-32, so it is not read.
    "q3/baseq3/size.pk3": damaged("x", "%%%%%%%"),
    "q3/baseq3/sum.pk3": damaged("y", "%%%%%"),
    "q3/baseq3/both.pk3": damaged("z", "12345"),
    "quake/id1/": "",
  }, games);
  const rows = await here.rows("duplicates", {});
  assertEquals(rows.map(({ count, wasted }) => [count, wasted]), [[2, 5], [1, 0]]);
  const last = rows.at(-1);
  assertEquals(last?.files.map(({ source }) => source), ["q3/baseq3/both.pk3"]);
  assertMatch(last?.problem ?? "", /z is damaged/);
});

Deno.test("packs that exist twice are found, but not other names of one file", async () => {
  const pack = zip([{ name: "a", content: "12345" }]);
  await using here = await bothConnections({
    "q3/baseq3/pak0.pk3": pack,
    "q3/mod/copy.pk3": pack,
    "q3/mod/other.pk3": zip([{ name: "b", content: "12345" }]),
    "quake/id1/": "",
  }, games);
  const rows = await here.rows("duplicates", { packs: true });
  assertEquals(rows.map(placesOf), [["q3/baseq3/pak0.pk3 : ", "q3/mod/copy.pk3 : "]]);
  await Deno.remove(`${here.path}/q3/mod/copy.pk3`);
  await Deno.link(`${here.path}/q3/baseq3/pak0.pk3`, `${here.path}/q3/mod/copy.pk3`);
  await here.connection.call("refresh", {});
  assertEquals(await Array.fromAsync(pages(here.connection, "duplicates", { packs: true })), []);
});
