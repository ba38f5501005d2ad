/**
 * One view of a game, for scripts.
 * @module
 */
import { type Connection, pages } from "../connection.ts";
import { decodeText } from "../../formats/parts.ts";
import type { PagedMethod, PageParameters, ParamsOf, RowOf } from "../methods.ts";
import type {
  ChecksumResult,
  ConflictRow,
  DirectoryRow,
  DuplicateRow,
  FileRow,
  FindFilters,
  GrepRow,
  HashRow,
  LimitRow,
  ListRow,
  MissingRow,
  NeedRow,
  PackRow,
  PathRow,
  ProviderRow,
  PureResult,
  RegisteredResult,
  ShaderResult,
  ShaderRow,
  ShadowedRow,
  StatRow,
  UndecidedRow,
  UnfollowedRow,
  UsageRow,
  UserRow,
  WhichResult,
} from "../rows.ts";
import { contentOf } from "./content.ts";
import { extractFiles, ExtractionError } from "./extraction.ts";
import {
  type CallOptions,
  type CompareOptions,
  compareParameter,
  type ContentRange,
  type ConversionOptions,
  type ConvertedFile,
  type DuplicateOptions,
  type ExtractionOptions,
  type ExtractionResult,
  type HashOptions,
  type NeedOptions,
  type PackOptions,
  type UnusedOptions,
  type UsageOptions,
} from "./options.ts";

/** One resolved tree of a game: the files that its engine would load. */
export class LibraryView {
  /** `game/gamedirectory`; empty for the only game's base view. */
  readonly name: string;
  readonly #connection: Connection;

  /** Names a view of a connection; the name is checked when the view is used. */
  constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.name = name;
  }

  /**
   * Finds files that match any of the patterns and all filters, in the order of a walk. A pattern without `/` is
   * compared with file names, a pattern with `/` with whole paths: `*.wav`, `maps/**`.
   */
  find(
    patterns: string | readonly string[],
    filters: FindFilters = {},
    options: CallOptions = {},
  ): AsyncIterable<FileRow> {
    return this.#rows("find", { patterns: listOf(patterns), filters }, options);
  }

  /**
   * Lists files with their SHA-256 and CRC-32. Patterns and filters are as for `find`; a pack's file name means all its
   * members.
   */
  hash(
    patterns: string | readonly string[],
    filters: FindFilters = {},
    options: CallOptions & HashOptions = {},
  ): AsyncIterable<HashRow> {
    const { losers = false, signal } = options;
    const params = { patterns: listOf(patterns), filters, ...losers && { losers } };
    return this.#rows("hash", params, signal ? { signal } : {});
  }

  /**
   * Lists lines of text files that match a regular expression; of its flags only `i` is used. Patterns and filters are
   * as for `find`; by default, files with the extensions of pictures, models, maps or sounds are omitted.
   */
  grep(
    expression: RegExp | string,
    patterns: string | readonly string[] = [],
    filters: FindFilters = {},
    options: CallOptions = {},
  ): AsyncIterable<GrepRow> {
    const chosen = listOf(patterns);
    return this.#rows("grep", {
      expression: typeof expression === "string" ? expression : expression.source,
      ...typeof expression !== "string" && expression.ignoreCase && { ignoreCase: true },
      ...chosen.length > 0 && { patterns: chosen },
      filters,
    }, options);
  }

  /** Lists files of the view's search path with the same bytes, the most wasteful first. */
  duplicates(options: CallOptions & DuplicateOptions = {}): AsyncIterable<DuplicateRow> {
    const { signal, ...wanted } = options;
    return this.#rows("duplicates", wanted, signal ? { signal } : {});
  }

  /** Lists a directory by name; the root without `path`. */
  list(path = "", options: CallOptions = {}): AsyncIterable<ListRow> {
    return this.#rows("ls", { path }, options);
  }

  /** Returns one file or directory. Fails with an {@linkcode RpcError} of code `notFound` if it is missing. */
  stat(qpath: string, options: CallOptions = {}): Promise<DirectoryRow | StatRow> {
    return this.#connection.call("stat", { view: this.name, qpath }, options);
  }

  /** Returns all candidates of a path, the winner first, each loser with the rule that decided. */
  which(qpath: string, options: CallOptions = {}): Promise<WhichResult> {
    return this.#connection.call("which", { view: this.name, qpath }, options);
  }

  /** Returns every definition of a shader or material, the winner first, each loser with the rule that decided. */
  shader(name: string, options: CallOptions = {}): Promise<ShaderResult> {
    return this.#connection.call("shader", { view: this.name, name }, options);
  }

  /**
   * Lists the names of shaders and materials, each with the definition that the engine uses. A pattern without `/` is
   * compared with the part after a name's last `/`.
   */
  shaders(pattern?: string, options: CallOptions = {}): AsyncIterable<ShaderRow> {
    return this.#rows("shaders", pattern === undefined ? {} : { pattern }, options);
  }

  /**
   * Lists everything that the engine would load for maps, models and shaders, without duplicates, and the missing
   * items. Names of packs and game directories stand for all their content.
   */
  needs(files: string | readonly string[], options: CallOptions & NeedOptions = {}): AsyncIterable<NeedRow> {
    const { signal, ...wanted } = options;
    return this.#rows("needs", { files: listOf(files), ...wanted }, signal ? { signal } : {});
  }

  /** Lists the maps, models, shaders and definitions that refer to a file, shader or definition, also through others. */
  usedBy(name: string, options: CallOptions = {}): AsyncIterable<UserRow> {
    return this.#rows("users", { name }, options);
  }

  /**
   * Lists the maps, models, shaders and definitions that lack something.
   * @param source Pack or game directory: checks only its files.
   */
  missing(source?: string, options: CallOptions = {}): AsyncIterable<MissingRow> {
    return this.#rows("missing", source === undefined ? {} : { source }, options);
  }

  /**
   * Lists archives outside search paths that provide missing files of maps and others, and a smallest set of them.
   * @param library Absolute paths of archives, and of directories with archives.
   * @param files As for `needs`; default: all files of the view's game directory.
   */
  providers(
    library: string | readonly string[],
    files: string | readonly string[] = [],
    options: CallOptions = {},
  ): AsyncIterable<ProviderRow> {
    return this.#rows("providers", { library: listOf(library), files: listOf(files) }, options);
  }

  /**
   * Lists files of the view's game directory that are not reachable from any map, or any name in menus, configuration
   * and game code. {@linkcode LibraryView.undecided} lists what is unknown.
   * @param maps Maps that are played; default: all maps of the game directory.
   */
  unused(maps: string | readonly string[] = [], options: CallOptions & UnusedOptions = {}): AsyncIterable<FileRow> {
    const { signal, ...chosen } = options;
    return this.#rows("unused", { maps: listOf(maps), ...chosen }, signal ? { signal } : {});
  }

  /** Lists kinds of files that `unused` omits, and files whose references cannot be read. */
  undecided(
    maps: string | readonly string[] = [],
    options: CallOptions & UnusedOptions = {},
  ): AsyncIterable<UndecidedRow> {
    const { signal, ...chosen } = options;
    return this.#rows("undecided", { maps: listOf(maps), ...chosen }, signal ? { signal } : {});
  }

  /**
   * Lists the parts of the view's files that may name others and are not followed by `needs`, `usedBy`, `missing` and
   * `unused`.
   * @param files Paths of files; also lists those whose references are not followed.
   */
  unfollowed(files: string | readonly string[] = [], options: CallOptions = {}): AsyncIterable<UnfollowedRow> {
    return this.#rows("unfollowed", { files: listOf(files) }, options);
  }

  /** Lists the view's search path, the highest priority first. */
  path(options: CallOptions = {}): AsyncIterable<PathRow> {
    return this.#rows("path", {}, options);
  }

  /** Lists the packs of the view's game, whether the view uses them, and how many of their files win. */
  packs(options: CallOptions & PackOptions = {}): AsyncIterable<PackRow> {
    const { fullyShadowed = false } = options;
    return this.#rows("packs", { fullyShadowed }, options);
  }

  /**
   * Lists files that the engine never loads because another file has their path. Patterns are as for `find`; filters
   * apply to the losing file.
   */
  shadowed(
    patterns: string | readonly string[] = [],
    filters: FindFilters = {},
    options: CallOptions & CompareOptions = {},
  ): AsyncIterable<ShadowedRow> {
    return this.#rows("shadowed", { patterns: listOf(patterns), filters, ...compareParameter(options) }, options);
  }

  /**
   * Lists paths that several packs or directories have.
   * @param source Only those in which this pack or game directory takes part.
   */
  conflicts(source?: string, options: CallOptions & CompareOptions = {}): AsyncIterable<ConflictRow> {
    const params = { ...(source === undefined ? {} : { source }), ...compareParameter(options) };
    return this.#rows("conflicts", params, options);
  }

  /** Lists files that only this pack or game directory provides, which the view would lack without it. */
  unique(source: string, options: CallOptions = {}): AsyncIterable<FileRow> {
    return this.#rows("unique", { source }, options);
  }

  /** Lists the files in other sources that this pack or game directory replaces. */
  overrides(source: string, options: CallOptions & CompareOptions = {}): AsyncIterable<ConflictRow> {
    return this.#rows("overrides", { source, ...compareParameter(options) }, options);
  }

  /** Lists the files of this pack or game directory that others replace. */
  overriddenBy(source: string, options: CallOptions & CompareOptions = {}): AsyncIterable<ConflictRow> {
    return this.#rows("overrides", { source, by: true, ...compareParameter(options) }, options);
  }

  /** Lists the limits of the view's engine, how close the view is to them, and what exceeds them. */
  limits(options: CallOptions = {}): AsyncIterable<LimitRow> {
    return this.#rows("limits", {}, options);
  }

  /** Returns whether the engine sees the registered version of Quake, and unmodified data. */
  registered(options: CallOptions = {}): Promise<RegisteredResult> {
    return this.#connection.call("registered", { view: this.name }, options);
  }

  /**
   * Returns the view with a pure server's packs, given as names or checksums, and the missing packs; without a list,
   * that of a server with this search path.
   */
  pure(list?: readonly string[], options: CallOptions = {}): Promise<PureResult> {
    const params = { view: this.name, ...(list === undefined ? {} : { list: [...list] }) };
    return this.#connection.call("pure", params, options);
  }

  /**
   * Returns the checksums by which Quake III's engines identify a pk3, from the index alone.
   * @param pack File name, path or end of a path; if several packs match, this view's come first.
   * @param feed The server's `sv_checksumFeed` for the pure checksum.
   */
  checksum(pack: string, feed = 0, options: CallOptions = {}): Promise<ChecksumResult> {
    return this.#connection.call("checksum", { view: this.name, pack, feed }, options);
  }

  /** Returns the content of a file, or a part of it; whole content is verified. */
  async read(qpath: string, options: CallOptions & ContentRange = {}): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.stream(qpath, options)).arrayBuffer());
  }

  /** Returns the text of a file: UTF-8, or the Latin encoding of older games. */
  async text(qpath: string, options: CallOptions = {}): Promise<string> {
    const bytes = await this.read(qpath, options);
    return decodeText(bytes);
  }

  /**
   * Returns the value in a JSON file.
   * @throws {SyntaxError} if it is not JSON.
   */
  async json(qpath: string, options: CallOptions = {}): Promise<unknown> {
    return JSON.parse(await this.text(qpath, options));
  }

  /**
   * Lists the size of a directory and its subdirectories, the largest first.
   * @param path Default: the root.
   */
  usage(path = "", options: CallOptions & UsageOptions = {}): AsyncIterable<UsageRow> {
    const { signal, depth } = options;
    return this.#rows("usage", { path, ...depth === undefined ? {} : { depth } }, signal ? { signal } : {});
  }

  /** Streams the content of a file, or a part of it, as fast as it is consumed. */
  stream(qpath: string, options: CallOptions & ContentRange = {}): ReadableStream<Uint8Array<ArrayBuffer>> {
    return ReadableStream.from(contentOf(this.#connection, { view: this.name, qpath }, options));
  }

  /**
   * Writes the files that match any of the patterns below a directory, which is created if it is missing. Files keep their
   * paths and times. Each appears only when it is complete, and replaces an existing one; links in the directory are not
   * followed. A file that cannot be read or written is reported in the result, and the others are still extracted.
   * Requires `--allow-read` and `--allow-write`.
   * @param patterns As for `find`.
   * @throws {RpcError} if the query fails or is cancelled; files that are complete stay.
   * @throws {Error} if the directory cannot be made or the disk is full; files that are complete stay.
   */
  async extract(
    patterns: string | readonly string[],
    directory: string,
    { filters = {}, onProgress, signal }: ExtractionOptions = {},
  ): Promise<ExtractionResult> {
    const options = signal ? { signal } : {};
    const files = await Array.fromAsync(
      this.find(patterns, filters, options),
      ({ qpath, size, mtime }) => ({ qpath, size, mtime }),
    );
    const problems: { qpath: string; problem: string }[] = [];
    let bytes = 0;
    let done = 0;
    for await (const extracted of extractFiles(files, directory, ({ qpath }) => this.stream(qpath, options), signal)) {
      const { qpath, size } = extracted.file;
      if ("error" in extracted) problems.push({ qpath, problem: extracted.error.message });
      else bytes += size;
      onProgress?.(++done, files.length);
    }
    return { files: files.length - problems.length, bytes, problems };
  }

  /**
   * Converts a file to a common format: pictures to PNG, sounds to WAV, models and maps to glTF, tables to JSON.
   * Palettes, skins and textures are the ones that the engine would load.
   * @throws {ExtractionError} if the file is damaged or cannot be converted.
   * @throws {RpcError} if it cannot be read.
   */
  async convert(qpath: string, { to, ...options }: ConversionOptions = {}): Promise<ConvertedFile> {
    const module: typeof import("./conversion.ts") = await import("./conversion.ts" as string);
    const files = new module.ViewFiles(this.#connection, { view: this.name }, options);
    const converter = await module.converterFor(files, qpath, to);
    if (!converter) throw new ExtractionError(`${qpath}: files of its kind are not converted${to ? ` to ${to}` : ""}`);
    return { to: converter.to, bytes: await module.convertedFile(files, qpath, converter) };
  }

  #rows<M extends PagedMethod>(
    method: M,
    params: Omit<ParamsOf<M>, "view" | keyof PageParameters>,
    options: CallOptions,
  ): AsyncIterable<RowOf<M>> {
    return pages(this.#connection, method, { view: this.name, ...params } as ParamsOf<M>, options);
  }
}

function listOf(patterns: string | readonly string[]): string[] {
  return typeof patterns === "string" ? [patterns] : [...patterns];
}
