/**
 * The client: one-shot commands, scripts and the REPL.
 *
 * ```sh
 * pakfs find '*.wav' --json       # one command
 * pakfs -c 'use quake/hipnotic' -c 'ls maps'
 * pakfs -f tour.pakfs             # a script
 * pakfs                           # the REPL, on a terminal
 * ```
 * @module
 */
import { connectSocket, socketPath, version } from "../protocol/mod.ts";
import { commandTable } from "./commands/table.ts";
import { asksForJson, prepare, report, run, type Surroundings } from "./shell/execute.ts";
import { exitCodes, type OptionValues, UsageError } from "../system/mod.ts";
import { connectionOptions, preferencesFrom } from "./command/global_options.ts";
import { type GameRoots, nameSettingsFrom } from "../daemon/mod.ts";
import { parseRequest, type Request } from "./command/request.ts";
import { overview } from "./help/help.ts";
import { counted } from "./output/human.ts";
import { CommandError } from "./output/failure.ts";
import { Output } from "./output/output.ts";
import { oneRow } from "./output/results.ts";
import { standardSink } from "./output/sink.ts";
import { mayRunShell, type TerminalLoan } from "./output/shell_pipe.ts";
import type { Script } from "./shell/script.ts";
import type { Interrupts } from "./shell/repl.ts";
import { type OpenConnection, Session } from "./command/session.ts";

/**
 * @param output Receives a note about an engine that the user did not choose.
 */
function opener(options: OptionValues, output: Output): OpenConnection {
  const sources = [...options.list("source")];
  const profile = options.value("profile");
  const game = options.value("game");
  const base = options.value("base");
  const strict = options.flag("strict-engine");
  const followSymlinks = options.flag("follow-symlinks");
  const names = nameSettingsFrom(options);
  if (sources.length === 0) {
    const isOwn = profile !== undefined || game !== undefined || base !== undefined || strict || followSymlinks ||
      Object.keys(names).length > 0;
    if (isOwn || options.flag("no-index-cache")) {
      throw new UsageError(
        "--profile, --game, --base, --strict-engine, --follow-symlinks, --names, --hash and --no-index-cache need " +
          "--source DIR",
      );
    }
    const named = options.value("socket");
    const path = socketPath(named);
    const onStranger = (sentence: string) => output.warning(sentence);
    return (signal) =>
      connectSocket(path, {
        client: `pakfs ${version}`,
        ...(named === undefined ? {} : { onStranger }),
        signal,
      });
  }
  if (options.flag("socket")) {
    throw new UsageError("--socket and --source cannot be combined: --source asks no daemon");
  }
  return async () => {
    const [{ openLocal }, { defaultIndexCache }] = await Promise.all([
      import("../service/local.ts"),
      import("../daemon/config/paths.ts"),
    ]);
    const mountTable = Deno.env.get("PAKFS_MOUNTS");
    const isDetected = profile === undefined && sources.length === 1;
    const { roots, name } = isDetected ? await detectedRoots(sources, mountTable ?? "") : { roots: sources };
    return openLocal({
      sources: roots,
      ...(profile === undefined ? {} : { profile: await requireProfile(profile) }),
      ...(game ?? name) === undefined ? {} : { game: game ?? name },
      ...base === undefined ? {} : { base },
      ...names,
      strict,
      followSymlinks,
      onChoice: (sentence) => output.remark(sentence),
      onProblems: (sentences) => warnOfProblems(sentences, output),
      mountTable,
    }, { cache: options.flag("no-index-cache") ? undefined : defaultIndexCache() });
  };
}

/** Maximum number of printed problems of an index. */
const maxProblems = 5;

function warnOfProblems(sentences: readonly string[], output: Output): void {
  for (const sentence of sentences.slice(0, maxProblems)) output.warning(sentence);
  const more = sentences.length - maxProblems;
  if (more > 0) output.warning(`${counted(more, "more problem")}; status lists them`);
}

/**
 * Returns the roots of the game in a base directory.
 * @throws {CommandError} if it does not answer, for which an index of it would wait once more.
 */
async function detectedRoots(sources: readonly string[], mountTable: string): Promise<GameRoots> {
  const [{ findRoots }, { FileSystems }] = await Promise.all([
    import("../daemon/config/game_roots.ts"),
    import("../system/file_systems.ts"),
  ]);
  const fileSystems = new FileSystems(mountTable);
  const { games: [found = { roots: sources }], silent } = await findRoots(
    sources,
    (path) => fileSystems.remoteOf(path) !== undefined,
  );
  for (const source of sources) {
    const remote = fileSystems.remoteOf(source);
    if (!remote || !silent.includes(remote.mountPoint)) continue;
    throw new CommandError(`${source} is on ${remote.mountPoint} (${remote.type}), which does not answer`);
  }
  return found;
}

/** Returns the profile with a name; reads the user's configuration only if it is not built in. */
async function requireProfile(name: string) {
  const { profileCalled } = await import("../daemon/config/profiles.ts");
  const { configPath } = await import("../daemon/config/paths.ts");
  return await profileCalled(name, configPath(undefined));
}

function standardOutput(): Output {
  const environment = {
    HOME: Deno.env.get("HOME"),
    NO_COLOR: Deno.env.get("NO_COLOR"),
    FORCE_COLOR: Deno.env.get("FORCE_COLOR"),
    TERM: Deno.env.get("TERM"),
    TERM_PROGRAM: Deno.env.get("TERM_PROGRAM"),
    COLORTERM: Deno.env.get("COLORTERM"),
    KITTY_WINDOW_ID: Deno.env.get("KITTY_WINDOW_ID"),
    PAKFS_GRAPHICS: Deno.env.get("PAKFS_GRAPHICS"),
  };
  const preferences = { mode: "table", colour: "auto", quiet: false } as const;
  return new Output(standardSink(Deno.stdout), standardSink(Deno.stderr), preferences, environment);
}

async function* scriptsOf(options: OptionValues): AsyncGenerator<Script> {
  const { openScript } = await import("./shell/script.ts");
  const commands = options.list("command");
  if (commands.length > 0) yield { file: "-c", lines: commands.flatMap((command) => command.split("\n")) };
  // deno-lint-ignore no-await-in-loop -- scripts run one after another
  for (const file of options.list("file")) yield await openScript(file);
}

async function runScripts(scripts: AsyncIterable<Script>, surroundings: Surroundings): Promise<number> {
  const { runScript } = await import("./shell/script.ts");
  for await (const script of scripts) {
    const code = await runScript(script, surroundings);
    if (code !== exitCodes.ok || surroundings.session.ended) return code;
  }
  return exitCodes.ok;
}

/** Collaborators of one run of the program. */
interface Program {
  readonly output: Output;
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  readonly interrupts: Interrupts;
  /** While a pager has the keyboard, Ctrl-C also goes to the pager, and must not end this program first. */
  readonly keyboard: TerminalLoan;
}

/** Runs a command whose results go through the pager if they go to a terminal. */
async function onTerminal({ output, keyboard }: Program, run: () => Promise<number>): Promise<number> {
  if (!output.terminal || !mayRunShell()) return await run();
  const { paged, usablePager } = await import("./output/pager.ts");
  const pager = usablePager();
  return pager === undefined ? await run() : await paged(pager, output, keyboard, run);
}

async function runOnce(request: Request, program: Program): Promise<number> {
  const { output, signal } = program;
  const { command, input } = prepare(request.words, commandTable, connectionOptions);
  const options = request.options.and(input.options);
  // A command's own option does not select the daemon or index, even if it has the name of one that does.
  const own = command.options.map((option) => option.name);
  const printed = output.with(preferencesFrom(options));
  await using session = new Session(opener(request.options.and(input.options.without(own)), printed));
  const surroundings = { commands: commandTable, session, output, signal, remembers: false };
  const runIt = () => run({ command, input: { words: input.words, options } }, surroundings);
  const isLive = command.scope !== "launcher" && command.live === true && !options.flag("help");
  const isAtOnce = options.flag("no-pager") || isLive;
  return isAtOnce ? await runIt() : await onTerminal(program, runIt);
}

async function runMany(request: Request, { output, signal, interrupts }: Program): Promise<number> {
  const { options } = request;
  const preferred = output.with(preferencesFrom(options));
  await using session = new Session(opener(options, preferred), options.value("view"));
  const surroundings = { commands: commandTable, session, output: preferred, signal, remembers: true };
  if (options.flag("batch")) {
    const [{ runBatch }, { openScript }] = [await import("./shell/batch.ts"), await import("./shell/script.ts")];
    const batch = { ...surroundings, output: preferred.with({ mode: "jsonlines" }) };
    return await runBatch(await openScript("-"), batch);
  }
  if (options.flag("command") || options.flag("file")) return await runScripts(scriptsOf(options), surroundings);
  if (!Deno.stdin.isTerminal()) {
    const { openScript, runScript } = await import("./shell/script.ts");
    return await runScript(await openScript("-"), surroundings);
  }
  // The daemon replies while the code of the REPL is loaded.
  session.beginConnecting();
  const { runRepl } = await import("./shell/repl.ts");
  return await runRepl(surroundings, interrupts);
}

async function dispatch(args: readonly string[], program: Program): Promise<number> {
  const request = parseRequest(args);
  const { options, words } = request;
  const isHelp = options.flag("help") && words.length === 0;
  if (!isHelp && !options.flag("version")) {
    return words.length > 0 ? await runOnce(request, program) : await runMany(request, program);
  }
  const preferred = program.output.with(preferencesFrom(options));
  const print = async () => {
    const versionRow = oneRow({ version }, (page) => page.line(`pakfs ${version}`));
    await preferred.printAll(isHelp ? overview(commandTable) : versionRow);
    return exitCodes.ok;
  };
  return options.flag("no-pager") ? await print() : await onTerminal(program, print);
}

/**
 * Runs the client.
 * @param args The command line, without the program's name.
 * @returns The exit code.
 */
export async function main(args: readonly string[]): Promise<number> {
  const output = standardOutput();
  const controller = new AbortController();
  let hasKeyboard = true;
  const interrupts: Interrupts = {
    handle: () => {
      // Pressed twice: the command does not stop on its own.
      if (controller.signal.aborted && hasKeyboard) Deno.exit(exitCodes.interrupted);
      controller.abort();
    },
  };
  const keyboard: TerminalLoan = {
    giveAway: () => void (hasKeyboard = false),
    takeBack: () => void (hasKeyboard = true),
  };
  Deno.addSignalListener("SIGINT", () => interrupts.handle());
  try {
    return await dispatch(args, { output, signal: controller.signal, interrupts, keyboard });
  } catch (error) {
    return report(error, output.with(asksForJson(args) ? { mode: "jsonlines" } : {}));
  } finally {
    // Keep listening: a Ctrl-C for the pager that arrives after its end must not end this program by a signal.
    interrupts.handle = () => {};
  }
}

/** Runs the command line of this process, and ends the process. */
export async function start(): Promise<never> {
  Deno.exit(await main(Deno.args));
}

if (import.meta.main) await start();
