/**
 * Texts in packs that say which other packs are loaded. Those of packs that are unchanged are kept: opening a pack takes
 * longer than looking at it.
 * @module
 */
import { openArchive } from "../../formats/archive.ts";
import { elementAt } from "../../formats/core/cursor.ts";
import { ArchiveError } from "../../formats/core/errors.ts";
import { type Identity, isSameIdentity, isSettled } from "../columns/identity.ts";
import { itemAt } from "./game_settings.ts";

/** Maximum bytes of a text. */
export const maxTextBytes: number = 1024 * 1024;

const known = new Map<string, { readonly identity: Identity; readonly readAt: number; readonly text: string | null }>();
const maxKnown = 4096;

/** Returns the text of a member of an archive; empty if it is missing or cannot be read, null if it is too long. */
export function memberText(path: string, identity: Identity, member: string): string | null {
  const key = `${path}\0${member}`;
  const before = known.get(key);
  if (before && isSameIdentity(before.identity, identity) && isSettled(identity, before.readAt)) return before.text;
  const readAt = Date.now();
  const text = textOfMember(path, member);
  if (known.size >= maxKnown) known.clear();
  known.set(key, { identity, readAt, text });
  return text;
}

/** Returns the text of a file; empty if it is missing, null if it is too long. */
export function fileText(path: string): string | null {
  const information = itemAt(path);
  if (!information?.isFile) return "";
  return information.size > maxTextBytes ? null : Deno.readTextFileSync(path);
}

function textOfMember(path: string, member: string): string | null {
  try {
    using archive = openArchive(path);
    const row = archive.indexOf(member);
    if (row === undefined) return "";
    return elementAt(archive.table.sizes, row) > maxTextBytes ? null : new TextDecoder().decode(archive.read(member));
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
