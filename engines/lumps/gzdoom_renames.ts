/**
 * Lumps that GZDoom gives another name, or takes away, once all files of a list are loaded, so that the sprites of one
 * game do not meet those of another: `RenameSprites` of src/d_main.cpp 2313, `DeleteLumps` of
 * wadsrc_extra/static/iwadinfo.txt.
 *
 * What else it renames it knows by the MD5 of one file, which an index does not have: `RenameNerve` and `FixMacHexen`.
 * @module
 */
import { entryIsDropped, EntryTable } from "../../formats/parts.ts";
import type { FileTable } from "./lump_tables.ts";
import { type DoomGame, type Iwad, iwadWith } from "./iwads.ts";

/** Beginnings of names of sprites in an IWAD, and what they become. */
const beginnings: Readonly<Record<DoomGame, string>> = {
  doom: "",
  chex: "",
  heretic: "HEAD LICH",
  hexen:
    "BARL ZBAR ARM1 AR_1 ARM2 AR_2 ARM3 AR_3 ARM4 AR_4 SUIT ZSUI TRE1 ZTRE TRE2 TRES CAND BCAN ROCK ROKK WATR HWAT " +
    "GIBS POL5 EGGM PRKM INVU DEFN",
  strife:
    "MISL SMIS ARM1 ARM3 ARM2 ARM4 PMAP SMAP TLMP TECH TRE1 TRET BAR1 BARC SHT2 MPUF BARL BBAR TRCH TRHL SHRD SHAR " +
    "BLST MAUL LOGG LOGW VASE VAZE CNDL KNDL POT1 MPOT SPID STLK",
};

const ravenFont = [1, 2, 3, 4, 6, 8, 9, 10, 11, 27, 28, 29, 30]
  .map((number) => `FONTB${String(number).padStart(2, "0")}`).join(" ");

/** Lumps that are taken away from an IWAD and the one that is loaded before it, by its autoname. */
const deleted: Readonly<Record<string, string>> = {
  "harmony": "DEHACKED MAPINFO LANGUAGE DECALDEF DBIGFONT",
  "hacx.hacx1": "FONTDEFS",
  "chex.chex3": "LANGUAGE TEXTCOLO DBIGFONT",
  "strife.veteran": "LOG5 LOG6 LOG7 LOG8 LOG9 LOG122 LOG1101 LOG1102 LOG1201",
  "hexen.hexen": ravenFont,
  "hexen.shareware": ravenFont,
  "heretic.shadow": ravenFont,
  "heretic.heretic": ravenFont,
  "heretic.shareware": ravenFont,
  "doom.id.doom2.commercial.xbox": "M_EPI1 M_EPI2 M_EPISOD",
};

const bigFonts: Readonly<Record<DoomGame, string>> = {
  doom: "DBIGFONT",
  chex: "DBIGFONT",
  heretic: "HBIGFONT",
  hexen: "HBIGFONT",
  strife: "SBIGFONT",
};

/** Frames of a Minotaur that only the full game has in its own sprites. */
const minotaur = /^MNTR(.)/;
const encoder = new TextEncoder();

/** How the lumps of a list are renamed. */
interface Renaming {
  readonly game: DoomGame;
  readonly inIwad: ReadonlyMap<string, string>;
  readonly deleted: ReadonlySet<string>;
  readonly hasFullMinotaur: boolean;
}

/** Returns the tables of all files of a list with the names that GZDoom gives some lumps. */
export function renamedLumps(files: readonly FileTable[]): EntryTable[] {
  const last = files.findIndex(({ how }) => how === null);
  const iwad = files[last] === undefined ? unknownIwad : iwadIn(files[last].table);
  const renaming: Renaming = {
    game: iwad.game,
    inIwad: renamedBeginnings(iwad.game),
    deleted: new Set((deleted[iwad.autoname] ?? "").split(" ")),
    hasFullMinotaur: files.some(({ table }) => hasSprite(table, /^MNTRZ/)),
  };
  return files.map((file, index) => renamedTable(file, renaming, { isFirst: index === 0, isIwad: index <= last }));
}

function renamedBeginnings(game: DoomGame): ReadonlyMap<string, string> {
  const words = beginnings[game].split(" ");
  return new Map(words.flatMap((word, index) => index % 2 === 0 ? [[word, words[index + 1] ?? word]] : []));
}

/**
 * Returns the name that GZDoom has for a sprite of a game's own IWAD.
 * @param hasFullMinotaur Whether the sprites have all frames of a Minotaur.
 */
export function gzdoomSprite(game: DoomGame, name: string, hasFullMinotaur: boolean): string {
  return renamedSprite(name, { game, inIwad: renamedBeginnings(game), hasFullMinotaur }, true);
}

/** An IWAD of no game that is known counts as one of Doom. */
const unknownIwad: Pick<Iwad, "game" | "autoname"> = { game: "doom", autoname: "" };

function iwadIn(table: EntryTable): Pick<Iwad, "game" | "autoname"> {
  const names = new Set<string>();
  for (let row = 0; row < table.length; row++) names.add(lumpOf(table.path(row)).toUpperCase());
  return iwadWith(names) ?? unknownIwad;
}

function lumpOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function spriteAt(table: EntryTable, row: number): string | undefined {
  return /^sprites\/([^/.]{1,8})$/i.exec(table.path(row))?.[1]?.toUpperCase();
}

function hasSprite(table: EntryTable, name: RegExp): boolean {
  for (let row = 0; row < table.length; row++) if (name.test(spriteAt(table, row) ?? "")) return true;
  return false;
}

/** Place of a file in the list. */
interface Place {
  /** The first file is the IWAD, or the one that is loaded before it. */
  readonly isFirst: boolean;
  readonly isIwad: boolean;
}

function renamedTable({ table, format }: FileTable, renaming: Renaming, { isFirst, isIwad }: Place): EntryTable {
  const paths = new Map<number, string | null>();
  const inner = table.nested.map(({ firstRow, rowCount }) => [firstRow, firstRow + rowCount] as const);
  const isInner = (row: number) => inner.some(([from, end]) => row >= from && row < end);
  for (let row = 0; row < table.length; row++) {
    const path = table.path(row);
    const sprite = spriteAt(table, row);
    const isOwn = !isInner(row);
    const renamed = sprite === undefined
      ? isIwad && isOwn && renaming.deleted.has(path) ? null : path === bigFonts[renaming.game] ? "BIGFONT" : path
      : `sprites/${renamedSprite(sprite, renaming, isFirst && isOwn)}`;
    if (renamed === null || renamed.toUpperCase() !== path.toUpperCase()) paths.set(row, renamed);
  }
  return paths.size === 0 ? table : withPaths(table, paths, (row) => format !== "wad" && !isInner(row));
}

function renamedSprite(
  name: string,
  { game, inIwad, hasFullMinotaur }: Omit<Renaming, "deleted">,
  isInIwad: boolean,
): string {
  let renamed = name;
  if (isInIwad) {
    renamed = (inIwad.get(renamed.slice(0, 4)) ?? renamed.slice(0, 4)) + renamed.slice(4);
    if (game === "hexen" && renamed === "ARTIINVU") renamed = "ARTIDEFN";
  }
  if (!hasFullMinotaur && minotaur.test(renamed)) {
    renamed = Array.from(
      renamed,
      (letter, index) =>
        (index === 4 || index === 6) && letter >= "F" && letter <= "K"
          ? String.fromCharCode(letter.charCodeAt(0) + ("U".charCodeAt(0) - "F".charCodeAt(0)))
          : letter,
    ).join("");
  }
  return game !== "doom" && game !== "chex" && renamed.startsWith("BLOD") ? `BLUD${renamed.slice(4)}` : renamed;
}

/**
 * Returns a table with other paths; null drops a row.
 * @param isMember Whether a row is a file of an archive, which is still found by its full path.
 */
function withPaths(
  table: EntryTable,
  paths: ReadonlyMap<number, string | null>,
  isMember: (row: number) => boolean,
): EntryTable {
  const renamed = new EntryTable();
  const added: number[] = [];
  const copy = (row: number, path: string | null | undefined) => {
    const own = table.pathBytes(row);
    const fields = table.fields(row);
    if (path === null) fields.flags |= entryIsDropped;
    const raw = table.rawNames.get(row) ?? encoder.encode(lumpOf(table.path(row)));
    const isSame = path === null || path === undefined;
    const index = renamed.add(isSame ? own : encoder.encode(path), fields, isSame ? table.rawNames.get(row) : raw);
    const foreign = table.foreignMethods.get(row);
    if (foreign !== undefined) renamed.foreignMethods.set(index, foreign);
  };
  for (let row = 0; row < table.length; row++) {
    const path = paths.get(row);
    const stored = table.rawNames.get(row);
    const hasFullPath = path !== undefined && path !== null && isMember(row) && stored !== undefined &&
      new TextDecoder().decode(stored.slice()).toLowerCase() === table.path(row).toLowerCase();
    if (hasFullPath) added.push(row);
    copy(row, hasFullPath ? undefined : path);
  }
  for (const row of added) copy(row, paths.get(row));
  renamed.warnings.push(...table.warnings);
  renamed.nested.push(...table.nested);
  renamed.layout = table.layout;
  return renamed;
}
