/** Compares the names of lumps of random files with recorded results. */
import { assertEquals } from "@std/assert";
import { loadSwitches } from "../../../engines/core/load_list.ts";
import { boomDirectory } from "../../../engines/lumps/boom_directory.ts";
import { gzdoomMembers } from "../../../engines/lumps/gzdoom_archive.ts";
import { filtersOf, iwads, iwadWith, loadedAfter, prefixesOf, requiredBefore } from "../../../engines/lumps/iwads.ts";
import { comparedName, isMarker, type LumpFile, shownName } from "../../../engines/lumps/lump_file.ts";
import { vanillaDirectory } from "../../../engines/lumps/vanilla_directory.ts";
import { wadNamespaces } from "../../../engines/lumps/wad_namespaces.ts";
import { text } from "../../formats/bytes.ts";
import { numbersFrom, type Random } from "../../support/chance.ts";
import { compareValues } from "../../support/outcomes.ts";

const list = new URL("../outcomes.txt", import.meta.url);
/** Fixed instead of the run's seed: recorded results belong to these files. */
const start = 20_261_123;

const one = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T;

/** Returns 200 random values. */
function ofMany<T>(make: (random: Random) => T): T[] {
  const random = numbersFrom(start);
  return Array.from({ length: 200 }, () => make(random));
}

const markers = ["S", "SS", "F", "FF", "F1", "F2", "P", "PP", "C", "B", "A", "V", "HI", "VX", "TX"]
  .flatMap((name) => [`${name}_START`, `${name}_END`]);
const sprites = ["TROOA1", "TROOA0", "TROOA2A8", "TROOA2", "TROOA8", "TROOB1C1", "TROOB1", "TROOC1", "POSSA1"];
const others = ["TITLEPIC", "FLAT1", "FLAT2", "S_SKIN1", "", "TEXTURE1", "MAP01", "THINGS", "SEGS", "DEMO1", "ENDOOM"];

function lumpFile(random: Random, how: LumpFile["how"]): LumpFile {
  const names = Array.from(
    { length: random(18) },
    () =>
      one(random, random(3) === 0 ? markers.slice(0, 12) : random(9) === 0 ? markers : random(2) ? sprites : others),
  );
  return { how, names, sizes: names.map(() => one(random, [0, 7, 8, 9, 64, 4096])) };
}

Deno.test("lumps of WADs have the namespaces that they had", async () => {
  const values = ofMany((random) => {
    const added = Array.from({ length: random(4) }, () => lumpFile(random, one(random, loadSwitches)));
    const files = [lumpFile(random, null), ...added];
    return [boomDirectory("boom", files, []), vanillaDirectory(files), files.map(wadNamespaces)];
  });
  await compareValues(list, "lumps of WADs", values);
});

const folders = [
  "filter",
  "doom",
  "doom.id",
  "doom.id.doom2",
  "my",
  "sub",
  "maps",
  "Sprites",
  "textures",
  "patches",
  "x",
];
const bases = [
  "a.png",
  "zscript.txt",
  "mapinfo",
  "DECORATE.dec",
  "z.lmp",
  "verylongname.ogg",
  "b.wad",
  "x.wad",
  "ä.lmp",
];
const odd = [".hidden", "c.wad.wad", "noending", "", "a.b.c", "x.exe", "dehacked", "menudef.txt", "e\u0301.lmp"];

Deno.test("members of archives have the short names that they had", async () => {
  const values = ofMany((random) => {
    const common = one(random, ["", "", "my/", "my/sub/", "filter/doom/", "filter/"]);
    const members = Array.from({ length: random(7) }, (_, row) => {
      const path = [
        ...Array.from({ length: random(4) }, () => one(random, folders)),
        one(random, random(3) ? bases : odd),
      ];
      return { row, path: common + path.join("/"), isReadable: random(12) > 0 };
    });
    const filters = one(random, [[], ["doom", "doom.id", "doom.id.doom2"], ["doom.id"], ["my", "doom"]]);
    return gzdoomMembers(members, filters, one(random, ["x.pk3", "my.PK7", "noending"]));
  });
  await compareValues(list, "members of archives of lumps", values);
});

Deno.test("IWADs and names of lumps are known as they were", async () => {
  const random = numbersFrom(start);
  const ofIwads = iwads.map((iwad) => [
    [filtersOf(iwad), loadedAfter(iwad), requiredBefore(iwad) ?? null, prefixesOf(iwad.autoname)],
    iwad.lumps.map((left) => iwadWith(new Set(iwad.lumps.filter((name) => name !== left)))?.title ?? null),
    iwadWith(new Set([...iwad.lumps, ...one(random, iwads).lumps]))?.title ?? null,
  ]);
  const names = [...sprites, ...others, "vile^1", "VILE\\1", "a%5cb", "toolongname", "nul\0more", "[x]", "é"].map((
    name,
  ) => [
    comparedName(text(name)),
    shownName(text(name)),
    markers.filter((marker) => isMarker(name, marker)),
  ]);
  const marked = markers.map((name) => markers.filter((marker) => isMarker(name, marker)));
  await compareValues(list, "IWADs and names of lumps", [ofIwads, names, marked]);
});

Deno.test("Chocolate Doom's directory has as many lumps as a WAD", () => {
  const names = Array.from({ length: 130_000 }, (_, index) => `L${index}`);
  const [codes] = vanillaDirectory([{ how: null, names, sizes: names.map(() => 0) }]).codes;
  assertEquals(codes?.length, names.length);
});
