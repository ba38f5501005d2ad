/**
 * The shaders (Quake III) and materials (Doom 3) of a view: where each name is defined, which definition the engine
 * uses, and why not the others.
 * @module
 */
import { compilePathGlob, type GlobWork, type PathGlob } from "../../formats/parts.ts";
import type { View } from "../../views/mod.ts";
import { canonicalName } from "./doom3_scan.ts";
import { EngineImages } from "./engine_images.ts";
import { type ReadEntry, readShaderFiles, type ShaderFile } from "./shader_files.ts";
import { type ShaderAnswer, shaderAnswer, type ShaderImageRow } from "./shader_images.ts";
import { isDoom3 } from "../../engines/mod.ts";
import { type FileWarning, type KnownDefinition, type ShaderRules, shaderRulesOf } from "./shader_rules.ts";

export type { ShaderAnswer, ShaderImageRow };

/** One definition of a shader. Offsets and lengths in bytes of the shader file. */
export interface ShaderDefinitionRow {
  /** 1 is the winner. */
  rank: number;
  /** `shader`, or for Doom 3 `material`, `table`, ... */
  type: string;
  /** The shader file. */
  qpath: string;
  /** Absolute path of the pack, or of the directory a loose shader file was found under. */
  source: string;
  /** Name of the shader file inside `source`, as the archive spells it. */
  member: string;
  /** Where the definition starts in the file: its name, or the type before it. */
  offset: number;
  /** From there to just after the closing brace. */
  length: number;
  /** Line of the name, from 1. */
  line: number;
  /** Whether the engine knows this definition. */
  usable: boolean;
  /** Why not, else null. */
  reason: string | null;
  /** The rule that put it below the winner, else null. */
  decidedBy: string | null;
  /** That rule's sentence, else null. */
  because: string | null;
}

/** A name that is defined, with the definition that the engine uses. */
export interface ShaderRow {
  /** In lower case. */
  name: string;
  /** `shader`, or for Doom 3 `material`, `table`, ... */
  type: string;
  /** The shader file. */
  qpath: string;
  /** Absolute path of the pack, or of the directory a loose shader file was found under. */
  source: string;
  /** Line of the name, from 1. */
  line: number;
  /** Where the definition starts in the file, in bytes. */
  offset: number;
  /** Bytes from there to just after the closing brace. */
  length: number;
  /** How many definitions there are, those that the engine does not know included. */
  definitions: number;
  /** Why the engine does not know this name, where it knows none of them. */
  dropped?: string;
}

/** Work of comparing names with a pattern between two pauses. */
const workPerTurn = 100_000;

/** Definitions of the shader files of one view. Made once for a view; answers without reading again. */
export class ShaderIndex {
  readonly view: View;
  readonly rules: ShaderRules;
  /** Shader files in the order the engine lists them, each followed by those that it shadows. */
  readonly files: readonly ShaderFile[];
  /** Faults of these files. */
  readonly warnings: readonly FileWarning[];
  /** Definitions by type and name, as `material textures/a`, winner first. */
  readonly #definitions = new Map<string, KnownDefinition[]>();
  /** The same by name alone: of several types that come first in the files. */
  readonly #ofName = new Map<string, readonly KnownDefinition[]>();
  #images: EngineImages | undefined;
  #rows: readonly ShaderRow[] | undefined;

  constructor(view: View, read: ReadEntry) {
    this.view = view;
    this.rules = shaderRulesOf(view);
    const loaded = readShaderFiles(view, this.rules.folder, read);
    const known = this.rules.know(loaded, view);
    this.files = loaded.map(({ file }) => file);
    this.warnings = [
      ...this.files.filter((file) => file.problem !== null).map((file) => ({
        file,
        line: 0,
        message: file.problem ?? "",
      })),
      ...known.warnings,
    ];
    for (const item of known.definitions) {
      const key = keyOf(item.definition.type, item.definition.name);
      const others = this.#definitions.get(key);
      if (others) others.push(item);
      else this.#definitions.set(key, [item]);
    }
    for (const items of this.#definitions.values()) {
      items.sort((a, b) => Number(a.reason !== null) - Number(b.reason !== null) || a.order - b.order);
      const name = items[0]?.definition.name;
      if (name !== undefined && !this.#ofName.has(name)) this.#ofName.set(name, items);
    }
  }

  /** Where the engine looks for images. */
  get images(): EngineImages {
    this.#images ??= new EngineImages(this.view, this.rules.dialect, this.#definitions.size > 0);
    return this.#images;
  }

  /**
   * Returns all definitions of a name, winner first, those unknown to the engine last. Case does not matter, and as in
   * engines the name may have the extension of an image. Under Doom 3's rules materials come before tables and the like.
   */
  definitions(name: string): ShaderDefinitionRow[] {
    const items = this.#find(name);
    const winner = items[0];
    return items.map((item, index) => {
      const isLoser = winner !== undefined && item !== winner && item.reason === null;
      const decision = isLoser ? this.rules.explain(winner, item, this.view) : null;
      const { definition, file } = item;
      return {
        rank: index + 1,
        type: definition.type,
        qpath: file.qpath,
        source: file.source.path,
        member: file.member,
        offset: definition.offset,
        length: definition.end - definition.offset,
        line: definition.line,
        usable: item.reason === null,
        reason: item.reason,
        decidedBy: decision?.decidedBy ?? null,
        because: decision?.because ?? null,
      };
    });
  }

  /** Returns what the engine shows for a name, the shader or an image, and the images of the name. */
  answer(name: string): ShaderAnswer {
    const [winner] = this.#find(name);
    return shaderAnswer(this.view, this.images, this.rules.dialect, name, winner?.reason === null ? winner.file : null);
  }

  /** Returns the definition that the engine uses for a name; undefined if it knows none. */
  winner(name: string): KnownDefinition | undefined {
    const [first] = this.#find(name);
    return first?.reason === null ? first : undefined;
  }

  /** Returns a row for each name, in the order of names. */
  rows(): readonly ShaderRow[] {
    this.#rows ??= Array.from(this.#definitions.values(), rowOf).sort((a, b) => compareText(a.name, b.name));
    return this.#rows;
  }

  /**
   * Returns the rows whose names match; a pattern without `/` is compared with what follows a name's last `/`. Yields undefined
   * now and then so that a caller can stop or let other work run.
   * @throws {RangeError} at once, if the pattern is too long.
   */
  matching(pattern: string): Iterable<ShaderRow | undefined> {
    const work = { steps: 0 };
    const glob = compilePathGlob(pattern, { ignoreCase: true, work });
    return this.#matchingRows(glob, pattern.includes("/"), work);
  }

  *#matchingRows(glob: PathGlob, hasSlash: boolean, work: GlobWork): Generator<ShaderRow | undefined> {
    for (const row of this.rows()) {
      const name = hasSlash ? row.name : row.name.slice(row.name.lastIndexOf("/") + 1);
      if (glob.after(glob.start, name).accepts) yield row;
      if (work.steps < workPerTurn) continue;
      work.steps = 0;
      yield undefined;
    }
  }

  /** Returns sentences about the files that define a name. */
  warningsFor(name: string): string[] {
    const files = new Set(this.#find(name).map((item) => item.file));
    return this.warnings.filter(({ file }) => files.has(file))
      .map(({ file, line, message }) => `${file.qpath}${line > 0 ? ` line ${line}` : ""}: ${message}`);
  }

  #find(name: string): readonly KnownDefinition[] {
    if (isDoom3(this.rules.dialect)) return this.#ofAnyType(canonicalName(name));
    const folded = name.toLowerCase();
    const exact = this.#ofAnyType(folded);
    return exact.length > 0 ? exact : this.#ofAnyType(folded.replace(/\.[^./]*$/, ""));
  }

  #ofAnyType(name: string): readonly KnownDefinition[] {
    return this.#definitions.get(keyOf("shader", name)) ?? this.#definitions.get(keyOf("material", name)) ??
      this.#ofName.get(name) ?? [];
  }
}

function keyOf(type: string, name: string): string {
  return `${type} ${name}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rowOf(items: readonly KnownDefinition[]): ShaderRow {
  const [winner] = items;
  if (!winner) throw new RangeError("a name without a definition");
  const { definition, file, reason } = winner;
  return {
    name: definition.name,
    type: definition.type,
    qpath: file.qpath,
    source: file.source.path,
    line: definition.line,
    offset: definition.offset,
    length: definition.end - definition.offset,
    definitions: items.length,
    ...(reason === null ? {} : { dropped: reason }),
  };
}

const nothing = new Uint8Array(0);
const indexes = new WeakMap<View, ShaderIndex>();

/** Returns the entries that {@linkcode shaderIndex} would read for a view: none if that has been done. */
export function shaderEntries(view: View): number[] {
  const entries: number[] = [];
  if (indexes.has(view)) return entries;
  readShaderFiles(view, shaderRulesOf(view).folder, (entry) => {
    entries.push(entry);
    return nothing;
  });
  return entries;
}

/**
 * Returns the shader index of a view. Reads its shader files the first time.
 * @param read Reads an entry whole; only called for small files.
 */
export function shaderIndex(view: View, read: ReadEntry): ShaderIndex {
  const known = indexes.get(view) ?? new ShaderIndex(view, read);
  indexes.set(view, known);
  return known;
}
