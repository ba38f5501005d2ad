/**
 * Things that names of a view lead to, and what finds them.
 * @module
 */
import type { NeedKind, Reading } from "../reference_rows.ts";
import type { KnownDefinition } from "../shaders/shader_rules.ts";
import type { View } from "../../views/mod.ts";
import type { Reference } from "./reference.ts";
import type { ReferenceKind } from "../../engines/mod.ts";

/** A file of the view. */
export interface FileThing {
  readonly type: "file";
  /** Equal for equal things. */
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

/** A name that nothing answers. */
export interface MissingThing {
  readonly type: "missing";
  readonly key: string;
  readonly name: string;
  /** Paths that the engine tries. */
  readonly tried: readonly string[];
}

/** Something that a name leads to: a file, a shader, or nothing. */
export type Thing = FileThing | ShaderThing | MissingThing;

/** References of a file or shader. */
export interface ReadResult {
  readonly references: readonly Reference[];
  /** Why they are not known, as a sentence without a full stop; else null. */
  readonly problem: string | null;
}

/** Reads references and finds what answers them. */
export interface ReferenceResolver {
  readonly view: View;
  /** Returns what a file or shader refers to. */
  read(thing: FileThing | ShaderThing, reading: Reading): Promise<ReadResult>;
  /** Reads what a file or shader refers to; of a file of another kind the names in its bytes. */
  readWidely(thing: FileThing | ShaderThing, reading: Reading): Promise<ReadResult>;
  /** Returns what answers a reference. */
  resolve(reference: Reference): Thing;
  /** Returns the kind of a file, whatever refers to it. */
  kindOfFile(file: FileThing): NeedKind;
}

/** Returns the name of a thing: path of a file, name of a shader, else the name that refers to it. */
export function nameOf(thing: Thing): string {
  if (thing.type === "file") return thing.qpath;
  return thing.type === "shader" ? thing.definition.definition.name : thing.name;
}

/** Returns the kind of the row of a shader, or of a declaration of Doom 3. */
export function definedKind({ definition: { definition: { type } } }: ShaderThing): NeedKind {
  return type === "shader" || type === "material" ? "shader" : "definition";
}

/** Returns the kind of the row of something that is referred to in a way. */
export function needKindOf(kind: ReferenceKind): NeedKind {
  return kind === "side" ? "file" : kind === "sky" ? "image" : kind;
}

/** Milliseconds of work between two pauses. */
const workTime = 10;

/** Pauses work that is mostly done from memory. */
export class Pacer {
  readonly #reading: Reading;
  #until = performance.now() + workTime;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Yields to other work if this work has taken long; throws when the question is cancelled. */
  async step(): Promise<void> {
    if (performance.now() < this.#until) return;
    await this.#reading.pause();
    this.#until = performance.now() + workTime;
  }
}
