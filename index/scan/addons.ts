/**
 * Addons of Doom 3: packs that list, by checksum, the packs that are searched with them. Source: dhewm/dhewm3
 * neo/framework/FileSystem.cpp `ParseAddonDef`.
 * @module
 */
import { packChecksum } from "../checksums/pack_checksum.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import type { Source } from "../columns/source.ts";
import type { AddonNumber, Game } from "../columns/game.ts";
import { Doom3Lexer } from "../../engines/mod.ts";
import { leftOutPacks } from "../columns/left_out.ts";
import { memberText } from "./member_text.ts";

/** Maximum checksums in one pack. */
const maxNeeds = 1024;

/**
 * Returns the addons of a game that need others; nothing if its engine has no addons.
 * @param known Returns the data of an unchanged pack from an earlier index.
 */
export function addonsOf(
  snapshot: Snapshot,
  game: Game,
  known: (source: Source) => Omit<AddonNumber, "source"> | undefined,
): Pick<Game, "addons"> {
  if (game.profile.leftOut.every(({ needs }) => needs === null)) return {};
  const addons = Array.from(leftOutPacks(snapshot, game), ([source, { member, needs: word }]): AddonNumber => {
    const pack = snapshot.sources[source];
    const isRead = pack !== undefined && member !== null && word !== null;
    return { ...isRead ? known(pack) ?? needsIn(snapshot, pack, { member, word }) : { needs: [] }, source };
  });
  return { addons };
}

/** Returns a message for each list of a game's addons that cannot be read, then for each missing pack. */
export function addonProblems(snapshot: Snapshot, game: Game): string[] {
  const { addons = [] } = game;
  const problems = addons.flatMap(({ problem = [] }) => problem);
  if (addons.every(({ needs }) => needs.length === 0)) return problems;
  const checksums = new Set(
    snapshot.sources.filter((source) => source.game === game.id)
      .map((source) => packChecksum(snapshot, game.profile, source)?.checksum),
  );
  return problems.concat(addons.flatMap(({ source, needs }) => {
    const missing = needs.filter((checksum) => !checksums.has(checksum)).map(hexadecimal);
    if (missing.length === 0) return [];
    return `${snapshot.sources[source]?.path} needs packs that are missing, by checksum: ${missing.join(", ")}`;
  }));
}

function hexadecimal(checksum: number): string {
  return `0x${(checksum >>> 0).toString(16)}`;
}

/** Returns the checksums in a pack; none if the engine would discard its list. */
function needsIn(
  snapshot: Snapshot,
  { path, identity, firstEntry, entryCount }: Source,
  { member, word }: { readonly member: string; readonly word: string },
): Omit<AddonNumber, "source"> {
  // Among several spellings, the last in the pack is used.
  const entry = snapshot.candidatesOf(snapshot.findNode(member, true), true)
    .filter((one) => one >= firstEntry && one < firstEntry + entryCount)
    .reduce((last, one) => Math.max(last, one), firstEntry);
  const { text, problem } = memberText(path, identity, snapshot.memberOf(entry));
  if (problem !== undefined) return { needs: [], problem: `${path}: ${member} ${problem}` };
  if (text === "") return { needs: [] };
  const needs = checksumsIn(new TextEncoder().encode(text), word);
  if (typeof needs !== "string") return { needs };
  return { needs: [], problem: `${path}: ${member} names no packs to search with it: ${needs}` };
}

/** Returns the checksums in an addon's definition, or the reason why the engine discards it, as a clause. */
export function checksumsIn(bytes: Uint8Array, word: string): readonly number[] | string {
  const lexer = new Doom3Lexer(bytes);
  if (!skipTo(lexer, word)) return `it has no ${word}`;
  if (!lexer.next()) return `${word} has no list`;
  const needs: number[] = [];
  for (;;) {
    if (!lexer.next()) return "its list does not end";
    const listed = lexer.text;
    if (listed === "}") break;
    const checksum = isQuoted(lexer, bytes) ? checksumFrom(listed) : null;
    if (checksum === null) return `line ${lexer.line}: "${listed.slice(0, 80)}" is no checksum in quotes`;
    if (needs.length >= maxNeeds) return `more than ${maxNeeds} checksums`;
    needs.push(checksum);
  }
  // An invalid map definition invalidates all.
  while (skipTo(lexer, "mapDef")) {
    if (!lexer.next() || !lexer.next()) return "a mapDef is not complete";
    while (lexer.next()) {
      const key = lexer.text;
      if (key === "}") break;
      if (!isQuoted(lexer, bytes)) return `line ${lexer.line}: "${key.slice(0, 80)}" is no key of a mapDef in quotes`;
      if (!lexer.next()) return "a mapDef is not complete";
    }
  }
  return needs;
}

function skipTo(lexer: Doom3Lexer, word: string): boolean {
  while (lexer.next()) if (lexer.text === word) return true;
  return false;
}

/** Returns whether the token is in double quotes: single quotes are for characters. */
function isQuoted({ start, kind }: Doom3Lexer, bytes: Uint8Array): boolean {
  return kind === "string" && bytes[start] === 0x22;
}

/** Reads a number like `sscanf` with `%x`, truncated to 32 bits; null if there is none. */
function checksumFrom(text: string): number | null {
  const digits = /^(?:0x)?\s*([+-]?)(?:0x)?([\da-f]+)/i.exec(text);
  if (!digits) return null;
  const [, sign, number = ""] = digits;
  const limit = 2n ** 64n - 1n;
  const value = number.replace(/^0+/, "").length > 16 ? limit : BigInt(`0x${number}`);
  return Number(BigInt.asIntN(32, sign === "-" && value !== limit ? -value : value));
}
