/**
 * Types of a method: its context, the checks of its parameters, and its function.
 * @module
 */
import type {
  ContentReader,
  Expression,
  HashStore,
  IndexHashes,
  IndexSearch,
  LookAtFile,
  RemoteReaders,
} from "../../index/mod.ts";
import type { SqlQueries } from "../sql/queries.ts";
import type { Checks } from "../../questions/mod.ts";
import type { Catalog } from "../../views/mod.ts";
import type { EventQueue, IndexingProgress, MethodName, ParamsOf, ResultOf } from "../../protocol/mod.ts";
import type {
  FailureRow,
  MountRow,
  RefreshedEvent,
  RefreshResult,
  ReloadResult,
  WatchRow,
} from "../../protocol/rows.ts";

/** The end of a connection that can also receive events. */
export interface Peer {
  /**
   * Sends the events of `queue` until either ends.
   * @throws {RpcError} if the number is in use, or too many subscriptions are open.
   */
  subscribe(subscription: number, queue: EventQueue): void;
  /** Ends a subscription; returns whether it was open. */
  unsubscribe(subscription: number): boolean;
  /** Sends the progress of its current call, unless an earlier report is still unread. */
  progress(progress: IndexingProgress): void;
}

/** A subscriber to changes found by refreshes. */
export interface Subscriber {
  /** Names of views; null: all. */
  readonly views: readonly string[] | null;
  /** Maximum number of named changed paths per view. */
  readonly sample: number;
  /** Whether refreshes in quick succession are reported as one, after the last. */
  readonly settles?: boolean;
  /** Receives an event; must return at once. */
  deliver(event: Omit<RefreshedEvent, "subscription">): void;
}

/** The process around the index. */
export interface ServiceHost {
  /** The current index: a refresh replaces it. */
  readonly catalog: Catalog;
  /** Returns the mounts, in the order in which they were made. */
  mounts(): MountRow[];
  readonly socket: string;
  /** Returns the current number of clients. */
  clients(): number;
  /** Updates the state for {@linkcode ServiceHost.problems}, before it is reported. */
  look?(): Promise<unknown>;
  /** Returns problems in addition to the index's: messages, and the number of further ones. */
  problems(): { readonly sentences: readonly string[]; readonly omitted: number };
  counters(): Record<string, number>;
  /** Returns the sources with failed reads on the mount. */
  errors(): FailureRow[];
  /** Returns how changes are noticed. */
  watch(): WatchRow[];
  /** Returns the time when the index was last brought up to date, in milliseconds since the epoch; null: never. */
  refreshed(): number | null;
  /** Subscribers to refreshes; `add` returns the function that removes the subscriber. */
  readonly reports: { add(subscriber: Subscriber): () => void };
  /** Reads files on remote file systems; absent if they are read like local ones. */
  readonly remoteReaders?: RemoteReaders;
  /** Stores hashes of files; absent: they are kept only as long as the process runs. */
  readonly hashStore?: HashStore | undefined;
  /** Reads file attributes more precisely than Deno. */
  readonly lookAt?: LookAtFile;
  /** Brings the index up to date. */
  refresh(): Promise<RefreshResult>;
  /** Reads and applies the configuration. */
  reload(): Promise<ReloadResult>;
  /** Mounts other games; absent if mounting is unavailable. */
  mount?(
    request: ParamsOf<"mount">,
    signal: AbortSignal | undefined,
    onProgress: (done: number, total: number, name: string) => void,
  ): Promise<ResultOf<"mount">>;
  /** Unmounts a mount; absent if nothing is mounted. */
  unmount?(request: ParamsOf<"unmount">): Promise<ResultOf<"unmount">>;
  /** Ends the daemon, soon after the reply is sent. */
  stop(): void;
}

/** The context of one call, which uses one index regardless of refreshes. */
export interface MethodContext {
  readonly host: ServiceHost;
  readonly catalog: Catalog;
  /** Number of indexes before this one. */
  readonly generation: number;
  readonly content: ContentReader;
  /** Executes SQL statements. */
  readonly queries: SqlQueries;
  /** Returns the hashes of the files. */
  readonly hashes: () => IndexHashes;
  /** Returns the search of the text files for an expression. */
  readonly search: (expression: Expression) => IndexSearch;
  /** The caller; undefined if it cannot receive events. */
  readonly peer?: Peer | undefined;
  /** Time when the service was created; milliseconds since the epoch. */
  readonly started: number;
}

/** A method whose parameters are already checked. */
export interface Method<M extends MethodName> {
  readonly parameters: Checks<ParamsOf<M>>;
  answer(
    context: MethodContext,
    parameters: ParamsOf<M>,
    signal: AbortSignal | undefined,
  ): ResultOf<M> | Promise<ResultOf<M>>;
}

/** The methods `M` by their names. */
export type MethodTable<M extends MethodName> = { readonly [Name in M]: Method<Name> };

/** Yields to other work. */
export async function takeTurn(signal: AbortSignal | undefined): Promise<void> {
  // A timer would wait for at least a millisecond.
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
