/**
 * The checksums by which Quake III's engines identify the packs of an index, without reading the packs again.
 * @module
 */
import { emptyPackChecksum } from "../../engines/mod.ts";
import { type Pk3Checksum, pk3ChecksumOf } from "./pk3_checksum.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { ownEntryCount, type Source } from "../columns/source.ts";

/** Last checksum of each source, and the engine's checksum of an empty pack. */
const known = new WeakMap<Source, { readonly ofEmpty: number | null; readonly result: Pk3Checksum }>();

/** Checksum and pure checksum of a pack, or null for a pack that is no zip. */
export function packChecksum(
  snapshot: Snapshot,
  profile: { readonly emptyPackChecksum: number | null } | undefined,
  source: Source,
  feed = 0,
): Pk3Checksum | null {
  if (source.format !== "zip") return null;
  const ofEmpty = profile ? profile.emptyPackChecksum : emptyPackChecksum;
  const kept = known.get(source);
  if (kept?.ofEmpty === ofEmpty && kept.result.feed === feed) return kept.result;
  const { entryCrcs, entrySizes } = snapshot.columns;
  const end = source.firstEntry + ownEntryCount(source);
  const result = pk3ChecksumOf(
    entryCrcs.subarray(source.firstEntry, end),
    entrySizes.subarray(source.firstEntry, end),
    { feed, ofEmpty },
  );
  known.set(source, { ofEmpty, result });
  return result;
}
