/**
 * Writes Doom WADs of files that lie as this program shows lumps: those of a map in `maps/MAP01/`, those of a section in
 * `flats/`, `sprites/` and so on, all others at the top or in `lumps/`. The byte layout is in `wad.ts`.
 *
 * Lumps have their meaning by their order: markers are written around each section, with doubled letters as engines expect
 * them of a mod, and a map's lumps follow its name in the order in which the original reads them.
 * @module
 */
import { FieldWriter } from "../core/cursor.ts";
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

/** Returns the place and name of a file. @throws {UnwritableError} if a WAD has none for it. */
function placed(entry: WriteEntry, archive: string): Placed {
  const [, directory = "", base = ""] = /^(?:(.*)\/)?([^/]*)$/s.exec(entry.path) ?? [];
  const [, stored = "", number = "1"] = /^(.*?)(?:~(\d{1,6}))?$/s.exec(base) ?? [];
  const unescaped = stored.replace(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const name = unescaped.replaceAll("^", "\\").toUpperCase();
  const place = directory.toLowerCase() === "lumps" ? "" : directory;
  const isMap = /^maps\/[^/]+$/i.test(place);
  const isPlace = place === "" || isMap || sectionMarkers.has(place.toLowerCase());
  if (isPlace && /^[!-~]{1,8}$/.test(name)) {
    return { place: isMap ? `maps/${place.slice(5)}` : place.toLowerCase(), name, number: Number(number), entry };
  }
  const why = isPlace
    ? `${base} is no name of a lump: up to eight letters, digits and signs of ASCII`
    : `a WAD has no directory ${directory}`;
  throw new UnwritableError(`${entry.path}: ${why}; leave it out or write a pk3`, {
    path: archive,
    member: entry.path,
  });
}

/** Orders repeated lumps as engines search: the last is found. */
function bySearch(a: Placed, b: Placed): number {
  return a.name === b.name ? b.number - a.number : 0;
}

function mapRank({ name }: Placed): number {
  const rank = mapOrder.indexOf(name);
  return name === "ENDMAP" ? mapOrder.length + 1 : rank < 0 ? mapOrder.length : rank;
}

/** Returns all lumps in their order. @throws {UnwritableError} if a file has no place in a WAD. */
function lumpsOf(entries: readonly WriteEntry[], archive: string): Lump[] {
  const places = new Map<string, Placed[]>([["", []]]);
  for (const entry of entries) {
    const file = placed(entry, archive);
    const isMarker = entry.size === 0 && file.place === "" && /_(?:START|END)$/.test(file.name);
    const others = places.get(file.place);
    if (isMarker) continue;
    if (others) others.push(file);
    else places.set(file.place, [file]);
  }
  const maps = [...places.keys()].filter((place) => place.startsWith("maps/"));
  const openers = new Map(maps.map((place) => [mapName(place).toUpperCase(), place]));
  const lumps: Lump[] = [];
  const plain = (places.get("") ?? []).sort(bySearch);
  for (const { name, entry } of plain) if (!openers.has(name)) lumps.push({ name, entry });
  for (const place of maps) {
    const name = mapName(place).toUpperCase();
    const opener = plain.find((file) => file.name === name);
    const parts = (places.get(place) ?? []).sort((a, b) => mapRank(a) - mapRank(b));
    lumps.push(opener ?? { name }, ...parts);
  }
  for (const [place, marker] of sectionMarkers) {
    const files = places.get(place);
    if (!files) continue;
    lumps.push({ name: `${marker}_START` }, ...files.sort(bySearch), { name: `${marker}_END` });
  }
  return lumps;
}

/** Name of a map without the number of a repeated one. */
function mapName(place: string): string {
  return place.slice("maps/".length).replace(/~\d+$/, "");
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
