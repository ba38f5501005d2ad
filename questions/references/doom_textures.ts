/**
 * Textures that Doom's engines compose from patches: `TEXTURE1` and `TEXTURE2` with `PNAMES`, and GZDoom's `TEXTURES`.
 * @module
 */
import { MediaError, Reader, readPatchNames, readPatchTextures } from "../../media/mod.ts";
import { DoomText, type DoomWord } from "./doom_words.ts";
import { needed, type Reference } from "./reference.ts";

/** A definition in a file. */
export interface DoomDefinition {
  readonly type: "texture" | "actor" | "sound" | "sequence";
  readonly name: string;
  /** Position in the file. */
  readonly offset: number;
  /** Line of the name; 0 in binary files. */
  readonly line: number;
  readonly references: readonly Reference[];
}

function patch(name: string): Reference {
  return needed("image", name.includes("/") ? name : `patches/${name.toUpperCase()}`, "patch");
}

/**
 * Reads `TEXTURE1` or `TEXTURE2`.
 * @param patchNames `PNAMES`; undefined if there is none.
 * @throws {MediaError} if one of them is damaged.
 */
export function readTexture1(bytes: Uint8Array, patchNames: Uint8Array | undefined): DoomDefinition[] {
  if (!patchNames) throw new MediaError("there is no PNAMES with the names of its patches");
  const names = readPatchNames(patchNames);
  const reader = new Reader(bytes);
  return readPatchTextures(bytes).map(({ name, patches }, index) => {
    const offset = reader.u32(4 + index * 4);
    const used = new Set(patches.map(({ number }) => names[number] ?? `number ${number} of PNAMES`));
    return { type: "texture", name, offset, line: 0, references: Array.from(used, patch) };
  });
}

const defining = new Set(["texture", "walltexture", "flat", "sprite", "graphic"]);

/**
 * Reads `TEXTURES`: `texture NAME, 64, 64 { Patch NAME, 0, 0 { ... } }`.
 * @throws {MediaError} if it has too many words.
 */
export function readTextures(bytes: Uint8Array): DoomDefinition[] {
  const text = new DoomText(bytes);
  const found: DoomDefinition[] = [];
  while (!text.isAtEnd) {
    const word = text.next();
    const kind = word?.text.toLowerCase() ?? "";
    if (kind === "remap") {
      text.next();
      continue;
    }
    if (kind === "define") {
      // `define NEW OLD WIDTH HEIGHT`: a picture in a higher resolution.
      const name = text.next()?.text ?? "";
      const from = text.peek()?.line === word?.line ? text.next()?.text ?? "" : name;
      add(found, name, word, [needed("image", `hires/${from}`, "picture in a higher resolution")]);
      continue;
    }
    if (!defining.has(kind)) continue;
    const isOptional = text.take("optional");
    const name = text.next()?.text ?? "";
    while (!text.isAtEnd && text.peek()?.text !== "{" && !defining.has(text.peek()?.text.toLowerCase() ?? "")) {
      text.next();
    }
    const references = patchesOf(text.block() ?? [], isOptional);
    add(found, name, word, references);
  }
  return found;
}

function add(
  found: DoomDefinition[],
  name: string,
  word: DoomWord | undefined,
  references: readonly Reference[],
): void {
  if (name === "") return;
  found.push({ type: "texture", name, offset: word?.offset ?? 0, line: word?.line ?? 0, references });
}

function patchesOf(block: readonly DoomWord[], isOptional: boolean): Reference[] {
  const found = new Map<string, Reference>();
  let depth = 0;
  for (const [index, { kind, text }] of block.entries()) {
    if (kind === "symbol") depth += text === "{" ? 1 : text === "}" ? -1 : 0;
    if (depth > 0 || kind !== "word" || !/^(?:patch|graphic|sprite|flat|texture)$/i.test(text)) continue;
    const name = block[index + 1]?.text ?? "";
    if (name === "" || block[index + 1]?.kind === "symbol") continue;
    found.set(name.toLowerCase(), { ...patch(name), isOptional });
  }
  return [...found.values()];
}
