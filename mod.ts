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
import { connectSocket } from "./daemon/client.ts";
import { ConnectedIndex, gamesOf, type Index, type IndexSource } from "./daemon/library.ts";
import { openLocalGames } from "./daemon/local.ts";
import { socketPath } from "./daemon/socket_path.ts";
import { version } from "./daemon/version.ts";
import type { ScanOptions } from "./index/scanner.ts";

export { ConnectionLostError, DaemonUnreachableError } from "./daemon/client.ts";
export type { CallOptions, FileStat, Index, IndexSource, View } from "./daemon/library.ts";
export {
  type CandidateRow,
  type ChangeCounts,
  type ChecksumResult,
  type DirectoryRow,
  errorCodes,
  type FileRow,
  type FindFilters,
  type GameRow,
  type ListRow,
  type PackRow,
  type PathRow,
  type PureResult,
  type PureRow,
  type RefreshResult,
  RpcError,
  type RpcErrorObject,
  type ShaderDefinitionRow,
  type ShaderImageRow,
  type ShaderResult,
  type ShaderRow,
  type StatusResult,
  type ViewRow,
  type WhichResult,
} from "./daemon/protocol.ts";
export { GameError, type GameOptions } from "./index/game.ts";
export type { ScanOptions, ScanProgress } from "./index/scanner.ts";

/** Options of {@linkcode connect}. */
export interface ConnectOptions {
  /** Path of the daemon's socket; default `$PAKFS_SOCKET`, else the usual place. */
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
 * @throws {GameError} if a directory, profile or base game is not what it should be.
 */
export async function openIndex(source: IndexSource, options: ScanOptions = {}): Promise<Index> {
  return new ConnectedIndex(await openLocalGames(gamesOf(source), options));
}

/**
 * Connects to a running daemon. Requires `--allow-read` and `--allow-write` for the socket, and
 * `--allow-net=unix:PATH`.
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
  return new ConnectedIndex(connection);
}
