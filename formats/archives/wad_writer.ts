/**
 * Writes Doom WADs of files that lie as this program shows lumps: those of a map in `maps/MAP01/`, those of a section in
 * `flats/`, `sprites/` and so on, all others at the top or in `lumps/`. The byte layout is in `wad.ts`.
 *
 * Lumps have their meaning by their order: markers are written around each section, with doubled letters as engines expect
 * them of a mod, and a map's lumps follow its name in the order in which the original reads them.
 * @module
 */
import { elementAt, FieldWriter } from "../core/cursor.ts";
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { sectionMarkers } from "./wad_groups.ts";
import { ArchiveRoom, requireRoom } from "./write_limits.ts";
import { contentPieces, isLarge, requireWritablePaths, wholeContent } from "./written_content.ts";

const encoder = new TextEncoder();
const magic = encoder.encode("PWAD");
const headerSize = 12;
const recordSize = 16;
const nameSize = 8;

/** Lumps of a map in the order in which the original reads them; others follow, and `ENDMAP` is the last. */
const mapOrder = (
  "TEXTMAP THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS REJECT BLOCKMAP BEHAVIOR SCRIPTS"
).split(" ");

/** A lump that is written; a marker has no entry. */
interface Lump {
  readonly name: string;
  readonly entry?: WriteEntry;
}

/** A file by its place and name. */
interface Placed {
  /** `maps/MAP01`, `flats`, ...; empty for a lump without a section. */
  readonly place: string;
  readonly name: string;
  /** Number of a repeated lump: the one that engines find is 1. */
  readonly number: number;
  readonly entry: WriteEntry;
}

/**
 * Returns a name without the number of a repeated lump or map, and that number; a name of its own may look alike.
 * @param has Returns whether the lump or map that engines find is among the files.
 */
function unnumbered(numbered: string, has: (name: string) => boolean): [name: string, number: number] {
  const [, name = "", number = ""] = /^(.+)~([2-9]|[1-9]\d{1,5})$/s.exec(numbered) ?? [];
  return name !== "" && has(name) ? [name, Number(number)] : [numbered, 1];
}

/** Returns the name in the archive of a lump that is shown as `shown`; `undefined` if a WAD cannot hold it. */
function storedName(shown: string): string | undefined {
  const plain = shown.replace(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const name = plain.replaceAll("^", "\\").toUpperCase();
  return /^[!-~]{1,8}$/.test(name) ? name : undefined;
}

/**
 * Returns the place and name of a file.
 * @param paths Paths of all files.
 * @throws {UnwritableError} if a WAD has none for it.
 */
function placed(entry: WriteEntry, paths: ReadonlySet<string>, archive: string): Placed {
  const [, prefix = "", base = ""] = /^(.*\/)?([^/]*)$/s.exec(entry.path) ?? [];
  const directory = prefix.slice(0, -1);
  const [shown, number] = unnumbered(base, (name) => paths.has(prefix + name));
  const name = storedName(shown);
  const place = directory.toLowerCase() === "lumps" ? "" : directory;
  const isMap = /^maps\/[^/]+$/i.test(place);
  const isPlace = place === "" || isMap || sectionMarkers.has(place.toLowerCase());
  if (isPlace && name !== undefined) {
    return { place: isMap ? `maps/${place.slice(5).toUpperCase()}` : place.toLowerCase(), name, number, entry };
  }
  throw unwritable(entry, isPlace ? noName(base) : `a WAD has no directory ${directory}`, archive);
}

function noName(shown: string): string {
  return `${shown} is no name of a lump: up to eight letters, digits and signs of ASCII`;
}

function unwritable({ path }: WriteEntry, why: string, archive: string): UnwritableError {
  return new UnwritableError(`${path}: ${why}; leave it out or write a pk3`, { path: archive, member: path });
}

/** Orders lumps as engines search: the last of several is found. */
function bySearch(a: Pick<Placed, "number">, b: Pick<Placed, "number">): number {
  return b.number - a.number;
}

function mapRank({ name }: Placed): number {
  const rank = mapOrder.indexOf(name);
  return name === "ENDMAP" ? mapOrder.length + 1 : rank < 0 ? mapOrder.length : rank;
}

/** Returns all lumps in their order. @throws {UnwritableError} if a file has no place in a WAD. */
function lumpsOf(entries: readonly WriteEntry[], archive: string): Lump[] {
  const paths = new Set(entries.map(({ path }) => path));
  const places = new Map<string, Placed[]>([["", []]]);
  const known = new Map<string, WriteEntry>();
  for (const entry of entries) {
    const file = placed(entry, paths, archive);
    const key = `${file.place.toUpperCase()}/${keyOf(file)}`;
    const other = known.get(key);
    if (other) throw unwritable(entry, `${other.path} is the same lump`, archive);
    known.set(key, entry);
    const isMarker = entry.size === 0 && file.place === "" && /_(?:START|END)$/.test(file.name);
    const others = places.get(file.place);
    if (isMarker) continue;
    if (others) others.push(file);
    else places.set(file.place, [file]);
  }
  const maps = [...places].filter(([place]) => place.startsWith("maps/")).map(([place, files]) => {
    const [shown, number] = unnumbered(place, (other) => places.has(other));
    const map = shown.slice("maps/".length);
    const name = storedName(map);
    if (name === undefined) throw unwritable(elementAt(files, 0).entry, noName(map), archive);
    return { name, number, key: keyOf({ name, number }), files };
  });
  const openers = new Map<string, Lump>(maps.map(({ key, name }) => [key, { name }]));
  const lumps: Lump[] = [];
  for (const file of (places.get("") ?? []).sort(bySearch)) {
    if (openers.has(keyOf(file))) openers.set(keyOf(file), file);
    else lumps.push(file);
  }
  for (const { key, name, files } of maps.sort(bySearch)) {
    lumps.push(openers.get(key) ?? { name }, ...files.sort((a, b) => mapRank(a) - mapRank(b) || bySearch(a, b)));
  }
  for (const [place, marker] of sectionMarkers) {
    const files = places.get(place);
    if (!files) continue;
    lumps.push({ name: `${marker}_START` }, ...files.sort(bySearch), { name: `${marker}_END` });
  }
  return lumps;
}

function keyOf({ name, number }: Pick<Placed, "name" | "number">): string {
  return `${name}~${number}`;
}

/**
 * Writes a Doom WAD, a `PWAD`.
 * @throws {UnwritableError} if a file has no place or name in a WAD, or the whole does not fit.
 */
export async function* writeWad(entries: readonly WriteEntry[], options: WriteOptions): AsyncGenerator<Uint8Array> {
  requireWritablePaths(entries, options.path);
  const lumps = lumpsOf(entries, options.path);
  requireRoom("wad", entries, options.path, true);
  const room = new ArchiveRoom("wad", lumps.length, options.path);
  const sizes: number[] = [];
  const known = new Map<Lump, Uint8Array>();
  for (const lump of lumps) {
    const { entry } = lump;
    options.signal?.throwIfAborted();
    let size = entry?.size ?? 0;
    if (entry && entry.size === undefined) {
      // deno-lint-ignore no-await-in-loop -- contents are read one at a time, in order
      const content = await entry.content();
      known.set(lump, content);
      size = content.length;
    }
    if (entry) room.take(entry, size);
    sizes.push(size);
  }
  const end = sizes.reduce((sum, size) => sum + size, headerSize);
  yield new FieldWriter(headerSize).raw(magic).u32(lumps.length, end).bytes;
  let done = 0;
  for (const lump of lumps) {
    const { entry } = lump;
    if (!entry) continue;
    options.signal?.throwIfAborted();
    const content = known.get(lump);
    if (content) yield content;
    else if (isLarge(entry)) yield* contentPieces(entry, options);
    // deno-lint-ignore no-await-in-loop -- one content in memory at a time
    else if (entry.size !== 0) yield await wholeContent(entry, options);
    options.onProgress?.(++done, entries.length);
  }
  const directory = new FieldWriter(lumps.length * recordSize);
  let offset = headerSize;
  for (const [index, { name }] of lumps.entries()) {
    const size = sizes[index] ?? 0;
    directory.u32(offset, size).raw(encoder.encode(name), nameSize);
    offset += size;
  }
  yield directory.bytes;
}
