/**
 * Ends what nobody will work on any more: requests that wait for a broken or missing decoder get EIO.
 * @module
 */
import { Errno, type Replier } from "deno-fuse-ffi";
import { type DecodeMemory, slotStatus } from "../shared/decode_memory.ts";

/** Fails a slot that has been taken off the queue, and answers whoever waits for it. */
export function failSlot(memory: DecodeMemory, replier: Replier, slot: number): void {
  if (memory.status(slot) === slotStatus.working) memory.publish(slot, slotStatus.failed);
  for (const { address } of memory.takeWaiters(slot)) replier.error(address, Errno.EIO);
  memory.release(slot);
}

/** Fails what a thread had in hand when it broke. */
export function failHeld(memory: DecodeMemory, replier: Replier, thread: number): void {
  memory.ahead.letGo(thread);
  const slot = memory.held(thread);
  if (slot < 0) return;
  memory.letGo(thread);
  failSlot(memory, replier, slot);
}

/** Fails everything that waits for a decoder, where none is coming. */
export function failQueue(memory: DecodeMemory, replier: Replier): void {
  for (let slot = memory.takeQueued(); slot >= 0; slot = memory.takeQueued()) failSlot(memory, replier, slot);
}
