/**
 * Command-line arguments to an object.
 * @module
 */

/** One name or a list of them. */
export type OneOrMany<T extends string> = T | readonly T[];

/** What {@linkcode parseArgs} should make of which option. */
export interface ParseOptions<
  B extends string = string,
  S extends string = string,
  C extends string = string,
  D extends Record<string, unknown> = Record<string, unknown>,
> {
  /** Options that take no value; `true` makes every `--long` option without `=` one. They are `false` when absent. */
  boolean?: boolean | OneOrMany<B>;
  /** Options whose value stays text instead of becoming a number; `"_"` says so of the positional arguments. */
  string?: OneOrMany<S>;
  /** Options that may be repeated; their value is an array, empty for an absent option of a known kind. */
  collect?: OneOrMany<C>;
  /** Other names of an option; every name gets the value. */
  alias?: Record<string, OneOrMany<string>>;
  /** Values of options that are absent. */
  default?: D;
  /** Options for which `--no-NAME` means `false`. */
  negatable?: OneOrMany<string>;
  /** Whether everything after the first positional argument is positional. */
  stopEarly?: boolean;
  /** Whether arguments after `--` go to the result's `"--"` instead of `_`. */
  "--"?: boolean;
  /**
   * Told each argument that is not one of the options above: `key` is missing for positional ones. Returning `false`
   * leaves it out of the result.
   */
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

/** What an option without a value has: its default, or nothing. */
export type Defaulted<K, D> = K extends keyof D ? D[K] : undefined;
/** `T`, or an array of it for an option that may be repeated. */
export type Collected<K, C, T> = K extends C ? T[] : T;

/** Result of {@linkcode parseArgs}: the options by name, and the positional arguments in `_`. */
export type Args<
  B extends string = string,
  S extends string = string,
  C extends string = string,
  D extends Record<string, unknown> = Record<string, unknown>,
> =
  & { _: (string | number)[]; "--"?: string[] }
  & { [K in B]: Collected<K, C, boolean> }
  & { [K in Exclude<S, "_">]: K extends C ? string[] : string | Defaulted<K, D> }
  & { [K in Exclude<C, B | S>]?: unknown[] }
  & { [K in Exclude<keyof D, B | S | C>]: unknown };

const numeric = /^(?:0x[0-9a-f]+|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)$/i;

/**
 * Parses command-line arguments: `--name value`, `--name=value`, `--flag`, `--no-flag`, `-f`, `-n5`, `-abc`, `--`.
 *
 * Dotted names (`--a.b`), which upstream turns into nested objects, are ordinary names here.
 *
 * @param args Usually `Deno.args`.
 * @example
 * ```ts
 * import { parseArgs } from "@std/cli/parse-args";
 * import { assertEquals } from "@std/assert";
 *
 * const args = parseArgs(["find", "*.tga", "--json", "--view=quake/id1"], {
 *   boolean: ["json"],
 *   string: ["view", "_"],
 * });
 * assertEquals(args._, ["find", "*.tga"]);
 * assertEquals(args.json, true);
 * assertEquals(args.view, "quake/id1");
 * ```
 */
export function parseArgs<
  const B extends string = never,
  const S extends string = never,
  const C extends string = never,
  // deno-lint-ignore ban-types -- "no defaults": a Record would make every name one that has a default
  const D extends Record<string, unknown> = {},
>(args: readonly string[], options: ParseOptions<B, S, C, D> = {}): Args<B, S, C, D> {
  const parser = new Parser(options);
  parser.parse(args);
  // The types of the fields follow from the options, which the compiler cannot see.
  return parser.result as unknown as Args<B, S, C, D>;
}

class Parser {
  readonly result: { _: (string | number)[]; "--"?: string[]; [name: string]: unknown };
  readonly #aliases = new Map<string, string[]>();
  readonly #booleans: Set<string>;
  readonly #strings: Set<string>;
  readonly #collected: Set<string>;
  readonly #negatable: Set<string>;
  readonly #defaults: Record<string, unknown>;
  readonly #options: ParseOptions;

  constructor(options: ParseOptions) {
    this.result = { _: [] };
    this.#options = options;
    for (const [name, others] of Object.entries(options.alias ?? {})) {
      const names = [name, ...listOf(others)];
      for (const one of names) this.#aliases.set(one, names.filter((other) => other !== one));
    }
    this.#booleans = this.#withAliases(typeof options.boolean === "boolean" ? [] : listOf(options.boolean));
    this.#strings = this.#withAliases(listOf(options.string));
    this.#collected = this.#withAliases(listOf(options.collect));
    this.#negatable = this.#withAliases(listOf(options.negatable));
    this.#defaults = options.default ?? {};
  }

  parse(args: readonly string[]): void {
    const end = args.indexOf("--");
    const before = end === -1 ? args : args.slice(0, end);
    const after = end === -1 ? [] : args.slice(end + 1);

    for (let index = 0; index < before.length; index++) {
      const argument = before[index] ?? "";
      const next = before[index + 1];
      if (/^--.+/.test(argument)) {
        if (this.#long(argument, next)) index++;
      } else if (/^-[^-]+/.test(argument)) {
        if (this.#short(argument, next)) index++;
      } else {
        this.#positional(argument);
        if (this.#options.stopEarly === true) {
          for (const rest of before.slice(index + 1)) this.result._.push(rest);
          break;
        }
      }
    }
    this.#fillDefaults();
    if (this.#options["--"] === true) this.result["--"] = [...after];
    else for (const rest of after) this.result._.push(rest);
  }

  /** Takes `--name`, `--name=value` or `--no-name`; tells whether `next` was its value. */
  #long(argument: string, next: string | undefined): boolean {
    const equals = argument.indexOf("=");
    if (equals !== -1) {
      const name = argument.slice(2, equals);
      const value = argument.slice(equals + 1);
      this.#set(name, this.#booleans.has(name) ? value !== "false" : value, argument);
      return false;
    }
    const name = argument.slice(2);
    if (name.startsWith("no-") && this.#negatable.has(name.slice(3))) {
      this.#set(name.slice(3), false, argument);
      return false;
    }
    const takesValue = !this.#booleans.has(name) && this.#options.boolean !== true;
    if (takesValue && next !== undefined && !next.startsWith("-")) {
      this.#set(name, next, argument);
      return true;
    }
    return this.#valueless(name, next, argument);
  }

  /** Takes `-n`, `-n5`, `-n=5`, `-abc`; tells whether `next` was its value. */
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

  /** An option without a value: a flag, which may still be followed by a spelled-out `true` or `false`. */
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
    this.result._.push(this.#strings.has("_") || !numeric.test(argument) ? argument : Number(argument));
  }

  #set(name: string, raw: string | boolean, argument: string): void {
    if (!this.#isKnown(name, argument) && this.#options.unknown?.(argument, name, raw) === false) return;
    const value = typeof raw === "string" && !this.#strings.has(name) && numeric.test(raw) ? Number(raw) : raw;
    for (const one of [name, ...this.#aliases.get(name) ?? []]) {
      const collected = Object.hasOwn(this.result, one) ? this.result[one] : undefined;
      if (!this.#collected.has(one)) define(this.result, one, value);
      else if (Array.isArray(collected)) collected.push(value);
      else define(this.result, one, [value]);
    }
  }

  #isKnown(name: string, argument: string): boolean {
    return this.#booleans.has(name) || this.#strings.has(name) || this.#collected.has(name) ||
      this.#negatable.has(name) || this.#aliases.has(name) ||
      (this.#options.boolean === true && /^--[^=]+$/.test(argument));
  }

  #fillDefaults(): void {
    for (const [name, value] of Object.entries(this.#defaults)) {
      for (const one of [name, ...this.#aliases.get(name) ?? []]) this.#default(one, value);
    }
    for (const name of this.#strings) if (this.#collected.has(name)) this.#default(name, []);
    for (const name of this.#booleans) this.#default(name, this.#collected.has(name) ? [] : false);
  }

  #default(name: string, value: unknown): void {
    if (!Object.hasOwn(this.result, name)) define(this.result, name, value);
  }

  #withAliases(names: readonly string[]): Set<string> {
    return new Set(names.flatMap((name) => [name, ...this.#aliases.get(name) ?? []]));
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
