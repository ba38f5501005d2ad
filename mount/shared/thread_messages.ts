/**
 * Messages between the threads of a mount.
 * @module
 */
import type { IndexParts } from "../../index/mod.ts";
import type { TreeParts } from "../../views/mod.ts";
import type { CatalogMessage } from "./catalog_messages.ts";
import type { DecodeBuffers } from "./decode_memory.ts";
import type { EntryBuffers } from "./entry_states.ts";
import type { PlannedFaults } from "./planned_faults.ts";
import type { MadeSeekPoints } from "./seek_members.ts";
import type { LayoutOptions } from "../layout/mount_layout.ts";
import type { ParsedMountOptions } from "./mount_options.ts";
import type { CachedName, NodeId } from "../layout/mounted_tree.ts";

/** An index that is to be shown, and the memory that the threads share for it. */
export interface IndexVersion {
  /** 0 for the first, then one more each time. */
  readonly number: number;
  readonly catalog: IndexParts;
  /** Names of the games that this mount shows. */
  readonly games: readonly string[];
  readonly entries: EntryBuffers;
  /** States of the files that compressed archives in archives decompress to. */
  readonly decompressed: SharedArrayBuffer;
  /** By number of a source: the number of its remote file system, 0 for a local one. One byte each. */
  readonly remotes: SharedArrayBuffer;
  /** By number of a source: reads that failed. 32 bits each, which all threads add to. */
  readonly failures: SharedArrayBuffer;
}

/** Start message of every thread of the mount. */
export interface ThreadStart {
  readonly type: "start";
  readonly version: IndexVersion;
  readonly buffers: DecodeBuffers;
  readonly counters: SharedArrayBuffer;
  /** Row of the counters that this thread writes. */
  readonly thread: number;
}

/** Start message of a decoder. */
export interface DecoderStart extends ThreadStart {
  /** Address of libfuse's session. */
  readonly session: bigint;
  /** Directory for decompressed files too large for memory. */
  readonly spillDirectory: string;
  /** Directory of the points of large members; undefined where none are kept. */
  readonly seekDirectory: string | undefined;
  /** Members after which it is to break, see {@linkcode PlannedFaults}; 0: never. */
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
  /** Bytes that decompressed files may take together. */
  readonly spillLimit: number;
  /** Directory for decompressed files too large for memory. */
  readonly spillDirectory: string;
}

/** Start message of a converter. */
export interface ConverterStart extends RemoteStart {
  /** Memory for the files that its conversions ask for. */
  readonly inputNotes: SharedArrayBuffer;
  /** Whether views with remote files are its. */
  readonly readsRemotes: boolean;
  /** Permission bits that no file shows. */
  readonly umask: number;
  /** Directory in which results are kept from one program to the next; undefined: nowhere. */
  readonly convertedDirectory: string | undefined;
}

/** Files that a converter converts: the part of a row of the table that names of files depend on. */
export interface ConvertedKind {
  readonly extensions: readonly string[];
  readonly to: string;
  readonly paths: RegExp | undefined;
  readonly isByContent: boolean;
}

/** Message from a converter to the main thread. */
export type ConverterMessage = DecoderMessage | {
  /** It serves, and converts files of these kinds. */
  readonly type: "kinds";
  readonly kinds: readonly ConvertedKind[];
};

/** Message to the session thread before its start: an index that will most likely be mounted. */
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
  readonly layout: LayoutOptions;
  readonly mountOptions: ParsedMountOptions;
  readonly spillLimit: number;
  readonly decoderCount: number;
  /** Memory of the reads of remote file systems, by thread. */
  readonly remoteQueues: readonly SharedArrayBuffer[];
  /** Memory of the requests for converted files, and of what conversions ask for, by thread. */
  readonly converterQueues: readonly SharedArrayBuffer[];
  readonly inputNotes: readonly SharedArrayBuffer[];
  /** Whether it reports each request. */
  readonly traces: boolean;
  /** Indexes after which it is to break, see {@linkcode PlannedFaults}; 0: never. */
  readonly faultAfter: PlannedFaults["session"];
}

/** Something went wrong that the user should know of. */
export interface Problem {
  readonly type: "problem";
  readonly message: string;
  /** Path of the pack or directory that it is about. */
  readonly source?: string | undefined;
}

/** Returns the index of a number that a thread requests of the main thread; undefined: it is no longer kept. */
export type IndexAnswerer = (number: number) => IndexVersion | undefined;

/** Another index replaces the one that the session shows. */
export interface ReplaceMessage {
  readonly type: "replace";
  readonly version: Omit<IndexVersion, "catalog">;
  /** Its differences from the one that the session was sent before. */
  readonly catalog: CatalogMessage;
}

/** Message from a decoder to the main thread. */
export type DecoderMessage =
  | { readonly type: "ready" }
  /** There is more to do than it can do alone. */
  | { readonly type: "busy" }
  /** It has made the points of a member. */
  | { readonly type: "seekPoints"; readonly made: MadeSeekPoints }
  | Problem;

/** Message from the session thread to the main thread. */
export type SessionMessage =
  /** The kernel has greeted the session: the mount answers. */
  | { readonly type: "ready"; readonly protocol: string }
  /** The session exists; this descriptor wakes it. Sent before `ready`. */
  | { readonly type: "started"; readonly wakeFileDescriptor: number; readonly address: bigint }
  /** The index of that number is shown; the kernel must forget these names of the one before. */
  | { readonly type: "shown"; readonly version: number; readonly names: readonly CachedName[] }
  /** The tree of a view of the index of that number was requested: it need not be resolved once more. */
  | { readonly type: "tree"; readonly version: number; readonly view: string; readonly tree: TreeParts }
  /** There is something to do for a decoder, for the first time. */
  | { readonly type: "work" }
  /** The kernel is to forget its listings of these directories. */
  | { readonly type: "listAgain"; readonly directories: readonly NodeId[] }
  /** The thread of remote file systems of that number is needed. */
  | { readonly type: "remote"; readonly thread: number }
  /** The converter of that number is needed; its first message is waited for. */
  | { readonly type: "converter"; readonly thread: number }
  | Problem
  /** A request of the kernel that was answered: a line for the log. */
  | { readonly type: "request"; readonly line: string }
  /** It could not be mounted, or the session broke. */
  | { readonly type: "failed"; readonly message: string }
  /** The session is over and everything is released. */
  | { readonly type: "ended" };

/** The session is to end. */
export interface StopMessage {
  readonly type: "stop";
}

/** The session thread is to give back memory that it does not need. */
export interface ReleaseMemoryMessage {
  readonly type: "tidy";
}

/** Converted files can be shown: those of these kinds; null: the converter cannot start. */
export interface KindsMessage {
  readonly type: "kinds";
  readonly kinds: readonly ConvertedKind[] | null;
}

/** Message from the main thread to the session thread, counted in shared memory before the thread is woken. */
export type SessionOrder = ReplaceMessage | StopMessage | ReleaseMemoryMessage | KindsMessage;
