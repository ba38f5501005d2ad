/**
 * Completion for bash and zsh: the tables are functions for both, and each has a separate driver.
 * @module
 */
import type { Command } from "../command/command.ts";
import {
  type CompletedCommand,
  completedCommands,
  type CompletedOption,
  type CompletedValue,
  everywhere,
  quoted,
} from "./words.ts";

function valueText({ kind, choices }: CompletedValue): string {
  return choices.length > 0 ? `choice ${choices.join(" ")}` : kind;
}

function lines(words: readonly { readonly word: string; readonly summary: string }[]): string {
  return words.map(({ word, summary }) => `    ${quoted(`${word}\t${summary}`)}`).join(" \\\n");
}

function valueCases(command: string, options: readonly CompletedOption[]): string[] {
  return options.flatMap(({ name, short, value }) => {
    const names = [`--${name}`, ...short === null ? [] : [`-${short}`]].map((word) =>
      `${command}${quoted(` ${word}`)}`
    );
    if (value === null) return command === "*" ? [] : [`    ${names.join(" | ")}) return 1 ;;`];
    return [`    ${names.join(" | ")}) echo ${quoted(valueText(value))} ;;`];
  });
}

function argumentCases({ word, arguments: positional }: CompletedCommand): string[] {
  return positional.flatMap(({ kind, repeated }, index) => {
    if (kind === "none") return [];
    const pattern = repeated ? `${quoted(`${word} `)}*` : quoted(`${word} ${index}`);
    return [`    ${pattern}) echo ${kind} ;;`];
  });
}

/** Returns the functions with the tables. A command of two words is looked up first. */
function tables(commands: readonly Command[]): string {
  const known = completedCommands(commands);
  const optionCases = known.map(({ word, options }) => `    ${quoted(word)}) printf '%s\\n' \\\n${lines(options)} ;;`);
  const pairs = known.filter(({ word }) => word.includes(" "));
  const families = [...new Set(pairs.map(({ word }) => word.split(" ")[0] ?? ""))];
  const familyCases = families.map((family) => {
    const verbs = pairs.filter(({ word }) => word.startsWith(`${family} `))
      .map(({ word, summary }) => ({ word: word.slice(family.length + 1), summary }));
    return `    ${quoted(family)}) printf '%s\\n' \\\n${lines(verbs)} ;;`;
  });
  const first = [
    ...known.filter(({ word }) => !word.includes(" ")),
    ...families.map((word) => ({ word, summary: `${word} COMMAND; see pakfs help ${word}` })),
  ].sort((a, b) => a.word < b.word ? -1 : 1);
  return `\
# Words that can follow, each with what it means after a tab: commands, or the verbs of one.
_pakfs_commands() {
  case $1 in
    '') printf '%s\\n' \\
${lines(first)} ;;
${familyCases.join("\n")}
  esac
}

# The options of a command.
_pakfs_options() {
  case $1 in
${optionCases.join("\n")}
    *) printf '%s\\n' \\
${lines(everywhere)} ;;
  esac
}

# What the value of an option is: "COMMAND OPTION". Fails for flags.
_pakfs_value() {
  case $1 in
${known.flatMap(({ word, options }) => valueCases(quoted(word), options)).join("\n")}
${valueCases("*", everywhere).join("\n")}
    *) return 1 ;;
  esac
}

# What an argument is: "COMMAND NUMBER".
_pakfs_argument() {
  case $1 in
${known.flatMap(argumentCases).join("\n")}
    *) echo none ;;
  esac
}

# Reads the words before the cursor: sets _pakfs_command, _pakfs_place (how many arguments there are), _pakfs_waits
# (what the option in front wants) and _pakfs_who (options that say whom to ask).
_pakfs_read() {
  _pakfs_command='' _pakfs_place=0 _pakfs_waits='' _pakfs_who=()
  local word expected='' option=''
  for word in "$@"; do
    if [ -n "$expected" ]; then
      case $option in --view | --socket | --source) _pakfs_who+=("$option=$word") ;; esac
      expected='' && continue
    fi
    case $word in
      --view=* | --socket=* | --source=*) _pakfs_who+=("$word") ;;
      --*=*) ;;
      -*) option=$word && expected=$(_pakfs_value "$_pakfs_command $word") ;;
      *)
        if [ -z "$_pakfs_command" ]; then
          _pakfs_command=$word
        elif [ "$_pakfs_place" = 0 ] && [ -n "$(_pakfs_commands "$_pakfs_command")" ]; then
          _pakfs_command="$_pakfs_command $word"
        else
          _pakfs_place=$((_pakfs_place + 1))
        fi
        ;;
    esac
  done
  _pakfs_waits=$expected
}

# What the word under the cursor is: a kind, or the words to choose from.
_pakfs_wanted() {
  local command=$_pakfs_command
  case $1 in
    --*=*) _pakfs_value "$command \${1%%=*}" || echo none ;;
    *)
      if [ -n "$_pakfs_waits" ]; then
        echo "$_pakfs_waits"
      elif [ -z "$command" ] || { [ "$_pakfs_place" = 0 ] && [ -n "$(_pakfs_commands "$command")" ]; }; then
        case $1 in -*) echo option ;; *) echo first ;; esac
      else
        case $1 in -*) echo option ;; *) _pakfs_argument "$command $_pakfs_place" ;; esac
      fi
      ;;
  esac
}
`;
}

const bashDriver = `
# A word without its quotes; the last may be open.
_pakfs_plain() {
  case $1 in
    \\'*) printf %s "\${1#\\'}" ;;
    \\"*) printf %s "\${1#\\"}" | sed 's/\\\\\\(["\\\\$\`]\\)/\\1/g' ;;
    *) printf %s "$1" | sed 's/\\\\\\(.\\)/\\1/g' ;;
  esac
}

# A name as it is typed after the quote that a word begins with.
_pakfs_typed() {
  case $1 in
    \\'*) printf %s "$2" ;;
    \\"*) printf %s "$2" | sed 's/["\\\\$\`]/\\\\&/g' ;;
    *) printf %q "$2" ;;
  esac
}

_pakfs() {
  local IFS=$' \\t\\n' words=() word glue='' index current wanted kept plain
  # bash parts words at = and : too; they are put together again.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ \${#words[@]} -gt 1 && ( $word == [=:]* || -n $glue ) ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word == [=:]* ]]; then glue=yes; else glue=''; fi
  done
  current=\${words[\${#words[@]} - 1]}
  _pakfs_read "\${words[@]:1:\${#words[@]}-2}"
  wanted=$(_pakfs_wanted "$current")
  kept=''
  case $current in --*=*) kept=\${current%%=*}= && current=\${current#*=} ;; esac
  plain=$(_pakfs_plain "$current")
  local IFS=$'\\n'
  case $wanted in
    first) COMPREPLY=($(compgen -W "$(_pakfs_commands "$_pakfs_command" | cut -f1)" -- "$current")) ;;
    command) COMPREPLY=($(compgen -W "$(_pakfs_commands '' | cut -f1)" -- "$current")) ;;
    option) COMPREPLY=($(compgen -W "$(_pakfs_options "$_pakfs_command" | cut -f1)" -- "$current")) ;;
    choice*) IFS=$' \\n' && COMPREPLY=($(compgen -W "\${wanted#choice}" -- "$current")) ;;
    file) compopt -o filenames; COMPREPLY=($(compgen -f -- "$plain")) ;;
    none) COMPREPLY=() ;;
    *)
      COMPREPLY=($("\${COMP_WORDS[0]}" complete "\${_pakfs_who[@]}" -- "$wanted" "$plain" 2>/dev/null))
      if [[ \${#COMPREPLY[@]} = 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace; fi
      for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]=$(_pakfs_typed "$current" "\${COMPREPLY[index]}"); done
      ;;
  esac
  # The text before the last = or : is on the line already.
  case $COMP_WORDBREAKS in
    *:*) glue=\${current%"\${current##*:}"} ;;
    *) glue='' ;;
  esac
  if [[ -n $glue ]]; then
    for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]=\${COMPREPLY[index]#"$glue"}; done
  elif [[ -n $kept && $COMP_WORDBREAKS != *=* ]]; then
    for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]=$kept\${COMPREPLY[index]}; done
  fi
}
complete -F _pakfs pakfs
`;

const zshDriver = `
_pakfs_describe() {
  local -a described
  local line
  while IFS= read -r line; do described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); done
  _describe "$1" described
}

_pakfs() {
  # "local" in functions of the tables, and words that are not parted again; _describe needs its patterns.
  emulate -L zsh
  setopt extended_glob
  local current=\${PREFIX} wanted
  _pakfs_read "\${(@Q)words[2,CURRENT-1]}"
  wanted=$(_pakfs_wanted "$current")
  case $current in --*=*) compset -P '*=' ;; esac
  case $wanted in
    first) _pakfs_commands "$_pakfs_command" | _pakfs_describe command ;;
    command) _pakfs_commands '' | _pakfs_describe command ;;
    option) _pakfs_options "$_pakfs_command" | _pakfs_describe option ;;
    choice*) compadd -- \${=wanted#choice} ;;
    file) _files ;;
    none) ;;
    *)
      local -a found directories
      found=("\${(@f)$("\${(Q)words[1]}" complete "\${_pakfs_who[@]}" -- "$wanted" "\${(Q)PREFIX}" 2>/dev/null)}")
      directories=("\${(@M)found:#*/}")
      found=("\${(@)found:#*/}")
      [[ -z $directories ]] || compadd -S '' -- "\${directories[@]}"
      [[ -z $found ]] || compadd -- "\${found[@]}"
      ;;
  esac
}
if [[ \${funcstack[1]} = _pakfs ]]; then _pakfs "$@"; else compdef _pakfs pakfs; fi
`;

/** Returns the script for bash. */
export function bashCompletion(commands: readonly Command[]): string {
  return `# Completion of pakfs for bash, made by "pakfs completions bash". Keep it as
# ~/.local/share/bash-completion/completions/pakfs, or put this into ~/.bashrc:  eval "$(pakfs completions bash)"

${tables(commands)}${bashDriver}`;
}

/** Returns the script for zsh. */
export function zshCompletion(commands: readonly Command[]): string {
  return `#compdef pakfs
# Completion of pakfs for zsh, made by "pakfs completions zsh". Keep it as _pakfs in a directory of $fpath, or put this
# into ~/.zshrc, after compinit:  eval "$(pakfs completions zsh)"

${tables(commands)}${zshDriver}`;
}
