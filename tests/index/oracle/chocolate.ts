/**
 * The real Chocolate Doom, asked which lumps it takes: it reads each patch that a texture has, and each sprite of its
 * table, before it draws anything, and `strace` shows from where. Lumps lie so far apart that the offset of a read identifies
 * them.
 * @module
 */
import { join, padded, text, u16, u32, wadEntry } from "../../formats/bytes.ts";
import { numbersFrom, type Random } from "../../support/chance.ts";
import { debianLibraries, debianPackage } from "../../support/debian_data.ts";

/** Bytes between the beginnings of two lumps: more than the C library reads ahead. */
const spacing = 16_384;

/** Patches that every texture of the IWAD names, so that each is read. */
export const patches = ["PATCH_A", "PATCH_B", "PATCH_C", "P"];
const spriteNames = ["TROOA1", "TROOA2A8", "TROOA2", "TROOA8", "TROOB0", "TROOB3B7", "TROOB3", "POSSA1", "POSSA0"];

/** Where the engine looks for files that are always loaded, below the home directory. */
export const autoload = ".local/share/chocolate-doom/autoload";

/** Files and command line of one run. */
export interface LumpTree {
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Words behind the IWAD. */
  readonly list: readonly string[];
}

/** A patch, or sprite, of one column. */
const picture = join(u16(1, 1, 0, 0), u32(12), Uint8Array.of(0, 1, 0, 0, 0, 255, 0, 0));

/** A WAD in which each lump that is not empty has a block of its own. */
function spacedWad(kind: "IWAD" | "PWAD", lumps: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  const blocks = [padded(new Uint8Array(0), spacing)];
  const entries = lumps.map(([name, content]) => {
    if (content.length === 0) return wadEntry(name, 0, 0);
    blocks.push(padded(content, spacing));
    return wadEntry(name, (blocks.length - 1) * spacing, content.length);
  });
  const data = join(...blocks);
  data.set(join(text(kind), u32(lumps.length, data.length)));
  return join(data, ...entries);
}

function texture(name: string, patch: number): Uint8Array {
  return join(padded(text(name), 8), u32(0), u16(1, 1), u32(0), u16(1, 0, 0, patch, 1, 0));
}

function iwad(chance: Random): Uint8Array {
  const textures = patches.map((name, index) => texture(name, index));
  const first = 4 + 4 * textures.length;
  const size = textures[0]?.length ?? 0;
  const texture1 = join(u32(textures.length), u32(...textures.map((_, index) => first + index * size)), ...textures);
  const pnames = join(u32(patches.length), ...patches.map((name) => padded(text(name), 8)));
  return spacedWad("IWAD", [
    ["MAP01", new Uint8Array(0)],
    ["PLAYPAL", new Uint8Array(768)],
    ["COLORMAP", new Uint8Array(34 * 256)],
    ["PNAMES", pnames],
    ["TEXTURE1", texture1],
    ...patches.map((name) => [name, picture] as const),
    ["F_START", new Uint8Array(0)],
    ["FLOOR4_8", picture],
    ["F_END", new Uint8Array(0)],
    ["S_START", new Uint8Array(0)],
    ...some(spriteNames, chance).map((name) => [name, picture] as const),
    ["S_END", new Uint8Array(0)],
  ]);
}

function some<T>(list: readonly T[], chance: Random): T[] {
  return list.filter(() => chance(2) === 0);
}

/** A WAD with patches and sprites, some in sections, some twice, some outside. */
function pwad(chance: Random): Uint8Array {
  const lumps: [string, Uint8Array][] = some([...patches, ...patches], chance).map((name) => [name, picture]);
  if (chance(3) === 0) lumps.push([spriteNames[chance(spriteNames.length)] ?? "", picture]);
  const marker = ["S", "SS", "SS", "F", "FF"][chance(5)] ?? "";
  const inside = some(marker.startsWith("S") ? spriteNames : ["FLOOR4_8", ...patches], chance);
  if (chance(3) > 0) {
    lumps.push([`${marker}_START`, new Uint8Array(0)]);
    for (const name of inside) lumps.push([name, picture]);
    lumps.push([`${marker}_END`, new Uint8Array(0)]);
  }
  if (chance(3) === 0) lumps.push([patches[chance(patches.length)] ?? "", picture]);
  return spacedWad("PWAD", lumps.length === 0 ? [["X", picture]] : lumps);
}

/** Makes an IWAD, some WADs, and a command line that loads them. */
export function randomLumps(seed: number): LumpTree {
  const chance = numbersFrom(seed);
  const names = Array.from({ length: 1 + chance(4) }, (_, index) => `${"zya9"[index]}.wad`);
  const switches = ["-file", "-merge", "-merge", "-nwtmerge", "-af", "-as", "-aa"];
  // The engine takes each switch once.
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const word = switches[chance(switches.length)] ?? "";
    groups.set(word, [...groups.get(word) ?? [], name]);
  }
  const always = some(["doom-all/m.wad", "doom-all/K.wad", "doom2.wad/a.WAD", "other.wad/b.wad"], chance)
    .map((name) => `${autoload}/${name}`);
  const wads = [...names, ...chance(3) === 0 ? always : []];
  return {
    files: { "doom2.wad": iwad(chance), ...Object.fromEntries(wads.map((name) => [name, pwad(chance)])) },
    list: Array.from(groups).flatMap(([word, files]) => [word, ...files]),
  };
}

/** The engine's program, and the libraries that are not installed. */
async function engine(): Promise<{ program: string; environment: Record<string, string> }> {
  const libraries = await debianLibraries("chocolate-doom");
  return {
    program: `${await debianPackage("chocolate-doom")}/usr/games/chocolate-doom`,
    environment: { LD_LIBRARY_PATH: libraries.join(":"), LC_ALL: "C" },
  };
}

/** Returns whether the engine and `strace` can be started here. */
export async function canRunChocolate(): Promise<boolean> {
  try {
    const { program, environment } = await engine();
    const libraries = await new Deno.Command("ldd", { args: [program], env: environment }).output();
    const traced = await new Deno.Command("strace", { args: ["-e", "trace=none", "true"] }).output();
    return traced.success && libraries.success && !new TextDecoder().decode(libraries.stdout).includes("not found");
  } catch {
    return false;
  }
}

/** Runs the engine; returns the lumps that it read, as file and offset, and what it printed. */
export async function readLumps(root: string, list: readonly string[]): Promise<{ read: Set<string>; said: string }> {
  const { program, environment } = await engine();
  const log = `${root}/strace.log`;
  const { stdout, stderr } = await new Deno.Command("strace", {
    args: [
      ...["-f", "-s", "0", "-e", "trace=openat,lseek,read,close", "-o", log],
      ...[
        program,
        "-iwad",
        `${root}/doom2.wad`,
        ...list.map((word) => word.startsWith("-") ? word : `${root}/${word}`),
      ],
      ...["-nosound", "-nomusic", "-nogui", "-window"],
    ],
    cwd: root,
    env: { ...environment, HOME: root, SDL_VIDEODRIVER: "dummy", SDL_AUDIODRIVER: "dummy" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return {
    read: readsIn(await Deno.readTextFile(log), root),
    said: decoder.decode(stdout) + decoder.decode(stderr),
  };
}

/** Returns the beginnings of lumps that were read, as file and offset. */
function readsIn(log: string, root: string): Set<string> {
  const files = new Map<string, { readonly name: string; offset: number }>();
  const read = new Set<string>();
  for (const line of log.split("\n")) {
    const [, path, opened] = /openat\(AT_FDCWD, "([^"]*)".*\) += (\d+)$/.exec(line) ?? [];
    if (path !== undefined && opened !== undefined) {
      files.delete(opened);
      if (path.startsWith(`${root}/`) && /\.wad$/i.test(path)) {
        files.set(opened, { name: path.slice(root.length + 1), offset: 0 });
      }
      continue;
    }
    const [, call, descriptor = "", result] = /(lseek|read)\((\d+),.*\) += (\d+)$/.exec(line) ?? [];
    const file = files.get(descriptor);
    if (!file) continue;
    if (call === "lseek") file.offset = Number(result);
    else {
      if (file.offset > 0 && file.offset % spacing === 0) read.add(`${file.name} ${file.offset}`);
      file.offset += Number(result);
    }
  }
  return read;
}
