/**
 * Command-line helpers, with the names, signatures and meaning of the part of `jsr:@std/cli` used here.
 *
 * A first-party stand-in, not the Deno authors' code; used where JSR cannot be reached.
 * @module
 */

/** One name or a list of them. */
export type OneOrMany<T extends string> = T | readonly T[];

/** Options of {@linkcode parseArgs}: the kinds of options by name. */
export interface ParseOptions<B extends string = string, S extends string = string, C extends string = string> {
  /** Options that take no value. They are `false` when absent. */
  boolean?: OneOrMany<B>;
  /** Options whose value stays text instead of becoming a number. */
  string?: OneOrMany<S>;
  /** Options that may be repeated; their value is an array, empty for an absent option of a known kind. */
  collect?: OneOrMany<C>;
  /**
   * Called for each argument that is not one of the options above: `key` is missing for positional ones. Returning
   * `false` leaves it out of the result.
   */
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

/** `T`, or an array of it for an option that may be repeated. */
export type Collected<K, C, T> = K extends C ? T[] : T;

/** Result of {@linkcode parseArgs}: the options by name, and the positional arguments in `_`. */
export type Args<B extends string = string, S extends string = string, C extends string = string> =
  & { _: (string | number)[] }
  & { [K in B]: Collected<K, C, boolean> }
  & { [K in S]: K extends C ? string[] : string | undefined }
  & { [K in Exclude<C, B | S>]?: unknown[] };

const numeric = /^(?:0x[0-9a-f]+|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)$/i;

/**
 * Parses command-line arguments: `--name value`, `--name=value`, `--flag`, `-f`, `-n5`, `-abc`, `--`.
 *
 * Dotted names (`--a.b`), which upstream turns into nested objects, are ordinary names here.
 *
 * @example
 * ```ts
 * import { parseArgs } from "@std/cli";
 * import { assertEquals } from "@std/assert";
 *
 * const args = parseArgs(["find", "*.tga", "--json", "--view=quake/id1"], { boolean: ["json"], string: ["view"] });
 * assertEquals(args._, ["find", "*.tga"]);
 * assertEquals(args.json, true);
 * assertEquals(args.view, "quake/id1");
 * ```
 */
export function parseArgs<
  const B extends string = never,
  const S extends string = never,
  const C extends string = never,
>(args: readonly string[], options: ParseOptions<B, S, C> = {}): Args<B, S, C> {
  const parser = new Parser(options);
  parser.parse(args);
  // The types of the fields follow from the options, which the compiler cannot see.
  return parser.result as unknown as Args<B, S, C>;
}

class Parser {
  readonly result: { _: (string | number)[]; [name: string]: unknown } = { _: [] };
  readonly #booleans: ReadonlySet<string>;
  readonly #strings: ReadonlySet<string>;
  readonly #collected: ReadonlySet<string>;
  readonly #options: ParseOptions;

  constructor(options: ParseOptions) {
    this.#options = options;
    this.#booleans = new Set(listOf(options.boolean));
    this.#strings = new Set(listOf(options.string));
    this.#collected = new Set(listOf(options.collect));
  }

  parse(args: readonly string[]): void {
    const end = args.indexOf("--");
    const before = end === -1 ? args : args.slice(0, end);
    for (let index = 0; index < before.length; index++) {
      const argument = before[index] ?? "";
      const next = before[index + 1];
      if (/^--.+/.test(argument)) {
        if (this.#long(argument, next)) index++;
      } else if (/^-[^-]+/.test(argument)) {
        if (this.#short(argument, next)) index++;
      } else this.#positional(argument);
    }
    for (const name of this.#strings) if (this.#collected.has(name)) this.#default(name, []);
    for (const name of this.#booleans) this.#default(name, this.#collected.has(name) ? [] : false);
    if (end !== -1) this.result._.push(...args.slice(end + 1));
  }

  /** Sets the option of `--name` or `--name=value`; returns whether `next` was its value. */
  #long(argument: string, next: string | undefined): boolean {
    const equals = argument.indexOf("=");
    if (equals !== -1) {
      const name = argument.slice(2, equals);
      const value = argument.slice(equals + 1);
      this.#set(name, this.#booleans.has(name) ? value !== "false" : value, argument);
      return false;
    }
    const name = argument.slice(2);
    if (!this.#booleans.has(name) && next !== undefined && !next.startsWith("-")) {
      this.#set(name, next, argument);
      return true;
    }
    return this.#valueless(name, next, argument);
  }

  /** Sets the options of `-n`, `-n5`, `-n=5` or `-abc`; returns whether `next` was a value. */
  #short(argument: string, next: string | undefined): boolean {
    for (let position = 1; position < argument.length - 1; position++) {
      const name = argument.charAt(position);
      const rest = argument.slice(position + 1);
      if (/[a-z]/i.test(name) && rest.startsWith("=")) {
        this.#set(name, rest.slice(1), argument);
        return false;
      }
      const glued = rest !== "-" && (/\W/.test(rest.charAt(0)) ||
        (/[a-z]/i.test(name) && /^-?\d+(?:\.\d*)?(?:e-?\d+)?$/.test(rest)));
      if (glued) {
        this.#set(name, rest, argument);
        return false;
      }
      if (rest === "-") this.#set(name, rest, argument);
      else this.#set(name, this.#strings.has(name) ? "" : true, argument);
    }
    const name = argument.charAt(argument.length - 1);
    if (name === "-") return false;
    if (next !== undefined && !/^--?[^-]/.test(next) && !this.#booleans.has(name)) {
      this.#set(name, next, argument);
      return true;
    }
    return this.#valueless(name, next, argument);
  }

  /** Sets an option without a value: a flag, which may still be followed by `true` or `false`. */
  #valueless(name: string, next: string | undefined, argument: string): boolean {
    if (next === "true" || next === "false") {
      this.#set(name, next === "true", argument);
      return true;
    }
    this.#set(name, this.#strings.has(name) ? "" : true, argument);
    return false;
  }

  #positional(argument: string): void {
    if (this.#options.unknown?.(argument) === false) return;
    this.result._.push(!numeric.test(argument) ? argument : Number(argument));
  }

  #set(name: string, raw: string | boolean, argument: string): void {
    const isKnown = [this.#booleans, this.#strings, this.#collected].some((names) => names.has(name));
    if (!isKnown && this.#options.unknown?.(argument, name, raw) === false) return;
    const value = typeof raw === "string" && !this.#strings.has(name) && numeric.test(raw) ? Number(raw) : raw;
    const collected = Object.hasOwn(this.result, name) ? this.result[name] : undefined;
    if (!this.#collected.has(name)) define(this.result, name, value);
    else if (Array.isArray(collected)) collected.push(value);
    else define(this.result, name, [value]);
  }

  #default(name: string, value: unknown): void {
    if (!Object.hasOwn(this.result, name)) define(this.result, name, value);
  }
}

function listOf<T extends string>(value: OneOrMany<T> | undefined): readonly T[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

/** Sets a property of the object itself, even `__proto__`, since names come from the command line. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

// Ranges of East_Asian_Width W and F (Unicode 16, EastAsianWidth.txt), unassigned gaps inside a block included.
// Emoji are left to the property below, which grows with the engine's Unicode version; the letters that make a flag in pairs
// count as one column each.
const wide = new RegExp(
  "[\\u1100-\\u115f\\u2329\\u232a\\u2630-\\u2637\\u268a-\\u268f\\u2e80-\\u303e\\u3041-\\u3247\\u3250-\\u4dbf\\u4dc0-\\ua4c6" +
    "\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6b\\uff01-\\uff60\\uffe0-\\uffe6" +
    "\\u{16fe0}-\\u{18d08}\\u{1aff0}-\\u{1b2fb}\\u{1d300}-\\u{1d376}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}]" +
    "|(?![\\u{1f1e6}-\\u{1f1ff}])\\p{Emoji_Presentation}",
  "u",
);

// Marks drawn onto the character before them, invisible format characters, control characters, and the vowels and
// final consonants that join a Hangul syllable. U+00AD is shown by terminals.
const zero = /(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff\ud7b0-\ud7ff\u2028\u2029]/u;

/**
 * Returns the number of terminal columns of `str`: two for East Asian wide characters and emoji, none for combining and
 * control characters, one for the rest. Escape sequences are not recognized; strip them first.
 *
 * @example
 * ```ts
 * import { unicodeWidth } from "@std/cli";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(unicodeWidth("pak0"), 4);
 * assertEquals(unicodeWidth("한글"), 4);
 * ```
 */
export function unicodeWidth(str: string): number {
  let width = 0;
  for (const character of str) {
    if (character >= " " && character <= "~") width += 1;
    else if (!zero.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}
