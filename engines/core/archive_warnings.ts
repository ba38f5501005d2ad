/**
 * Files of a new archive that engines would not find, although the archive is valid. Sources of the limits:
 * id-Software/Quake WinQuake/common.c, id-Software/Quake-2 qcommon/files.c, sezero/quakespasm Quake/common.c,
 * DarkPlacesEngine/darkplaces fs.c, id-Software/Quake-III-Arena code/qcommon/q_shared.h.
 * @module
 */
import { type FormatName, grouped } from "../../formats/parts.ts";

/** Maximum number of paths in a message. */
const maxNamed = 5;
const encoder = new TextEncoder();

function longerThan(paths: readonly string[], limit: number): string[] {
  // A UTF-16 unit needs at most three bytes in UTF-8, so that few paths have to be encoded.
  return paths.filter((path) => path.length * 3 > limit && encoder.encode(path).length > limit);
}

function named(paths: readonly string[], what: string): string {
  const subject = paths.length === 1 ? `1 name ${what}` : `${grouped(paths.length)} names ${what}`;
  const more = paths.length > maxNamed ? ", ..." : "";
  return `${subject} (${paths.slice(0, maxNamed).join(", ")}${more})`;
}

/** Returns the names without room for a NUL, and the files beyond the engines' limit. */
function quakePakWarnings(paths: readonly string[]): string[] {
  const warnings: string[] = [];
  const long = longerThan(paths, 55);
  if (long.length > 0) {
    const names = named(long, "of 56 bytes, without room for a NUL");
    warnings.push(`${names}: Quake and Quake 2 cannot find such files, DarkPlaces cuts the names`);
  }
  for (const [max, engines] of [[2048, "Quake and QuakeSpasm"], [4096, "Quake 2"]] as const) {
    if (paths.length <= max) continue;
    const [count, limit] = [paths.length, max].map(grouped);
    warnings.push(`it holds ${count} files; with more than ${limit} in a PAK ${engines} refuse to start`);
  }
  return warnings;
}

/** Returns the names that are too long for Quake 3. */
function pk3Warnings(paths: readonly string[]): string[] {
  const long = longerThan(paths, 63);
  if (long.length === 0) return [];
  return [`${named(long, "of more than 63 bytes")}: Quake 3 refuses such models, sounds and images`];
}

/** Returns a message for each limit of engines that files at `paths` exceed in an archive of `format`. */
export function archiveWarnings(format: FormatName, paths: readonly string[]): string[] {
  if (format === "quake-pak") return quakePakWarnings(paths);
  return format === "zip" ? pk3Warnings(paths) : [];
}
