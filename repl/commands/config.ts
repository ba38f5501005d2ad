/**
 * The configuration and the profiles, without a daemon: `config`, `profiles`.
 *
 * The modules are loaded when one of these commands runs, so that the others start without the reader.
 * @module
 */
import { command } from "../command/command.ts";
import { didYouMean, type OptionSpec } from "../../system/mod.ts";
import { CommandError } from "../output/failure.ts";
import { oneRow, tableOf } from "../output/results.ts";

const configOption: OptionSpec = {
  name: "config",
  value: "FILE",
  kind: "file",
  summary: "default: $PAKFS_CONFIG, else ~/.config/pakfs/config.toml",
};

export const config = command({
  name: "config",
  group: "Start",
  scope: "anywhere",
  rows: ["ResolvedConfig"],
  summary: "print the configuration in effect, with what was detected for each game",
  arguments: [],
  options: [configOption],
  examples: [{ line: "config --json", does: "one object, for scripts" }],
  async *run(_context, { options }) {
    const { resolveConfig } = await import("../../daemon/config/resolved_config.ts");
    const { resolved, toml } = await resolveConfig(options.value("config"));
    yield oneRow(resolved, (page) => page.lines(toml));
    return resolved.games.some(({ problem }) => problem !== null) ? 1 : 0;
  },
});

export const profiles = command({
  name: "profiles",
  group: "Ask",
  scope: "anywhere",
  rows: ["ProfileRow"],
  summary: "list the known engines, or print the rules of one",
  arguments: [{ name: "NAME", kind: "profile", optional: true }],
  options: [configOption],
  details: [
    "The rules of one are printed in the form of the configuration. A custom profile starts from one with " +
    'extends = "NAME" and sets only what differs.',
  ],
  examples: [
    { line: "profiles", does: "all of them, including your own" },
    { line: "profiles ioquake3", does: "its rules, as a start for your own" },
  ],
  async *run(_context, { words: [name], options }) {
    const { allProfiles, profileToml } = await import("../../daemon/config/profiles.ts");
    const { configPath } = await import("../../daemon/config/paths.ts");
    const all = await allProfiles(configPath(options.value("config")));
    if (name === undefined) {
      yield tableOf(all.map(({ profile, source }) => ({ ...profile, source })), [
        { title: "PROFILE", cell: (row) => row.name },
        { title: "SOURCE", cell: ({ source }) => ({ text: source ?? "pakfs", style: "dim" }) },
        { title: "ENGINE", isProse: true, cell: (row) => row.title },
      ]);
      return;
    }
    const found = all.find(({ profile }) => profile.name === name);
    if (!found) {
      const names = all.map(({ profile }) => profile.name);
      throw new CommandError(`unknown profile ${name}${didYouMean(name, names)}`);
    }
    yield oneRow({ ...found.profile, source: found.source }, (page) => page.lines(profileToml(found.profile)));
  },
});
