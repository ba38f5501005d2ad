/**
 * The part of the launcher with the options that have a value, so that a value is never mistaken for a command:
 * generated from the command table.
 * @module
 */
import type { OptionSpec } from "../../system/mod.ts";
import type { Command } from "../command/command.ts";

/** Markers of the generated part. */
export const launcherMarks = { begin: "# <command table>\n", end: "# </command table>\n" } as const;

/** Width of the launcher's lines. */
const lineWidth = 120;

/** Pattern of a shell `case`, on as many lines as it needs. */
function shellPattern(words: readonly string[], indentation: string): string {
  const lines = [indentation];
  for (const [index, word] of words.entries()) {
    const isLast = index === words.length - 1;
    const piece = isLast ? `${word})` : `${word} | `;
    const line = lines.at(-1) ?? "";
    if ((line + piece).trimEnd().length + 2 <= lineWidth) lines[lines.length - 1] = line + piece;
    else lines.push(indentation + piece);
  }
  return lines.map((line) => line.trimEnd()).map((line, index) => index === lines.length - 1 ? line : `${line} \\`)
    .join("\n");
}

/**
 * The shell function `takes_value COMMAND OPTION`.
 * @param entry Options before any command.
 */
export function launcherOptions(commands: readonly Command[], entry: readonly OptionSpec[]): string {
  const names = new Set<string>();
  const letters = new Set<string>();
  const add = (prefix: string, options: readonly OptionSpec[]): void => {
    for (const { name, short, value } of options) {
      if (value === undefined) continue;
      names.add(`--${name}`);
      if (short !== undefined) letters.add(`'${prefix} -${short}'`);
    }
  };
  add("", entry);
  for (const { name, aliases = [], options } of commands) {
    for (const called of [name, ...aliases]) add(called.split(" ")[0] ?? called, options);
  }
  return [
    "# Made of the command table; to write it: PAKFS_UPDATE_DOCS=1 deno test -A tests/docs/generated_test.ts",
    "takes_value() {",
    '  case "$2" in',
    `${shellPattern(Array.from(names).sort(), "  ")} ;;`,
    "  --*) return 1 ;;",
    "  *)",
    '    case "$1 $2" in',
    `${shellPattern(Array.from(letters).sort(), "    ")} ;;`,
    "    *) return 1 ;;",
    "    esac",
    "    ;;",
    "  esac",
    "}",
    "",
  ].join("\n");
}
