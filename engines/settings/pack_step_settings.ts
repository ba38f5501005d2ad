/**
 * Settings of the steps in which an engine loads packs.
 * @module
 */
import { archiveFormats } from "../../formats/table.ts";
import type { Collation } from "../core/pack_names.ts";
import type { FolderRule, ListedPacks, NumberedPacks, PackRule, PrefixRule, SortedPacks } from "../core/pack_steps.ts";
import {
  choice,
  type Field,
  flag,
  isTable,
  list,
  number,
  orNone,
  SettingError,
  type Settings,
  table,
  text,
} from "./fields.ts";

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
  any: "as packs beside the folders",
  none: "they are not loaded",
  after: "they are loaded after packs beside the folders",
};

const exceptTwins = {
  sentence: "A pack is skipped whose name differs only in case from that of one loaded before.",
  field: flag,
  fallback: false,
};

const formatByEnding = {
  sentence: "Names ending in `.pak` are read in the first of the formats, and all others in the second.",
  field: flag,
  fallback: false,
};

const formats = {
  sentence: "Formats in which they are read, whatever they hold; none: any.",
  field: list(choice(archiveFormats.map(({ name }) => name))),
  fallback: [],
};

/** Keys of a step that loads numbered packs. */
export const numberedPackSettings: Settings<NumberedPacks> = {
  kind: { sentence: "Packs with a number, by exact name.", field: choice(["numbered"]) },
  title: { sentence: "What they are called in sentences.", field: text, fallback: "numbered packs" },
  prefix: { sentence: "Text before the number.", field: text, fallback: "pak" },
  suffix: { sentence: "Text after the number.", field: text, fallback: ".pak" },
  otherSuffixes: {
    sentence: "Further texts after the number: of one number the pack with the last of them is searched first.",
    field: list(text),
    fallback: [],
  },
  last: { sentence: "The highest number it looks for.", field: orNone(number(0, 999_999_999)), fallback: null },
  anyCase: { sentence: "Names in capitals count too.", field: flag, fallback: false },
  capitals: {
    sentence: "A name in capitals as a whole counts where the one in small letters is missing.",
    field: flag,
    fallback: false,
  },
  stopsAtGap: { sentence: "The first number that is missing ends the loading.", field: flag, fallback: true },
  exceptTwins,
  emptyIsMissing: { sentence: "A Quake PAK without members counts as missing.", field: flag, fallback: false },
  formats,
  formatByEnding,
};

const prefixRule: Field<PrefixRule> = table("a prefix", {
  prefix: { sentence: "The prefix.", field: text },
  as: { sentence: "What takes its place.", field: text },
  anyCase: { sentence: "The prefix counts in any case.", field: flag, fallback: false },
});

/** Keys of a step that loads packs by name. */
export const sortedPackSettings: Settings<SortedPacks> = {
  kind: { sentence: "All packs with some endings, in the order of their names.", field: choice(["sorted"]) },
  title: { sentence: "What they are called in sentences.", field: text, fallback: "packs" },
  suffixes: {
    sentence: "Endings with the dot, in small letters; none: every archive.",
    field: list(text),
    fallback: [],
  },
  directories: { sentence: "Endings of directories that count as packs.", field: list(text), fallback: [] },
  anyCase: { sentence: "Endings in capitals count too.", field: flag, fallback: true },
  exceptNumbered: {
    sentence: "Names that are one of the numbered packs but for their case are left out.",
    field: flag,
    fallback: false,
  },
  emptyIsMissing: { sentence: "A pack without members is not loaded.", field: flag, fallback: false },
  collation: {
    sentence: "How names are compared; the last is searched first.",
    field: choice(Object.keys(collations) as Collation[]),
    fallback: "bytes",
  },
  sortsAs: {
    sentence: "Prefixes that count as others when names are compared.",
    field: list(prefixRule),
    fallback: [],
  },
  except: { sentence: "Prefixes of packs that are not loaded.", field: list(text), fallback: [] },
  opensAs: {
    sentence: "Prefixes that are replaced before a pack is opened, so that it is missed.",
    field: list(prefixRule),
    fallback: [],
  },
  formats,
  formatByEnding,
  exceptTwins,
  bareEnding: { sentence: "A file whose name is nothing but the ending counts too.", field: flag, fallback: false },
  folders: {
    sentence: "How packs in the folders of `packFolders` count.",
    field: choice(Object.keys(folderRules) as FolderRule[]),
    fallback: "any",
  },
};

/** Keys of a step that loads packs which a text file names. */
export const listedPackSettings: Settings<ListedPacks> = {
  kind: { sentence: "Packs that a text file in the game directory names, one per line.", field: choice(["listed"]) },
  title: { sentence: "What they are called in sentences.", field: text, fallback: "listed packs" },
  file: { sentence: "Name of the text file.", field: text, fallback: "pak.lst" },
  suffixes: { sentence: "Endings with the dot, in small letters, that a listed pack can have.", field: list(text) },
  except: { sentence: "Prefixes of lines that are skipped.", field: list(text), fallback: [] },
  replacesSorted: {
    sentence: "Where the file exists, no step loads packs by name.",
    field: flag,
    fallback: false,
  },
  exceptTwins,
  words: { sentence: "Words name the packs, quoted where they hold blanks; else lines.", field: flag, fallback: false },
  formats,
  formatByEnding,
};

const listedPacks = table("a step of packs", listedPackSettings);
const numberedPacks = table("a step of packs", numberedPackSettings);
const sortedPacks = table("a step of packs", sortedPackSettings);
const kinds = choice<PackRule["kind"]>(["numbered", "sorted", "listed"]);

/** A step, of any kind. */
export const packRule: Field<PackRule> = {
  takes: `a table with kind = "numbered", "sorted" or "listed"`,
  read(value, keyPath) {
    if (!isTable(value) || value["kind"] === undefined) {
      throw new SettingError(`a step of packs needs "kind": ${kinds.takes}`, keyPath);
    }
    const kind = kinds.read(value["kind"], [...keyPath, "kind"]);
    if (kind === "listed") return listedPacks.read(value, keyPath);
    return kind === "numbered" ? numberedPacks.read(value, keyPath) : sortedPacks.read(value, keyPath);
  },
  write(rule) {
    if (rule.kind === "listed") return listedPacks.write(rule);
    return rule.kind === "numbered" ? numberedPacks.write(rule) : sortedPacks.write(rule);
  },
  schema: { anyOf: [numberedPacks.schema, sortedPacks.schema, listedPacks.schema] },
};
