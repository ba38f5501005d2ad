import { assert, assertEquals } from "@std/assert";
import { type Archive, type FormatName, openArchive } from "../../formats/mod.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { grp, type HandFile, hog, output, pak, string } from "./bytes.ts";

const script = new URL("./physfs.py", import.meta.url).pathname;

type Listing = Record<string, readonly [size: number, sha256: string]>;

/** Files of an archive, as PhysFS, an independent implementation, reads them. */
async function physfs(path: string): Promise<Listing> {
  const root = debianPackage("libphysfs1");
  const [library] = await Array.fromAsync(Deno.readDir(`${root}/usr/lib`), ({ name }) => `${root}/usr/lib/${name}`);
  return JSON.parse(string(await output("python3", script, `${library}/libphysfs.so.1`, path)));
}

async function listing(archive: Archive): Promise<Listing> {
  const rows = Array.from(archive, async ({ qpath, size }) => {
    const digest = await crypto.subtle.digest("SHA-256", archive.read(qpath).slice());
    return [qpath, [size, new Uint8Array(digest).toHex()]] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

const content = (index: number) => `content ${index} `.repeat(index * index % 50);
const dosFiles: readonly HandFile[] = Array.from({ length: 40 }, (_, index) => [`F${index}.DAT`, content(index)]);
const deepFiles: readonly HandFile[] = Array.from(
  { length: 40 },
  (_, index) => [`${["maps/", "gfx/env/", ""][index % 3]}f${index}.dat`, content(index)],
);

const archives: readonly (readonly [FormatName, Uint8Array])[] = [
  ["quake-pak", pak(deepFiles)],
  ["grp", grp(dosFiles)],
  ["hog", hog(dosFiles)],
];

for (const [format, bytes] of archives) {
  Deno.test(
    `PhysFS reads the same names and bytes from a ${format}`,
    needs("python3", "debian:libphysfs1"),
    async () => {
      await using directory = await temporaryDirectory();
      const path = `${directory.path}/archive`;
      await Deno.writeFile(path, bytes);
      using archive = openArchive(path);
      assertEquals(archive.format.name, format);
      const theirs = await physfs(path);
      assertEquals(await listing(archive), theirs);
      assertEquals(Object.keys(theirs).length, 40);
    },
  );
}

Deno.test(
  "PhysFS reads the same names and bytes from QuakeSpasm's own PAK",
  needs("python3", "debian:libphysfs1", "debian:quakespasm"),
  async () => {
    const path = `${debianPackage("quakespasm")}/usr/share/games/quake/quakespasm.pak`;
    const found = await Deno.stat(path).then(() => path, () => undefined);
    assert(found, `missing ${path}`);
    using archive = openArchive(found);
    const theirs = await physfs(found);
    assertEquals(await listing(archive), theirs);
    assertEquals([Object.keys(theirs).length, Object.values(theirs).reduce((sum, [size]) => sum + size, 0)], [
      8,
      557_928,
    ]);
  },
);

/** The directory of a WAD, read without the product's code: name, size and SHA-256 of every lump, in order. */
async function lumpsOf(path: string): Promise<[name: string, size: number, sha256: string][]> {
  const bytes = await Deno.readFile(path);
  const view = new DataView(bytes.buffer);
  const [count, directory] = [view.getInt32(4, true), view.getInt32(8, true)];
  return await Promise.all(Array.from({ length: count }, async (_, index) => {
    const entry = directory + 16 * index;
    const [offset, size] = [view.getInt32(entry, true), view.getInt32(entry + 4, true)];
    const name = string(bytes.subarray(entry + 8, entry + 16)).replace(/\0.*/s, "");
    const digest = await crypto.subtle.digest("SHA-256", bytes.slice(offset, offset + size));
    return [name, size, new Uint8Array(digest).toHex()];
  }));
}

const wads = [["freedoom", "freedoom1", 3081, 36], ["freedoom", "freedoom2", 3649, 32], ["freedm", "freedm", 3655, 32]];

for (const [debian, name, lumpCount, mapCount] of wads) {
  Deno.test(
    `every lump of ${name}.wad is what its directory says, in maps of ten lumps, and PhysFS agrees`,
    needs("python3", "debian:libphysfs1", `debian:${debian}`),
    async () => {
      const path = `${debianPackage(String(debian))}/usr/share/games/doom/${name}.wad`;
      using archive = openArchive(path);
      const rows = Array.from(archive);
      const lumps = await lumpsOf(path);
      const ours = await listing(archive);
      assertEquals(rows.length, lumpCount);
      assertEquals(rows.map(({ member, qpath }) => [member, ...ours[qpath] ?? []]), lumps);
      const maps = Map.groupBy(
        rows.filter(({ qpath }) => qpath.startsWith("maps/")),
        ({ qpath }) => qpath.split("/")[1],
      );
      assertEquals([maps.size, new Set(Array.from(maps.values(), (files) => files.length))], [mapCount, new Set([10])]);
      for (const [map, [first]] of maps) {
        assertEquals(archive.find(`lumps/${map}`)?.size === 0 && first?.member, "THINGS");
      }

      // PhysFS has no directories for lumps, so it shows one lump per name, and none with a backslash.
      const theirs = Object.entries(await physfs(path));
      assertEquals(theirs.length, new Set(lumps.map(([lump]) => lump).filter((lump) => !lump.includes("\\"))).size);
      const known = new Set(lumps.map((lump) => lump.join(" ")));
      assertEquals(theirs.filter(([lump, [size, sum]]) => !known.has([lump, size, sum].join(" "))), []);
    },
  );
}
