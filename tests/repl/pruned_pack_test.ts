// deno-lint-ignore-file no-await-in-loop -- one engine after the other
/**
 * Compares a texture pack without unused textures with the whole pack in real engines: each map loads, and a walk
 * through it reads the same lumps.
 *
 * `PAKFS_ORACLE_TREES` sets the number of maps.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readPatchNames, readPatchTextures } from "../../media/doom_lumps.ts";
import { openLocalGames } from "../../service/local.ts";
import { type Lump, marker, readLumps, spacedWad } from "../../tools/oracle/doom_lumps.ts";
import { join, padded, text, u16, u32 } from "../formats/bytes.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { runLine } from "./harness.ts";

const mapCount = Number(Deno.env.get("PAKFS_ORACLE_TREES") ?? 3);
const maps = Array.from({ length: mapCount }, (_, index) => `MAP${String(index + 1).padStart(2, "0")}`);

/** A lump of a WAD and its offset. */
interface Placed {
  readonly name: string;
  readonly offset: number;
  readonly content: Uint8Array;
}

function lumpsOf(bytes: Uint8Array): Placed[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: view.getUint32(4, true) }, (_, index) => {
    const record = view.getUint32(8, true) + index * 16;
    const [offset, size] = [view.getUint32(record, true), view.getUint32(record + 4, true)];
    const name = new TextDecoder().decode(bytes.subarray(record + 8, record + 16)).replace(/\0.*$/s, "");
    return { name, offset, content: bytes.slice(offset, offset + size) };
  });
}

/** Replaces names in records of a lump. */
function renamed(bytes: Uint8Array, record: number, fields: readonly number[], names: ReadonlyMap<string, string>) {
  const result = bytes.slice();
  for (let start = 0; start + record <= result.length; start += record) {
    for (const offset of fields.map((field) => start + field)) {
      const name = new TextDecoder().decode(result.subarray(offset, offset + 8)).replace(/\0.*$/s, "").toUpperCase();
      const other = names.get(name);
      if (other !== undefined) result.set(padded(text(other), 8), offset);
    }
  }
  return result;
}

/** A pack with all textures and flats of a game under new names too, and maps that use these names. */
function texturePack(game: readonly Placed[]): Lump[] {
  const index = (name: string) => game.findIndex((lump) => lump.name === name);
  const contentOf = (name: string) => game.findLast((lump) => lump.name === name.toUpperCase())?.content;
  const patches = readPatchNames(contentOf("PNAMES") ?? new Uint8Array(0));
  const old = readPatchTextures(contentOf("TEXTURE1") ?? new Uint8Array(0));
  const others = old.map((texture, number) => ({
    ...texture,
    name: `Q${number}`,
    patches: texture.patches.map((patch) => ({ ...patch, number: patch.number + patches.length })),
  }));
  const records = [...old, ...others].map(({ name, width, height, patches }) =>
    join(
      ...[padded(text(name), 8), u32(0), u16(width, height), u32(0), u16(patches.length)],
      ...patches.map(({ left, top, number }) => u16(left & 0xffff, top & 0xffff, number, 1, 0)),
    )
  );
  let end = 4 + records.length * 4;
  const offsets = records.map((record) => (end += record.length) - record.length);
  const names = [...patches, ...patches.map((_, number) => `QP${number}`)].map((name) => padded(text(name), 8));
  const flats = game.slice(index("F_START"), index("F_END")).filter(({ content }) => content.length === 4096);
  const walls = new Map(old.map(({ name }, number) => [name.toUpperCase(), `Q${number}`]));
  const floors = new Map(flats.map(({ name }, number) => [name, `QF${number}`]));
  floors.delete("F_SKY1");
  const mapLumps = maps.flatMap((map): Lump[] => {
    const start = index(map);
    return game.slice(start, start + 11).map(({ name, content }): Lump => {
      if (name === "SIDEDEFS") return [name, renamed(content, 30, [4, 12, 20], walls)];
      return [name, name === "SECTORS" ? renamed(content, 26, [4, 12], floors) : content];
    });
  });
  return [
    ["TEXTURE1", join(u32(records.length), u32(...offsets), ...records)],
    ["PNAMES", join(u32(names.length), ...names)],
    ...patches.map((name, number): Lump => [`QP${number}`, contentOf(name) ?? new Uint8Array(0)]),
    ...mapLumps,
    ...[marker("F_START"), ...flats.map(({ content }, number): Lump => [`QF${number}`, content]), marker("F_END")],
  ];
}

/** A recorded walk: forward, and turning all the time. */
function walk(map: number): Uint8Array {
  const tics = new Array<number[]>(140).fill([20, 0, 2, 0]).flat();
  return Uint8Array.of(109, 2, 1, map, 0, 0, 0, 0, 0, 1, 0, 0, 0, ...tics, 0x80);
}

for (
  const [engine, profile, list] of [["chocolate-doom", "chocolate", "-merge"], ["dsda-doom", "boom", "-file"]] as const
) {
  Deno.test({
    name: `${engine} shows the maps of a texture pack with what is left of it as with the whole pack`,
    ...needs("strace", "debian:freedoom", `debian:${engine}`),
    fn: async () => {
      await using directory = await temporaryDirectory();
      const root = directory.path;
      const game = await Deno.readFile(`${debianPackage("freedoom")}/usr/share/games/doom/freedoom2.wad`);
      await Deno.writeFile(`${root}/doom2.wad`, game);
      if (engine === "dsda-doom") {
        await Deno.copyFile(`${debianPackage(engine)}/usr/share/dsda-doom/dsda-doom.wad`, `${root}/dsda-doom.wad`);
      }
      const whole = `${root}/whole.wad`;
      await Deno.writeFile(whole, spacedWad("PWAD", texturePack(lumpsOf(game))));
      const iwad = `${root}/doom2.wad`;
      const files = list === "-merge" ? [list, whole] : [whole];
      await using connection = await openLocalGames([{ sources: [iwad, whole], iwad, files, profile, name: "doom" }]);
      const needed = maps.map((map) => `--needs ${map}`).join(" ");
      const { code, err } = await runLine(`archive create ${root}/left.wad ${needed} --own`, { connection });
      assertEquals(code, 0, err);
      const left = lumpsOf(await Deno.readFile(`${root}/left.wad`)).map(({ name, content }): Lump => [name, content]);
      await Deno.writeFile(`${root}/pruned.wad`, spacedWad("PWAD", left));
      const sizes = ["whole.wad", "pruned.wad"].map((file) => Deno.statSync(`${root}/${file}`).size);
      assert((sizes[1] ?? 0) < (sizes[0] ?? 0), `${sizes.join(" and ")} bytes`);
      for (const [number, map] of maps.entries()) {
        await Deno.writeFile(`${root}/walk.lmp`, walk(number + 1));
        const runs = [];
        for (const file of ["whole.wad", "pruned.wad"]) {
          const { reads, said } = await readLumps(engine, root, [list, file, "-timedemo", "walk.lmp"]);
          assertStringIncludes(said.toLowerCase(), "timed 140 gametics", `${map} of ${file}`);
          const names = new Map(
            lumpsOf(await Deno.readFile(`${root}/${file}`)).map(({ name, offset }) => [`${file} ${offset}`, name]),
          );
          const inOrder = reads.flatMap((read) => names.get(read) ?? []);
          const misses = said.split("\n").filter((line) => /not found|unknown|missing|bad texture/i.test(line)).sort();
          runs.push({ all: new Set(inOrder), drawn: new Set(inOrder.slice(inOrder.lastIndexOf("BLOCKMAP"))), misses });
        }
        const [before, after] = runs;
        assert(before && after);
        assertEquals(after.misses, before.misses, map);
        // An engine may have cached a lump that its tables needed; dsda-doom maps its files instead of reading.
        assertEquals(Array.from(before.drawn.difference(after.all)), [], map);
        assertEquals(Array.from(after.drawn.difference(before.all)), [], map);
        if (engine === "chocolate-doom") {
          assert(before.drawn.has("SECTORS"), `${map} is read`);
        }
      }
    },
  });
}
