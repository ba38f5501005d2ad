/**
 * Declarations of Doom 3 other than materials: entities, models, sounds, skins, particles. Sources: id-Software/DOOM-3
 * neo/framework/DeclManager.cpp `Init`, DeclEntityDef.cpp, DeclSkin.cpp, DeclParticle.cpp, neo/game/anim/Anim_Blend.cpp
 * `idDeclModelDef::Parse`, neo/sound/snd_shader.cpp.
 * @module
 */
import { ArchiveError } from "../../formats/mod.ts";
import { append } from "../../formats/parts.ts";
import { at } from "../../index/mod.ts";
import type { Reading } from "../reference_rows.ts";
import { canonicalName } from "../shaders/doom3_scan.ts";
import { Doom3Lexer } from "../../engines/mod.ts";
import { readShaderFiles, type ShaderFolder } from "../shaders/shader_files.ts";
import type { ShaderIndex } from "../shaders/shader_index.ts";
import type { KnownDefinition } from "../shaders/shader_rules.ts";
import { entityReferences } from "./entities.ts";
import { extensionOf } from "../shaders/engine_images.ts";
import { needed, type Reference } from "./reference.ts";

const folders: readonly ShaderFolder[] = [
  { directory: "def", extension: ".def", isDeep: false },
  { directory: "sound", extension: ".sndshd", isDeep: false },
  { directory: "skins", extension: ".skin", isDeep: false },
  { directory: "particles", extension: ".prt", isDeep: false },
];

const nothing = new Uint8Array(0);

/** Declarations of one view by type and name. */
export class Doom3Declarations {
  readonly #known = new Map<string, KnownDefinition>();

  private constructor(definitions: readonly KnownDefinition[]) {
    for (const definition of definitions) {
      const key = keyOf(definition.definition.type, definition.definition.name);
      if (definition.reason === null && !this.#known.has(key)) this.#known.set(key, definition);
    }
  }

  /** Reads the declaration files of a view. */
  static async read({ view, rules }: ShaderIndex, reading: Reading): Promise<Doom3Declarations> {
    const definitions: KnownDefinition[] = [];
    for (const folder of folders) {
      const entries: number[] = [];
      readShaderFiles(view, folder, (entry) => {
        entries.push(entry);
        return nothing;
      });
      const contents = new Map<number, Uint8Array | Error>();
      for (const entry of entries) {
        // deno-lint-ignore no-await-in-loop -- one file after the other
        contents.set(entry, await contentOf(entry, at(view.snapshot.columns.entrySizes, entry), reading));
      }
      const loaded = readShaderFiles(view, folder, (entry) => {
        const content = contents.get(entry) ?? nothing;
        if (content instanceof Error) throw content;
        return content;
      });
      append(definitions, rules.know(loaded, view).definitions);
    }
    return new Doom3Declarations(definitions);
  }

  /** Returns the declarations that the engine uses. */
  winners(): KnownDefinition[] {
    return [...this.#known.values()];
  }

  /** Returns the declaration that the engine uses; undefined if unknown. */
  winner(type: string, name: string): KnownDefinition | undefined {
    return this.#known.get(keyOf(type, canonicalName(name)));
  }
}

async function contentOf(entry: number, size: number, reading: Reading): Promise<Uint8Array | Error> {
  try {
    const bytes = (await reading.read(entry, 0, size)).slice();
    await reading.pause();
    return bytes;
  } catch (error) {
    if (error instanceof ArchiveError) return error;
    throw error;
  }
}

function keyOf(type: string, name: string): string {
  return `${type} ${name}`;
}

/** Returns the references of a declaration other than a material: `text` is from its type to its closing brace. */
export function doom3DeclarationReferences(type: string, text: Uint8Array): Reference[] {
  const words = wordsOf(text);
  if (type === "entitydef") {
    const pairs = Array.from({ length: words.length >> 1 }, (_, index) => [words[index * 2], words[index * 2 + 1]]);
    const keys = new Map(pairs.map(([key = "", value = ""]) => [key.toLowerCase(), value]));
    const inherited = keys.get("inherit") ?? "";
    const parent = inherited === "" ? [] : [needed("definition", `entitydef ${inherited}`, '"inherit"')];
    return [...parent, ...entityReferences([new Map([...keys, ["classname", ""]])], "doom3")];
  }
  const found: Reference[] = [];
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]?.toLowerCase() ?? "";
    const extension = extensionOf(word);
    if (type === "sound") {
      if (extension === "wav" || extension === "ogg") found.push(needed("sound", word, "sound"));
    } else if (type === "model") {
      if (extension === "md5mesh") found.push(needed("model", word, "mesh"));
      else if (extension === "md5anim") found.push(needed("file", word, "animation"));
      else if (before === "inherit") found.push(needed("definition", `model ${word}`, "inherit"));
      else if (before === "skin") found.push(needed("definition", `skin ${word}`, "skin"));
    } else if (type === "particle" && before === "material") found.push(needed("texture", word, "particle"));
  }
  return type === "skin" ? skinReferences(words) : found;
}

/** A skin is `model NAME` and pairs of a material, or `*` for any, and its replacement. */
function skinReferences(words: readonly string[]): Reference[] {
  const found: Reference[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    const name = words[index + 1] ?? "";
    if (words[index]?.toLowerCase() !== "model") found.push(needed("texture", name, "skin"));
  }
  return found;
}

/** Returns the tokens between the braces of a declaration. */
function wordsOf(text: Uint8Array): string[] {
  const lexer = new Doom3Lexer(text);
  const words: string[] = [];
  let depth = 0;
  while (lexer.next()) {
    if (lexer.isBrace("{")) depth++;
    else if (lexer.isBrace("}")) depth--;
    else if (depth > 0 && (lexer.kind === "name" || lexer.kind === "string" || lexer.text === "*")) {
      words.push(lexer.text);
    }
  }
  return words;
}
