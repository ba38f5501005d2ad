/**
 * The commands that serve: `mount`, `daemon`, `demo`.
 *
 * Modules that a mount does not need are loaded once it is ready: the service for clients
 * (`daemon/lifecycle/serving.ts`), Node's own modules (`formats/core/builtins.ts`), which take longer to load than Deno
 * takes to start, and timers, which load some of these. The decoders (`mount/member_reading.ts`) and the comparison of
 * engines are loaded while the session starts. Therefore archives are read by system calls
 * (`index/content/archive_reader.ts`).
 * @module
 */
import { FuseError } from "deno-fuse-ffi";
import { GameError } from "../games/mod.ts";
import { parsePureList } from "../views/mod.ts";
import { loadedPaths, type Profile, profileNamed, profiles } from "../engines/mod.ts";
import { launcherCommands } from "./config/launcher_commands.ts";
import { nameSettingsFrom } from "./config/name_options.ts";
import {
  awaitCodeWrites,
  exitCodes,
  FileSystems,
  hostPath,
  jsonLine,
  Log,
  logFormats,
  type OptionValues,
  parseOptions,
  readFileSystems,
  readMountTable,
  SystemCalls,
  UsageError,
} from "../system/mod.ts";
import { configPath } from "./config/paths.ts";
import { defaultCacheBytes, defaultHungSeconds, defaultWatchMode } from "./config/defaults.ts";
import {
  hungModes,
  MountError,
  MountOptionError,
  type ParsedMountOptions,
  parseMountOptions,
  PrestartedSession,
} from "../mount/mod.ts";
import { Daemon } from "./lifecycle/daemon.ts";
import type { DaemonOptions, OptionsReader, ProcessContext } from "./lifecycle/daemon_options.ts";
import { announceMount } from "./lifecycle/announcement.ts";
import { socketPath } from "../protocol/mod.ts";
import { LauncherPipe } from "./lifecycle/launcher_pipe.ts";
import { requireAnswers } from "./lifecycle/mount_point.ts";
import { ScanDisplay } from "./lifecycle/scan_display.ts";
import { ServiceManager } from "./lifecycle/service_manager.ts";
import { findMountSources, type MountSources } from "./mount_sources.ts";
import { SocketError } from "./server/server.ts";

/** Returns the sources and the mount point of `mount SOURCE... MOUNTPOINT`; with `--iwad` no source is needed. */
function mountArguments(
  words: readonly string[],
  options: OptionValues,
): { readonly sources: readonly string[]; readonly mountPoint: string } {
  const typed = words.map(hostPath);
  const mountPoint = typed.at(-1);
  const sources = typed.slice(0, -1);
  if (mountPoint !== undefined && (sources.length > 0 || options.flag("iwad"))) return { sources, mountPoint };
  const needed = mountPoint === undefined ? "a source and a mount point" : `a mount point after ${mountPoint}`;
  throw new UsageError(`mount needs ${needed}: pakfs mount SOURCE... MOUNTPOINT`);
}

/** Returns the options of `mount` for these games. */
async function mountCommandOptions(
  games: MountSources["games"],
  mountPoint: string,
  options: OptionValues,
): Promise<DaemonOptions> {
  const wanted = options.value("profile");
  const config = configPath(options.value("config"));
  const profile = wanted === undefined ? undefined : profileNamed(wanted) ?? await ownProfile(wanted, config);
  const name = options.value("game");
  const base = options.value("base");
  const words = options.value("with");
  const socket = options.value("socket");
  const iwad = options.value("iwad");
  const autoload = options.value("autoload");
  return {
    games: games.map(({ roots: sources, name: ownName }) => ({
      sources: iwad === undefined ? sources : loadedPaths(iwad, sources),
      ...(iwad === undefined ? {} : { iwad, files: sources }),
      ...(autoload === undefined ? {} : { autoload }),
      ...(profile === undefined ? {} : { profile }),
      ...(name ?? ownName) === undefined ? {} : { name: name ?? ownName },
      ...(base === undefined ? {} : { base }),
      ...(words === undefined ? {} : { with: parsePureList(words) }),
      ...nameSettingsFrom(options),
      nested: options.flag("nested"),
      strict: options.flag("strict-engine"),
      followSymlinks: options.flag("follow-symlinks"),
    })),
    // A typed path should exist.
    awaitsSources: false,
    config: profile === undefined || profiles.includes(profile) ? null : config,
    mountPoint,
    layout: {
      view: options.value("view") ?? null,
      showPacks: options.flag("show-packs"),
      showAs: options.flag("show-as"),
    },
    mountOptions: mountOptions(options, []),
    ...(socket === undefined ? {} : { socket }),
    cacheBytes: defaultCacheBytes,
    hung: {
      mode: hungModes.find((mode) => mode === options.value("hung")) ?? "wait",
      timeout: defaultHungSeconds * 1000,
    },
    watchMode: options.flag("no-watch") ? "off" : defaultWatchMode(),
    quiet: options.flag("quiet") || !(options.flag("foreground") || options.flag("debug-fuse")),
    ...sharedOptions(options),
  };
}

/** Mounts games: through a running daemon, else as a new daemon. */
async function mountGames(
  words: readonly string[],
  options: OptionValues,
  context: ProcessContext,
  threads: PrestartedSession,
): Promise<void> {
  const { sources, mountPoint } = mountArguments(words, options);
  const { launcher, system } = context;
  const fileSystems = new FileSystems(readMountTable(system.files));
  const isRemote = (path: string) => fileSystems.remoteOf(path) !== undefined;
  await requireAnswers([mountPoint], isRemote, "choose another mount point");
  // A daemon that is joined would wait for them, as it does for configured sources.
  await requireAnswers([...sources, ...options.list("names")], isRemote, "try again when it does");
  const isChosen = ["profile", "base", "iwad"].some((name) => options.flag(name));
  const found = isChosen ? { games: [{ roots: sources }], notes: [] } : await findMountSources(sources, isRemote);
  if (found.games.length > 1 && options.flag("game")) {
    throw new UsageError(
      `--game names one game, but ${found.games.length} were found: ${
        found.games.flatMap(({ roots }) => roots).join(", ")
      }`,
    );
  }
  const log = new Log({ quiet: options.flag("quiet") });
  for (const note of found.notes) {
    log.write("notice", note);
    if (!options.flag("quiet")) launcher.message(note);
  }
  const read = () => mountCommandOptions(found.games, mountPoint, options);
  await joinOrServe(read, (wanted) => joinRunning(wanted, options, launcher), context, threads);
}

/** Attempts to join or start a daemon: two commands may start one at the same time, or another may just end. */
const maxAttempts = 5;

/**
 * Mounts games through a running daemon, else serves them as a daemon.
 * @param join Asks a running daemon to mount them and waits for the end of the command; false if none runs.
 */
async function joinOrServe(
  read: OptionsReader,
  join: (wanted: DaemonOptions) => Promise<boolean>,
  context: ProcessContext,
  threads: PrestartedSession,
): Promise<void> {
  for (let attempt = 1;; attempt++) {
    // deno-lint-ignore no-await-in-loop -- tried again only where another daemon began or ended meanwhile
    const wanted = await read();
    // deno-lint-ignore no-await-in-loop -- as above
    if (await join(wanted)) return;
    try {
      // deno-lint-ignore no-await-in-loop -- as above
      return await new Daemon(wanted, read, context, attempt === 1 ? threads : new PrestartedSession()).run();
    } catch (error) {
      const isTaken = error instanceof SocketError && error.isTaken;
      if (!isTaken || wanted.mountPoint === null || attempt === maxAttempts) throw error;
    }
  }
}

/** Mounts through a running daemon, and with --foreground waits for that mount to end; false if no daemon runs. */
async function joinRunning(wanted: DaemonOptions, options: OptionValues, launcher: LauncherPipe): Promise<boolean> {
  if (!exists(socketPath(wanted.socket))) return false;
  const { Foreground, joinDaemon } = await import("./join.ts");
  using foreground = options.flag("foreground") ? new Foreground() : undefined;
  const display = new ScanDisplay(launcher, wanted.quiet);
  const joined = await joinDaemon(wanted, options, { display, signal: foreground?.signal });
  if (!joined) return foreground?.signal.aborted === true;
  const { mounted, socket, pid } = joined;
  const { choices, problems, ...row } = mounted;
  const log = new Log({ quiet: wanted.announcement !== "sentence", alsoTo: (line) => launcher.message(line) });
  for (const problem of problems) log.write("warning", problem);
  announceMount(launcher, wanted.announcement, row, choices, { socket, pid });
  if (foreground) log.write("info", `mounted at ${row.mount}; served by process ${pid}; socket ${socket}`);
  launcher.succeed(socket);
  if (await foreground?.hold(joined) === "lost") {
    throw new MountError(`${row.mount}: process ${pid}, which served it, has died`);
  }
  return true;
}

/** Returns the options of `daemon [--config FILE] [--mount DIR] [--no-mount]`. */
async function daemonCommandOptions(words: readonly string[], options: OptionValues): Promise<DaemonOptions> {
  if (words.length > 0) {
    throw new UsageError(`daemon takes no arguments, not ${words[0]}; --config FILE names its configuration`);
  }
  const path = configPath(options.value("config"));
  const { readConfig } = await import("./config/config_file.ts");
  const config = await readConfig(path);
  const mountPoint = options.flag("no-mount") ? null : options.value("mount") ?? config.mount;
  if (mountPoint === undefined) {
    throw new UsageError(
      "no mount point; give --mount DIR or --no-mount, or set mount in the configuration",
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
    layout: { view: null, showPacks: config.showPacks ?? false, showAs: config.showAs ?? false },
    mountOptions: mountOptions(options, config.options ?? []),
    ...(socket === undefined ? {} : { socket }),
    cacheBytes: config.cache ?? defaultCacheBytes,
    hung: { mode: config.hung ?? "wait", timeout: (config.hungAfter ?? defaultHungSeconds) * 1000 },
    watchMode: options.flag("no-watch") || config.watch === false ? "off" : defaultWatchMode(),
    quiet: options.flag("quiet"),
    ...sharedOptions(options),
  };
}

function sharedOptions(
  options: OptionValues,
): Pick<DaemonOptions, "keepsIndex" | "logFormat" | "announcement" | "debugsFuse"> {
  return {
    announcement: options.flag("json") ? "json" : options.flag("quiet") ? "nothing" : "sentence",
    keepsIndex: !options.flag("no-index-cache"),
    logFormat: logFormats.find((format) => format === options.value("log-format")) ?? "text",
    debugsFuse: options.flag("debug-fuse"),
  };
}

/** Returns the options of the mount: the configuration's, then `-o a,b -o c`. */
function mountOptions(options: OptionValues, configured: readonly string[]): ParsedMountOptions {
  try {
    return parseMountOptions([...configured, ...options.value("options")?.split(",") ?? []]);
  } catch (error) {
    if (error instanceof MountOptionError) throw new UsageError(error.message);
    throw error;
  }
}

/** Options that may come before the command as well as after it. */
const connectionOptions = [{ name: "socket", value: "PATH", summary: "answer commands on this socket" }] as const;
const commonOptions = [
  { name: "quiet", short: "q", summary: "only warnings and errors" },
  { name: "color", value: "WHEN", choices: ["auto", "always", "never"], summary: "auto, always or never" },
  { name: "json", summary: "report a failure as a JSON object" },
] as const;

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false; // opening the socket reports other faults
  }
}

/** Returns the profile of a name that is not built in. */
async function ownProfile(name: string, path: string): Promise<Profile> {
  const { profileCalled } = await import("./config/profiles.ts");
  return await profileCalled(name, path);
}

async function run(args: readonly string[], context: ProcessContext, threads: PrestartedSession): Promise<void> {
  const before = parseOptions(args, [...commonOptions, ...connectionOptions], true);
  const [command = "", ...rest] = before.words;
  const description = launcherCommands.find((candidate) => candidate.name === command);
  if (!description) throw new UsageError(`unknown command ${command} here; run it with the launcher pakfs`);
  const after = parseOptions(rest, [...description.options, ...commonOptions], false, command);
  const options = before.options.and(after.options);
  if (command === "demo") {
    const { runDemo } = await import("./demo_command.ts");
    return await runDemo(after.words, options, context, threads);
  }
  if (command === "mount") return await mountGames(after.words, options, context, threads);
  await serveConfiguration(() => daemonCommandOptions(after.words, options), options, context, threads);
}

/**
 * Serves the games of a configuration: through a running daemon as long as that runs, else as the daemon of this user.
 */
async function serveConfiguration(
  read: OptionsReader,
  options: OptionValues,
  context: ProcessContext,
  threads: PrestartedSession,
): Promise<void> {
  const reloads = !context.system.process.hasTerminal() || context.ignoresHangUp;
  const join = async ({ mountPoint, socket }: DaemonOptions) => {
    if (mountPoint === null) return false;
    const fileSystems = readFileSystems();
    const isRemote = (path: string) => fileSystems.remoteOf(path) !== undefined;
    await requireAnswers([mountPoint], isRemote, "choose another mount point");
    if (!exists(socketPath(socket))) return false;
    const { serveBeside } = await import("./join.ts");
    return await serveBeside(options, { ...context, read, reloads });
  };
  await joinOrServe(read, join, context, threads);
}

const expectedErrors = [UsageError, GameError, MountError, SocketError, FuseError];

/** Reports a failure to the user and to the launcher, and returns the exit code. */
function fail(error: unknown, launcher: LauncherPipe): number {
  // The class of configuration errors is in a module that may not be loaded.
  const isExpected = expectedErrors.some((kind) => error instanceof kind) ||
    (error instanceof Error && error.name === "ConfigError");
  const message = error instanceof Error ? (isExpected ? error.message : error.stack ?? error.message) : String(error);
  const code = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  if (Deno.args.includes("--json")) {
    // An ErrorRow, which other commands print with --json.
    const kind = error instanceof UsageError ? "usage" : "failed";
    const line = jsonLine({ error: { kind, message, exitCode: code } });
    if (launcher.isAwaited) launcher.object(line);
    else Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
  } else new Log({ quiet: false, alsoTo: (line) => launcher.message(line) }).write("error", message);
  launcher.fail(code);
  return code;
}

/** Runs the command of the command line, and sets the exit code of the process. */
export async function runProgram(threads: PrestartedSession, ignoresHangUp: boolean): Promise<void> {
  using system = new SystemCalls();
  const launcher = new LauncherPipe(system.process);
  try {
    await run(Deno.args, { launcher, manager: new ServiceManager(system), system, ignoresHangUp }, threads);
  } catch (error) {
    Deno.exitCode = fail(error, launcher);
  }
  awaitCodeWrites(system.files);
}
