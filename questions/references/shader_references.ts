/**
 * References of the shaders and materials of a view.
 * @module
 */
import { ArchiveError } from "../../formats/mod.ts";
import { at } from "../../index/mod.ts";
import type { Reading } from "../reference_rows.ts";
import type { ShaderIndex } from "../shaders/shader_index.ts";
import type { KnownDefinition } from "../shaders/shader_rules.ts";
import { doom3DeclarationReferences } from "./doom3_declarations.ts";
import { doom3MaterialReferences } from "./doom3_material.ts";
import { quake3ShaderReferences } from "./quake3_shader.ts";
import type { Reference } from "./reference.ts";
import type { ReadResult } from "./thing.ts";

/** References of the shaders of one view. Each shader file is read once, when one of its shaders is requested. */
export class ShaderReferences {
  readonly #shaders: ShaderIndex;
  readonly #byDefinition = new WeakMap<KnownDefinition, ReadResult>();
  #text: { readonly entry: number; readonly bytes: Uint8Array } | undefined;

  constructor(shaders: ShaderIndex) {
    this.#shaders = shaders;
  }

  /** Returns the references of a shader. */
  async of(known: KnownDefinition, reading: Reading): Promise<ReadResult> {
    const result = this.#byDefinition.get(known) ?? await this.#read(known, reading);
    this.#byDefinition.set(known, result);
    return result;
  }

  async #read({ definition, file }: KnownDefinition, reading: Reading): Promise<ReadResult> {
    try {
      const bytes = await this.#textOf(file.entry, reading);
      const text = bytes.subarray(definition.offset, definition.end);
      return { references: referencesIn(definition.type, text), problem: null };
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      return { references: [], problem: error.message };
    }
  }

  /** Returns the content of a shader file, and caches the last one, because its shaders are requested in order. */
  async #textOf(entry: number, reading: Reading): Promise<Uint8Array> {
    if (this.#text?.entry !== entry) {
      const size = at(this.#shaders.view.snapshot.columns.entrySizes, entry);
      const bytes = (await reading.read(entry, 0, size)).slice();
      await reading.pause();
      this.#text = { entry, bytes };
      return bytes;
    }
    return this.#text.bytes;
  }
}

/** Returns the references of a definition of a type. */
export function referencesIn(type: string, text: Uint8Array): Reference[] {
  if (type === "shader") return quake3ShaderReferences(text);
  return type === "material" ? doom3MaterialReferences(text) : doom3DeclarationReferences(type, text);
}
