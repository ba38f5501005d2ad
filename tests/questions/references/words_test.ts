/** Words of random bytes, compared with a regular expression. */
import { assertEquals } from "@std/assert";
import { StemSet, wordsOf } from "../../../questions/references/words.ts";
import { numbersFrom, seed } from "../../support/chance.ts";

const latin = new TextDecoder("windows-1252");
const words = /[^\0-\x20"';,{}()<>|=`\x7f-\xff\u0100-\uffff]+/g;

function stemOf(word: string): string {
  const path = word.replaceAll("\\", "/");
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^./]*$/, "").replace(/^\*/, "").toLowerCase();
}

/** Words as a regular expression finds them. */
function expected(bytes: Uint8Array, stems: ReadonlySet<string>): string[] {
  const text = latin.decode(bytes);
  const all = [
    ...Array.from(text.matchAll(words), ([word]) => word),
    ...text.split(/["\0\n]/).filter((part) => part.includes(" ") && part.includes("/")).map((part) => part.trim()),
  ];
  return all.filter((word) => word.length > 1 && word.length <= 128 && (stems.has(stemOf(word)) || word.includes("%")));
}

Deno.test("words of random bytes are those of a regular expression that may name a file", () => {
  const random = numbersFrom(seed);
  const stems = new Set(["ogre", "a", "h_ogre", "", "two words", "1.5", "*x", "k", "wall_é"]);
  const pieces = [
    ...[
      "ogre",
      "OGRE.mdl",
      "progs/",
      "sound\\",
      "*a",
      "**x",
      ".mdl",
      "%s",
      "two words",
      "a b",
      "1.5.tga",
      "..",
      "wall_é",
    ],
    ...[
      " ",
      "\t",
      '"',
      "\0",
      "\n",
      "\r\n",
      "/",
      "\\",
      ".",
      "\u00a0",
      "\u0085",
      "é",
      "\x7f",
      "=",
      "'",
      "K",
      "a".repeat(130),
    ],
  ].map((piece) => Uint8Array.from(piece, (letter) => letter.charCodeAt(0)));
  const set = new StemSet(stems);
  let count = 0;
  for (let round = 0; round < 3000; round++) {
    const bytes = new Uint8Array(
      Array.from(
        { length: random(12) },
        () => random(8) === 0 ? [random(256)] : [...pieces[random(pieces.length)] ?? []],
      )
        .flat(),
    );
    // The set has more than was added, which the caller finds out.
    const found = Array.from(wordsOf(bytes, set)).filter((word) => stems.has(stemOf(word)) || word.includes("%"));
    assertEquals(found, expected(bytes, stems), latin.decode(bytes));
    count += found.length;
  }
  assertEquals(count > 1000, true);
});
