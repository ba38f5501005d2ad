/**
 * What engines would not find in an archive that is written. The archive is in order; the limits are the engines' own:
 * id-Software/Quake WinQuake/common.c, id-Software/Quake-2 qcommon/files.c, sezero/quakespasm Quake/common.c,
 * DarkPlacesEngine/darkplaces fs.c, id-Software/Quake-III-Arena code/qcommon/q_shared.h.
 * @module
 */

/** Paths that a sentence names. */
const maxNamed = 5;
const encoder = new TextEncoder();

function longerThan(paths: readonly string[], limit: number): string[] {
  // A path has as many bytes as characters at the least, and hardly any is long.
  return paths.filter((path) => path.length * 3 > limit && encoder.encode(path).length > limit);
}

function named(paths: readonly string[], one: string, many: string): string {
  const subject = paths.length === 1 ? `1 ${one}` : `${paths.length.toLocaleString("en-US")} ${many}`;
  const more = paths.length > maxNamed ? ", ..." : "";
  return `${subject} (${paths.slice(0, maxNamed).join(", ")}${more})`;
}

/** For Quake PAKs: names without room for a NUL, and more files than engines take. */
export function quakePakWarnings(paths: readonly string[]): string[] {
  const warnings: string[] = [];
  const long = longerThan(paths, 55);
  if (long.length > 0) {
    const names = named(long, "name of 56 bytes leaves", "names of 56 bytes leave");
    warnings.push(`${names} no room for a NUL: Quake and Quake 2 cannot find such files, DarkPlaces cuts the names`);
  }
  for (const [most, engines] of [[2048, "Quake and QuakeSpasm"], [4096, "Quake 2"]] as const) {
    if (paths.length <= most) continue;
    const [count, limit] = [paths.length, most].map((number) => number.toLocaleString("en-US"));
    warnings.push(`it holds ${count} files; with more than ${limit} in a PAK ${engines} refuse to start`);
  }
  return warnings;
}

/** For pk3s: names that are too long for Quake 3. */
export function pk3Warnings(paths: readonly string[]): string[] {
  const long = longerThan(paths, 63);
  if (long.length === 0) return [];
  return [
    `${named(long, "name is", "names are")} longer than 63 bytes: Quake 3 refuses such models, sounds and images`,
  ];
}
