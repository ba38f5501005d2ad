/**
 * Definitions in `scripts/*.shader`, as DarkPlaces finds them: word by word until a block lacks its brace. Sources:
 * DarkPlacesEngine/darkplaces model_shared.c `Mod_LoadQ3Shaders`, common.c `COM_ParseToken_QuakeC`.
 * @module
 */
import type { Definition, ShaderScan } from "./shader_scan.ts";

/** Whitespace and comments, the quote that begins a word, or a word: punctuation, or any other run of characters. */
const words = /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|(?<quote>["'])|(?<sign>[{}()[\]:,;])|(?<plain>[^\s{}()[\]:,;]+)/gy;

/** Returns the end of a quoted word; an expression for it overflows the stack on a long one. */
function endOfQuoted(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position++) {
    if (text[position] === text[start]) return position + 1;
    if (text[position] !== "\\") continue;
    if (position + 1 === text.length) return position;
    position++;
  }
  return text.length;
}

const decoder = new TextDecoder("latin1");

/** Scans a file. */
export function scanDarkPlacesShaders(bytes: Uint8Array): ShaderScan {
  const end = bytes.indexOf(0);
  const text = decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  const definitions: Definition[] = [];
  let name: { text: string; offset: number; line: number } | undefined;
  let depth = 0;
  let start = 0;
  let line = 1;
  const pattern = new RegExp(words);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const { index, groups: { quote, sign, plain } = {} } = found;
    if (quote !== undefined) pattern.lastIndex = endOfQuoted(text, index);
    const word = text.slice(index, pattern.lastIndex);
    const value = quote === undefined ? sign ?? plain : word.slice(1).replace(/["']$/, "");
    if (value !== undefined && !name) name = { text: value, offset: index, line };
    else if (value !== undefined && name) {
      if (depth === 0 && value !== "{") {
        return { definitions, warnings: [{ line: name.line, message: `shader "${name.text}" has no opening {` }] };
      }
      depth += value === "{" ? 1 : value === "}" ? -1 : 0;
      if (depth === 0) {
        const { offset } = name;
        const after = index + word.length;
        const nameOf = { type: "shader", name: name.text.toLowerCase(), nameOffset: offset, line: name.line } as const;
        definitions.push({ ...nameOf, start, offset, end: after });
        start = after;
        name = undefined;
      }
    }
    line += word.split("\n").length - 1;
  }
  const warnings = name ? [{ line: name.line, message: `shader "${name.text}" has no closing }` }] : [];
  return { definitions, warnings };
}
