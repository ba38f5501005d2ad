/**
 * A connection for the protocol's methods, with listings as a stream of rows.
 * @module
 */
import type { MethodName, Page, PagedMethod, ParamsOf, ResultOf, RowOf, SubscribeParameters } from "./methods.ts";
import type { RefreshedEvent } from "./rows.ts";

/** Options of a call. */
export interface RequestOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Whether a page may be an {@linkcode EncodedPage}. */
  readonly encoded?: boolean;
}

/**
 * A daemon at a socket, or an index in this process: both have the same methods. REPL, one-shot commands and library
 * work with either.
 */
export interface Connection extends AsyncDisposable {
  /**
   * Calls one method.
   * @throws {RpcError} if the reply is an error.
   */
  call<M extends MethodName>(method: M, params: ParamsOf<M>, options?: RequestOptions): Promise<ResultOf<M>>;
  /**
   * Subscribes to changes found by refreshes; resolves when no later change can be missed. Without a daemon, the
   * indexed directories are watched while a subscription is open. A slow subscriber loses the oldest events, and the
   * next one counts them. The signal ends the iteration.
   * @throws {RpcError} if the reply is an error.
   */
  subscribe(
    params: SubscribeParameters,
    options?: { signal?: AbortSignal },
  ): Promise<AsyncIterableIterator<RefreshedEvent>>;
  /** Ends the connection; calls in progress fail as cancelled. */
  close(): Promise<void>;
}

/** The part of a {@linkcode Connection} that {@linkcode pages} needs. */
export type Caller = Pick<Connection, "call">;

/**
 * Yields the pages of a paged method. The second page is requested when the first has been consumed, each
 * later one while the previous is being consumed: a caller that reads two pages usually reads all.
 * @param params As for the method; `limit` is the size of one page, not of the whole.
 * @throws {RpcError} if the reply is an error; `staleCursor` if the index was replaced between two pages.
 */
export async function* pagesOf<M extends PagedMethod>(
  connection: Caller,
  method: M,
  params: ParamsOf<M>,
  { signal, encoded = false }: RequestOptions = {},
): AsyncGenerator<Page<RowOf<M>>, void, void> {
  const left = new AbortController();
  const options = { signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal, encoded };
  const request = (cursor: string) =>
    connection.call(method, { ...params, cursor }, options) as Promise<Page<RowOf<M>>>;
  try {
    const first = await connection.call(method, params, options) as Page<RowOf<M>>;
    yield first;
    for (let next = first.cursor === null ? undefined : request(first.cursor); next;) {
      // deno-lint-ignore no-await-in-loop -- each page's cursor comes with the page before it
      const page: Page<RowOf<M>> = await next;
      next = page.cursor === null ? undefined : request(page.cursor);
      next?.catch(() => {}); // it is awaited after this page, if at all
      yield page;
    }
  } finally {
    left.abort();
  }
}

/** Yields the rows of a paged method, page by page. Parameters and errors are as for {@linkcode pagesOf}. */
export async function* rowPages<M extends PagedMethod>(
  ...call: Parameters<typeof pagesOf<M>>
): AsyncGenerator<readonly RowOf<M>[], void, void> {
  for await (const { rows } of pagesOf(...call)) yield rows;
}

/** Yields the rows of a paged method one by one. Parameters and errors are as for {@linkcode rowPages}. */
export async function* pages<M extends PagedMethod>(
  ...call: Parameters<typeof rowPages<M>>
): AsyncGenerator<RowOf<M>, void, void> {
  for await (const rows of rowPages(...call)) yield* rows;
}
