/**
 * Members with compression methods that an engine cannot read. Most engines find them and then fail, so that they hide
 * readable files below them; some skip them when they list a pack, or skip empty members.
 *
 * A member with an unsupported method wins and reads as EIO; so does an encrypted member if the engine ignores the
 * flag. Other damaged members lose to a valid copy further down.
 * @module
 */
import { at, entriesOf, type Game, type Snapshot } from "../index/mod.ts";
import { damageCode } from "../formats/parts.ts";
import type { Profile } from "../engines/mod.ts";

/** Returns the damage that does not prevent an engine from using a member: the bits of its codes. */
export function acceptedDamage({ memberMethods }: Pick<Profile, "memberMethods">): number {
  const others = memberMethods?.others === "taken" ? 1 << damageCode["unsupported-method"] : 0;
  const encrypted = memberMethods?.encrypted === "taken" ? 1 << damageCode.encrypted : 0;
  return others | encrypted;
}

/** Returns whether damage makes an entry lose to valid ones. */
export function isBroken(damage: number, { acceptedDamage = 0 }: { readonly acceptedDamage?: number }): boolean {
  return damage !== 0 && (acceptedDamage >> damage & 1) === 0;
}

/**
 * Returns the reason why the engine skips an entry of a zip because of its method or because it is empty, as a clause,
 * or null.
 */
export function methodReason(
  snapshot: Snapshot,
  { engine, memberMethods }: Pick<Profile, "engine" | "memberMethods">,
  entry: number,
): string | null {
  if (memberMethods === null || snapshot.formatOf(entry) !== "zip") return null;
  if (memberMethods.skipsEmpty && at(snapshot.columns.entrySizes, entry) === 0) {
    return `it is empty, and ${engine} skips empty members of zips`;
  }
  if (memberMethods.encrypted === "skipped" && snapshot.damageOf(entry) === "encrypted") {
    return `${engine} skips encrypted members`;
  }
  const method = snapshot.methodOf(entry);
  if (memberMethods.others !== "skipped" || memberMethods.reads.includes(method)) return null;
  const what = method === "unsupported" ? "with an unknown method" : `with ${method}`;
  return `${engine} skips members compressed ${what}`;
}

/** Yields the entries that a game's engine skips because of {@linkcode methodReason}. */
export function skippedEntries(snapshot: Snapshot, { id, profile }: Game): IteratorObject<number> {
  const { others, encrypted, skipsEmpty } = profile.memberMethods ?? {};
  const skips = others === "skipped" || encrypted === "skipped" || skipsEmpty === true;
  const zips = snapshot.sources.filter(({ game, format, byteLayout }) =>
    skips && game === id && (format === "zip" || byteLayout?.nested.some((one) => one.format === "zip"))
  );
  return entriesOf(zips).filter((entry) =>
    !snapshot.isDirectory(entry) && methodReason(snapshot, profile, entry) !== null
  );
}
