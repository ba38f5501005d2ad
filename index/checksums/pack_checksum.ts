/**
 * The numbers by which Quake III's engines know the packs of an index, without reading them again.
 * @module
 */
import { type ChecksumEngine, type Pk3Checksum, pk3ChecksumOf } from "./pk3_checksum.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { ownEntryCount, type Source } from "../columns/source.ts";

/** Profiles of engines whose MD4 is that of RFC 1320. */
const standardProfiles: ReadonlySet<string> = new Set(["quake3", "dhewm3"]);

/** The last checksum of each source, and the engine whose it is. */
const known = new WeakMap<Source, { readonly engine: ChecksumEngine; readonly result: Pk3Checksum }>();

/** Checksum and pure checksum of a pack, or null for one that is not a zip. */
export function packChecksum(
  snapshot: Snapshot,
  profile: { readonly kin: string } | undefined,
  source: Source,
  feed = 0,
): Pk3Checksum | null {
  if (source.format !== "zip") return null;
  const engine: ChecksumEngine = standardProfiles.has(profile?.kin ?? "") ? "quake3" : "ioquake3";
  const kept = known.get(source);
  if (kept?.engine === engine && kept.result.feed === feed) return kept.result;
  const { entryCrcs, entrySizes } = snapshot.columns;
  const end = source.firstEntry + ownEntryCount(source);
  const result = pk3ChecksumOf(
    entryCrcs.subarray(source.firstEntry, end),
    entrySizes.subarray(source.firstEntry, end),
    { feed, engine },
  );
  known.set(source, { engine, result });
  return result;
}
