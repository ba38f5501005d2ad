/**
 * Resolved references of a view, and the interface that resolves them.
 * @module
 */
import type { NeedKind, Reading } from "../reference_rows.ts";
import type { KnownDefinition } from "../shaders/shader_rules.ts";
import type { View } from "../../views/mod.ts";
import type { Reference } from "./reference.ts";
import type { ReferenceKind } from "../../engines/mod.ts";
import { textureOr } from "./engine_paths.ts";

/** A file of the view. */
export interface FileThing {
  readonly type: "file";
  /** Equal for equal items. */
  readonly key: string;
  readonly entry: number;
  readonly qpath: string;
}

/** A shader, a material, or another declaration of Doom 3. */
export interface ShaderThing {
  readonly type: "shader";
  readonly key: string;
  /** Entry of the file that defines it. */
  readonly entry: number;
  readonly definition: KnownDefinition;
}

/** An unresolved name. */
export interface MissingThing {
  readonly type: "missing";
  readonly key: string;
  readonly name: string;
  /** Paths that the engine tries. */
  readonly tried: readonly string[];
}

/** A resolved reference: a file, a shader, or nothing. */
export type Thing = FileThing | ShaderThing | MissingThing;

/** References of a file or shader. */
export interface ReadResult {
  readonly references: readonly Reference[];
  /** Reason why they are unknown, as a sentence without a full stop; else null. */
  readonly problem: string | null;
}

/** Reads and resolves references. */
export interface ReferenceResolver {
  readonly view: View;
  /** Returns the references of a file or shader. */
  read(thing: FileThing | ShaderThing, reading: Reading): Promise<ReadResult>;
  /** Reads the references of a file or shader; for a file of another kind, the names in its bytes. */
  readWidely(thing: FileThing | ShaderThing, reading: Reading): Promise<ReadResult>;
  /** Resolves a reference. */
  resolve(reference: Reference): Thing;
  /** Returns the kind of a file, regardless of the referrer. */
  kindOfFile(file: FileThing): NeedKind;
}

/** Returns the name of an item: path of a file, name of a shader, else the name in the reference. */
export function nameOf(thing: Thing): string {
  if (thing.type === "file") return thing.qpath;
  return thing.type === "shader" ? thing.definition.definition.name : thing.name;
}

/** Returns the kind for the row of a shader, or of a declaration of Doom 3. */
export function definedKind({ definition: { definition: { type } } }: ShaderThing): NeedKind {
  return type === "shader" || type === "material" ? "shader" : "definition";
}

/** Returns the kind for the row of an item with a kind of reference. */
export function needKindOf(kind: ReferenceKind): NeedKind {
  const named = textureOr(kind);
  return named === "side" ? "file" : named === "sky" ? "image" : named;
}

/** Milliseconds of work after which to yield. */
const workTime = 10;

/** Yields during work that is mostly done in memory. */
export class Pacer {
  readonly #reading: Reading;
  #until = performance.now() + workTime;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Yields if this work has taken long; throws when the question is cancelled. */
  async step(): Promise<void> {
    if (performance.now() < this.#until) return;
    await this.#reading.pause();
    this.#until = performance.now() + workTime;
  }
}
