/**
 * Definitions in `scripts/*.shader`, as DarkPlaces finds them: word by word until a block lacks its brace. Sources:
 * DarkPlacesEngine/darkplaces model_shared.c `Mod_LoadQ3Shaders`, common.c `COM_ParseToken_QuakeC`.
 * @module
 */
import type { Definition, ShaderScan } from "./shader_scan.ts";

/** Whitespace and comments, or a word: quoted, punctuation, or any other run of characters. */
const words =
  /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|(?<quoted>"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?)|(?<sign>[{}()[\]:,;])|(?<plain>[^\s{}()[\]:,;]+)/gy;

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
  for (const { 0: word, index, groups } of text.matchAll(words)) {
    const { quoted, sign, plain } = groups ?? {};
    const value = quoted?.slice(1).replace(/["']$/, "") ?? sign ?? plain;
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
