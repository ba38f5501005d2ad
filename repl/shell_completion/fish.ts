/**
 * Completion for fish.
 * @module
 */
import type { Command } from "../command/command.ts";
import {
  type CompletedCommand,
  completedCommands,
  type CompletedOption,
  type CompletedValue,
  everywhere,
  isAsked,
} from "./words.ts";

/** Quotes a string for fish: only `\` and `'` are special there. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}

function valueOptions({ kind, choices }: CompletedValue): string {
  if (choices.length > 0) return `-x -a ${quoted(choices.join(" "))}`;
  if (kind === "file") return "-r -F";
  return isAsked(kind) ? `-x -a '(__pakfs_ask ${kind})'` : "-x";
}

function optionLine(condition: string, { name, short, value, summary }: CompletedOption): string {
  const letter = short === null ? "" : ` -s ${short}`;
  const takes = value === null ? "" : ` ${valueOptions(value)}`;
  return `complete -c pakfs -n ${quoted(condition)}${letter} -l ${name}${takes} -d ${quoted(summary)}`;
}

function argumentLines({ word, arguments: positional }: CompletedCommand): string[] {
  return positional.flatMap(({ kind, repeated }, index) => {
    const condition = quoted(`__pakfs_at ${repeated ? "-ge" : "-eq"} ${index} ${word}`);
    if (kind === "file") return [`complete -c pakfs -n ${condition} -F`];
    if (kind === "command") return [`complete -c pakfs -n ${condition} -a '(__pakfs_commands)'`];
    return isAsked(kind) ? [`complete -c pakfs -n ${condition} -a '(__pakfs_ask ${kind})'`] : [];
  });
}

/** Returns the script for fish. */
export function fishCompletion(commands: readonly Command[]): string {
  const known = completedCommands(commands);
  const single = known.filter(({ word }) => !word.includes(" "));
  const pairs = known.filter(({ word }) => word.includes(" "));
  const families = [...new Set(pairs.map(({ word }) => word.split(" ")[0] ?? ""))];
  const valued = known.flatMap(({ word, options }) =>
    options.flatMap(({ name, short, value }) =>
      value === null ? [] : [`${word} --${name}`, ...short === null ? [] : [`${word} -${short}`]]
    )
  );
  const valuedEverywhere = everywhere.flatMap(({ name, value }) => value === null ? [] : [` --${name}`]);
  return `\
# Completion of pakfs for fish, made by "pakfs completions fish". Keep it as ~/.config/fish/completions/pakfs.fish

set -g __pakfs_families ${families.map(quoted).join(" ")}
# Options that a value follows, after their command.
set -g __pakfs_valued ${[...valuedEverywhere, ...valued].map(quoted).join(" ")}

# The command before the cursor, and after it the arguments.
function __pakfs_line
    set -l command
    set -l arguments
    set -l waits no
    for word in (commandline -opc)[2..-1]
        if test $waits = yes
            set waits no
        else if string match -q -- '-*' $word
            if contains -- "$command $word" $__pakfs_valued
                set waits yes
            end
        else if test -z "$command"
            set command $word
        else if contains -- "$command" $__pakfs_families
            set command "$command $word"
        else
            set -a arguments $word
        end
    end
    string join \\n -- "$command" $arguments
end

function __pakfs_is
    set -l line (__pakfs_line)
    test "$line[1]" = "$argv"
end

# -eq or -ge, how many arguments there are, and the command.
function __pakfs_at
    set -l line (__pakfs_line)
    test "$line[1]" = "$argv[3..-1]"; and test (math (count $line) - 1) $argv[1] $argv[2]
end

# Asks the daemon of the line, if it names one. Each name is described by its kind, else fish repeats the summary of
# the option after every name.
function __pakfs_ask
    set -l words (commandline -opc)
    set -l who
    set -l option
    for word in $words[2..-1]
        if test -n "$option"
            set -a who "$option=$word"
            set option
        else if contains -- $word --view --socket --source
            set option $word
        else if string match -qr -- '^--(view|socket|source)=' $word
            set -a who $word
        end
    end
    set -l current (commandline -ct)
    string match -qr -- '^--[a-z-]+=' $current; and set current (string replace -r -- '^[^=]*=' '' $current)
    $words[1] complete $who -- $argv[1] "$current" 2>/dev/null | string replace -r '$' "\\t$argv[1]"
end

function __pakfs_commands
    printf '%s\\n' ${single.map(({ word, summary }) => quoted(`${word}\t${summary}`)).join(" ")}
end

complete -c pakfs -f
complete -c pakfs -n '__pakfs_is ""' -a '(__pakfs_commands)'
${families.map((word) => `complete -c pakfs -n '__pakfs_is ""' -a ${word}`).join("\n")}
${
    pairs.map(({ word, summary }) => {
      const [family = "", verb = ""] = word.split(" ");
      return `complete -c pakfs -n '__pakfs_is ${family}' -a ${verb} -d ${quoted(summary)}`;
    }).join("\n")
  }
${everywhere.map((option) => optionLine('__pakfs_is ""', option)).join("\n")}
${
    known.flatMap((command) => [
      ...command.options.map((option) => optionLine(`__pakfs_is ${command.word}`, option)),
      ...argumentLines(command),
    ]).join("\n")
  }
`;
}
