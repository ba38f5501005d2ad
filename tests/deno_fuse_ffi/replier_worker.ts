/**
 * The Worker that answers detached requests of the sample.
 * @module
 */
import { Errno, openReplier } from "deno-fuse-ffi";
import { OwnChannel } from "../../system/channel.ts";
import { DETACHED_TEXT, SHARED_TEXT } from "./sample_file_system.ts";

/** Message from the session's Worker for each request that it has detached. */
export interface DetachedMessage {
  readonly address: bigint;
  readonly kind: string;
}

const replier = openReplier();
const encoder = new TextEncoder();
const shared = new Uint8Array(new SharedArrayBuffer(100));
shared.set(encoder.encode(SHARED_TEXT), 7);

function answer({ address, kind }: DetachedMessage): void {
  if (kind === "detached") replier.buffer(address, encoder.encode(DETACHED_TEXT));
  else if (kind === "shared") replier.buffer(address, shared.subarray(7, 7 + SHARED_TEXT.length));
  else replier.error(address, kind === "interrupted" ? Errno.EINTR : Errno.EIO);
}

// The session's Worker is blocked while it serves; messages that it sends through a port are delivered anyway.
new OwnChannel<never, MessagePort>((port) => {
  port.onmessage = ({ data }: MessageEvent<DetachedMessage>) => answer(data);
});
