/**
 * Deflates contents of a new zip.
 * @module
 */
import { deflateContents } from "../../formats/parts.ts";
import { joinBytes, type JoinedBytes, OwnChannel, splitBytes } from "../../system/mod.ts";

/** Deflates contents. */
export type Deflater = typeof deflate;

async function deflate(contents: JoinedBytes, transfer: Transferable[]): Promise<JoinedBytes> {
  const deflated = joinBytes(await deflateContents(splitBytes(contents)));
  transfer.push(deflated.bytes.buffer);
  return deflated;
}

new OwnChannel<never, never, never, Deflater>(undefined, deflate);
