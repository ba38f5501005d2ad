/**
 * Types of a method: what it works with, how its parameters are checked, and what answers it.
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

/** The end of a connection that can also be sent events. */
export interface Peer {
  /**
   * Sends the events of `queue` until either ends.
   * @throws {RpcError} if the number is in use, or too many subscriptions are open.
   */
  subscribe(subscription: number, queue: EventQueue): void;
  /** Ends a subscription; returns whether it was open. */
  unsubscribe(subscription: number): boolean;
  /** Sends how far its current call is, unless an earlier report still waits to be read. */
  progress(progress: IndexingProgress): void;
}

/** A subscriber to the changes that refreshes find. */
export interface Subscriber {
  /** Names of views; null: all. */
  readonly views: readonly string[] | null;
  /** Number of changed paths that are named of each view. */
  readonly sample: number;
  /** Whether refreshes that follow one another closely are reported as one, when they have ended. */
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
  /** Looks at what {@linkcode ServiceHost.problems} depends on, before the state is reported. */
  look?(): Promise<unknown>;
  /** Returns problems in addition to the index's: sentences, and how many more there are. */
  problems(): { readonly sentences: readonly string[]; readonly omitted: number };
  counters(): Record<string, number>;
  /** Returns the sources whose reads on the mount have failed. */
  errors(): FailureRow[];
  /** Returns how changes are noticed. */
  watch(): WatchRow[];
  /** Returns when the index was last brought up to date, in milliseconds since the epoch; null: never. */
  refreshed(): number | null;
  /** Subscribers to refreshes; `add` returns the function that removes the subscriber. */
  readonly reports: { add(subscriber: Subscriber): () => void };
  /** Reads files on remote file systems; absent where they are read as local ones are. */
  readonly remoteReaders?: RemoteReaders;
  /** Keeps hashes of files; absent: only as long as the process runs. */
  readonly hashStore?: HashStore | undefined;
  /** Looks at files more closely than Deno does. */
  readonly lookAt?: LookAtFile;
  /** Brings the index up to date. */
  refresh(): Promise<RefreshResult>;
  /** Reads and applies the configuration. */
  reload(): Promise<ReloadResult>;
  /** Mounts other games; absent where nothing can be mounted. */
  mount?(
    request: ParamsOf<"mount">,
    signal: AbortSignal | undefined,
    onProgress: (done: number, total: number, name: string) => void,
  ): Promise<ResultOf<"mount">>;
  /** Unmounts a mount; absent where nothing is mounted. */
  unmount?(request: ParamsOf<"unmount">): Promise<ResultOf<"unmount">>;
  /** Ends the daemon, soon after the answer is sent. */
  stop(): void;
}

/** The surroundings of one call, which sees one index whatever is refreshed meanwhile. */
export interface MethodContext {
  readonly host: ServiceHost;
  readonly catalog: Catalog;
  /** Number of indexes before this one. */
  readonly generation: number;
  readonly content: ContentReader;
  /** Carries out SQL statements. */
  readonly queries: SqlQueries;
  /** Returns the hashes of the files. */
  readonly hashes: () => IndexHashes;
  /** Returns the search of the text files for an expression. */
  readonly search: (expression: Expression) => IndexSearch;
  /** The caller; undefined where it can be sent nothing but answers. */
  readonly peer?: Peer | undefined;
  /** When the service was made; milliseconds since the epoch. */
  readonly started: number;
}

/** A method whose parameters have been checked when it is called. */
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
  // A timer would wait for a millisecond at least.
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
