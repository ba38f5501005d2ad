/**
 * Settings of the steps in which an engine loads packs.
 * @module
 */
import { archiveFormats } from "../../formats/parts.ts";
import type { Collation } from "../core/pack_names.ts";
import type { FolderRule, ListedPacks, NumberedPacks, PackRule, PrefixRule, SortedPacks } from "../core/pack_steps.ts";
import { choice, type Field, flag, list, number, orNone, type Settings, table, tableOfKind, text } from "./fields.ts";

/** How pack names are compared. */
export const collations: Readonly<Record<Collation, string>> = {
  quake3: "as ioquake3 does: case ignored, `_` after the letters, the ending included",
  chomenor: "as Chomenor's engine does: letters after digits after all else, the ending left out",
  doom3: "as Doom 3 does: case ignored, bytes from 0x80 first",
  strcasecmp: "case ignored",
  bytes: "byte by byte",
  q2pro: "as Q2PRO does: names that begin with pak by their number and then the rest, all others after them",
  newest: "by the second of their last change, then with case ignored",
  listing: "as the file system lists them; shown byte by byte",
};

/** How packs in folders of a game directory count. */
export const folderRules: Readonly<Record<FolderRule, string>> = {
  any: "as packs next to the folders",
  none: "they are not loaded",
  before: "they are loaded before packs next to the folders",
  after: "they are loaded after packs next to the folders",
};

const exceptTwins = { field: flag, fallback: false };

const formatByEnding = { field: flag, fallback: false };

const formats = { field: list(choice(archiveFormats.map(({ name }) => name))), fallback: [] };

/** Keys of a step that loads numbered packs. */
export const numberedPackSettings: Settings<NumberedPacks> = {
  kind: { field: choice(["numbered"]) },
  title: { field: text, fallback: "numbered packs" },
  prefix: { field: text, fallback: "pak" },
  suffix: { field: text, fallback: ".pak" },
  otherSuffixes: { field: list(text), fallback: [] },
  last: { field: orNone(number(0, 999_999_999)), fallback: null },
  anyCase: { field: flag, fallback: false },
  capitals: { field: flag, fallback: false },
  stopsAtGap: { field: flag, fallback: true },
  exceptTwins,
  emptyIsMissing: { field: flag, fallback: false },
  unreadableIsMissing: { field: flag, fallback: false },
  formats,
  formatByEnding,
};

const prefixRule = table<PrefixRule>("a prefix", {
  prefix: { field: text },
  as: { field: text },
  anyCase: { field: flag, fallback: false },
});

/** Keys of a step that loads packs by name. */
export const sortedPackSettings: Settings<SortedPacks> = {
  kind: { field: choice(["sorted"]) },
  title: { field: text, fallback: "packs" },
  suffixes: { field: list(text), fallback: [] },
  directories: { field: list(text), fallback: [] },
  anyCase: { field: flag, fallback: true },
  exceptNumbered: { field: flag, fallback: false },
  emptyIsMissing: { field: flag, fallback: false },
  collation: { field: choice(Object.keys(collations) as Collation[]), fallback: "bytes" },
  sortsAs: { field: list(prefixRule), fallback: [] },
  except: { field: list(text), fallback: [] },
  opensAs: { field: list(prefixRule), fallback: [] },
  formats,
  formatByEnding,
  exceptTwins,
  bareEnding: { field: flag, fallback: false },
  belowLoose: { field: flag, fallback: false },
  folders: { field: choice(Object.keys(folderRules) as FolderRule[]), fallback: "any" },
};

/** Keys of a step that loads the packs named in a text file. */
export const listedPackSettings: Settings<ListedPacks> = {
  kind: { field: choice(["listed"]) },
  title: { field: text, fallback: "listed packs" },
  file: { field: text, fallback: "pak.lst" },
  suffixes: { field: list(text) },
  except: { field: list(text), fallback: [] },
  loadsAgain: { field: flag, fallback: false },
  replacesSorted: { field: flag, fallback: false },
  exceptTwins,
  words: { field: flag, fallback: false },
  formats,
  formatByEnding,
};

/** A step, of any kind. */
export const packRule: Field<PackRule> = tableOfKind<"kind", PackRule>("a step of packs", "kind", {
  numbered: table("a step of packs", numberedPackSettings),
  sorted: table("a step of packs", sortedPackSettings),
  listed: table("a step of packs", listedPackSettings),
});
