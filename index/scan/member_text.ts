/**
 * Text members of packs that determine which other packs are loaded. Those of unchanged packs are kept: opening a pack
 * takes longer than checking it.
 * @module
 */
import { ArchiveError, elementAt, messageOf, openArchive, ReadError } from "../../formats/parts.ts";
import { type Identity, isSameIdentity, isSettled } from "../columns/identity.ts";
import { itemAt } from "./game_settings.ts";

/** Maximum bytes of a text member. */
const maxTextBytes = 1024 * 1024;

/** The text of a file. */
export interface PackText {
  /** Empty if unreadable. */
  readonly text: string;
  /** Read error, in words that follow the name of the file. */
  readonly problem?: string;
}

const known = new Map<string, { readonly identity: Identity; readonly readAt: number; readonly found: PackText }>();
const maxKnown = 4096;
const none: PackText = { text: "" };
const tooLong: PackText = { text: "", problem: `is not read: more than ${maxTextBytes} bytes` };

/** Returns the text of a member of an archive; empty if either is missing or damaged. */
export function memberText(path: string, identity: Identity, member: string): PackText {
  const key = `${path}\0${member}`;
  const before = known.get(key);
  if (before && isSameIdentity(before.identity, identity) && isSettled(identity, before.readAt)) return before.found;
  const readAt = Date.now();
  try {
    const found = textOfMember(path, member);
    if (known.size >= maxKnown) known.clear();
    known.set(key, { identity, readAt, found });
    return found;
  } catch (error) {
    return unreadable(error);
  }
}

/** Returns the text of a file; empty if it is missing. */
export function fileText(path: string): PackText {
  try {
    const information = itemAt(path);
    if (!information?.isFile) return none;
    return information.size > maxTextBytes ? tooLong : { text: Deno.readTextFileSync(path) };
  } catch (error) {
    return unreadable(error);
  }
}

/** A temporary error: later the file may be readable again. */
function unreadable(error: unknown): PackText {
  return { text: "", problem: `cannot be read: ${messageOf(error)}` };
}

/** @throws {Error} if the operating system cannot read the archive. */
function textOfMember(path: string, member: string): PackText {
  try {
    using archive = openArchive(path);
    const row = archive.indexOf(member);
    if (row === undefined) return none;
    const isLong = elementAt(archive.table.sizes, row) > maxTextBytes;
    return isLong ? tooLong : { text: new TextDecoder().decode(archive.read(member)) };
  } catch (error) {
    const isDamaged = error instanceof ArchiveError && !(error instanceof ReadError);
    if (isDamaged || error instanceof Deno.errors.NotFound) return none;
    throw error;
  }
}
