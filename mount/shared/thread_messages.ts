/**
 * Messages between the threads of a mount.
 * @module
 */
import type { IndexParts } from "../../index/mod.ts";
import type { TreeParts } from "../../views/mod.ts";
import type { CatalogMessage } from "./catalog_messages.ts";
import type { DecodeBuffers } from "./decode_memory.ts";
import type { EntryBuffers } from "./entry_states.ts";
import type { Ownership } from "./node_descriptions.ts";
import type { PlannedFaults } from "./planned_faults.ts";
import type { MadeSeekPoints } from "./seek_members.ts";
import type { LayoutOptions } from "../layout/mount_layout.ts";
import type { ParsedMountOptions } from "./mount_options.ts";
import type { CachedName, NodeId } from "../layout/mounted_tree.ts";

/** An index to show, and the memory that the threads share for it. */
export interface IndexVersion {
  /** Number: 0 for the first, then one more each time. */
  readonly number: number;
  readonly catalog: IndexParts;
  /** Names of the shown games. */
  readonly games: readonly string[];
  readonly entries: EntryBuffers;
  /** States of the files of decompressed inner archives. */
  readonly decompressed: SharedArrayBuffer;
  /** Number of the remote file system of each source, 0 for a local one. One byte each. */
  readonly remotes: SharedArrayBuffer;
  /** Number of failed reads of each source. 32 bits each, which all threads add to. */
  readonly failures: SharedArrayBuffer;
}

/** Start message of every thread of the mount. */
export interface ThreadStart {
  readonly type: "start";
  readonly version: IndexVersion;
  readonly buffers: DecodeBuffers;
  readonly counters: SharedArrayBuffer;
  /** Row of the counters for this thread. */
  readonly thread: number;
}

/** Start message of a decoder. */
export interface DecoderStart extends ThreadStart {
  /** Address of libfuse's session. */
  readonly session: bigint;
  /** Directory for decompressed files too large for memory. */
  readonly spillDirectory: string;
  /** Directory of the seek points of large members; undefined if none are stored. */
  readonly seekDirectory: string | undefined;
  /** Number of members after which it fails, see {@linkcode PlannedFaults}; 0: never. */
  readonly faultAfter: PlannedFaults["decoder"];
}

/** Start message of the thread of a remote file system. */
export interface RemoteStart extends Omit<ThreadStart, "buffers"> {
  /** Memory of its reads. */
  readonly queue: SharedArrayBuffer;
  /** Memory in which it notes its calls on files. */
  readonly calls: SharedArrayBuffer;
  /** Bytes of memory for decompressed members. */
  readonly cacheBytes: number;
  /** Maximum bytes of decompressed files. */
  readonly spillLimit: number;
  /** Directory for decompressed files too large for memory. */
  readonly spillDirectory: string;
}

/** Start message of a converter. */
export interface ConverterStart extends RemoteStart {
  /** Memory for the inputs of its conversions. */
  readonly inputNotes: SharedArrayBuffer;
  /** Whether views with remote files are its. */
  readonly readsRemotes: boolean;
  /** Permission bits that no file shows. */
  readonly umask: number;
  /** See {@linkcode Ownership}. */
  readonly generation: Ownership["generation"];
  /** Directory in which results are kept from one program to the next; undefined: nowhere. */
  readonly convertedDirectory: string | undefined;
}

/** Files that a converter converts: the part of a table row on which names of files depend. */
export interface ConvertedKind {
  readonly extensions: readonly string[];
  readonly to: string;
  readonly paths: RegExp | undefined;
  readonly isByContent: boolean;
}

/** Message from a converter to the main thread. */
export type ConverterMessage = DecoderMessage | {
  /** It is ready, and converts files of these kinds. */
  readonly type: "kinds";
  readonly kinds: readonly ConvertedKind[];
};

/** Message to the session thread before its start: an index that will probably be mounted. */
export interface ExpectMessage {
  readonly type: "expect";
  readonly catalog: IndexParts;
  /** Name of the view that is resolved meanwhile. */
  readonly view: string;
}

/** Start message of the session thread. */
export interface SessionStart extends Omit<ThreadStart, "version"> {
  /** Without a catalog: the index is the expected one. */
  readonly version: Omit<IndexVersion, "catalog"> & { readonly catalog: IndexParts | null };
  readonly mountPoint: string;
  /** See {@linkcode Ownership}. */
  readonly generation: Ownership["generation"];
  readonly layout: LayoutOptions;
  readonly mountOptions: ParsedMountOptions;
  readonly spillLimit: number;
  readonly decoderCount: number;
  /** Memory of the reads of remote file systems, by thread. */
  readonly remoteQueues: readonly SharedArrayBuffer[];
  /** Memory of the requests for converted files, and of the inputs of conversions, by thread. */
  readonly converterQueues: readonly SharedArrayBuffer[];
  readonly inputNotes: readonly SharedArrayBuffer[];
  /** Whether it reports each request. */
  readonly traces: boolean;
  /** Number of indexes after which it fails, see {@linkcode PlannedFaults}; 0: never. */
  readonly faultAfter: PlannedFaults["session"];
}

/** A problem that is reported to the user. */
export interface Problem {
  readonly type: "problem";
  readonly message: string;
  /** Path of the affected pack or directory. */
  readonly source?: string | undefined;
}

/** Returns the index with the number that a thread requests from the main thread; undefined if it is no longer kept. */
export type IndexAnswerer = (number: number) => IndexVersion | undefined;

/** Replaces the index that is shown. */
export interface ReplaceMessage {
  readonly type: "replace";
  readonly version: Omit<IndexVersion, "catalog">;
  /** Differences from the previously sent index. */
  readonly catalog: CatalogMessage;
}

/** Message from a decoder to the main thread. */
export type DecoderMessage =
  | { readonly type: "ready" }
  /** It needs the help of further decoders. */
  | { readonly type: "busy" }
  /** It has made the seek points of a member. */
  | { readonly type: "seekPoints"; readonly made: MadeSeekPoints }
  | Problem;

/** Message from the session thread to the main thread. */
export type SessionMessage =
  /** The kernel has greeted the session: the mount is ready. */
  | { readonly type: "ready"; readonly protocol: string }
  /** The session exists; this descriptor wakes it. Sent before `ready`. */
  | { readonly type: "started"; readonly wakeFileDescriptor: number; readonly address: bigint }
  /** The index with that number is shown; the kernel must forget these names of the previous one. */
  | { readonly type: "shown"; readonly version: number; readonly names: readonly CachedName[] }
  /** The tree of a view of the index with that number was requested: it need not be resolved again. */
  | { readonly type: "tree"; readonly version: number; readonly view: string; readonly tree: TreeParts }
  /** There is work for a decoder, for the first time. */
  | { readonly type: "work" }
  /** The kernel must forget its listings of these directories. */
  | { readonly type: "listAgain"; readonly directories: readonly NodeId[] }
  /** The thread of remote file systems with that number is needed. */
  | { readonly type: "remote"; readonly thread: number }
  /** The converter with that number is needed; its first message is awaited. */
  | { readonly type: "converter"; readonly thread: number }
  | Problem
  /** A handled request of the kernel: a line for the log. */
  | { readonly type: "request"; readonly line: string }
  /** It could not be mounted, or the session failed. */
  | { readonly type: "failed"; readonly message: string }
  /** The session is over and everything is released. */
  | { readonly type: "ended" };

/** The session must end. */
export interface StopMessage {
  readonly type: "stop";
}

/** The session thread must release unused memory. */
export interface ReleaseMemoryMessage {
  readonly type: "tidy";
}

/** Converted files of these kinds can be shown; null: the converter cannot start. */
export interface KindsMessage {
  readonly type: "kinds";
  readonly kinds: readonly ConvertedKind[] | null;
}

/** Message from the main thread to the session thread, counted in shared memory before the thread is woken. */
export type SessionOrder = ReplaceMessage | StopMessage | ReleaseMemoryMessage | KindsMessage;
