/**
 * Settings of a view beyond its game directories, and their notation after its name:
 * `quake3/mod:pure=pak0,pak1:map=q3dm17:inactive=2`.
 *
 * A view's settings are part of its name (`game/mod:pure=LIST`), so no client has to store them.
 * @module
 */
import type { InactiveLevel } from "../engines/mod.ts";
import { ViewError } from "./view_error.ts";

/** Separates a view's name and each of its settings. */
export const settingSign = ":";

/** Settings of a view. */
export interface ViewSettings {
  /** Packs of a pure server, as names or checksums, the first searched first; null: no pure server. */
  readonly pure: readonly string[] | null;
  /** The current map, without `maps/` and `.bsp`; null: none. */
  readonly map: string | null;
  /** Files of inactive mods that are read; null: the engine's default. */
  readonly inactive: InactiveLevel | null;
  /** Name of the profile whose rules replace the game's; null: the game's own. */
  readonly profile: string | null;
  /** Chosen packs and companion directories, and settings of the engine. */
  readonly chosen: readonly string[];
  /** Base games that are searched root by root, the last first; empty: only the game's. */
  readonly bases: readonly string[];
}

/** A view without settings. */
export const plainSettings: ViewSettings = {
  pure: null,
  map: null,
  inactive: null,
  profile: null,
  chosen: [],
  bases: [],
};

/** The settings after a view's name, and the name before them. */
export interface SplitName {
  readonly name: string;
  readonly settings: ViewSettings;
}

const separators = /[,\s]+/;

/**
 * Splits a view's name from its settings.
 * @param configured The pure list of the game's configuration, used for `:pure` without a value.
 * @throws {ViewError} for an unknown setting or an invalid value.
 */
export function splitViewName(text: string, configured: readonly string[] | null = null): SplitName {
  const [name = "", ...parts] = text.split(settingSign);
  let settings = plainSettings;
  for (const part of parts) {
    const equals = part.indexOf("=");
    const key = equals < 0 ? part : part.slice(0, equals);
    settings = { ...settings, ...setting(text, key, equals < 0 ? null : part.slice(equals + 1), configured) };
  }
  return { name, settings };
}

function setting(
  view: string,
  key: string,
  value: string | null,
  configured: readonly string[] | null,
): Partial<ViewSettings> {
  if (key === "pure") return { pure: value === null ? requireConfigured(view, configured) : parsePureList(value) };
  if (key === "map" && value) return { map: value.replace(/^maps\//, "").replace(/\.bsp$/i, "") };
  if (key === "inactive" && (value === "0" || value === "1" || value === "2")) {
    return { inactive: value === "0" ? 0 : value === "1" ? 1 : 2 };
  }
  if (key === "with" && value) return { chosen: parsePureList(value) };
  if (key === "bases" && value) return { bases: parsePureList(value) };
  if (key === "profile" && value) return { profile: value };
  const known = [
    "pure=PACK,PACK...",
    "map=NAME",
    "inactive=0|1|2",
    "with=NAME,NAME...",
    "bases=NAME,NAME...",
    "profile=NAME",
  ];
  const problem = known.some((form) => form.startsWith(`${key}=`))
    ? `"${key}" cannot be "${value ?? ""}"`
    : `unknown setting ${key}`;
  throw new ViewError(`The view "${view}": ${problem}; a view's name can be followed by :${known.join(", :")}`, []);
}

function requireConfigured(view: string, configured: readonly string[] | null): readonly string[] {
  if (configured) return configured;
  throw new ViewError(
    `The view "${view}": the configuration of this game names no pure list; write :pure=PACK,PACK... or give it one`,
    [],
  );
}

/** Returns the words of a pure list, separated by spaces or commas; `%2C` and similar are decoded. */
export function parsePureList(text: string): string[] {
  if (text.startsWith(checksumsSign)) return decodeChecksums(text.slice(checksumsSign.length));
  return text.split(separators).filter((word) => word !== "").map(decoded);
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word; // a name with a lone percent sign
  }
}

/** Prefix of a list that consists only of checksums, four bytes each, in base64 with `-` and `_`. */
const checksumsSign = "~";
/** Maximum length of a list in a view's name: a longer name could not be a directory's. */
const maxPlainLength = 160;

/** Returns the notation of settings after a view's name, the same for equal settings. */
export function settingsText(settings: ViewSettings): string {
  const { pure, map, inactive, chosen, bases, profile } = settings;
  const parts = [
    pure === null ? null : `pure=${listText(pure)}`,
    map === null ? null : `map=${map}`,
    inactive === null ? null : `inactive=${inactive}`,
    profile === null ? null : `profile=${profile}`,
    chosen.length === 0 ? null : `with=${listText(chosen)}`,
    bases.length === 0 ? null : `bases=${listText(bases)}`,
  ];
  return parts.filter((part) => part !== null).map((part) => `${settingSign}${part}`).join("");
}

function listText(list: readonly string[]): string {
  const plain = list.map((word) => word.replaceAll(/[%,:\s/]/g, encodeURIComponent)).join(",");
  const checksums = list.map(checksumOf);
  const isLong = plain.length > maxPlainLength && checksums.every((checksum) => checksum !== null);
  return isLong ? checksumsSign + encodeChecksums(checksums) : plain;
}

/** Returns the signed checksum in a word of a pure list, or null if it is a name. */
export function checksumOf(word: string): number | null {
  if (!/^-?\d{1,10}$/.test(word)) return null;
  const value = Number(word);
  return value >= -(2 ** 31) && value < 2 ** 32 ? value | 0 : null;
}

function encodeChecksums(checksums: readonly (number | null)[]): string {
  const bytes = new Uint8Array(checksums.length * 4);
  const view = new DataView(bytes.buffer);
  checksums.forEach((checksum, index) => view.setInt32(index * 4, checksum ?? 0, true));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function decodeChecksums(text: string): string[] {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    throw new ViewError(`The pure list "${checksumsSign}${text}" is damaged`, []);
  }
  const view = new DataView(bytes.buffer);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => String(view.getInt32(index * 4, true)));
}
