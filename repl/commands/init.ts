/**
 * `init`: a first configuration.
 * @module
 */
import { ensureDir } from "@std/fs";
import { dirname } from "@std/path";
import { command } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { counted } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import { findGames } from "./detect.ts";

const onlyForMe = 0o600;

/** Writes a new file; an existing file is replaced as a whole, and only with `overwrites`. */
async function writeConfig(path: string, text: string, overwrites: boolean): Promise<void> {
  if (overwrites && (await Deno.stat(path).catch(() => undefined))?.isFile === false) {
    throw new CommandError(`${path}: not a regular file; name another one`);
  }
  await ensureDir(dirname(path));
  const target = overwrites ? `${path}.${crypto.randomUUID()}.tmp` : path;
  try {
    await Deno.writeTextFile(target, text, { createNew: true, mode: onlyForMe });
    if (overwrites) await Deno.rename(target, path);
  } catch (error) {
    if (overwrites) await Deno.remove(target).catch(() => undefined);
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    const advice = "--force overwrites it, --dry-run previews it";
    throw new CommandError(`${path} exists; ${advice}`, { cause: error });
  }
}

export const init = command({
  name: "init",
  group: "Start",
  scope: "anywhere",
  rows: ["InitRow"],
  summary: "write a first configuration with the games found on this machine",
  arguments: [{ name: "DIR", kind: "file", optional: true, repeated: true }],
  options: [
    {
      name: "config",
      value: "FILE",
      kind: "file",
      summary: "write this file; default: $PAKFS_CONFIG, else ~/.config/pakfs/config.toml",
    },
    { name: "dry-run", short: "n", summary: "print the configuration and write nothing" },
    { name: "force", summary: "overwrite an existing configuration" },
  ],
  details: [
    "Writes the games that detect finds, on the whole machine or in each DIR. Comments in the file explain every key, " +
    "and its first line points editors to its JSON Schema.",
  ],
  examples: [
    { line: "init --dry-run", does: "preview the configuration" },
    { line: "init ~/games/quake", does: "a configuration for this game" },
  ],
  async *run({ output }, { words, options }) {
    const [
      { games, problems },
      { configPath },
      { initialConfig, defaultMount },
    ] = await Promise.all([
      findGames(words),
      import("../../daemon/config/paths.ts"),
      import("../../daemon/config/config_template.ts"),
    ]);
    for (const problem of problems) output.warning(problem);
    const path = configPath(options.value("config"));
    const text = initialConfig(games);
    const row = (written: boolean) => ({ path, written, games: games.map(({ name }) => name), text });
    if (options.flag("dry-run")) {
      yield oneRow(row(false), (page) => page.lines(text));
      return;
    }
    await writeConfig(path, text, options.flag("force"));
    yield oneRow(row(true));
    output.remark(`${path}: ${counted(games.length, "game")}; next: mkdir -p ${defaultMount}, then pakfs daemon`);
  },
});
