/**
 * Globs over member paths. A pattern is compiled to a finite automaton, so matching takes time proportional to the
 * path: without backtracking, a hostile pattern cannot slow it down.
 * @module
 */

import { byteAt, elementAt } from "./cursor.ts";

/** Options of {@linkcode compileGlob}. */
export interface GlobOptions {
  /** Whether `a` to `z` match `A` to `Z`, as engines compare names (ASCII only); default false. */
  readonly ignoreCase?: boolean;
}

/** Accumulated cost of matching; several globs can share one. */
export interface GlobWork {
  /** Number of compared characters, each multiplied by the states of the automaton that a new comparison examines. */
  steps: number;
}

const maxPattern = 4096;
/** Maximum cached automaton states, and maximum members of all of them: both bound memory without limiting matches. */
const maxStates = 512;
const maxMembers = 65_536;
/** Maximum cached transitions of one state for characters beyond ASCII. */
const maxTransitions = 64;
const slash = 0x2f;

type Test = (character: number) => boolean;

type Item =
  | { readonly kind: "one"; readonly test: Test }
  /** Any number of characters other than `/`. */
  | { readonly kind: "star" }
  /** Any number of characters. */
  | { readonly kind: "everything" }
  /** No, or any number of, whole components with their `/`. */
  | { readonly kind: "components" }
  | { readonly kind: "group"; readonly alternatives: readonly (readonly Item[])[] };

function lower(character: number): number {
  return character >= 0x41 && character <= 0x5a ? character + 0x20 : character;
}

function upper(character: number): number {
  return character >= 0x61 && character <= 0x7a ? character - 0x20 : character;
}

function charactersOf(text: string): number[] {
  const characters: number[] = [];
  for (const character of text) characters.push(character.codePointAt(0) ?? 0);
  return characters;
}

/** Parses a pattern into items. Unclosed brackets and braces, as in `[a` or `{a`, are literal, as in a shell. */
class Parser {
  readonly #pattern: readonly number[];
  readonly #ignoreCase: boolean;
  /** Position of the `]` of each `[` that opens a class. */
  readonly #classEnds = new Map<number, number>();
  /** For each `{` that opens a group: positions of the `{`, of its commas and of its `}`. */
  readonly #groups = new Map<number, readonly number[]>();

  constructor(pattern: readonly number[], ignoreCase: boolean) {
    this.#pattern = pattern;
    this.#ignoreCase = ignoreCase;
    this.#findPairs();
  }

  parse(): Item[] {
    return this.#sequence(0, this.#pattern.length, true);
  }

  #at(position: number): string {
    const character = this.#pattern[position];
    return character === undefined ? "" : String.fromCodePoint(character);
  }

  /** @param componentStart Whether `start` begins a path component. */
  #sequence(start: number, end: number, componentStart: boolean): Item[] {
    const items: Item[] = [];
    let atStart = componentStart;
    let position = start;
    while (position < end) {
      const character = this.#at(position);
      let next = position + 1;
      if (character === "*") {
        while (next < end && this.#at(next) === "*") next++;
        const double = next - position > 1 && atStart;
        if (double && next < end && this.#at(next) === "/") {
          items.push({ kind: "components" });
          position = next + 1;
          continue;
        }
        items.push({ kind: double && next === end ? "everything" : "star" });
      } else if (character === "?") {
        items.push({ kind: "one", test: (other) => other !== slash });
      } else if (character === "[") {
        const close = this.#classEnds.get(position);
        items.push(close === undefined ? this.#literal(position) : this.#class(position + 1, close));
        next = (close ?? position) + 1;
      } else if (character === "{") {
        const commas = this.#groups.get(position);
        if (commas) {
          const alternatives = commas.slice(1).map((comma, index) =>
            this.#sequence(elementAt(commas, index) + 1, comma, atStart)
          );
          items.push({ kind: "group", alternatives });
          next = (commas.at(-1) ?? position) + 1;
        } else {
          items.push(this.#literal(position));
        }
      } else if (character === "\\" && next < end) {
        items.push(this.#literal(next));
        next++;
      } else {
        items.push(this.#literal(position));
      }
      atStart = this.#at(next - 1) === "/";
      position = next;
    }
    return items;
  }

  #literal(position: number): Item {
    const wanted = elementAt(this.#pattern, position);
    if (!this.#ignoreCase) return { kind: "one", test: (character) => character === wanted };
    const folded = lower(wanted);
    return { kind: "one", test: (character) => lower(character) === folded };
  }

  /** Finds all classes and groups in one pass: searching for each end separately would take cubic time. */
  #findPairs(): void {
    const open: number[][] = [];
    let classFree = 0;
    for (let position = 0; position < this.#pattern.length; position++) {
      const character = this.#at(position);
      if (character === "\\") position++;
      else if (character === "[" && position >= classFree) {
        const { end, isClosed } = this.#classEnd(position);
        if (isClosed) this.#classEnds.set(position, end);
        // A search for the end of a class from further right finds the same `/` or end of the pattern.
        if (isClosed) position = end;
        else classFree = end;
      } else if (character === "{") open.push([position]);
      else if (character === ",") open.at(-1)?.push(position);
      else if (character === "}") {
        const group = open.pop();
        if (group && group.length > 1) this.#groups.set(elementAt(group, 0), [...group, position]);
      }
    }
  }

  /** End of the class opened at `open`: its `]`, or none. A `]` right after the opening is a member. */
  #classEnd(open: number): { readonly end: number; readonly isClosed: boolean } {
    let position = open + 1;
    if (this.#at(position) === "!" || this.#at(position) === "^") position++;
    for (let first = true; position < this.#pattern.length; first = false, position++) {
      const character = this.#at(position);
      if (character === "/") break;
      if (character === "]" && !first) return { end: position, isClosed: true };
      if (character === "\\") position++;
    }
    return { end: position, isClosed: false };
  }

  #class(start: number, end: number): Item {
    const negated = this.#at(start) === "!" || this.#at(start) === "^";
    const ranges: [number, number][] = [];
    const member = (position: number): number => this.#at(position) === "\\" ? position + 1 : position;
    for (let position = negated ? start + 1 : start; position < end; position++) {
      position = member(position);
      const from = elementAt(this.#pattern, position);
      if (this.#at(position + 1) === "-" && position + 2 < end) {
        position = member(position + 2);
        ranges.push([from, elementAt(this.#pattern, position)]);
      } else {
        ranges.push([from, from]);
      }
    }
    const contains: Test = (character) => ranges.some(([from, to]) => character >= from && character <= to);
    const test: Test = this.#ignoreCase
      ? (character) => contains(lower(character)) || contains(upper(character))
      : contains;
    return { kind: "one", test: (character) => character !== slash && test(character) !== negated };
  }
}

/** State of the nondeterministic automaton: consumes a character that passes `test`, or continues without one. */
interface Step {
  readonly test: Test | undefined;
  /** Next states: after the character if there is a `test`, else without one. */
  readonly next: number[];
}

/** The nondeterministic automaton (Thompson's construction), built from the end of the pattern to its beginning. */
class Steps {
  readonly steps: Step[] = [];

  add(test: Test | undefined, ...next: number[]): number {
    this.steps.push({ test, next });
    return this.steps.length - 1;
  }

  sequence(items: readonly Item[], after: number): number {
    let start = after;
    for (const item of items.toReversed()) start = this.#item(item, start);
    return start;
  }

  #item(item: Item, after: number): number {
    switch (item.kind) {
      case "one":
        return this.add(item.test, after);
      case "star":
        return this.#loop((character) => character !== slash, after);
      case "everything":
        return this.#loop(() => true, after);
      case "components": {
        const separator = this.add((character) => character === slash, after);
        return this.add(undefined, after, this.#loop(() => true, separator));
      }
      case "group":
        return this.add(undefined, ...item.alternatives.map((alternative) => this.sequence(alternative, after)));
    }
  }

  #loop(test: Test, after: number): number {
    const choice = this.add(undefined, after);
    this.steps[choice]?.next.push(this.add(test, choice));
    return choice;
  }
}

/**
 * State of a glob after the beginning of a path: a state of the deterministic automaton, which is a set of
 * nondeterministic states. Valid only with the glob that returned it.
 */
export interface GlobState {
  /** Nondeterministic states; none if no path can match any more. */
  readonly members: readonly number[];
  /** Whether the path may end here. */
  readonly accepts: boolean;
  /** Cached next states for ASCII characters. */
  readonly nextOfAscii: (GlobState | undefined)[];
  /** Cached next states for other characters. */
  readonly next: Map<number, GlobState>;
}

/** Deterministic automaton, whose states are created on demand. */
class Automaton {
  readonly #steps: readonly Step[];
  readonly #end: number;
  /** The state before the first character. */
  readonly start: GlobState;
  /** Dead state: nothing can match any more. */
  readonly #dead: GlobState;
  readonly #states = new Map<string, GlobState>();
  #memberCount = 0;
  readonly #work: GlobWork;

  constructor(items: readonly Item[], work: GlobWork = { steps: 0 }) {
    this.#work = work;
    const builder = new Steps();
    this.#end = builder.add(undefined);
    const first = builder.sequence(items, this.#end);
    this.#steps = builder.steps;
    this.start = this.#state([first]);
    this.#dead = this.#state([]);
  }

  /** Returns the state after `text`. */
  after(from: GlobState, text: string): GlobState {
    let state = from;
    this.#work.steps += text.length;
    for (let index = 0; index < text.length; index++) {
      if (state.members.length === 0) return this.#dead;
      const character = text.codePointAt(index) ?? 0;
      if (character > 0xffff) index++;
      state = this.#next(state, character);
    }
    return state;
  }

  /** Returns the state after the ASCII bytes `[start, end)`; `undefined` if they are not all ASCII. */
  afterAscii(from: GlobState, bytes: Uint8Array, start: number, end: number): GlobState | undefined {
    let state = from;
    this.#work.steps += end - start;
    for (let index = start; index < end; index++) {
      const character = byteAt(bytes, index);
      if (character >= 0x80) return undefined;
      state = state.nextOfAscii[character] ?? this.#next(state, character);
    }
    return state;
  }

  #next(state: GlobState, character: number): GlobState {
    const known = character < 0x80 ? state.nextOfAscii[character] : state.next.get(character);
    if (known) return known;
    const next = this.#step(state, character);
    if (character < 0x80) state.nextOfAscii[character] = next;
    else if (state.next.size < maxTransitions) state.next.set(character, next);
    return next;
  }

  #step(state: GlobState, character: number): GlobState {
    const reached: number[] = [];
    this.#work.steps += state.members.length;
    for (const member of state.members) {
      const step = this.#steps[member];
      if (step?.test?.(character)) reached.push(...step.next);
    }
    return this.#state(reached);
  }

  /** Returns the state for everything that can be reached from `seeds` without consuming a character. */
  #state(seeds: readonly number[]): GlobState {
    const seen = new Set(seeds);
    const members: number[] = [];
    for (const member of seen) {
      const step = this.#steps[member];
      if (step?.test) members.push(member);
      else step?.next.forEach((next) => seen.add(next));
    }
    members.sort((left, right) => left - right);
    const accepts = seen.has(this.#end);
    const key = members.join() + (accepts ? "!" : "");
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= maxStates || this.#memberCount + members.length > maxMembers) this.#forget();
    const state: GlobState = { members, accepts, nextOfAscii: new Array(128), next: new Map() };
    this.#states.set(key, state);
    this.#memberCount += members.length;
    return state;
  }

  /** Releases all states, which refer to each other. */
  #forget(): void {
    for (const { nextOfAscii, next } of this.#states.values()) {
      nextOfAscii.fill(undefined);
      next.clear();
    }
    this.#states.clear();
    this.#memberCount = 0;
  }
}

/**
 * Compiles a glob into a test of paths.
 *
 * - `*` is any number of characters other than `/`, `?` one; a leading dot is not special.
 * - `**` as a whole component is any number of components: `a/**` is everything below `a`, `a/**` followed by `/b` is
 *   every `b` below `a`, at any depth or directly.
 * - `[a-z]`, `[!a-z]` (or `[^a-z]`) are one character of a set, never `/`; `{a,b}` is either; `\` makes the next
 *   character literal.
 * - A pattern without `/` is matched against the last component, at any depth; a pattern with `/` against the whole
 *   path. A leading `/` only anchors: `/autoexec.cfg` is the file at the top level.
 *
 * @throws {RangeError} if the pattern is longer than 4,096 characters.
 * @example
 * ```ts
 * import { compileGlob } from "@pakfs/pakfs/formats";
 *
 * const isTexture = compileGlob("textures/**" + "/*.{tga,jpg}", { ignoreCase: true });
 * if (!isTexture("textures/base_wall/Metal.TGA")) throw new Error("should match");
 * if (isTexture("models/player.tga")) throw new Error("should not match");
 * ```
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): (path: string) => boolean {
  const isPath = pattern.includes("/");
  const items = itemsOf(pattern, options);
  const automaton = new Automaton(isPath ? items : [{ kind: "components" }, ...items]);
  return (path) => automaton.after(automaton.start, path).accepts;
}

/**
 * Glob that is matched against whole paths component by component, so that a directory is matched once for all its
 * files.
 */
export interface PathGlob {
  /** State before a path. */
  readonly start: GlobState;
  /** Returns the state after more of the path. */
  after(state: GlobState, text: string): GlobState;
  /** Returns the state after the ASCII bytes `[start, end)`; `undefined` if they are not all ASCII. */
  afterAscii(state: GlobState, bytes: Uint8Array, start: number, end: number): GlobState | undefined;
}

/**
 * Compiles a glob that is matched against whole paths, with or without a `/`. The cost of matching is added to `work`.
 * @throws {RangeError} if the pattern is longer than 4,096 characters.
 */
export function compilePathGlob(pattern: string, options: GlobOptions & { work?: GlobWork } = {}): PathGlob {
  return new Automaton(itemsOf(pattern, options), options.work);
}

/**
 * Rejects a pattern that is too long.
 * @throws {RangeError} if it is longer than 4,096 characters.
 */
export function requireShortPattern(pattern: string): void {
  if (pattern.length <= maxPattern) return;
  throw new RangeError(`the pattern is ${pattern.length} characters long; the limit is ${maxPattern}`);
}

function itemsOf(pattern: string, options: GlobOptions): Item[] {
  requireShortPattern(pattern);
  return new Parser(charactersOf(pattern.replace(/^\//, "")), options.ignoreCase ?? false).parse();
}
