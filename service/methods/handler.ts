/**
 * What the handlers of the protocol's methods share: how one is typed, what it works with, views, pages and cursors.
 * @module
 */
import type { Catalog } from "../../index/views/catalog.ts";
import { none } from "../../index/columns/columns.ts";
import { nearestPath } from "../complete.ts";
import type { View } from "../../index/views/view.ts";
import type { ContentReader } from "../../content/content_reader.ts";
import type { EventQueue } from "../../protocol/event_queue.ts";
import type { Parameters } from "../parameters.ts";
import {
  errorCodes,
  type FailureRow,
  type MethodName,
  type Page,
  pageBytes,
  type RefreshResult,
  type ReloadResult,
  type ResultOf,
  RpcError,
  type WatchRow,
} from "../../protocol/messages.ts";
import type { RemoteReaders } from "../../content/remote_readers.ts";
import type { RefreshReports } from "../refresh_reports.ts";

/** Who has called, and can be told of more than was asked. */
export interface Peer {
  /**
   * Sends the events of `queue` until either ends.
   * @throws {RpcError} if the number is taken, or there are too many subscriptions.
   */
  subscribe(subscription: number, queue: EventQueue): void;
  /** Ends a subscription; whether there was one. */
  unsubscribe(subscription: number): boolean;
}

/** What the service cannot know by itself. */
export interface ServiceHost {
  /** The index as it is now: a refresh puts another in its place. */
  readonly catalog: Catalog;
  /** Mount point, or null. */
  readonly mountPoint: string | null;
  /** The view at the mount point itself; absent or null where every view has its directory. */
  readonly rootView?: string | null;
  readonly socket: string;
  /** Number of clients now. */
  clients(): number;
  /** What is wrong beyond the index: sentences, and how many more there are. */
  problems(): { readonly sentences: readonly string[]; readonly omitted: number };
  counters(): Record<string, number>;
  /** Where reads of the mount have failed. */
  errors(): FailureRow[];
  /** How changes are noticed. */
  watch(): WatchRow[];
  /** When the index was brought up to date last, in milliseconds since the epoch; null: never. */
  refreshed(): number | null;
  /** Who is told of refreshes. */
  readonly reports: RefreshReports;
  /** Reads files on remote file systems; absent where they are read as local ones are. */
  readonly remoteReaders?: RemoteReaders;
  /** Brings the index up to date. */
  refresh(): Promise<RefreshResult>;
  /** Goes on with what the configuration says now. */
  reload(): Promise<ReloadResult>;
  /** Ends the daemon, soon after the answer is out. */
  stop(): void;
}

/** What a handler works with: one call sees one index, whatever is refreshed meanwhile. */
export interface HandlerContext {
  readonly host: ServiceHost;
  readonly catalog: Catalog;
  /** How often the index was replaced before. */
  readonly generation: number;
  readonly content: ContentReader;
  /** Who has called; undefined where nothing can be told but answers. */
  readonly peer?: Peer | undefined;
  /** When the service was made; milliseconds since the epoch. */
  readonly started: number;
}

/** Answers method `M`. */
export type Handler<M extends MethodName> = (
  context: HandlerContext,
  parameters: Parameters,
  signal: AbortSignal | undefined,
) => ResultOf<M> | Promise<ResultOf<M>>;

/** Handlers of the methods `M`. */
export type Handlers<M extends MethodName> = { readonly [Name in M]: Handler<Name> };

/** Rows made between two looks at what else there is to do. */
export const rowsPerTurn = 500;

/** Lets what else there is to do be done. */
export async function takeTurn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  signal?.throwIfAborted();
}

/** The view that is asked about, or undefined where none is named. */
export function optionalViewOf({ catalog }: HandlerContext, parameters: Parameters): View | undefined {
  const name = parameters.optionalText("view");
  return name === undefined || name === "" ? undefined : catalog.view(name);
}

/** The view that is asked about; where none is named, the only game's. */
export function viewOf({ catalog }: HandlerContext, parameters: Parameters): View {
  return catalog.view(parameters.optionalText("view"));
}

/** A node of a view's tree by its path. */
export function nodeOf(view: View, path: string): number {
  const node = view.tree.find(path);
  if (node !== none) return node;
  throw new RpcError({
    code: errorCodes.notFound,
    message: `There is no "${cleanPath(path)}" in ${view.name}`,
    data: { errno: "ENOENT", path: cleanPath(path), ...suggestionsFor(view, path) },
  });
}

/** The path that was likely meant, if one is near in the directory that was. */
function suggestionsFor(view: View, path: string): { suggestions?: string[] } {
  const suggestion = nearestPath(view, path);
  return suggestion === undefined ? {} : { suggestions: [suggestion] };
}

/** A path as it is shown: without leading, trailing and double slashes. */
export function cleanPath(path: string): string {
  return path.split("/").filter((part) => part !== "" && part !== ".").join("/");
}

/**
 * A cursor of listings of that kind, good as long as the index of that generation is kept; `part` counts what has been listed of the element
 * at `position`.
 */
export function cursorAt({ generation }: HandlerContext, kind: string, position: number, part = 0): string {
  return `${kind}:${position}${part === 0 ? "" : `.${part}`}:${generation}`;
}

const cursorPattern = /^([a-z]+):(\d{1,15})(?:\.(\d{1,15}))?:(\d{1,15})$/;

/** Where the part that is asked for begins: what {@linkcode cursorAt} was given, 0 at the start. */
export function positionOf({ generation }: HandlerContext, parameters: Parameters, kind: string): number {
  const cursor = parameters.optionalText("cursor");
  if (cursor === undefined) return 0;
  const match = cursorPattern.exec(cursor);
  if (match?.[1] === kind && Number(match[4]) === generation) return Number(match[2]);
  const message = match?.[1] === kind
    ? "The index was refreshed since this cursor was given; ask from the start"
    : "This cursor is of another listing; ask from the start";
  throw new RpcError({ code: errorCodes.staleCursor, message });
}

/** The number of the index that a call's cursor is of, if it has one. */
export function generationOf(params: unknown): number | undefined {
  const cursor = typeof params === "object" && params !== null && "cursor" in params ? params.cursor : undefined;
  const match = typeof cursor === "string" ? cursorPattern.exec(cursor) : null;
  return match ? Number(match[4]) : undefined;
}

/** How much of the element at the cursor's position has been listed. */
export function partOf(parameters: Parameters): number {
  return Number(cursorPattern.exec(parameters.optionalText("cursor") ?? "")?.[3] ?? 0);
}

/** Part of a list that is made as a whole: games, views, packs are few. */
export function pageOf<Row>(context: HandlerContext, parameters: Parameters, rows: readonly Row[]): Page<Row> {
  const from = positionOf(context, parameters, "list");
  const page = new PageRows<Row>(parameters.pageSize());
  let to = from;
  while (to < rows.length && !page.isFull) page.add(rows[to++] as Row);
  return { rows: page.rows, cursor: to < rows.length ? cursorAt(context, "list", to) : null };
}

/** Rows of one page, which ends at the limit that the client asks for, or where it would get too long. */
export class PageRows<Row> {
  readonly rows: Row[] = [];
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether no row can be added. */
  get isFull(): boolean {
    return this.rows.length >= this.#limit || this.#bytes >= pageBytes;
  }

  add(row: Row): void {
    this.rows.push(row);
    this.#bytes += maxBytesOf(row);
  }
}

/** Text that is the same in JSON. */
const plainText = /^[ !#-[\]-~]*$/;
/** Most bytes that a UTF-16 unit becomes in JSON: an escape. */
const longestEscape = 6;
const longestNumber = 25;

/** At least as many bytes as a value has in JSON. */
function maxBytesOf(value: unknown): number {
  if (typeof value === "string") return value.length * (plainText.test(value) ? 1 : longestEscape) + 3;
  if (typeof value !== "object" || value === null) return longestNumber;
  let sum = 2;
  for (const key in value) sum += key.length + 4 + maxBytesOf((value as Record<string, unknown>)[key]);
  return sum;
}
