/**
 * A mount as another process requests it from a running daemon: the method `mount`.
 * @module
 */
import { resolve } from "@std/path";
import { parse } from "smol-toml";
import { FuseError } from "deno-fuse-ffi";
import { UsageError } from "../../system/mod.ts";
import { ConfigError, requestedConfig } from "../config/config_file.ts";
import { defaultHungSeconds } from "../config/defaults.ts";
import { MountError, parseMountOptions } from "../../mount/mod.ts";
import { profileToml } from "../config/profiles.ts";
import type { GameOptions } from "../../index/mod.ts";
import { GameError } from "../../games/mod.ts";
import { profiles } from "../../engines/mod.ts";
import { errorCodes, type ParamsOf, RpcError } from "../../protocol/mod.ts";
import type { DaemonOptions } from "./daemon_options.ts";
import type { JoinOptions } from "./served_mounts.ts";

/** Options of a mount as written by the user, for libfuse and for pakfs. */
function writtenOptions({ umask, libfuse }: DaemonOptions["mountOptions"]): string[] {
  return [`umask=${umask.toString(8).padStart(3, "0")}`, ...libfuse];
}

/** Returns a game as it is in a configuration, with absolute paths. */
function writtenGame(options: GameOptions): object {
  const { profile, ownEngines: _ownEngines, sources, names, iwad, files, autoload, ...game } = options;
  const absolute = (paths: readonly string[]) => paths.map((path) => path.startsWith("-") ? path : resolve(path));
  return {
    ...game,
    ...(iwad === undefined ? { sources: absolute(sources) } : { iwad: resolve(iwad), files: absolute(files ?? []) }),
    ...(names === undefined ? {} : { names: absolute(names) }),
    ...(autoload === undefined ? {} : { autoload: resolve(autoload) }),
    ...(profile === undefined ? {} : { profile: typeof profile === "object" ? profile.name : profile }),
  };
}

/** Returns the request for the mount of a command line. */
export function mountRequest(options: DaemonOptions): ParamsOf<"mount"> {
  const { games, mountPoint, layout: { view, showPacks, showAs }, mountOptions, hung } = options;
  const own = games.flatMap(({ profile, ownEngines = [] }) =>
    typeof profile === "object" && !profiles.includes(profile) ? [profile] : ownEngines
  );
  const profile = [...new Set(own)].flatMap((custom) => parse(profileToml(custom))["profile"] ?? []);
  return {
    config: {
      mount: resolve(mountPoint ?? ""),
      options: writtenOptions(mountOptions),
      hung: hung.mode,
      hungAfter: hung.timeout / 1000,
      profile,
      game: games.map(writtenGame),
    },
    ...(view === null ? {} : { view }),
    showPacks,
    showAs,
  };
}

/**
 * Returns the mount that a request describes.
 * @throws {ConfigError | UsageError} if it is wrong.
 */
export function joinOptions({ config, view, ...listed }: ParamsOf<"mount">): JoinOptions {
  const requested = requestedConfig(config);
  const { games, mount, options = [], hung = "wait", hungAfter = defaultHungSeconds } = requested;
  const { showPacks = false, showAs = false } = { ...requested, ...listed };
  if (mount === undefined) throw new UsageError('"config" has no "mount", the mount point');
  if (games.length === 0) throw new UsageError('"config" has no "game"');
  return {
    games,
    mountPoint: mount,
    layout: { view: view ?? null, showPacks, showAs },
    mountOptions: parseMountOptions(options),
    hung: { mode: hung, timeout: hungAfter * 1000 },
  };
}

/**
 * Returns the error for the caller of `mount` or `unmount`; an error that is not the caller's fault is returned
 * unchanged.
 */
export function mountProblem(error: unknown): unknown {
  const code = error instanceof UsageError || error instanceof ConfigError
    ? errorCodes.invalidParams
    : error instanceof GameError || error instanceof MountError || error instanceof FuseError
    ? errorCodes.mountFailed
    : undefined;
  if (code === undefined || !(error instanceof Error)) return error;
  const isBusy = error instanceof FuseError && /busy|in use/.test(error.message);
  return new RpcError({ code, message: error.message, ...(isBusy ? { data: { errno: "EBUSY" } } : {}) });
}
