/**
 * Who is at the other end of the socket. Its directory and mode let nobody else connect; this holds where somebody has
 * changed these, or the file system keeps none.
 *
 * Deno tells neither who has connected nor the descriptors of its connections, but descriptors are numbers given out from
 * the lowest on, and the kernel tells of each what it is.
 * @module
 */
import type { CLibrary } from "./c_library.ts";

const rootUser = 0;
/** Descriptors that are looked at together. */
const batch = 256;

/**
 * Ends connections of programs of other users; root may do everything anyway. To be called whenever one was accepted.
 * @param path The socket that they connected to.
 * @returns How many were ended.
 */
export function refuseStrangers(library: CLibrary, path: string): number {
  let refused = 0;
  // The newest connection has the lowest number that was free, so it stands before any long gap.
  for (let first = 0;; first += batch) {
    const open = library.openDescriptors(first, batch);
    if (open.length === 0) return refused;
    for (const fileDescriptor of open) {
      const connection = library.acceptedConnection(fileDescriptor, path);
      if (!connection || connection.userId === Deno.uid() || connection.userId === rootUser) continue;
      library.shutDown(connection);
      refused++;
    }
  }
}
