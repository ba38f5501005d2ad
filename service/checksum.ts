/**
 * Finding a pack by its name, and the answer of `checksum`.
 * @module
 */
import type { Catalog } from "../index/views/catalog.ts";
import { packChecksum } from "../index/checksums/pack_checksum.ts";
import { type Source, sourceHasName } from "../index/columns/source.ts";
import type { View } from "../index/views/view.ts";
import { invalid } from "./parameters.ts";
import { type ChecksumResult, errorCodes, RpcError } from "../protocol/messages.ts";

/**
 * The pack of that name, path or end of a path. Where several have it, the only one that the view searches.
 * @throws {RpcError} if there is none, or more than one could be meant.
 */
export function packNamed(catalog: Catalog, view: View | undefined, name: string): Source {
  const found = catalog.packs.filter((source) => sourceHasName(source, name));
  const searched = found.length > 1 && view ? found.filter((source) => view.searches(source.id)) : found;
  const [only] = searched.length > 0 ? searched : found;
  if (!only) {
    throw new RpcError({
      code: errorCodes.notFound,
      message: `There is no pack "${name}"`,
      data: { errno: "ENOENT", path: name },
    });
  }
  if (found.length === 1 || searched.length === 1) return only;
  const paths = found.map((source) => source.path);
  throw invalid(`There are ${found.length} packs "${name}": ${paths.join(", ")}; give more of the path`);
}

/**
 * The numbers of a pack.
 * @throws {RpcError} if it is no zip.
 */
export function checksumResult(catalog: Catalog, source: Source, feed: number): ChecksumResult {
  const numbers = packChecksum(catalog.snapshot, catalog.games[source.game]?.profile, source, feed);
  if (!numbers) {
    const message = `${source.path} is no zip: only pk3 and its like have such a checksum`;
    throw new RpcError({ code: errorCodes.notFound, message, data: { path: source.path } });
  }
  const { checksum, pure } = numbers;
  return { pack: source.name, source: source.path, checksum, unsigned: checksum >>> 0, pure, feed: numbers.feed };
}
