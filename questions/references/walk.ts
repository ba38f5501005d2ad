/**
 * A breadth-first walk over everything that some files need: their references, then the references of these.
 * @module
 */
import { elementAt } from "../../formats/parts.ts";
import type { Game, Source } from "../../index/mod.ts";
import { QuestionError } from "../question.ts";
import type { NeedKind, NeedRow, NeedWalk, Reading } from "../reference_rows.ts";
import {
  definedKind,
  type FileThing,
  nameOf,
  needKindOf,
  Pacer,
  type ReferenceResolver,
  type ShaderThing,
  type Thing,
} from "./thing.ts";

/** Maximum items of one walk. */
const maxThings = 200_000;

/** An item that the walk has found. */
interface Found {
  readonly thing: Thing;
  readonly kind: NeedKind;
  readonly why: string;
  readonly isOptional: boolean;
  /** Number of the item that refers to it; -1 for requested items. */
  readonly by: number;
  readonly depth: number;
}

/** The walk from some files and shaders. */
export class Walk implements NeedWalk {
  readonly #references: ReferenceResolver;
  readonly #found: Found[] = [];
  readonly #numbers = new Map<string, number>();
  /** Names in the references of each item, as far as the walk has come. */
  readonly #needs: (readonly string[])[] = [];
  readonly #problems: (string | null)[] = [];
  readonly #isWide: boolean;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param isWide Whether it also follows exits of maps and names in other files, and omits missing items.
   */
  constructor(references: ReferenceResolver, roots: readonly (FileThing | ShaderThing)[], isWide = false) {
    this.#references = references;
    this.#isWide = isWide;
    for (const thing of roots) {
      const kind = thing.type === "shader" ? definedKind(thing) : references.kindOfFile(thing);
      this.#add({ thing, kind, why: "requested", isOptional: false, by: -1, depth: 0 });
    }
  }

  get length(): number {
    return this.#found.length;
  }

  /** Returns the files and shaders that were found, each with its read error, if any. */
  *reached(): Generator<{ readonly thing: FileThing | ShaderThing; readonly problem: string | null }> {
    for (const [index, { thing }] of this.#found.entries()) {
      if (thing.type !== "missing") yield { thing, problem: this.#problems[index] ?? null };
    }
  }

  async row(index: number, reading: Reading): Promise<NeedRow | undefined> {
    await this.advance(index, reading);
    return this.#rowAt(index);
  }

  /** Finds the references of the items up to number `index`. */
  async advance(index: number, reading: Reading): Promise<void> {
    // Requests may read rows of one walk concurrently.
    const advanced = this.#turn.then(async () => {
      const pacer = new Pacer(reading);
      while (this.#needs.length <= index && this.#needs.length < this.#found.length) {
        // deno-lint-ignore no-await-in-loop -- a walk that was forgotten is made again from its start
        await pacer.step();
        // deno-lint-ignore no-await-in-loop -- in the order in which things were found
        await this.#follow(elementAt(this.#found, this.#needs.length), reading);
      }
    });
    this.#turn = advanced.catch(() => {});
    await advanced;
  }

  /** Finds the references of an item. */
  async #follow({ thing, depth }: Found, reading: Reading): Promise<void> {
    const by = this.#needs.length;
    const { references, problem } = thing.type === "missing"
      ? { references: [], problem: null }
      : this.#isWide
      ? await this.#references.readWidely(thing, reading)
      : await this.#references.read(thing, reading);
    const needs = new Set<string>();
    for (const reference of references) {
      const { why, isOptional } = reference;
      const found = this.#references.resolve(reference);
      if (found.key === thing.key || (found.type === "missing" && (isOptional || this.#isWide))) continue;
      // The next map is not a part of this one.
      if (reference.kind === "map" && found.type !== "missing" && !this.#isWide) continue;
      const named = found.type === "file" ? this.#references.kindOfFile(found) : "file";
      const kind = found.type === "shader" ? definedKind(found) : named === "file" ? needKindOf(reference.kind) : named;
      this.#add({ thing: found, kind, why, isOptional, by, depth: depth + 1 });
      needs.add(nameOf(found));
    }
    this.#needs.push([...needs]);
    this.#problems.push(problem);
  }

  #add(found: Found): void {
    const { key } = found.thing;
    if (this.#numbers.has(key)) return;
    if (this.#found.length >= maxThings) {
      throw new QuestionError("invalid", `more than ${maxThings} files are needed; ask about fewer`);
    }
    this.#numbers.set(key, this.#found.length);
    this.#found.push(found);
  }

  #rowAt(index: number): NeedRow | undefined {
    const found = this.#found[index];
    if (!found) return undefined;
    const { thing, kind, why, isOptional, by, depth } = found;
    const { view } = this.#references;
    const byName = by < 0 ? null : nameOf(elementAt(this.#found, by).thing);
    const common = { kind, name: nameOf(thing), view: view.name };
    const place = { optional: isOptional, by: byName, why, depth, needs: [...this.#needs[index] ?? []] };
    if (thing.type === "missing") {
      const nothing = { qpath: null, source: null, gameDirectory: null, base: false, size: null };
      return { ...common, ...nothing, ...place, tried: [...thing.tried], problem: null };
    }
    const source = view.snapshot.sourceOf(thing.entry);
    return {
      ...common,
      qpath: thing.type === "file" ? thing.qpath : thing.definition.file.qpath,
      source: source.path,
      gameDirectory: source.gameDirectory,
      base: isOfBaseGame(view.game, source),
      size: elementAt(view.snapshot.columns.entrySizes, thing.entry),
      ...place,
      tried: [],
      problem: this.#problems[index] ?? null,
    };
  }
}

/** Returns whether a source is a pack that comes with the game: the IWAD, or one of its base game directory, with a number. */
export function isOfBaseGame({ base, profile, loads }: Game, { gameDirectory, kind, name, path }: Source): boolean {
  if (loads) return loads.some(({ files }) => files.some((file) => file.how === null && file.path === path));
  if (kind !== "pack" || gameDirectory.toLowerCase() !== base.toLowerCase()) return false;
  return /^(?:[a-z]+_)?(?:pak|game|assets)\d/i.test(name) || profile.enginePack?.name === name;
}
