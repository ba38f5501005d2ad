/**
 * The demo installation: two small games with mods, made by code, for trying pakfs. Nothing in it is from a real game,
 * so it cannot be played; the directory names are the ones by which engines and pakfs detect their games.
 * @module
 */
import { ensureDir } from "@std/fs";
import { dirname } from "@std/path";
import { formatNamed } from "../../formats/parts.ts";
import type { DemoFile, DemoPack } from "./drawing.ts";
import { quakeFiles } from "./quake.ts";
import { quake3Files } from "./quake3.ts";

/** Returns the files and packs of the demo installation. Packs of one game directory come in the order of their names. */
export function demoInstallation(): (DemoFile | DemoPack)[] {
  return [...quakeFiles(), ...quake3Files()];
}

/** Result of {@linkcode writeDemoInstallation}. */
export interface DemoSummary {
  /** Base directory of each game, absolute if `directory` was: `<directory>/quake`. */
  readonly games: { readonly name: string; readonly base: string }[];
  /** Archives; the `.pk3dir` is a directory. */
  readonly packs: number;
  /** Files inside packs and next to them, shadowed ones included. */
  readonly files: number;
  /** Bytes of all files, uncompressed. */
  readonly bytes: number;
}

// Fixed, so that two demos are identical byte for byte.
const modified = Date.UTC(2026, 0, 1, 12);

/**
 * Writes the demo installation below `directory`, which is created if missing. Existing files are replaced.
 * Requires `--allow-read` and `--allow-write`.
 *
 * @param onProgress Called after each file with the number done and the total.
 */
export async function writeDemoInstallation(
  directory: string,
  onProgress?: (done: number, total: number) => void,
): Promise<DemoSummary> {
  const items = demoInstallation();
  for (const [index, item] of items.entries()) {
    const path = `${directory}/${item.path}`;
    // deno-lint-ignore no-await-in-loop -- a pack at a time keeps memory small and the order of progress sensible
    await ensureDir(dirname(path));
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.writeFile(path, "members" in item ? packBytes(item) : item.content);
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.utime(path, modified / 1000, modified / 1000);
    onProgress?.(index + 1, items.length);
  }
  const files = items.flatMap((item) => "members" in item ? item.members : [item]);
  return {
    games: ["quake", "quake3"].map((name) => ({ name, base: `${directory}/${name}` })),
    packs: items.filter((item) => "members" in item).length,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.content.length, 0),
  };
}

function packBytes(pack: DemoPack): ReadableStream<Uint8Array> {
  const write = formatNamed(pack.format)?.write;
  if (write === undefined) throw new Error(`Cannot write the demo's ${pack.path}: no writer for ${pack.format}`);
  const entries = pack.members.map(({ path, content }) => ({
    path,
    content: () => content,
    size: content.length,
    mtime: modified,
  }));
  return ReadableStream.from(write(entries, { path: pack.path }));
}
