/**
 * The commands that serve: `mount`, `daemon`, `demo`.
 * @module
 */
import { FuseError } from "deno-fuse-ffi";
import { GameError } from "../index/profiles/game.ts";
import { profiles } from "../index/profiles/profiles.ts";
import { launcherCommands } from "../config/launcher_commands.ts";
import { nameSettingsFrom } from "../config/name_options.ts";
import { exitCodes, UsageError } from "../command_line/usage.ts";
import { type OptionValues, parseOptions } from "../command_line/options.ts";
import { type Config, ConfigError, configPath, readConfig } from "../config/config_file.ts";
import { profileCalled } from "../config/profiles.ts";
import { defaultCacheBytes, defaultHungSeconds } from "../config/defaults.ts";
import { runDemo } from "./demo_command.ts";
import { Log, logFormats } from "../system/log.ts";
import { MountOptionError, type ParsedMountOptions, parseMountOptions } from "../config/mount_options.ts";
import { MountError } from "../mount/mount.ts";
import type { MountThreads } from "../mount/threads.ts";
import { CLibrary } from "../system/c_library.ts";
import { Readiness } from "./lifecycle/launcher_pipe.ts";
import type { DaemonPlan, Waiting } from "./lifecycle/daemon_options.ts";
import { hungModes } from "../config/hung_modes.ts";
import { runDaemon } from "./lifecycle/daemon.ts";
import { ServiceManager } from "./lifecycle/service_manager.ts";
import { SocketError } from "./server/server.ts";
import { defaultWatching } from "../service/watch/watching.ts";

const defaultLayout = { view: null, showPacks: false };

/** `mount SOURCE... MOUNTPOINT` */
function mountPlan(words: readonly string[], options: OptionValues): DaemonPlan {
  const mountPoint = words.at(-1);
  const sources = words.slice(0, -1);
  if (mountPoint === undefined || sources.length === 0) {
    throw new UsageError("mount needs what to mount and where: pakfs mount SOURCE... MOUNTPOINT");
  }
  const wanted = options.value("profile");
  const config = configPath(options.value("config"));
  const profile = wanted === undefined ? undefined : profileCalled(wanted, config);
  const name = options.value("game");
  const base = options.value("base");
  const socket = options.value("socket");
  return {
    games: [{
      sources,
      ...(profile === undefined ? {} : { profile }),
      ...(name === undefined ? {} : { name }),
      ...(base === undefined ? {} : { base }),
      ...nameSettingsFrom(options),
      nested: options.flag("nested"),
      strict: options.flag("strict-engine"),
      followSymlinks: options.flag("follow-symlinks"),
    }],
    // Whoever types a path means what is there.
    awaitsSources: false,
    config: profile === undefined || profiles.includes(profile) ? null : config,
    mountPoint,
    layout: { view: options.value("view") ?? null, showPacks: options.flag("show-packs") },
    mountOptions: mountOptions(options, []),
    ...(socket === undefined ? {} : { socket }),
    cacheBytes: defaultCacheBytes,
    hung: {
      mode: hungModes.find((mode) => mode === options.value("hung")) ?? "wait",
      patience: defaultHungSeconds * 1000,
    },
    keepsIndex: !options.flag("no-index-cache"),
    watching: options.flag("no-watch") ? "off" : defaultWatching(),
    quiet: options.flag("quiet") || !(options.flag("foreground") || options.flag("debug-fuse")),
    ...logging(options),
  };
}

/** `daemon [--config FILE] [--mount DIR] [--no-mount]` */
function daemonPlan(words: readonly string[], options: OptionValues): DaemonPlan {
  if (words.length > 0) throw new UsageError(`daemon takes no arguments, and "${words[0]}" was given`);
  const path = configPath(options.value("config"));
  const config: Config = readConfig(path);
  const mountPoint = options.flag("no-mount") ? null : options.value("mount") ?? config.mount;
  if (mountPoint === undefined) {
    throw new UsageError(
      "Nothing says where to mount: give --mount DIR or --no-mount, or set mount in the configuration",
    );
  }
  const socket = options.value("socket") ?? config.socket;
  return {
    games: options.flag("follow-symlinks")
      ? config.games.map((game) => ({ ...game, followSymlinks: true }))
      : config.games,
    awaitsSources: true,
    config: path,
    mountPoint,
    layout: defaultLayout,
    mountOptions: mountOptions(options, config.options ?? []),
    ...(socket === undefined ? {} : { socket }),
    cacheBytes: config.cache ?? defaultCacheBytes,
    hung: { mode: config.hung ?? "wait", patience: (config.hungAfter ?? defaultHungSeconds) * 1000 },
    keepsIndex: !options.flag("no-index-cache"),
    watching: options.flag("no-watch") || config.watch === false ? "off" : defaultWatching(),
    quiet: options.flag("quiet"),
    ...logging(options),
  };
}

/** What the log is to hold, and how. */
function logging(options: OptionValues): Pick<DaemonPlan, "logFormat" | "debugsFuse"> {
  const wanted = options.value("log-format") ?? "text";
  const logFormat = logFormats.find((format) => format === wanted);
  if (!logFormat) throw new UsageError(`--log-format is one of ${logFormats.join(", ")}, and not "${wanted}"`);
  return { logFormat, debugsFuse: options.flag("debug-fuse") };
}

/** Options of the mount: `-o a,b -o c` after those of the configuration. */
function mountOptions(options: OptionValues, configured: readonly string[]): ParsedMountOptions {
  try {
    return parseMountOptions([...configured, ...options.value("options")?.split(",") ?? []]);
  } catch (error) {
    if (error instanceof MountOptionError) throw new UsageError(error.message);
    throw error;
  }
}

async function run(args: readonly string[], waiting: Waiting, threads: MountThreads): Promise<void> {
  const before = parseOptions(args, [...commonOptions, ...connectionOptions], true);
  const [command = "", ...rest] = before.words;
  const description = launcherCommands.find((candidate) => candidate.name === command);
  if (!description) throw new UsageError(`There is no command "${command}" here; the launcher pakfs knows them all`);
  const after = parseOptions(rest, [...description.options, ...commonOptions]);
  const options = before.options.and(after.options);
  if (command === "mount") await runDaemon(() => mountPlan(after.words, options), waiting, threads);
  else if (command === "daemon") await runDaemon(() => daemonPlan(after.words, options), waiting, threads);
  else await runDemo(after.words, options, waiting, threads);
}

/** May stand in front of the command as well as behind it. */
const connectionOptions = [{ name: "socket", value: "PATH", summary: "answer commands on this socket" }] as const;
const commonOptions = [
  { name: "quiet", short: "q", summary: "only warnings and errors" },
  { name: "color", value: "WHEN", choices: ["auto", "always", "never"], summary: "auto, always or never" },
  { name: "json", summary: "tell what fails as a JSON object" },
] as const;

const expectedErrors = [UsageError, ConfigError, GameError, MountError, SocketError, FuseError];

/** Tells what went wrong, to the user and to the launcher; the exit code. */
function fail(error: unknown, readiness: Readiness): number {
  const isExpected = expectedErrors.some((kind) => error instanceof kind);
  const message = error instanceof Error ? (isExpected ? error.message : error.stack ?? error.message) : String(error);
  const code = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  if (Deno.args.includes("--json")) {
    // As every other command tells it: an ErrorRow of docs/json.md.
    const kind = error instanceof UsageError ? "usage" : "failed";
    const line = JSON.stringify({ error: { kind, message, exitCode: code } });
    if (readiness.isAwaited) readiness.message(line);
    else Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
  } else new Log({ quiet: false, alsoTo: (line) => readiness.message(line) }).write("error", message);
  readiness.fail(code);
  return code;
}

/** Runs the command of the command line; sets the exit code of the process. */
export async function runProgram(threads: MountThreads): Promise<void> {
  using library = new CLibrary();
  const readiness = new Readiness(library);
  const waiting: Waiting = { readiness, manager: new ServiceManager(library), library };
  try {
    await run(Deno.args, waiting, threads);
  } catch (error) {
    Deno.exitCode = fail(error, readiness);
  }
}
