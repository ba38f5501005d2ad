/**
 * Finds packs and game directories of a view by the names that users give them.
 * @module
 */
import { type Source, sourceHasName } from "../index/mod.ts";
import type { Catalog, View } from "../views/mod.ts";
import { QuestionError } from "./question.ts";

/**
 * Returns the numbers of the sources with a name in a view: a game directory with all its packs, or one pack by its
 * file name, path or end of a path.
 * @throws {QuestionError} if there is none, or more than one pack matches.
 */
export function sourcesNamed(view: View, name: string): ReadonlySet<number> {
  const wanted = name.replace(/(?<=.)\/+$/, "");
  const inDirectory = view.searchPath.filter((source) => source.gameDirectory === wanted);
  if (inDirectory.length > 0) return new Set(inDirectory.map((source) => source.id));
  const packs = view.searchPath.filter((source) => source.kind === "pack" && sourceHasName(source, wanted));
  const [only] = packs;
  if (only && packs.length === 1) return new Set([only.id]);
  if (only) {
    const names = packs.map(longerName);
    throw new QuestionError(
      "notFound",
      `"${name}" is ambiguous: the search path of ${view.name} has ${packs.length} such packs; give more of the path`,
      { errno: "ENOENT", suggestions: names },
    );
  }
  const reason = absence(view, wanted);
  if (reason !== undefined) throw new QuestionError("notFound", reason, { errno: "ENOENT" });
  const data = { errno: "ENOENT", path: name, suggestions: sourceNames(view) };
  throw new QuestionError("notFound", `no pack or game directory "${name}" on the search path of ${view.name}`, data);
}

/** Returns the reason why a view lacks a pack or game directory of its game. */
function absence(view: View, wanted: string): string | undefined {
  const unused = view.snapshot.sources
    .filter((source) => source.game === view.game.id && source.kind === "pack" && sourceHasName(source, wanted));
  const ignored = unused.find((source) =>
    source.ignored !== null && view.gameDirectories.includes(source.gameDirectory)
  );
  if (ignored) return `${ignored.name} is not used in ${view.name}: ${ignored.ignored}`;
  if (unused[0]) {
    return `${unused[0].gameDirectory} with its ${unused[0].name} is not on the search path of ${view.name}`;
  }
  if (view.game.gameDirectories.some((directory) => directory.name === wanted)) {
    return `${wanted} is not on the search path of ${view.name}`;
  }
  return undefined;
}

/** Returns the name of a pack after its game directory's, or its path if that is not its path on disk. */
function longerName(source: Source): string {
  const name = `${source.gameDirectory}/${source.name}`;
  return sourceHasName(source, name) ? name : source.path;
}

/** Returns the names by which {@linkcode sourcesNamed} finds the packs and game directories of a view, in search order. */
export function sourceNames(view: View): string[] {
  const packs = view.searchPath.filter((source) => source.kind === "pack");
  const counts = new Map<string, number>();
  const namesOf = (pack: Source) => [pack.name, longerName(pack)].map((name) => name.toLowerCase());
  for (const name of packs.flatMap(namesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isAlone = (name: string) => counts.get(name.toLowerCase()) === 1;
  const named = packs.map((pack) => [pack.name, longerName(pack)].find(isAlone) ?? pack.path);
  return [...view.gameDirectories, ...named];
}

/**
 * Returns the pack with that name, path or end of a path; if there are several, the only one that the view searches.
 * @throws {QuestionError} if there is none, or more than one matches.
 */
export function packNamed(catalog: Catalog, view: View | undefined, name: string): Source {
  const found = catalog.packs.filter((source) => sourceHasName(source, name));
  const searched = view ? found.filter((source) => view.searches(source.id)) : found;
  const [only] = searched.length > 0 ? searched : found;
  if (!only) {
    const suggestions = Array.from(new Set(catalog.packs.map((source) => source.name)));
    throw new QuestionError("notFound", `no pack "${name}"`, { errno: "ENOENT", path: name, suggestions });
  }
  if (found.length === 1 || searched.length === 1) return only;
  const paths = found.map((source) => source.path);
  throw new QuestionError(
    "invalid",
    `"${name}" is ambiguous: ${paths.join(", ")}; give more of the path`,
  );
}
