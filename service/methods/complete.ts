/**
 * Completes names.
 * @module
 */
import { type Catalog, settingSign, stackSign, type View } from "../../views/mod.ts";
import { at, none } from "../../index/mod.ts";
import { type ShaderIndex, sourceNames } from "../../questions/mod.ts";
import { nearest } from "../../system/mod.ts";
import type { Method } from "./method.ts";
import { invalid } from "./parameters.ts";
import { shaderIndexOf } from "./questions.ts";
import { defaultPageSize } from "../../protocol/mod.ts";

/** Returns names that complete a prefix. */
export const complete: Method<"complete"> = {
  parameters: { view: "string", kind: "required string", prefix: "required string", limit: "count" },
  answer: async (context, { view, kind, prefix, limit: wanted = 100 }) => {
    const limit = Math.min(wanted, defaultPageSize);
    const { catalog } = context;
    if (kind === "view") return { matches: completeView(catalog, prefix, limit) };
    if (kind === "pack") return { matches: completePack(catalog, catalog.optionalView(view), prefix, limit) };
    if (kind === "source") return { matches: completeSource(catalog.view(view), prefix, limit) };
    if (kind === "qpath") return { matches: completePath(catalog.view(view), prefix, limit) };
    if (kind === "shader") return { matches: completeShader(await shaderIndexOf(context, view), prefix, limit) };
    throw invalid(`"kind" must be "qpath", "view", "pack", "source" or "shader"`);
  },
};

/**
 * Returns views whose name, or unique game directory, begins with `prefix`; after a `+`, game directories that can be
 * stacked on the earlier ones; after a `:`, settings of the game's engine.
 */
function completeView(catalog: Catalog, prefix: string, limit: number): string[] {
  if (prefix.includes(settingSign)) return completeSetting(catalog, prefix, limit);
  const sign = prefix.lastIndexOf(stackSign) + 1;
  if (sign > 0) {
    const stack = prefix.slice(0, sign);
    const named = catalog.games.find((known) => prefix.startsWith(`${known.name}/`));
    const parts = stack.slice(named ? named.name.length + 1 : 0, -1).split(stackSign);
    const having = catalog.games.filter(({ gameDirectories }) =>
      parts.every((part) => gameDirectories.some(({ name }) => name === part))
    );
    const game = named ?? (having.length === 1 ? having[0] : undefined);
    const names = game?.gameDirectories.map((directory) => directory.name) ?? [];
    return names.filter((name) => name !== game?.base && !parts.includes(name) && `${stack}${name}`.startsWith(prefix))
      .map((name) => `${stack}${name}`).slice(0, limit);
  }
  const directories = prefix === "" ? [] : directoriesOfOne(catalog);
  return [...catalog.views.map((view) => view.name), ...directories].filter((name) => name.startsWith(prefix))
    .slice(0, limit);
}

/** Returns the names of game directories that identify one view without the name of their game. */
function directoriesOfOne({ views }: Catalog): string[] {
  const names = views.map(({ gameDirectory }) => gameDirectory.name);
  const games = new Set(views.map(({ game }) => game.name));
  return names.filter((name) => !games.has(name) && names.indexOf(name) === names.lastIndexOf(name));
}

function completeSetting(catalog: Catalog, prefix: string, limit: number): string[] {
  const sign = prefix.lastIndexOf(settingSign) + 1;
  const view = catalog.view(prefix.slice(0, prefix.indexOf(settingSign)));
  const before = prefix.slice(0, sign);
  const { pure, currentMap, inactive } = view.game.profile;
  const maps = () => completePath(view, "maps/", defaultPageSize).filter((path) => path.endsWith(".bsp"));
  const values = [
    ...(pure === null ? [] : ["pure="]),
    ...(currentMap ? maps().map((path) => `map=${path.slice("maps/".length, -".bsp".length)}`) : []),
    ...(inactive === null ? [] : ["inactive=0", "inactive=1", "inactive=2"]),
  ];
  return values.map((value) => `${before}${value}`).filter((name) => name.startsWith(prefix)).slice(0, limit);
}

/** Returns packs by file name, of a view's search path or of all games. */
function completePack(catalog: Catalog, view: View | undefined, prefix: string, limit: number): string[] {
  const packs = view ? view.searchPath.filter((source) => source.kind === "pack") : catalog.packs;
  return Array.from(new Set(packs.map((pack) => pack.name).filter((name) => name.startsWith(prefix)))).sort()
    .slice(0, limit);
}

/** Returns packs and game directories of a view, by unique names. */
function completeSource(view: View, prefix: string, limit: number): string[] {
  return sourceNames(view).filter((name) => name.startsWith(prefix)).slice(0, limit);
}

/** Returns names of shaders and materials that begin with `prefix`, in any case. */
function completeShader(index: ShaderIndex, prefix: string, limit: number): string[] {
  const wanted = prefix.toLowerCase();
  const matches: string[] = [];
  for (const { name } of index.rows()) {
    if (matches.length >= limit) break;
    if (name.startsWith(wanted)) matches.push(name);
  }
  return matches;
}

/** Returns paths in a view that begin with `prefix`; directories end in `/`. Reads only those names. */
function completePath(view: View, prefix: string, limit: number): string[] {
  const slash = prefix.lastIndexOf("/");
  const directory = prefix.slice(0, slash + 1);
  const { tree } = view;
  const node = tree.find(directory);
  if (node === none || !tree.isDirectory(node)) return [];
  const wanted = prefix.slice(slash + 1);
  const matches: string[] = [];
  for (const child of childrenBeginning(view, node, wanted)) {
    if (matches.length >= limit) break;
    matches.push(`${directory}${tree.nameOf(child)}${tree.isDirectory(child) ? "/" : ""}`);
  }
  return matches;
}

/**
 * Finds children of a directory that begin with `wanted`, compared like in the view's engine; beyond ASCII in any case.
 */
function* childrenBeginning({ tree, game }: View, directory: number, wanted: string): Generator<number> {
  const { ignoreCase } = game.profile;
  if (ignoreCase) {
    const ascii = /^\p{ASCII}*/u.exec(wanted)?.[0] ?? "";
    const folded = wanted.toLowerCase();
    for (const child of tree.childrenBeginning(directory, encoder.encode(ascii))) {
      if (ascii === wanted || tree.nameOf(child).toLowerCase().startsWith(folded)) yield child;
    }
    return;
  }
  for (const child of tree.childrenBeginning(directory, encoder.encode(wanted))) {
    if (tree.nameOf(child).startsWith(wanted)) yield child;
  }
}

/** Maximum names of a directory that are compared with a mistyped one. */
const maxCompared = 5000;
/**
 * Maximum length of names, and depth of paths, for which similar names are searched: the cost is the square of both.
 */
const maxComparedLength = 64;

/**
 * Returns the most likely intended path of a view: without its first directories, with one name corrected, or in
 * another directory. An equal name in another directory is preferred to a similar name.
 */
export function nearestPath(view: View, path: string): string | undefined {
  const wanted = path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
  if (wanted.length > maxComparedLength || view.tree.find(path) !== none) return undefined;
  const elsewhere = misplacedPaths(view, wanted.at(-1) ?? "");
  return pathInView(view, wanted) ?? elsewhere.same ?? correctedPath(view, wanted) ?? elsewhere.extended;
}

/**
 * Returns the first paths in any directory that end with a name in any case: with the name itself, and with an
 * extension.
 */
function misplacedPaths({ tree }: View, name: string): { readonly same?: string; readonly extended?: string } {
  if (name === "" || name.length > maxComparedLength) return {};
  const folded = name.toLowerCase();
  const prefix = encoder.encode(name);
  let extended: string | undefined;
  for (let directory = 0; directory < tree.length; directory++) {
    if (!tree.isDirectory(directory)) continue;
    for (const child of tree.childrenBeginning(directory, prefix)) {
      const found = tree.nameOf(child).toLowerCase();
      if (found === folded) return { same: tree.pathOf(child) };
      if (found.replace(/\.[^.]*$/, "") === folded) extended ??= tree.pathOf(child);
    }
  }
  return extended === undefined ? {} : { extended };
}

/** Returns the path of a view for a path of the host, or for a path that begins with the game directory. */
function pathInView({ tree }: View, wanted: readonly string[]): string | undefined {
  return wanted.map((_, index) => wanted.slice(index).join("/")).find((tail) => tree.find(tail) !== none);
}

function correctedPath({ tree }: View, wanted: readonly string[]): string | undefined {
  const known: string[] = [];
  for (const [index, name] of wanted.entries()) {
    const node = tree.find(known.join("/"));
    if (node === none || !tree.isDirectory(node)) return undefined;
    if (tree.find([...known, name].join("/")) !== none) {
      known.push(name);
      continue;
    }
    if (name.length > maxComparedLength) return undefined;
    const first = at(tree.firstChildren, node);
    const count = Math.min(at(tree.childCounts, node), maxCompared);
    const meant = nearest(name, Array.from({ length: count }, (_, child) => tree.nameOf(first + child)));
    const corrected = meant === undefined ? undefined : [...known, meant, ...wanted.slice(index + 1)].join("/");
    return corrected !== undefined && tree.find(corrected) !== none ? corrected : undefined;
  }
  return undefined;
}

const encoder = new TextEncoder();
