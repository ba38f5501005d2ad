/**
 * Deflates contents of a new zip.
 * @module
 */
import { deflateContents } from "../../formats/parts.ts";
import { OwnChannel } from "../../system/mod.ts";

/** Deflates contents. */
export type Deflater = typeof deflate;

async function deflate(contents: readonly Uint8Array[], transfer: Transferable[]): Promise<readonly Uint8Array[]> {
  const deflated = await deflateContents(contents);
  for (const { buffer } of deflated) transfer.push(buffer as ArrayBuffer);
  return deflated;
}

new OwnChannel<never, never, never, Deflater>(undefined, deflate);
