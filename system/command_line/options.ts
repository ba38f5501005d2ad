/**
 * Options of commands: described once in the command table, parsed here. `parseArgs` of `@std/cli` cannot report which
 * option lacks its value or which flag was given one, and parses negative numbers as options.
 * @module
 */
import { quoted, UsageError } from "./usage.ts";
import { didYouMean, optionAdvice } from "./suggest.ts";

/** Kind of a word of a command line, for its completion. */
export type ArgumentKind =
  | "qpath"
  | "view"
  | "pack"
  | "source"
  | "shader"
  | "profile"
  | "mount"
  | "file"
  | "command"
  | "none";

/**
 * Returns a path of the host for programs: a leading `~` or `~/` is replaced with the home directory, as in a shell,
 * except inside quotes. `./~` is a file with that name.
 */
export function hostPath(typed: string): string {
  const home = /^~(?:\/|$)/.test(typed) ? Deno.env.get("HOME") : undefined;
  return home ? home.replace(/\/+$/, "") + typed.slice(1) || "/" : typed;
}

/** One option of a command. */
export interface OptionSpec {
  /** Long name, without dashes. */
  readonly name: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** Name of the value in the usage line; an option without a value is a flag. */
  readonly value?: string;
  /** Allowed values, if they are few. */
  readonly choices?: readonly string[];
  /** Whether it may be given several times. */
  readonly repeatable?: boolean;
  /** Kind of its value, for completion; default `none`. */
  readonly kind?: ArgumentKind;
  /** One line for the help. */
  readonly summary: string;
}

/** The options of one command line. */
export class OptionValues {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]> = new Map()) {
    this.#values = values;
  }

  /** Returns whether flag `name` was given. */
  flag(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns the value of option `name`, the last one if it was repeated. */
  value(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Returns all values of option `name`. */
  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /**
   * Returns the value of option `name` as a whole number.
   * @throws {UsageError} if it is not one.
   */
  count(name: string): number | undefined {
    const text = this.value(name);
    if (text === undefined) return undefined;
    const number = /^\d+$|^0x[0-9a-f]+$/i.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(number)) return number;
    throw new UsageError(`--${name} takes a whole number that is not negative, not ${quoted(text)}`);
  }

  /** Returns these options without certain names. */
  without(names: readonly string[]): OptionValues {
    return new OptionValues(new Map(Array.from(this.#values).filter(([name]) => !names.includes(name))));
  }

  /** Returns these options and `later` ones, which take precedence. */
  and(later: OptionValues): OptionValues {
    const merged = new Map(this.#values);
    for (const [name, values] of later.#values) merged.set(name, [...merged.get(name) ?? [], ...values]);
    return new OptionValues(merged);
  }
}

/** A parsed command line. */
export interface ParsedLine {
  options: OptionValues;
  /** Words that are not options. */
  words: string[];
}

function missingValue(spec: OptionSpec, spelled: string): UsageError {
  return new UsageError(`${spelled} needs a value: ${spelled} ${spec.value}`);
}

/** Reads `--output DIR`, `--output=DIR`, `-o DIR`, `-oDIR`, `-o=DIR`, clusters of flags, and words. */
class Parser {
  readonly words: string[] = [];
  readonly values: Map<string, string[]> = new Map();
  readonly #args: readonly string[];
  readonly #byName: ReadonlyMap<string, OptionSpec>;
  readonly #byShort: ReadonlyMap<string, OptionSpec>;
  readonly #command: string;
  #position = 0;

  constructor(args: readonly string[], specs: readonly OptionSpec[], command: string) {
    this.#args = args;
    this.#command = command;
    this.#byName = new Map(specs.map((spec) => [spec.name, spec]));
    this.#byShort = new Map(specs.flatMap((spec) => spec.short === undefined ? [] : [[spec.short, spec]]));
  }

  run(stopAtWord: boolean): void {
    for (let token = this.#args[this.#position++]; token !== undefined; token = this.#args[this.#position++]) {
      if (token === "--") return this.#takeRest();
      if (token.startsWith("--")) this.#long(token);
      else if (this.#isOption(token)) this.#cluster(token);
      else {
        this.words.push(token);
        if (stopAtWord) return this.#takeRest();
      }
    }
  }

  #takeRest(): void {
    this.words.push(...this.#args.slice(this.#position));
  }

  #long(token: string): void {
    const equals = token.indexOf("=");
    const spelled = equals < 0 ? token : token.slice(0, equals);
    const spec = this.#byName.get(spelled.slice(2));
    if (!spec) {
      throw this.#unknown(spelled, didYouMean(spelled.slice(2), [...this.#byName.keys(), "help"], "--"));
    } else if (spec.value === undefined) {
      if (equals >= 0) throw new UsageError(`${spelled} takes no value`);
      this.#push(spec, "true");
    } else {
      this.#push(spec, equals >= 0 ? token.slice(equals + 1) : this.#next(spec, spelled));
    }
  }

  /** Returns whether a word with one dash holds options: a number does not, unless an option is that digit. */
  #isOption(token: string): boolean {
    return token.length > 1 && token.startsWith("-") && (!isNegative(token) || this.#byShort.has(token.slice(1)));
  }

  #cluster(token: string): void {
    for (let position = 1; position < token.length; position++) {
      const letter = token.charAt(position);
      const spec = this.#byShort.get(letter);
      if (!spec) throw this.#unknown(`-${letter}`, this.#longNamed(token), token);
      if (spec.value === undefined) {
        this.#push(spec, "true");
        continue;
      }
      const glued = token.slice(position + 1).replace(/^=/, "");
      this.#push(spec, glued === "" ? this.#next(spec, `-${letter}`) : glued);
      return;
    }
  }

  #unknown(spelled: string, nearest: string, token = spelled): UsageError {
    const advice = optionAdvice(this.#command, token) ?? optionAdvice(this.#command, spelled);
    const help = this.#command === "" ? "" : `; see help ${this.#command}`;
    return new UsageError(`unknown option ${spelled}${advice === undefined ? nearest || help : `; ${advice}`}`);
  }

  /** Returns a suggestion for a long option written with one dash. */
  #longNamed(token: string): string {
    const [name = ""] = token.slice(1).split("=");
    return name.length > 1 ? didYouMean(name, [...this.#byName.keys(), "help"], "--") : "";
  }

  #next(spec: OptionSpec, spelled: string): string {
    const value = this.#args[this.#position++];
    if (value === undefined || (value.startsWith("--") && value.length > 2)) throw missingValue(spec, spelled);
    return value;
  }

  #push(spec: OptionSpec, value: string): void {
    if (spec.choices && !spec.choices.includes(value)) {
      const choices = spec.choices.join(", ");
      throw new UsageError(
        `--${spec.name} takes one of ${choices}, not ${quoted(value)}${didYouMean(value, spec.choices)}`,
      );
    }
    this.values.getOrInsert(spec.name, []).push(spec.kind === "file" ? hostPath(value) : value);
  }
}

/** Returns whether a word begins with a negative number: checksums are often negative. */
function isNegative(token: string): boolean {
  return /^-\d/.test(token);
}

/**
 * Parses a command line. A value may start with one dash (`--size -10k`), a word may be a negative number; after `--`
 * all words are arguments.
 * @param stopAtWord Whether options end at the first word, like in `pakfs --json find -l`.
 * @param command Name of the command, for advice on unknown options; empty before it.
 * @throws {UsageError} for unknown options, and missing or invalid values.
 */
export function parseOptions(
  args: readonly string[],
  specs: readonly OptionSpec[],
  stopAtWord = false,
  command = "",
): ParsedLine {
  const parser = new Parser(args, specs, command);
  parser.run(stopAtWord);
  return { options: new OptionValues(parser.values), words: parser.words };
}
