/**
 * A file system over an index, without a kernel, whose files read as their source, member and entry.
 * @module
 */
import { assert } from "@std/assert";
import type { LayoutOptions } from "../../mount/layout/mount_layout.ts";
import { MountLayout } from "../../mount/layout/mount_layout.ts";
import { GameFileSystem } from "../../mount/session/game_file_system.ts";
import { ReadAhead } from "../../mount/session/read_ahead.ts";
import { Counters, createCounterBuffer } from "../../mount/shared/counters.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import type { Catalog } from "../../views/catalog.ts";
import { ask, type ListedName, type Node } from "./kernel_requests.ts";

/** Time of directories, in seconds. */
export const timeMounted = 1_700_000_000;
/** Number of the mount. */
export const generation = 0xfeed_beef;

/** Returns the id of a node as a text. */
export const idOf = ({ high, low }: Pick<Node, "high" | "low">) => `${high}.${low}`;

/** Lists a directory as the kernel does, a few names at a time. */
export function list(
  files: Pick<GameFileSystem, "readdir" | "readdirplus">,
  { high, low }: Node,
  plus: boolean,
  room: () => number,
): ListedName[] {
  const listed: ListedName[] = [];
  for (;;) {
    const offset = listed.at(-1)?.next ?? 0;
    const answer = ask(
      (request) => plus ? files.readdirplus(request, high, low, offset) : files.readdir(request, high, low, offset),
      room(),
    );
    if (answer.listed.length === 0) return listed;
    for (const one of answer.listed) {
      assert(one.next > (listed.at(-1)?.next ?? 0), "offsets grow");
      listed.push(one);
    }
  }
}

/** Parts of a file system that only some tests examine. */
export interface Surroundings {
  readonly counts?: SharedArrayBuffer;
  readonly unreadable?: ReadonlySet<number>;
  readonly memory?: DecodeMemory;
  readonly onListAgain?: (directories: readonly Pick<Node, "high" | "low">[]) => void;
}

/** A file system whose files read as their source, member and entry. */
export function openFiles(
  catalog: Catalog,
  { umask, ...layoutOptions }: LayoutOptions & { readonly umask: number },
  {
    counts = createCounterBuffer(1),
    unreadable = new Set(),
    memory = new DecodeMemory(createDecodeBuffers(0)),
    onListAgain = () => {},
  }: Surroundings = {},
) {
  const shownOf = (catalog: Catalog, previous?: MountLayout) => ({
    layout: new MountLayout(catalog, layoutOptions, previous),
    snapshot: catalog.snapshot,
    content: {
      version: 0,
      prepare: () => {},
      canLookUp: (entry: number) => !unreadable.has(entry),
      startOf: () => undefined,
      isKnownToBeSound: (entry: number) => !unreadable.has(entry),
      aheadDescriptor: () => 3,
      serve: (request: { replyData(bytes: Uint8Array): void }, entry: number) =>
        request.replyData(
          new TextEncoder().encode(
            `${catalog.snapshot.sourceOf(entry).path} ${catalog.snapshot.memberOf(entry)} ${entry}`,
          ),
        ),
    },
  });
  let shown = shownOf(catalog);
  const files = new GameFileSystem(
    shown,
    { counters: new Counters(counts, 0), readAhead: new ReadAhead(memory), onListAgain },
    { userId: 12, groupId: 34, generation, mounted: timeMounted, umask },
    () => {},
  );
  const show = (next: Catalog) => {
    shown = shownOf(next, shown.layout);
    shown.layout.replacePrevious();
    files.show(shown);
  };
  return { files, show };
}
