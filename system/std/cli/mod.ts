/**
 * Command-line helpers, with the names, signatures and meaning of the part of `jsr:@std/cli` used here.
 *
 * A first-party stand-in, not the Deno authors' code; used where JSR cannot be reached.
 * @module
 */

// Ranges of East_Asian_Width W and F (Unicode 16, EastAsianWidth.txt), unassigned gaps inside a block included. Emoji
// are matched by the property below, which depends on the engine's Unicode version; each of the two letters of a flag
// counts as one column.
const wide = new RegExp(
  "[\\u1100-\\u115f\\u2329\\u232a\\u2630-\\u2637\\u268a-\\u268f\\u2e80-\\u303e\\u3041-\\u3247\\u3250-\\u4dbf\\u4dc0-\\ua4c6" +
    "\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6b\\uff01-\\uff60\\uffe0-\\uffe6" +
    "\\u{16fe0}-\\u{18d08}\\u{1aff0}-\\u{1b2fb}\\u{1d300}-\\u{1d376}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}]" +
    "|(?![\\u{1f1e6}-\\u{1f1ff}])\\p{Emoji_Presentation}",
  "u",
);

// Marks drawn onto the character before them, invisible format characters, control characters, and the vowels and
// final consonants that join a Hangul syllable. U+00AD is shown by terminals.
const zero = /(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff\ud7b0-\ud7ff\u2028\u2029]/u;

/**
 * Returns the number of terminal columns of `str`: two for East Asian wide characters and emoji, none for combining and
 * control characters, one for the rest. Escape sequences are not recognized; strip them first.
 *
 * @example
 * ```ts
 * import { unicodeWidth } from "@std/cli";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(unicodeWidth("pak0"), 4);
 * assertEquals(unicodeWidth("한글"), 4);
 * ```
 */
export function unicodeWidth(str: string): number {
  let width = 0;
  for (const character of str) {
    if (character >= " " && character <= "~") width += 1;
    else if (!zero.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}
