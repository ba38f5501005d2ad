/**
 * pakfs for scripts: queries the files that a game's engine would load, their origin and the reason, and reads them.
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
import { connectSocket, gamesOf, Index, type IndexSource, socketPath, version } from "./protocol/mod.ts";
import { openLocalGames } from "./service/mod.ts";
import { IndexCache, type ScanProgress } from "./index/mod.ts";
export {
  type CallOptions,
  type ChangesOptions,
  type CompareOptions,
  ConnectionLostError,
  type ContentRange,
  type ConversionOptions,
  type ConvertedFile,
  DaemonUnreachableError,
  type DuplicateOptions,
  errorCodes,
  ExtractionError,
  type ExtractionOptions,
  type ExtractionResult,
  type GameSource,
  type HashOptions,
  type Index,
  type IndexSource,
  type IwadOptions,
  type LibraryView as View,
  type MethodName,
  type NeedOptions,
  type PackOptions,
  type Page,
  type PagedMethod,
  type ParamsOf,
  type ResultOf,
  type RowOf,
  RpcError,
  type RpcErrorObject,
  type UnusedOptions,
  type UsageOptions,
} from "./protocol/mod.ts";
export type { Target } from "./media/mod.ts";
export type * from "./protocol/rows.ts";
export type { StatRow as FileStat } from "./protocol/rows.ts";
export {
  detectGames,
  type Edition,
  type Evidence,
  type GameDirectoryFinding,
  type GameDirectoryRole,
  GameError,
  type GameReport,
  type IgnoredFinding,
  type InstalledGames,
  type OtherFinding,
  type SourceFinding,
} from "./games/mod.ts";
export type { GameOptions, ScanProgress } from "./index/mod.ts";
export {
  type Alias,
  type Collation,
  type Companion,
  type CorePacks,
  type Dependencies,
  type DirectoryChain,
  type DuplicateRule,
  type EngineLimit,
  type EnginePack,
  type EngineSetting,
  type Family,
  type FileSearch,
  type FolderRule,
  type FullNames,
  type InactiveLevel,
  type JoinedShaders,
  type LeftOut,
  type ListedPacks,
  type ListedShaders,
  type LoadList,
  type LoadSwitch,
  type LooseCase,
  type LooseList,
  type LooseOnly,
  type LumpRules,
  type MemberMethods,
  type MemberNames,
  type NestedOrder,
  type NestedPacks,
  type NumberedPacks,
  type OwnExtension,
  type PackFolder,
  type PackRule,
  type PictureSearch,
  type PrefixRule,
  type Profile,
  profiles,
  type ProgramPack,
  type PureRule,
  type RankedShaders,
  type ReferenceKind,
  type RegisteredCheck,
  type RuleName,
  type ShaderComment,
  type ShaderDialect,
  type ShaderOmission,
  type SideFiles,
  type SortedPacks,
} from "./engines/mod.ts";
export { engineWarnings, fileChecksum } from "./service/mod.ts";

/** Options of {@linkcode openIndex}. */
export interface OpenIndexOptions {
  /** Called while indexing. */
  readonly onProgress?: ScanProgress;
  /** Aborts indexing with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Directory in which large indexes are cached, so that only changed packs are read again; default: none. Requires
   * `--allow-write` there. Written when the index is closed, or has not changed for a while.
   */
  readonly cache?: string;
}

/** Options of {@linkcode connect}. */
export interface ConnectOptions {
  /** Path of the daemon's socket; default `$PAKFS_SOCKET`, else the default one. */
  readonly socket?: string;
  /** Aborts connecting. */
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
 * @example Custom rules
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
 * @throws {GameError} if a directory, profile or base game is invalid.
 */
export async function openIndex(source: IndexSource, options: OpenIndexOptions = {}): Promise<Index> {
  const { cache, ...scan } = options;
  const indexCache = cache === undefined ? undefined : new IndexCache(cache);
  return new Index(await openLocalGames(gamesOf(source), { ...scan, cache: indexCache }));
}

/**
 * Connects to a running daemon. Requires `--allow-read` and `--allow-write` for the socket, `--allow-net=unix:PATH`,
 * and `--allow-sys=uid,gid`: a socket that another user may have created is rejected, if permission to read the
 * directories above it allows the check. `pakfs run` allows all of this.
 * @example
 * ```ts ignore
 * import { connect } from "@pakfs/pakfs";
 *
 * await using index = await connect();
 * for await (const view of index.views()) console.log(view.view, view.packs);
 * ```
 * @throws {DaemonUnreachableError} if no daemon replies.
 */
export async function connect(options: ConnectOptions = {}): Promise<Index> {
  const { socket, signal } = options;
  const connection = await connectSocket(socketPath(socket), {
    client: `pakfs-library ${version}`,
    ...(signal === undefined ? {} : { signal }),
  });
  return new Index(connection);
}
