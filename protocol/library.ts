/**
 * What scripts use: games and views, the same from an index in this process and from a daemon.
 * @module
 */
import type { GameOptions } from "../index/profiles/game.ts";
import { pages } from "./connection.ts";
import type {
  ChecksumResult,
  ConflictRow,
  DiffRow,
  DiffSummary,
  DirectoryRow,
  FileRow,
  FindFilters,
  GameRow,
  LimitRow,
  ListRow,
  NamesRow,
  PackRow,
  PathRow,
  PureResult,
  RefreshedEvent,
  RefreshResult,
  RegisteredResult,
  ShaderResult,
  ShaderRow,
  ShadowedRow,
  StatusResult,
  ViewRow,
  WhichResult,
} from "./rows.ts";
import type { Connection } from "./connection.ts";
import { maxRead } from "./limits.ts";

/** Options of every call. */
export interface CallOptions {
  /** Ends the call: it then fails with an error of code `cancelled`. */
  readonly signal?: AbortSignal;
}

/** Options of questions that compare files. */
export interface CompareOptions {
  /** Reads files of which sizes and CRC-32 do not tell whether they are the same. */
  readonly compare?: boolean;
}

/** What is to be told of changes. */
export interface ChangesOptions extends CallOptions {
  /** Names of views to be told about; default: all, but for those that are made by asking. */
  readonly views?: readonly string[];
  /** Paths to be named of each view; default 20, at most 1000. */
  readonly sample?: number;
}

/** Which packs are wanted. */
export interface PackOptions {
  /** Only packs that are used, but of whose files none wins. */
  readonly fullyShadowed?: boolean;
}

/** What `stat` tells of a file: its row, and where its compressed bytes begin in `source`, or null if that is not known. */
export type FileStat = FileRow & { dataOffset: number | null };

/** One resolved tree of a game: what its engine would load. */
export interface View {
  /** `game/gamedirectory`; empty for the only game's base view. */
  readonly name: string;
  /**
   * Files that match any of the patterns and all filters, in the order of a walk. A pattern without `/` is compared with
   * file names, one with `/` with whole paths: `*.wav`, `maps/**`.
   */
  find(patterns: string | readonly string[], filters?: FindFilters, options?: CallOptions): AsyncIterable<FileRow>;
  /** What is in a directory, by name; the root without `path`. */
  list(path?: string, options?: CallOptions): AsyncIterable<ListRow>;
  /** One file or directory. Fails with an {@linkcode RpcError} of code `notFound` if there is none. */
  stat(qpath: string, options?: CallOptions): Promise<DirectoryRow | FileStat>;
  /** Every file that could answer a path, the winner first, each loser with the rule that decided. */
  which(qpath: string, options?: CallOptions): Promise<WhichResult>;
  /** Every definition of a shader or material, the winner first, each loser with the rule that decided. */
  shader(name: string, options?: CallOptions): Promise<ShaderResult>;
  /**
   * The names of shaders and materials, each with the definition that the engine takes. A pattern without `/` is compared
   * with what follows a name's last `/`.
   */
  shaders(pattern?: string, options?: CallOptions): AsyncIterable<ShaderRow>;
  /** The view's search path, best first. */
  path(options?: CallOptions): AsyncIterable<PathRow>;
  /** The packs of the view's game, whether the view uses them, and how many of their files win. */
  packs(options?: CallOptions & PackOptions): AsyncIterable<PackRow>;
  /**
   * Files that the engine never loads because another has their path. Patterns are as for `find`, filters are about the
   * file that loses.
   */
  shadowed(
    patterns?: string | readonly string[],
    filters?: FindFilters,
    options?: CallOptions & CompareOptions,
  ): AsyncIterable<ShadowedRow>;
  /**
   * Paths that several packs or directories have.
   * @param source Only those that this pack or game directory takes part in.
   */
  conflicts(source?: string, options?: CallOptions & CompareOptions): AsyncIterable<ConflictRow>;
  /** Files that only this pack or game directory provides: what would vanish without it. */
  unique(source: string, options?: CallOptions): AsyncIterable<FileRow>;
  /** What this pack or game directory takes over from others. */
  overrides(source: string, options?: CallOptions & CompareOptions): AsyncIterable<ConflictRow>;
  /** What others take over from this pack or game directory. */
  overriddenBy(source: string, options?: CallOptions & CompareOptions): AsyncIterable<ConflictRow>;
  /** How near the view is to the limits of its engine, and what is beyond them. */
  limits(options?: CallOptions): AsyncIterable<LimitRow>;
  /** Whether the engine takes the game for the registered version of Quake, and the data for modified. */
  registered(options?: CallOptions): Promise<RegisteredResult>;
  /**
   * The view under a pure server's packs, given as names or checksums, with those that are missing; without a list the
   * one that a server with this search path would send.
   */
  pure(list?: readonly string[], options?: CallOptions): Promise<PureResult>;
  /** The whole content of a file, verified. */
  read(qpath: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** The content of a file, as fast as it is consumed. */
  stream(qpath: string, options?: CallOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Games and views, to be closed after use: `await using`. */
export interface Index extends AsyncDisposable {
  /** The games. */
  games(options?: CallOptions): AsyncIterable<GameRow>;
  /** The views of one game or of all. */
  views(game?: string, options?: CallOptions): AsyncIterable<ViewRow>;
  /** A view by name; a game's name alone means its base view, no name the only game's. Not checked before it is used. */
  view(name?: string): View;
  /**
   * The numbers by which Quake III's engines know a pk3, from the index alone.
   * @param pack File name, path or end of a path of an indexed pack.
   * @param feed The server's `sv_checksumFeed` for the pure checksum.
   */
  checksum(pack: string, feed?: number, options?: CallOptions): Promise<ChecksumResult>;
  /** All packs; with `checksum` (signed or not) those that have it. */
  packs(checksum?: number, options?: CallOptions): AsyncIterable<PackRow>;
  /** What is known of the names of packs that hold none, of all games. */
  names(options?: CallOptions): AsyncIterable<NamesRow>;
  /** What changes from one view to another, in the order of a walk. */
  diff(from: string, to: string, options?: CallOptions & CompareOptions): AsyncIterable<DiffRow>;
  /** How much changes from one view to another. */
  diffSummary(from: string, to: string, options?: CallOptions & CompareOptions): Promise<DiffSummary>;
  /** Counters, and what could not be indexed. */
  status(options?: CallOptions): Promise<StatusResult>;
  /** Brings the index up to date with what is on disk; tells what was found. */
  refresh(options?: CallOptions): Promise<RefreshResult>;
  /**
   * What changes on disk from now on, as soon as queries and the mount show it: one event for each refresh that finds
   * something. Without a daemon, what was indexed is watched as long as somebody iterates. Whoever is slow loses the
   * oldest, and is told how many. The signal ends the iteration.
   */
  changes(options?: ChangesOptions): AsyncIterable<RefreshedEvent>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** What {@linkcode openIndex} indexes: one directory, one archive, or games as the configuration describes them. */
export type IndexSource = string | GameOptions | readonly GameOptions[];

/** The games of an {@linkcode IndexSource}. */
export function gamesOf(source: IndexSource): readonly GameOptions[] {
  if (typeof source === "string") return [{ sources: [source] }];
  return "sources" in source ? [source] : source;
}

/** The library's face of a connection. */
export class ConnectedIndex implements Index {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  games(options: CallOptions = {}): AsyncIterable<GameRow> {
    return pages(this.#connection, "games", {}, options);
  }

  views(game?: string, options: CallOptions = {}): AsyncIterable<ViewRow> {
    return pages(this.#connection, "views", game === undefined ? {} : { game }, options);
  }

  view(name = ""): View {
    return new ConnectedView(this.#connection, name);
  }

  checksum(pack: string, feed = 0, options: CallOptions = {}): Promise<ChecksumResult> {
    return this.#connection.call("checksum", { pack, feed }, options);
  }

  packs(checksum?: number, options: CallOptions = {}): AsyncIterable<PackRow> {
    return pages(this.#connection, "packs", checksum === undefined ? {} : { checksum }, options);
  }

  names(options: CallOptions = {}): AsyncIterable<NamesRow> {
    return pages(this.#connection, "names", {}, options);
  }

  diff(from: string, to: string, options: CallOptions & CompareOptions = {}): AsyncIterable<DiffRow> {
    return pages(this.#connection, "diff", { from, to, ...compareParameter(options) }, options);
  }

  diffSummary(from: string, to: string, options: CallOptions & CompareOptions = {}): Promise<DiffSummary> {
    return this.#connection.call("diffstat", { from, to, ...compareParameter(options) }, options);
  }

  status(options: CallOptions = {}): Promise<StatusResult> {
    return this.#connection.call("status", {}, options);
  }

  refresh(options: CallOptions = {}): Promise<RefreshResult> {
    return this.#connection.call("refresh", {}, options);
  }

  async *changes(options: ChangesOptions = {}): AsyncGenerator<RefreshedEvent, void, void> {
    const { views, sample, signal } = options;
    const params = { ...(views ? { views: [...views] } : {}), ...(sample === undefined ? {} : { sample }) };
    yield* await this.#connection.subscribe(params, signal ? { signal } : {});
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function compareParameter({ compare = false }: CompareOptions): { compare?: true } {
  return compare ? { compare } : {};
}

class ConnectedView implements View {
  readonly name: string;
  readonly #connection: Connection;

  constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.name = name;
  }

  find(
    patterns: string | readonly string[],
    filters: FindFilters = {},
    options: CallOptions = {},
  ): AsyncIterable<FileRow> {
    const list = typeof patterns === "string" ? [patterns] : [...patterns];
    return pages(this.#connection, "find", { view: this.name, patterns: list, filters }, options);
  }

  list(path = "", options: CallOptions = {}): AsyncIterable<ListRow> {
    return pages(this.#connection, "ls", { view: this.name, path }, options);
  }

  stat(qpath: string, options: CallOptions = {}): Promise<DirectoryRow | FileStat> {
    return this.#connection.call("stat", { view: this.name, qpath }, options);
  }

  which(qpath: string, options: CallOptions = {}): Promise<WhichResult> {
    return this.#connection.call("which", { view: this.name, qpath }, options);
  }

  shader(name: string, options: CallOptions = {}): Promise<ShaderResult> {
    return this.#connection.call("shader", { view: this.name, name }, options);
  }

  shaders(pattern?: string, options: CallOptions = {}): AsyncIterable<ShaderRow> {
    return pages(
      this.#connection,
      "shaders",
      { view: this.name, ...(pattern === undefined ? {} : { pattern }) },
      options,
    );
  }

  path(options: CallOptions = {}): AsyncIterable<PathRow> {
    return pages(this.#connection, "path", { view: this.name }, options);
  }

  packs(options: CallOptions & PackOptions = {}): AsyncIterable<PackRow> {
    const { fullyShadowed = false } = options;
    return pages(this.#connection, "packs", { view: this.name, fullyShadowed }, options);
  }

  shadowed(
    patterns: string | readonly string[] = [],
    filters: FindFilters = {},
    options: CallOptions & CompareOptions = {},
  ): AsyncIterable<ShadowedRow> {
    const list = typeof patterns === "string" ? [patterns] : [...patterns];
    const params = { view: this.name, patterns: list, filters, ...compareParameter(options) };
    return pages(this.#connection, "shadowed", params, options);
  }

  conflicts(source?: string, options: CallOptions & CompareOptions = {}): AsyncIterable<ConflictRow> {
    const params = { view: this.name, ...(source === undefined ? {} : { source }), ...compareParameter(options) };
    return pages(this.#connection, "conflicts", params, options);
  }

  unique(source: string, options: CallOptions = {}): AsyncIterable<FileRow> {
    return pages(this.#connection, "unique", { view: this.name, source }, options);
  }

  overrides(source: string, options: CallOptions & CompareOptions = {}): AsyncIterable<ConflictRow> {
    return pages(this.#connection, "overrides", { view: this.name, source, ...compareParameter(options) }, options);
  }

  overriddenBy(source: string, options: CallOptions & CompareOptions = {}): AsyncIterable<ConflictRow> {
    const params = { view: this.name, source, by: true, ...compareParameter(options) };
    return pages(this.#connection, "overrides", params, options);
  }

  limits(options: CallOptions = {}): AsyncIterable<LimitRow> {
    return pages(this.#connection, "limits", { view: this.name }, options);
  }

  registered(options: CallOptions = {}): Promise<RegisteredResult> {
    return this.#connection.call("registered", { view: this.name }, options);
  }

  pure(list?: readonly string[], options: CallOptions = {}): Promise<PureResult> {
    const params = { view: this.name, ...(list === undefined ? {} : { list: [...list] }) };
    return this.#connection.call("pure", params, options);
  }

  async read(qpath: string, options: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.stream(qpath, options)).arrayBuffer());
  }

  stream(qpath: string, options: CallOptions = {}): ReadableStream<Uint8Array<ArrayBuffer>> {
    return ReadableStream.from(this.#pieces(qpath, options));
  }

  async *#pieces(qpath: string, options: CallOptions): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let offset = 0;
    let isAtEnd = false;
    let known: { version?: string } = {};
    while (!isAtEnd) {
      const params = { view: this.name, qpath, offset, length: maxRead, ...known };
      // deno-lint-ignore no-await-in-loop -- the next piece is asked for when this one has been taken
      const piece = await this.#connection.call("read", params, options);
      const bytes = Uint8Array.fromBase64(piece.data);
      if (bytes.length > 0) yield bytes;
      offset += bytes.length;
      known = { version: piece.version };
      isAtEnd = piece.end || bytes.length === 0;
    }
  }
}
