/**
 * Names of members as engines read them. An engine compares stored names with the requested name; pakfs shows cleaned
 * names, so some displayed names are never found.
 * @module
 */
import { at, type Game, isDirectorySource, ownEntryCount, type Snapshot, type Source } from "../index/mod.ts";
import type { MemberNames, Profile } from "../engines/mod.ts";

/** Bytes of a name in a Quake PAK. */
const fieldBytes = 56;

/** Returns the reason why the engine never finds an entry with its displayed path, as a clause, or null. */
export function memberNameReason(
  snapshot: Snapshot,
  { engine, memberNames }: Pick<Profile, "engine" | "memberNames">,
  source: Source,
  entry: number,
): string | null {
  if (memberNames === null) return null;
  const nested = entry - source.firstEntry < ownEntryCount(source) ? undefined : snapshot.nestedPackOf(entry);
  if (!nested && entry - source.firstEntry >= ownEntryCount(source)) return null;
  const { entryNodes, entryOffsets, entryRawNames } = snapshot.columns;
  const hasRawName = at(entryRawNames, entry) !== 0;
  const isStored = hasRawName && !isDirectorySource(source);
  if (hasRawName && !isStored && snapshot.memberOf(entry).includes("\\")) {
    return `on disk it is called "${snapshot.memberOf(entry)}", and ${engine} looks for directories`;
  }
  const isPak = snapshot.formatOf(entry) === "quake-pak";
  // The names in an inner pack are stored after its path.
  const around = nested ? nested.path.length + 1 : 0;
  if (!isStored && textsRefused(memberNames).length === 0 && memberNames.characters === null) return null;
  const stored = isStored ? snapshot.memberOf(entry).slice(around) : snapshot.pathOf(at(entryNodes, entry));
  const [name = ""] = stored.split("\0");
  if (isStored && isPak && (snapshot.rawNameOf(entry)?.length ?? 0) - around === fieldBytes) {
    if (memberNames.fullNames === "cut") {
      return `its name fills all ${fieldBytes} bytes of its field, and ${engine} cuts off the last`;
    }
    // The bytes after the name are the offset, in little-endian order.
    if (memberNames.fullNames === "joined" && at(entryOffsets, entry) % 256 !== 0) {
      return `its name fills all ${fieldBytes} bytes of its field, and ${engine} reads on into the numbers after it`;
    }
  }
  if (isStored && !memberNames.backslash && name.includes("\\")) {
    return `it is stored as "${name}", and to ${engine} a backslash is a letter`;
  }
  const path = pathOf(name, memberNames, snapshot.formatOf(entry));
  if (isStored && cleaned(path) !== path) {
    return `it is stored as "${name}", and ${engine} compares names as they are stored`;
  }
  if (memberNames.hidden && /(^|\/)\./.test(path)) {
    return `a part of its path begins with a dot, and ${engine} refuses such names`;
  }
  if (memberNames.characters !== null && hasOddCharacter(path, memberNames.characters)) {
    return `${engine} refuses names with characters other than letters, digits and "${memberNames.characters}"`;
  }
  const refused = memberNames.refused.find((text) => path.includes(text));
  return refused === undefined ? null : `its name holds "${refused}", and ${engine} refuses such names`;
}

/** Returns the engine's path for a stored name. Rejected strings are unchanged. */
function pathOf(name: string, { refused, rooted, colonsInZips }: MemberNames, format: string): string {
  const slashed = name.replaceAll("\\", "/");
  if (rooted && format === "quake-pak") return slashed.replace(/^\/+/, "");
  const isKept = refused.some((text) => slashed.includes(text));
  return colonsInZips && format === "zip" && !isKept ? slashed.replaceAll(":", "/") : slashed;
}

function hasOddCharacter(path: string, characters: string): boolean {
  return path.endsWith(".") || Array.from(path).some((one) => !/[A-Za-z0-9/]/.test(one) && !characters.includes(one));
}

/** Returns the strings that must not occur in a path. */
function textsRefused({ refused, hidden }: MemberNames): readonly string[] {
  return hidden ? [...refused, "/."] : refused;
}

/** Returns a path like the name policy, but without its escaping and shortening: `formats/core/names.ts`, step 3. */
function cleaned(path: string): string {
  return path.replace(/^\/*[A-Za-z]:/, "").split("/").filter((part) => part !== "" && part !== ".").join("/");
}

const known = new WeakMap<Game, ReadonlySet<number>>();

/** Returns the entries of a game that {@linkcode memberNameReason} rejects. */
export function misnamedEntries(snapshot: Snapshot, game: Game): ReadonlySet<number> {
  return known.getOrInsertComputed(game, () => new Set(misnamed(snapshot, game)));
}

function* misnamed(snapshot: Snapshot, game: Game): Generator<number> {
  const { memberNames } = game.profile;
  if (memberNames === null) return;
  const { entryNodes, entryRawNames, rawNameStarts } = snapshot.columns;
  const suspects = suspectNodes(snapshot, textsRefused(memberNames), memberNames.characters);
  if (!suspects && rawNameStarts.length === 1) return; // all names are displayed as stored
  for (const source of snapshot.sources) {
    if (source.game !== game.id) continue;
    const end = source.firstEntry + source.entryCount;
    for (let entry = source.firstEntry; entry < end; entry++) {
      if (at(entryRawNames, entry) === 0 && suspects?.[at(entryNodes, entry)] !== 1) continue;
      if (memberNameReason(snapshot, game.profile, source, entry) !== null) yield entry;
    }
  }
}

/**
 * For each node: 1 if its path may contain one of some strings, or other characters, judged by its components;
 * `undefined` if none may.
 */
function suspectNodes(
  snapshot: Snapshot,
  texts: readonly string[],
  characters: string | null,
): Uint8Array | undefined {
  const names = suspectNames(snapshot, texts, characters);
  if (names.size === 0) return undefined;
  const { nodeNames, nodeParents } = snapshot.columns;
  const suspects = new Uint8Array(snapshot.nodeCount);
  // A node has a greater number than its parent.
  for (let node = 1; node < suspects.length; node++) {
    suspects[node] = names.has(at(nodeNames, node)) ? 1 : at(suspects, at(nodeParents, node));
  }
  return suspects;
}

/** Results by column of names, which successive indexes share if no name is new, and by strings. */
const searched = new WeakMap<Uint8Array, Map<string, ReadonlySet<number>>>();

/** Returns the names that may contain one of some strings, or characters other than the allowed ones. */
function suspectNames(
  { columns: { names, nameStarts } }: Snapshot,
  texts: readonly string[],
  characters: string | null,
): ReadonlySet<number> {
  const byTexts = searched.getOrInsertComputed(names, () => new Map());
  return byTexts.getOrInsertComputed(JSON.stringify([characters, texts]), () => {
    const odd = characters === null ? new Set<number>() : oddNames(characters, names, nameStarts);
    return namesWith(texts, names, nameStarts).union(odd);
  });
}

function namesWith(texts: readonly string[], names: Uint8Array, nameStarts: Uint32Array): Set<number> {
  const bytes = texts.map((text) => new TextEncoder().encode(text.replaceAll("/", "")));
  const suspects = new Set<number>();
  for (const part of bytes) {
    const [first = 0, second] = part;
    let name = 0;
    for (let offset = names.indexOf(first); offset >= 0; offset = names.indexOf(first, offset + 1)) {
      if (second !== undefined && names[offset + 1] !== second) continue;
      while (at(nameStarts, name + 1) <= offset) name++;
      const start = at(nameStarts, name);
      const end = at(nameStarts, name + 1);
      const isAtEdge = part.length > 1 || first !== dot || offset === start || offset + 1 === end;
      if (isAtEdge && offset + part.length <= end && part.every((byte, index) => names[offset + index] === byte)) {
        suspects.add(name);
      }
    }
  }
  return suspects;
}

/** Returns the names with characters other than the allowed ones, letters and digits, or with a trailing dot. */
function oddNames(characters: string, names: Uint8Array, nameStarts: Uint32Array): Set<number> {
  const odd = new Set<number>();
  for (let name = 0; name + 1 < nameStarts.length; name++) {
    const text = decoder.decode(names.subarray(at(nameStarts, name), at(nameStarts, name + 1)));
    if (hasOddCharacter(text, characters)) odd.add(name);
  }
  return odd;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A single dot is rejected only next to a slash. */
const dot = 0x2e;
