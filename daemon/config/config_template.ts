/**
 * The first configuration, which `pakfs init` writes: the games that were found, and a comment for every other key.
 * @module
 */
import type { GameReport } from "../../games/mod.ts";
import { tomlCommentText } from "../../engines/mod.ts";
import { type ConfigKey, gameKeys, schemaAddress, topKeys } from "./config_settings.ts";

/** Mount point of a first configuration. */
export const defaultMount = "~/pakfs";

function keyComment({ name, sentence, takes }: ConfigKey): string {
  return `#   ${name}: ${sentence} (${takes})`;
}

const example = `\
# No games were found. Describe one like this, or run pakfs init DIR with its directory:
#
# [[game]]
# name = "quake"
# sources = ["~/games/quake"]
`;

/** Returns the text of a first configuration. */
export function initialConfig(games: readonly GameReport[]): string {
  const isWritten = (name: string) => ["mount", "game", "profile"].includes(name);
  return [
    `#:schema ${schemaAddress()}\n`,
    "# The configuration of pakfs, written by pakfs init. pakfs config prints what takes effect, pakfs doctor checks\n" +
    "# it, pakfs daemon serves it.\n",
    `# ${topKeys.find(({ name }) => name === "mount")?.sentence ?? ""} Create it first: mkdir -p ${defaultMount}\n` +
    `mount = "${defaultMount}"\n`,
    `# Other keys here:\n${topKeys.filter(({ name }) => !isWritten(name)).map(keyComment).join("\n")}\n#\n` +
    `# Keys of a game:\n${gameKeys.map(keyComment).join("\n")}\n`,
    ...games.length === 0
      ? [example]
      : games.map(({ title, engines, toml }) =>
        `# ${tomlCommentText(title)}${
          engines.length < 2 ? "" : `; other engines play it too: ${engines.slice(1).join(", ")}`
        }\n` +
        toml
      ),
  ].join("\n");
}
