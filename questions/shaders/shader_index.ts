/**
 * The shaders (Quake III) and materials (Doom 3) of a view: the definitions of each name, the one that the engine uses,
 * and the reasons against the others.
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
  /** Rank: 1 is the winner. */
  rank: number;
  /** `shader`, or for Doom 3 `material`, `table`, ... */
  type: string;
  /** The shader file. */
  qpath: string;
  /** Absolute path of the pack, or of the directory of a loose shader file. */
  source: string;
  /** Name of the shader file inside `source`, as spelled in the archive. */
  member: string;
  /** Offset of the definition in the file: its name, or the type before it. */
  offset: number;
  /** Length up to and including the closing brace. */
  length: number;
  /** Line of the name, from 1. */
  line: number;
  /** Whether the engine knows this definition. */
  usable: boolean;
  /** Reason why not, or null. */
  reason: string | null;
  /** The rule that put it below the winner, else null. */
  decidedBy: string | null;
  /** Sentence of the rule, or null. */
  because: string | null;
}

/** A defined name, with the definition that the engine uses. */
export interface ShaderRow {
  /** The name in lower case. */
  name: string;
  /** `shader`, or for Doom 3 `material`, `table`, ... */
  type: string;
  /** The shader file. */
  qpath: string;
  /** Absolute path of the pack, or of the directory of a loose shader file. */
  source: string;
  /** Line of the name, from 1. */
  line: number;
  /** Offset of the definition in the file, in bytes. */
  offset: number;
  /** Bytes up to and including the closing brace. */
  length: number;
  /** Number of definitions, including those that the engine does not know. */
  definitions: number;
  /** Reason why the engine knows none of the definitions, or null. */
  dropped?: string;
}

/** Amount of matching work after which to yield. */
const workPerTurn = 100_000;

/** Definitions of the shader files of one view. Created once per view; lookups read nothing. */
export class ShaderIndex {
  readonly view: View;
  readonly rules: ShaderRules;
  /** Shader files in the engine's listing order, each followed by the files that it shadows. */
  readonly files: readonly ShaderFile[];
  /** Faults of these files. */
  readonly warnings: readonly FileWarning[];
  /** Definitions by type and name, as `material textures/a`, winner first. */
  readonly #definitions = new Map<string, KnownDefinition[]>();
  /** Definitions by name alone: among several types, the first in the files. */
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
      this.#definitions.getOrInsert(keyOf(item.definition.type, item.definition.name), []).push(item);
    }
    for (const items of this.#definitions.values()) {
      items.sort((a, b) => Number(a.reason !== null) - Number(b.reason !== null) || a.order - b.order);
      const name = items[0]?.definition.name;
      if (name !== undefined && !this.#ofName.has(name)) this.#ofName.set(name, items);
    }
  }

  /** The engine's search paths of images. */
  get images(): EngineImages {
    this.#images ??= new EngineImages(this.view, this.rules.dialect, this.#definitions.size > 0);
    return this.#images;
  }

  /**
   * Returns all definitions of a name, the winner first, unknown ones last. Case is ignored, and as in engines the name
   * may have the extension of an image. With Doom 3's rules materials come before tables and similar.
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

  /** Returns the item that the engine shows for a name, the shader or an image, and the images of the name. */
  answer(name: string): ShaderAnswer {
    const [winner] = this.#find(name);
    return shaderAnswer(this.view, this.images, this.rules.dialect, name, winner?.reason === null ? winner.file : null);
  }

  /** Returns the definition that the engine uses for a name; undefined if it knows none. */
  winner(name: string): KnownDefinition | undefined {
    const [first] = this.#find(name);
    return first?.reason === null ? first : undefined;
  }

  /** Returns a row for each name, sorted by name. */
  rows(): readonly ShaderRow[] {
    this.#rows ??= Array.from(this.#definitions.values(), rowOf).sort((a, b) => compareText(a.name, b.name));
    return this.#rows;
  }

  /**
   * Returns the rows whose names match; a pattern without `/` is compared with the part after a name's last `/`. Yields
   * undefined periodically so that a caller can stop or let other work run.
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

  /** Returns messages about the files that define a name. */
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

/** Returns the entries that {@linkcode shaderIndex} would read for a view: none if it was created already. */
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
 * @param read Reads a whole entry; only called for small files.
 */
export function shaderIndex(view: View, read: ReadEntry): ShaderIndex {
  return indexes.getOrInsertComputed(view, () => new ShaderIndex(view, read));
}
