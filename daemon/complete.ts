/**
 * What a beginning of a name can become.
 * @module
 */
import type { Catalog } from "../index/catalog.ts";
import { none } from "../index/columns.ts";
import { equalFolded } from "../index/fold.ts";
import { sourceNames } from "../index/questions/named_sources.ts";
import type { ShaderIndex } from "../index/shaders/shader_index.ts";
import { stackSign, type View } from "../index/view.ts";
import { settingSign } from "../index/view_settings.ts";
import { nearest } from "./command_line/suggest.ts";
import { defaultPageSize } from "./protocol.ts";

/**
 * Views whose name begins with `prefix`; after a `+`, game directories that can be stacked on those before it; after a
 * `:`, settings that the game's engine has.
 */
export function completeView(catalog: Catalog, prefix: string, limit: number): string[] {
  if (prefix.includes(settingSign)) return completeSetting(catalog, prefix, limit);
  const sign = prefix.lastIndexOf(stackSign) + 1;
  if (sign > 0) {
    const stack = prefix.slice(0, sign);
    const parts = prefix.slice(prefix.indexOf("/") + 1, sign - 1).split(stackSign);
    const game = catalog.games.find((known) => prefix.startsWith(`${known.name}/`));
    const names = game?.gameDirectories.map((directory) => directory.name) ?? [];
    return names.filter((name) => name !== game?.base && !parts.includes(name) && `${stack}${name}`.startsWith(prefix))
      .map((name) => `${stack}${name}`).slice(0, limit);
  }
  return catalog.views.map((view) => view.name).filter((name) => name.startsWith(prefix)).slice(0, limit);
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

/** Packs by file name, of a view's search path or of all games. */
export function completePack(catalog: Catalog, view: View | undefined, prefix: string, limit: number): string[] {
  const packs = view ? view.searchPath.filter((source) => source.kind === "pack") : catalog.packs;
  return Array.from(new Set(packs.map((pack) => pack.name).filter((name) => name.startsWith(prefix)))).sort()
    .slice(0, limit);
}

/** Packs and game directories of a view, by names that mean one each. */
export function completeSource(view: View, prefix: string, limit: number): string[] {
  return sourceNames(view).filter((name) => name.startsWith(prefix)).slice(0, limit);
}

/** Names of shaders and materials that begin with `prefix`, whatever its case. */
export function completeShader(index: ShaderIndex, prefix: string, limit: number): string[] {
  const wanted = prefix.toLowerCase();
  const matches: string[] = [];
  for (const { name } of index.rows()) {
    if (matches.length >= limit) break;
    if (name.startsWith(wanted)) matches.push(name);
  }
  return matches;
}

/** Paths in a view that begin with `prefix`; directories end in `/`. Looks at one directory only. */
export function completePath(view: View, prefix: string, limit: number): string[] {
  const slash = prefix.lastIndexOf("/");
  const directory = prefix.slice(0, slash + 1);
  const { tree } = view;
  const node = tree.find(directory);
  if (node === none || !tree.isDirectory(node)) return [];
  const begins = beginningTest(view, prefix.slice(slash + 1));
  const first = tree.firstChildren[node] ?? 0;
  const matches: string[] = [];
  for (let child = first; child < first + (tree.childCounts[node] ?? 0) && matches.length < limit; child++) {
    if (begins(child)) matches.push(`${directory}${tree.nameOf(child)}${tree.isDirectory(child) ? "/" : ""}`);
  }
  return matches;
}

/** Whether a node's name begins with `wanted`. Looks at bytes: a directory may hold a million names. */
function beginningTest({ tree, snapshot, game }: View, wanted: string): (node: number) => boolean {
  const { ignoreCase } = game.profile;
  if (ignoreCase && !isAscii(wanted)) {
    const folded = wanted.toLowerCase();
    return (node) => tree.nameOf(node).toLowerCase().startsWith(folded);
  }
  const { names, nameStarts, nodeNames } = snapshot.columns;
  const bytes = encoder.encode(wanted);
  return (node) => {
    const name = nodeNames[tree.nodes[node] ?? 0] ?? 0;
    const start = nameStarts[name] ?? 0;
    if ((nameStarts[name + 1] ?? 0) - start < bytes.length) return false;
    if (ignoreCase) return equalFolded(names, start, start + bytes.length, bytes, 0, bytes.length);
    return bytes.every((byte, index) => names[start + index] === byte);
  };
}

/** Names of a directory that are compared with a mistyped one. */
const mostCompared = 5000;

/** The path of a view that `path` was most likely meant to be: one of its names is mistyped. */
export function nearestPath(view: View, path: string): string | undefined {
  const { tree } = view;
  const wanted = path.split("/").filter((name) => name !== "" && name !== ".");
  const known: string[] = [];
  for (const [index, name] of wanted.entries()) {
    const node = tree.find(known.join("/"));
    if (node === none || !tree.isDirectory(node)) return undefined;
    if (tree.find([...known, name].join("/")) !== none) {
      known.push(name);
      continue;
    }
    const first = tree.firstChildren[node] ?? 0;
    const count = Math.min(tree.childCounts[node] ?? 0, mostCompared);
    const meant = nearest(name, Array.from({ length: count }, (_, child) => tree.nameOf(first + child)));
    const corrected = meant === undefined ? undefined : [...known, meant, ...wanted.slice(index + 1)].join("/");
    return corrected !== undefined && tree.find(corrected) !== none ? corrected : undefined;
  }
  return undefined;
}

function isAscii(text: string): boolean {
  // deno-lint-ignore no-control-regex -- ASCII begins with the control characters
  return /^[\x00-\x7f]*$/.test(text);
}

const encoder = new TextEncoder();
