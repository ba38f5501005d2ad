/**
 * pakfs for scripts: ask which files a game's engine would load, where they come from and why, and read them.
 *
 * {@linkcode openIndex} indexes directories in this process; {@linkcode connect} asks a running daemon. Both give the
 * same {@linkcode Index}.
 *
 * @example Find all sounds of an installation
 * ```ts
 * import { openIndex } from "@pakfs/pakfs";
 *
 * const directory = await Deno.makeTempDir();
 * await Deno.mkdir(`${directory}/id1/sound`, { recursive: true });
 * await Deno.writeTextFile(`${directory}/id1/sound/door.wav`, "RIFF");
 *
 * await using index = await openIndex(directory);
 * const view = index.view("id1");
 * for await (const file of view.find("*.wav")) console.log(file.qpath, file.size, file.source);
 * const { candidates } = await view.which("sound/door.wav");
 * if (candidates[0]?.kind !== "loose") throw new Error("the loose file should win");
 *
 * await Deno.remove(directory, { recursive: true });
 * ```
 * @module
 */
import { connectSocket } from "./protocol/client.ts";
import { Index } from "./protocol/library/game_index.ts";
import { gamesOf, type IndexSource } from "./protocol/library/options.ts";
import { openLocalGames } from "./service/local.ts";
import { socketPath } from "./protocol/socket_path.ts";
import { version } from "./protocol/version.ts";
import { IndexCache } from "./index/cache/index_cache.ts";
import type { ScanProgress } from "./index/scan/scanner.ts";
export { ConnectionLostError } from "./protocol/client.ts";
export { DaemonUnreachableError } from "./protocol/unix_socket.ts";
export type { Index } from "./protocol/library/game_index.ts";
export type {
  CallOptions,
  ChangesOptions,
  CompareOptions,
  ContentRange,
  ConversionOptions,
  ConvertedFile,
  ExtractionOptions,
  ExtractionResult,
  GameSource,
  IndexSource,
  IwadOptions,
  NeedOptions,
  PackOptions,
  UsageOptions,
} from "./protocol/library/options.ts";
export { ExtractionError } from "./protocol/library/extraction.ts";
export type { Target } from "./media/convert/converter.ts";
export type { LibraryView as View } from "./protocol/library/view.ts";
export type { MethodName, Page, PagedMethod, ParamsOf, ResultOf, RowOf } from "./protocol/methods.ts";
export type * from "./protocol/rows.ts";
export type { StatRow as FileStat } from "./protocol/rows.ts";
export { errorCodes, RpcError, type RpcErrorObject } from "./protocol/messages.ts";
export { detectGames } from "./games/detect/detect_games.ts";
export { type Edition } from "./games/detect/report.ts";
export { type Evidence } from "./games/detect/evidence.ts";
export { type GameDirectoryFinding } from "./games/detect/game_directories.ts";
export { type GameDirectoryRole } from "./games/detect/game_directories.ts";
export { GameError } from "./games/game_error.ts";
export { type GameReport } from "./games/detect/report.ts";
export { type IgnoredFinding } from "./games/detect/game_directories.ts";
export { type InstalledGames } from "./games/detect/installed.ts";
export { type OtherFinding } from "./games/detect/report.ts";
export { type SourceFinding } from "./games/detect/report.ts";
export type { GameOptions } from "./index/columns/game.ts";
export type { LoadList, LoadSwitch, LumpRules } from "./engines/core/load_list.ts";
export type { Collation } from "./engines/core/pack_names.ts";
export type {
  FolderRule,
  ListedPacks,
  NumberedPacks,
  PackRule,
  PrefixRule,
  SortedPacks,
} from "./engines/core/pack_steps.ts";
export type {
  Companion,
  CorePacks,
  Dependencies,
  DirectoryChain,
  DuplicateRule,
  EnginePack,
  EngineSetting,
  FullNames,
  InactiveLevel,
  LeftOut,
  LooseCase,
  LooseOnly,
  MemberMethods,
  MemberNames,
  NestedOrder,
  NestedPacks,
  PackFolder,
  Profile,
  PureRule,
  RegisteredCheck,
  SideFiles,
} from "./engines/core/profile.ts";
export type { RuleName } from "./engines/core/rule_names.ts";
export type { EngineLimit } from "./engines/core/engine_limits.ts";
export type { Family, FileSearch, OwnExtension, PictureSearch, ReferenceKind } from "./engines/core/names.ts";
export type {
  JoinedShaders,
  ListedShaders,
  RankedShaders,
  ShaderComment,
  ShaderDialect,
  ShaderOmission,
} from "./engines/core/shader_dialect.ts";
export { profiles } from "./engines/table.ts";
export type { ScanProgress } from "./index/scan/scanner.ts";
export { engineWarnings, fileChecksum } from "./service/archive_checks.ts";

/** Options of {@linkcode openIndex}. */
export interface OpenIndexOptions {
  /** Called while indexing. */
  readonly onProgress?: ScanProgress;
  /** Stops indexing with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Directory in which large indexes are kept, so that only changed packs are read again; default: none is kept. Requires `--allow-write` there. Written when the index is closed, or has not changed for a while.
   */
  readonly cache?: string;
}

/** Options of {@linkcode connect}. */
export interface ConnectOptions {
  /** Path of the daemon's socket; default `$PAKFS_SOCKET`, else the default one. */
  readonly socket?: string;
  /** Gives up connecting. */
  readonly signal?: AbortSignal;
}

/**
 * Indexes games in this process. No payload is read, so this takes milliseconds even for many packs. Requires
 * `--allow-read`.
 * @example What wins, and why
 * ```ts
 * import { openIndex } from "@pakfs/pakfs";
 *
 * const directory = await Deno.makeTempDir();
 * await Deno.mkdir(`${directory}/id1`);
 * await Deno.writeTextFile(`${directory}/id1/autoexec.cfg`, "sensitivity 4\n");
 *
 * await using index = await openIndex({ sources: [directory], profile: "quakespasm", name: "quake" });
 * const { candidates } = await index.view("quake/id1").which("autoexec.cfg");
 * console.log(candidates.map((candidate) => `${candidate.source}: ${candidate.because ?? "wins"}`));
 *
 * await Deno.remove(directory, { recursive: true });
 * ```
 * @example Rules of one's own
 * ```ts
 * import { openIndex, profiles } from "@pakfs/pakfs";
 *
 * const ioquake3 = profiles.find(({ name }) => name === "ioquake3");
 * if (!ioquake3) throw new Error("ioquake3 is one of the profiles");
 * const directory = await Deno.makeTempDir();
 * await Deno.mkdir(`${directory}/mygame`);
 *
 * await using index = await openIndex({
 *   sources: [directory],
 *   profile: { ...ioquake3, name: "mine", bases: ["mygame"] },
 * });
 * for await (const { game, base } of index.games()) console.log(game, base);
 *
 * await Deno.remove(directory, { recursive: true });
 * ```
 * @throws {GameError} if a directory, profile or base game is not what it should be.
 */
export async function openIndex(source: IndexSource, options: OpenIndexOptions = {}): Promise<Index> {
  const { cache, ...scan } = options;
  const indexCache = cache === undefined ? undefined : new IndexCache(cache);
  return new Index(await openLocalGames(gamesOf(source), { ...scan, cache: indexCache }));
}

/**
 * Connects to a running daemon. Requires `--allow-read` for the socket and the directories above it, `--allow-write` for
 * the socket, `--allow-net=unix:PATH`, and `--allow-sys=uid,gid`: a socket that another user may have made is refused.
 * @example
 * ```ts ignore
 * import { connect } from "@pakfs/pakfs";
 *
 * await using index = await connect();
 * for await (const view of index.views()) console.log(view.view, view.packs);
 * ```
 * @throws {DaemonUnreachableError} if no daemon answers.
 */
export async function connect(options: ConnectOptions = {}): Promise<Index> {
  const { socket, signal } = options;
  const connection = await connectSocket(socketPath(socket), {
    client: `pakfs-library ${version}`,
    ...(signal === undefined ? {} : { signal }),
  });
  return new Index(connection);
}
