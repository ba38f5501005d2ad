/**
 * The configuration and the profiles, without a daemon: `config`, `profiles`.
 *
 * They are read when one of these commands runs, so that the others start without the reader.
 * @module
 */
import type { RunnableCommand } from "../command/command.ts";
import type { OptionSpec } from "../../command_line/options.ts";
import { didYouMean } from "../../command_line/suggest.ts";
import { CommandError } from "../output/failure.ts";
import { Table } from "../output/render.ts";

const configOption: OptionSpec = {
  name: "config",
  value: "FILE",
  kind: "file",
  summary: "default: $PAKFS_CONFIG, else ~/.config/pakfs/config.toml",
};

const config: RunnableCommand = {
  name: "config",
  group: "Start",
  scope: "anywhere",
  rows: ["ResolvedConfig"],
  summary: "print the configuration as it takes effect, with what was detected for each game",
  arguments: [],
  options: [configOption],
  examples: [{ line: "config --json", does: "one object, for scripts" }],
  run: async ({ output }, { options }) => {
    const { resolveConfig } = await import("../../config/resolved_config.ts");
    const { resolved, toml } = await resolveConfig(options.value("config"));
    if (output.json) output.row(resolved);
    else for (const line of toml.trimEnd().split("\n")) output.line(line);
    return resolved.games.some(({ problem }) => problem !== null) ? 1 : 0;
  },
};

const profiles: RunnableCommand = {
  name: "profiles",
  group: "Ask",
  scope: "anywhere",
  rows: ["ProfileRow"],
  summary: "list the engines whose rules are known, or print the rules of one",
  arguments: [{ name: "NAME", kind: "none", optional: true }],
  options: [configOption],
  details: [
    "The rules of one are printed as they would be written in the configuration. A profile of your own begins from one " +
    'with extends = "NAME", and needs only what differs.',
  ],
  examples: [
    { line: "profiles", does: "all of them, and those of your configuration" },
    { line: "profiles ioquake3", does: "its rules, ready to be changed" },
  ],
  run: async ({ output }, { words, options }) => {
    const { allProfiles } = await import("../../config/profiles.ts");
    const { configPath } = await import("../../config/paths.ts");
    const all = allProfiles(configPath(options.value("config")));
    const [name] = words;
    if (name !== undefined) {
      const found = all.find(({ profile }) => profile.name === name);
      if (!found) {
        const names = all.map(({ profile }) => profile.name);
        throw new CommandError(`there is no profile "${name}"${didYouMean(name, names)}`);
      }
      const { profileToml } = await import("../../index/settings/profile_settings.ts");
      if (output.json) output.row({ ...found.profile, source: found.source });
      else for (const line of profileToml(found.profile).trimEnd().split("\n")) output.line(line);
      return;
    }
    const table = new Table(output, [{ title: "PROFILE" }, { title: "ENGINE" }, { title: "SOURCE" }]);
    for (const { profile, source } of all) {
      if (output.json) output.row({ ...profile, source });
      else table.add(profile.name, profile.title, { text: source ?? "pakfs", style: "dim" });
    }
    table.end();
  },
};

/** Commands of this file. */
export const configCommands: readonly RunnableCommand[] = [profiles, config];
