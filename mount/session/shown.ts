/**
 * Parts of the mount's file system: the shown index, and the parts that all indexes share.
 * @module
 */
import type { Snapshot } from "../../index/mod.ts";
import type { MountLayout } from "../layout/mount_layout.ts";
import type { NodeId } from "../layout/mounted_tree.ts";
import type { Counters } from "../shared/counters.ts";
import type { HandedRequests } from "./handed_requests.ts";
import type { ReadAhead } from "./read_ahead.ts";
import type { ReadHandler } from "./read_handler.ts";

/** The shown index, and the handler of reads of its entries. */
export interface Shown {
  readonly layout: MountLayout;
  readonly snapshot: Snapshot;
  readonly content: Pick<
    ReadHandler,
    "serve" | "prepare" | "aheadDescriptor" | "version" | "canLookUp" | "isKnownToBeSound" | "startOf"
  >;
  /** Number of the remote file system of each source. Absent if all are local. */
  readonly remotes?: Uint8Array;
}

/** Parts that all indexes share. */
export interface FileSystemParts {
  readonly counters: Counters;
  readonly readAhead: ReadAhead;
  /** Requests that other threads handle. */
  readonly interruptible?: readonly HandedRequests[];
  /** Shows converted files: called once, at the first lookup of one. */
  readonly onConverted?: () => void;
  /** Makes the kernel forget the listings of directories, so that it requests them again. */
  readonly onListAgain: (directories: readonly NodeId[]) => void;
}
