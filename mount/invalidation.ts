/**
 * Making the kernel forget names of the mount. Main thread only: the session must keep serving meanwhile.
 * @module
 */
import { type Notifier, openNotifier } from "deno-fuse-ffi";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type { CachedName, NodeId } from "./layout/mounted_tree.ts";

/** Notifications under way at a time; each takes a thread while it waits. */
const maxAtOnce = 32;

/**
 * Makes the kernel forget names and the listings that they are in. Resolved when it has; at once if the session is
 * being ended, which waits for what has begun.
 * @throws {FuseProtocolError} If the kernel refuses.
 */
export async function invalidateNames(
  memory: DecodeMemory,
  session: bigint,
  names: readonly CachedName[],
): Promise<void> {
  const directories = new Map(names.map(({ high, low }) => [`${high} ${low}`, { high, low }]));
  await notifying(memory, session, async (notifier) => {
    await inTurns(names, memory, ({ high, low, name }) => notifier.invalidateEntry(high, low, name));
    await inTurns([...directories.values()], memory, ({ high, low }) => notifier.invalidateInode(high, low));
  });
}

/**
 * Makes the kernel forget the listings of directories, but not the names in them. Resolved as {@linkcode
 * invalidateNames}.
 * @throws {FuseProtocolError} If the kernel refuses.
 */
export async function invalidateListings(
  memory: DecodeMemory,
  session: bigint,
  directories: readonly NodeId[],
): Promise<void> {
  await notifying(memory, session, (notifier) => {
    return inTurns(directories, memory, ({ high, low }) => notifier.invalidateInode(high, low));
  });
}

async function notifying(
  memory: DecodeMemory,
  session: bigint,
  notify: (notifier: Notifier) => Promise<void>,
): Promise<void> {
  memory.beginNotifying();
  try {
    if (memory.isStopping) return;
    using notifier = openNotifier(session);
    await notify(notifier);
  } finally {
    memory.endNotifying();
  }
}

async function inTurns<Item>(
  items: readonly Item[],
  memory: DecodeMemory,
  notify: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length && !memory.isStopping; start += maxAtOnce) {
    // deno-lint-ignore no-await-in-loop -- as many at a time as there are threads for
    await Promise.all(items.slice(start, start + maxAtOnce).map(notify));
  }
}
