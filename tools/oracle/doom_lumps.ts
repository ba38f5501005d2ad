/**
 * Real engines for Doom, asked which lumps they take: `strace` shows where they read. Lumps lie so far apart that the offset
 * of a read identifies them.
 * @module
 */
import { join, padded, text, u16, u32, wadEntry } from "../../tests/formats/bytes.ts";
import type { Random } from "../../tests/support/chance.ts";
import { debianLibraries, debianPackage } from "../../tests/support/debian_data.ts";

/** Bytes between the beginnings of two lumps: more than the C library reads ahead. */
const spacing = 16_384;

/** Files and command line of one run. */
export interface LumpTree {
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Words after the IWAD. */
  readonly list: readonly string[];
}

/** A lump by name and content. */
export type Lump = readonly [name: string, content: Uint8Array];

/** A section's marker. */
export function marker(name: string): Lump {
  return [name, new Uint8Array(0)];
}

/** A patch, or sprite, of one column. */
export const picture = join(u16(1, 1, 0, 0), u32(12), Uint8Array.of(0, 1, 0, 0, 0, 255, 0, 0));

/** A WAD in which each lump that is not empty has blocks of its own. */
export function spacedWad(kind: "IWAD" | "PWAD", lumps: readonly Lump[]): Uint8Array {
  const blocks = [padded(new Uint8Array(0), spacing)];
  let length = spacing;
  const entries = lumps.map(([name, content]) => {
    if (content.length === 0) return wadEntry(name, 0, 0);
    const block = padded(content, Math.ceil(content.length / spacing) * spacing);
    blocks.push(block);
    length += block.length;
    return wadEntry(name, length - block.length, content.length);
  });
  // The directory begins where no lump does, as the C library reads it.
  const data = join(...blocks, new Uint8Array(4096));
  data.set(join(text(kind), u32(lumps.length, data.length)));
  return join(data, ...entries);
}

/** The lumps that define a texture of one patch for each name. */
export function textures(patches: readonly string[]): Lump[] {
  const all = patches.map((name, patch) =>
    join(padded(text(name), 8), u32(0), u16(1, 1), u32(0), u16(1, 0, 0, patch, 1, 0))
  );
  const first = 4 + 4 * all.length;
  const size = all[0]?.length ?? 0;
  return [
    ["PNAMES", join(u32(patches.length), ...patches.map((name) => padded(text(name), 8)))],
    ["TEXTURE1", join(u32(all.length), u32(...all.map((_, index) => first + index * size)), ...all)],
  ];
}

/** Some elements of a list. */
export function some<T>(list: readonly T[], chance: Random): T[] {
  return list.filter(() => chance(2) === 0);
}

/** Returns the program of a Debian package, and the libraries that are not installed. */
async function engine(name: string): Promise<{ program: string; environment: Record<string, string> }> {
  const libraries = await debianLibraries(name);
  return {
    program: `${debianPackage(name)}/usr/games/${name}`,
    environment: { LD_LIBRARY_PATH: libraries.join(":"), LC_ALL: "C" },
  };
}

/** Runs an engine; returns the lumps that it read, as file and offset, all reads in their order, and what it printed. */
export async function readLumps(
  name: string,
  root: string,
  list: readonly string[],
): Promise<{ read: Set<string>; reads: readonly string[]; said: string }> {
  const { program, environment } = await engine(name);
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
      ...["-nosound", "-nomusic"],
    ],
    cwd: root,
    env: { ...environment, HOME: root, DOOMWADDIR: root, SDL_VIDEODRIVER: "dummy", SDL_AUDIODRIVER: "dummy" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  const reads = readsIn(await Deno.readTextFile(log), root);
  return {
    read: new Set(reads),
    reads,
    said: decoder.decode(stdout) + decoder.decode(stderr),
  };
}

/** Returns the beginnings of lumps that were read, as file and offset. */
function readsIn(log: string, root: string): string[] {
  const files = new Map<string, { readonly name: string; offset: number }>();
  const read: string[] = [];
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
      if (file.offset > 0 && file.offset % spacing === 0) read.push(`${file.name} ${file.offset}`);
      file.offset += Number(result);
    }
  }
  return read;
}
