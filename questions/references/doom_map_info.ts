/**
 * Text lumps about maps: `MAPINFO` of Hexen and of GZDoom, `ZMAPINFO`, `UMAPINFO`.
 *
 * Hexen: `map 1 "NAME"`, then keys with values to the next `map`. GZDoom: `map MAP01 "NAME" { key = value, ... }`, also
 * without braces; `defaultmap`, `adddefaultmap`, `gamedefaults`, `cluster`, `episode`, `gameinfo`, `doomednums`, `include`.
 * UMAPINFO: `map MAP01 { key = value ... }`. (`FMapInfoParser` of GZDoom g_mapinfo.cpp, rev04 of UMAPINFO.)
 * @module
 */
import { append } from "../../formats/parts.ts";
import { DoomText, type DoomWord } from "../../media/mod.ts";
import { needed, optional, type Reference } from "./reference.ts";

/** Content of such a lump. */
export interface MapInfo {
  /** References of each map by its upper-case name. */
  readonly maps: ReadonlyMap<string, readonly Reference[]>;
  /** References of the game as a whole: title, intermission, menus. */
  readonly game: readonly Reference[];
  /** Numbers of things with their classes. */
  readonly things: ReadonlyMap<number, string>;
  /** Paths of further files. */
  readonly includes: readonly string[];
}

/** Kinds of keys: how the value is resolved. */
type Key = readonly [kind: "texture" | "music" | "picture" | "map" | "flat" | "either" | "actor", why: string];

const keys: Readonly<Record<string, Key>> = {
  sky1: ["texture", "sky"],
  sky2: ["texture", "sky"],
  skytexture: ["texture", "sky"],
  skybox: ["texture", "sky"],
  music: ["music", "music"],
  cdmusic: ["music", "music"],
  intermusic: ["music", "intermission music"],
  intermissionmusic: ["music", "intermission music"],
  intertextmusic: ["music", "intermission music"],
  titlemusic: ["music", "title music"],
  finalemusic: ["music", "finale music"],
  next: ["map", "next map"],
  secretnext: ["map", "secret exit"],
  secret: ["map", "secret exit"],
  nextsecret: ["map", "secret exit"],
  enterpic: ["picture", "intermission"],
  exitpic: ["picture", "intermission"],
  interpic: ["picture", "intermission"],
  endpic: ["picture", "intermission"],
  titlepatch: ["picture", "name of the map"],
  levelpic: ["picture", "name of the map"],
  interbackdrop: ["either", "intermission text"],
  bordertexture: ["flat", "border"],
  borderflat: ["flat", "border"],
  pic: ["either", "intermission text"],
  flat: ["flat", "intermission text"],
  titlepage: ["picture", "title"],
  creditpage: ["picture", "title"],
  infopage: ["picture", "title"],
  finalepage: ["picture", "title"],
  finaleflat: ["flat", "finale"],
  picname: ["picture", "menu"],
  fadetable: ["picture", "fade table"],
};

/** Values without a reference, and values that `LANGUAGE` replaces. */
const noName = /^(?:|-|\$.*|null|none|-?\d+(?:\.\d+)?|true|false)$/i;
/** Endings of the game instead of a next map. */
const ending = /^end/i;

function referenceOf(key: string, value: string): Reference[] {
  const row = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (!row) return [];
  const [kind, why] = row;
  const isNumber = kind === "map" && /^\d+$/.test(value);
  if (isNumber) return [needed("map", mapName(value), why)];
  if (noName.test(value) || /[\s,]/.test(value)) return [];
  if (kind === "texture") return [needed("texture", value, why)];
  if (kind === "music") return [optional("music", why, value)];
  if (kind === "map") return ending.test(value) ? [] : [needed("map", value.toUpperCase(), why)];
  if (kind === "flat") return [optional("texture", why, `flats/${value}`)];
  if (kind === "either") return [optional("image", why, value, `flats/${value}`)];
  return [optional("image", why, value)];
}

/** Returns the references of keys and their values, with or without braces. */
function referencesOf(words: readonly DoomWord[]): Reference[] {
  const found: Reference[] = [];
  for (const [index, word] of words.entries()) {
    if (word.kind !== "word" || !Object.hasOwn(keys, word.text.toLowerCase())) continue;
    let at = index + 1;
    if (words[at]?.text === "=") at++;
    // Several values are separated by commas; numbers among them are speeds.
    for (;; at += 2) {
      const value = words[at];
      if (!value || value.kind === "symbol") break;
      found.push(...referenceOf(word.text.toLowerCase(), value.text));
      // `next = "EndPic", "CREDIT"` is no map.
      if (words[at + 1]?.text !== "," || ending.test(value.text)) break;
    }
  }
  return found;
}

/** Returns the name of a map's lump: Hexen gives its number. */
function mapName(text: string): string {
  return /^\d+$/.test(text) ? `MAP${text.padStart(2, "0")}` : text.toUpperCase();
}

const sections = new Set([
  ...["map", "defaultmap", "adddefaultmap", "gamedefaults", "cluster", "clusterdef", "episode", "gameinfo", "skill"],
  ...[
    "intermission",
    "doomednums",
    "spawnnums",
    "conversationids",
    "automap",
    "include",
    "clearepisodes",
    "clearskills",
  ],
  ...["damagetype", "automap_overlay"],
]);

/**
 * Reads `MAPINFO`, `ZMAPINFO` or `UMAPINFO`.
 * @throws {MediaError} if it has too many words.
 */
export function readMapInfo(bytes: Uint8Array): MapInfo {
  // In Hexen's, `;` begins a comment.
  const text = new DoomText(bytes, ";");
  const maps = new Map<string, readonly Reference[]>();
  const game: Reference[] = [];
  const things = new Map<number, string>();
  const includes: string[] = [];
  let defaults: readonly Reference[] = [];
  while (!text.isAtEnd) {
    const section = text.next()?.text.toLowerCase() ?? "";
    if (section === "include") includes.push(text.next()?.text ?? "");
    else if (section === "doomednums") readThings(text.block() ?? [], things);
    else if (section === "map") {
      const name = text.next()?.text ?? "";
      const own = referencesOf(bodyOf(text));
      maps.set(mapName(name), [...defaults.filter(({ why }) => !own.some((one) => one.why === why)), ...own]);
    } else if (section === "defaultmap" || section === "gamedefaults") defaults = referencesOf(bodyOf(text));
    else if (section === "adddefaultmap") defaults = [...defaults, ...referencesOf(bodyOf(text))];
    else if (sections.has(section)) append(game, referencesOf(bodyOf(text)));
  }
  return { maps, game, things, includes };
}

/** Returns whether the next word begins a section: a Hexen map also has a key `cluster`. */
function isSection(text: DoomText, word: string): boolean {
  return sections.has(word) && (word !== "cluster" || text.peek(2)?.text === "{");
}

/** Reads the words of a section: in braces, or up to the next section. */
function bodyOf(text: DoomText): readonly DoomWord[] {
  const found: DoomWord[] = [];
  for (let word = text.peek(); word; word = text.peek()) {
    if (word.kind === "symbol" && word.text === "{") return text.block() ?? [];
    if (word.kind === "word" && found.at(-1)?.text !== "=" && isSection(text, word.text.toLowerCase())) break;
    found.push(word);
    text.next();
  }
  return found;
}

/** Reads lines of `NUMBER = CLASS, ...`. */
function readThings(words: readonly DoomWord[], things: Map<number, string>): void {
  for (const [index, { text }] of words.entries()) {
    const name = words[index + 2]?.text ?? "";
    if (words[index + 1]?.text !== "=" || !/^\d+$/.test(text)) continue;
    things.set(Number(text), name.toLowerCase());
  }
}
