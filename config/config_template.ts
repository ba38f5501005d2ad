/**
 * A first configuration: the games that were found, and a comment for whatever else could be said.
 * @module
 */
import type { GameReport } from "../index/detect/report.ts";
import { type ConfigKey, gameKeys, schemaAddress, topKeys } from "./config_settings.ts";

/** Where a first configuration mounts. */
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

/** The text of the file. It can be read as it is, and says what else it could hold. */
export function initialConfig(games: readonly GameReport[]): string {
  const isGiven = (name: string) => ["mount", "game", "profile"].includes(name);
  return [
    `#:schema ${schemaAddress()}\n`,
    "# The configuration of pakfs, made by pakfs init. pakfs config prints what takes effect, pakfs doctor checks it,\n" +
    "# pakfs daemon serves it.\n",
    `# ${topKeys.find(({ name }) => name === "mount")?.sentence ?? ""} Make it first: mkdir -p ${defaultMount}\n` +
    `mount = "${defaultMount}"\n`,
    `# Other keys here:\n${topKeys.filter(({ name }) => !isGiven(name)).map(keyComment).join("\n")}\n#\n` +
    `# Keys of a game:\n${gameKeys.map(keyComment).join("\n")}\n`,
    ...games.length === 0 ? [example] : games.map(({ title, toml }) => `# ${commented(title)}\n${toml}`),
  ].join("\n");
}

/** Text that stays in its comment. */
function commented(text: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what TOML does not allow there
  return text.replaceAll(/[\x00-\x1f\x7f]+/g, " ");
}
