import { assert, assertEquals } from "@std/assert";
import fc from "../../support/fast_check.ts";
import { canonicalName, scanDoom3Declarations } from "../../../questions/shaders/doom3_scan.ts";
import { scanDarkPlacesShaders } from "../../../questions/shaders/darkplaces_shaders.ts";
import { checkShaderFile, findQuake3Shaders, scanQuake3Shaders } from "../../../questions/shaders/quake3_shaders.ts";
import { quake3Shaders as engine } from "../../../engines/core/shared_parts.ts";
import { profileNamed, profiles } from "../../../engines/table.ts";
import { compressText } from "../../../questions/shaders/quake3_tokens.ts";
import type { Definition } from "../../../questions/shaders/shader_scan.ts";
import { join, string, text } from "../../formats/bytes.ts";

const joined = profiles.map(({ shaders }) => shaders).filter((shaders) => shaders?.reading === "joined");
const original = joined.find((shaders) => shaders === profileNamed("quake3")?.shaders) ?? engine;

/** `name line offset..end` of each definition. */
function shown(definitions: readonly Definition[]): string[] {
  return definitions.map(({ type, name, line, offset, end }) => {
    const label = type === "shader" || type === "material" ? name : `${type} ${name}`;
    return `${label} ${line} ${offset}..${end}`;
  });
}

function names(definitions: readonly Definition[]): string[] {
  return definitions.map(({ name }) => name);
}

function quake3(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? text(content) : content;
}

/** Returns the names that ioquake3 finds in one file, or its reason for ignoring the file. */
function ioquake3(content: string | Uint8Array): string[] | string {
  const bytes = quake3(content);
  const ignored = checkShaderFile(bytes, engine).fault;
  if (ignored) return `line ${ignored.line}: ${ignored.message}`;
  return names(findQuake3Shaders([bytes], engine).map(({ definition }) => definition));
}

Deno.test("Quake 3: definitions are found with their bytes, lines and small letters", () => {
  const content = "// walls\ntextures/Base/A\n{\n\t{\n\t\tmap $lightmap\n\t}\n}\n\ntextures/b { }\n";
  const { definitions, warnings } = scanQuake3Shaders(text(content));
  assertEquals(shown(definitions), ["textures/base/a 2 9..50", "textures/b 9 52..66"]);
  assertEquals(warnings, []);
  const [first, second] = definitions;
  assertEquals([first?.start, second?.start], [0, 50], "comments in front belong to what follows");
  assertEquals(content.slice(first?.offset, first?.end).endsWith("\t}\n}"), true);
  assertEquals(ioquake3(content), ["textures/base/a", "textures/b"]);
  assertEquals(
    shown(findQuake3Shaders([text(content)], engine).map(({ definition }) => definition)),
    shown(definitions),
    "the engine's way, over the text without comments, leads to the same bytes",
  );
});

Deno.test("Quake 3: comments are comments only where a word could start", () => {
  assertEquals(ioquake3("a { // }\n }\nb { /* } */ }"), ["a", "b"]);
  assertEquals(ioquake3("a/*x { }\nb { }"), ["a"], "the engine takes the rest for a comment once it joins the files");
  assertEquals(names(scanQuake3Shaders(text("a//b { }")).definitions), ["a//b"]);
  assertEquals(names(scanQuake3Shaders(text("/*/ x { } */ a { }")).definitions), ["a"], "one star does not close");
  assertEquals(ioquake3("a { map x//y.tga }\nb { }"), ["a"], "and so the rest of this line");
});

Deno.test("Quake 3: braces are words only by themselves", () => {
  assertEquals(ioquake3("a{ }\n"), 'line 1: shader "a{" has no opening { but "}"');
  assertEquals(ioquake3("a { x} }"), ["a"]);
  assertEquals(ioquake3("\n\na { x{ }"), ["a"]);
  assertEquals(ioquake3("a { } }"), 'line 1: shader "}" has no opening {');
});

Deno.test("Quake 3: a quoted brace counts, other quoted text does not", () => {
  assertEquals(ioquake3('a { "}"\nb { }'), ["a", "b"]);
  assertEquals(ioquake3('a { "{" }\n'), 'line 1: shader "a" has no closing }');
  assertEquals(ioquake3('a { "} }" }\nb { }'), ["a", "b"]);
  assertEquals(ioquake3('"a b" { }'), ["a b"]);
  assertEquals(ioquake3('"a\nb" "{" "}"\nc { }'), ["a\nb", "c"], "quotes go over line ends");
  assertEquals(shown(scanQuake3Shaders(text('"a\nb" { }\nc { }')).definitions), ["a\nb 1 0..9", "c 3 10..15"]);
});

Deno.test("Quake 3: bytes from 0x80 are blanks, so a byte order mark vanishes and accents end words", () => {
  assertEquals(ioquake3(join(Uint8Array.of(0xef, 0xbb, 0xbf), text("a { }"))), ["a"]);
  assertEquals(ioquake3(join(text("a"), Uint8Array.of(0xe9), text("{ }"))), ["a"]);
  assertEquals(
    ioquake3(join(text("caf"), Uint8Array.of(0xe9), text("x { }"))),
    'line 1: shader "caf" has no opening { but "x"',
  );
});

Deno.test("Quake 3: NUL ends a file", () => {
  assertEquals(ioquake3("a { }\n\0b { }"), ["a"]);
  assertEquals(ioquake3("a { \0 }"), 'line 1: shader "a" has no closing }');
  assertEquals(ioquake3("\0a { }"), []);
});

Deno.test("Quake 3: ioquake3 ignores the whole of a file that is not well formed", () => {
  assertEquals(ioquake3("a { }\nb\nc { }\n"), 'line 2: shader "b" has no opening { but "c"');
  assertEquals(ioquake3("a { }\nb"), 'line 2: shader "b" has no opening {');
  assertEquals(ioquake3("a { }\n\nb { {\n}\n"), 'line 3: shader "b" has no closing }');
  assertEquals(ioquake3('a { }\nb { "open }\n'), 'line 2: shader "b" has no closing }');
  assertEquals(ioquake3("{ }"), 'line 1: shader "{" has no opening { but "}"');
  assertEquals(ioquake3(" \n// nothing\n"), []);
});

Deno.test("Quake 3: an empty name ends the search, in the joined text for all files after it", () => {
  assertEquals(ioquake3('a { }\n""\nb { }'), ["a"]);
  const files = ["a { }\n", 'b { }\n"" { }\n', "c { }\n"].map(text);
  assertEquals(names(findQuake3Shaders(files, engine).map(({ definition }) => definition)), ["c", "b"]);
});

Deno.test("Quake 3: comments are removed everywhere except in quotes before definitions are searched", () => {
  const compressed = (content: string) => string(compressText(text(content)).bytes);
  assertEquals(compressed("map  a//b.tga\n\n\tx"), "map a\nx");
  assertEquals(compressed('"a // b"  /* c */ d\r\n'), '"a // b" d');
  assertEquals(compressed("a /*/ b"), "a b", "one star both opens and closes");
  assertEquals(compressed("a /* b"), "a");
  assertEquals(compressed('a "b'), 'a "b');
  const { bytes, origins } = compressText(text("a // b\n c"));
  assertEquals([string(bytes), [...origins]], ["a\nc", [0, 8, 8]]);
});

Deno.test("Quake 3: what the first look at a file and the search see differently", () => {
  // To the first look }//x is no brace, so a's block holds b. The search sees two blocks, and then takes a brace for a
  // name, which costs c.
  const content = "a { }//x\nb { }\n}\nc { }\n";
  assertEquals(checkShaderFile(text(content), engine).fault, null);
  assertEquals(ioquake3(content), ["a", "b", "}", "{"]);
  // A quote inside a word is nothing to the first look, and opens quotes for the comments' remover.
  const quoted = findQuake3Shaders(['a { x" // }\n }\n', 'b { y" }\n'].map(text), engine);
  assertEquals(quoted.map(({ file, definition }) => `${file} ${definition.name}`), ["1 b", "0 a"]);
});

Deno.test("Quake 3: the file listed last answers, inside a file the first definition", () => {
  const files = ["x { 1 }\ny { 1 }", "y { 2 }\nx { 2 }\nx { 3 }"].map(text);
  const order = findQuake3Shaders(files, engine).map(({ file, definition }) =>
    `${definition.name} ${file}:${definition.line}`
  );
  assertEquals(order, ["y 1:1", "x 1:2", "x 1:3", "x 0:1", "y 0:2"]);
});

Deno.test("Quake 3: the original engine looks through the first shaders of all files first, and refuses no file", () => {
  const files = ["x { 1 }\ny { 1 }", "z { }\n", "y { 2 }\nx { 2 }\n"].map(text);
  const order = findQuake3Shaders(files, original).map(({ file, definition }) =>
    `${definition.name} ${file}:${definition.line}`
  );
  assertEquals(order, ["x 0:1", "z 1:1", "y 2:1", "x 2:2", "y 0:2"]);
  const broken = ["x { }\ny { }\n", "a { }\nstray\n"].map(text);
  assertEquals(
    findQuake3Shaders(broken, original).map(({ file, definition }) => `${definition.name} ${file}`),
    ["x 0", "a 1", "stray 1", "{ 0", "} 0"],
    "a stray word takes the names of the next file with it",
  );
});

Deno.test("Quake 3: a tolerant scan continues after what it does not understand", () => {
  const { definitions, warnings } = scanQuake3Shaders(text("junk a { }\n{ }\nb { }\nc { {\n}"));
  assertEquals(names(definitions), ["a", "b"]);
  assertEquals(warnings, [
    { line: 1, message: '"junk" has no block' },
    { line: 2, message: "a block has no name" },
    { line: 4, message: 'the block of "c" is not closed' },
  ]);
});

Deno.test("Quake 3: names are kept to 1023 bytes", () => {
  const [definition] = scanQuake3Shaders(text(`${"n".repeat(2000)} { }`)).definitions;
  assertEquals([definition?.name.length, definition?.end], [1023, 2004]);
});

Deno.test("Doom 3: types, names and blocks", () => {
  const content = 'textures/a { }\nmaterial b{}\ntable sin { { 0, 1 } }\nSkin "c d"\n{ x "}" }\n';
  const { definitions, warnings } = scanDoom3Declarations(text(content));
  assertEquals(shown(definitions), ["textures/a 1 0..14", "b 2 15..27", "table sin 3 28..50", "skin c d 4 51..71"]);
  assertEquals(definitions[1]?.nameOffset, 24);
  assertEquals(warnings, []);
});

Deno.test("Doom 3: names are compared in small letters, with slashes, without what follows the last dot", () => {
  assertEquals(canonicalName("Textures\\Wall.TGA"), "textures/wall");
  assertEquals(canonicalName("a.b/c"), "a");
  assertEquals(names(scanDoom3Declarations(text("textures\\A.tga { }")).definitions), ["textures/a"]);
});

Deno.test("Doom 3: words end where its lexer ends them", () => {
  const found = (content: string) => names(scanDoom3Declarations(text(content)).definitions);
  assertEquals(found("a//b { }"), ["a//b"], "a slash continues a name");
  assertEquals(found("a-b { }"), ["b"], "a minus is a word of its own");
  assertEquals(found("a /* } */  { } // }\nb { }"), ["a", "b"]);
  assertEquals(found("a /**/{ }\nb { }"), ["b"], "the character after a comment is passed over");
  assertEquals(found("a /*/ { } b { }"), ["a", "b"], "one star both opens and closes");
  assertEquals(found('a { "}" }\nb { }'), ["a", "b"], "a quoted brace is text");
  assertEquals(found('a { \'}\' "x" \\ "}" }\nb { }'), ["a", "b"]);
  assertEquals(found('"a" \\ /* and */  "b" { }'), ["ab"], "a backslash joins strings");
  assertEquals(found("12 { }"), ["12"]);
  assertEquals(found("a { 1.5e-3f 0x1F 017 .5 1e4 }\nb { }"), ["a", "b"]);
  assertEquals(found("a { }\0b { }"), ["a"]);
});

/** Numbers as Doom 3's lexer takes them. */
const doom3Numbers = [
  ...["0", "7", "12", "90"].flatMap((digits) => ["", "u", "L", "ul", "LU"].map((suffix) => digits + suffix)),
  ...["0x1f", "0XaF9", "0b101", "0B0", "017", "0x1Ful", "0b1u"],
  ...["1e4", "1e+4", "20e-12", "1e", "1.", ".5", "1.5", "0.25", "1.e4", ".5e+4", "1.5e-12", "1.#INF", "1.5#IND00"]
    .flatMap((number) => ["", "f", "F", "l", "L"].map((last) => number + last)),
];

Deno.test("Doom 3: a number is one word, however it is written", () => {
  const found = (content: string) => names(scanDoom3Declarations(text(content)).definitions);
  for (const number of doom3Numbers) {
    assertEquals(found(`${number} { }\nb { }`), [canonicalName(number), "b"], number);
    assertEquals(found(`${number}ggg { }\nb { }`), ["b"], `${number}, and a word after it`);
  }
});

Deno.test("Doom 3: what it warns of, and where it stops reading", () => {
  const warnings = (content: string) =>
    scanDoom3Declarations(text(content)).warnings.map(({ line, message }) => `${line}: ${message}`);
  assertEquals(warnings("{ a { } }\nb { }"), ["1: a block has no name"]);
  assertEquals(warnings("material { }\nb { }"), ["1: a block has no name"]);
  assertEquals(warnings("a b { }"), ['1: "a" has no block but "b"', "1: a block has no name"]);
  assertEquals(warnings("a"), ['1: "a" has no block; Doom 3 reads this file no further']);
  assertEquals(warnings("@\nb { }"), ['1: "@" cannot start a word; Doom 3 reads this file no further']);
  assertEquals(warnings("a { 1.2.3 }"), [
    '1: the block of "a" is not closed: a number has more than one dot',
    '1: "}" has no block; Doom 3 reads this file no further',
  ]);
  assertEquals(
    warnings('a { "x\n }\nb { }')[0],
    '1: the block of "a" is not closed: a string continues over the end of its line',
  );
  assertEquals(warnings("export fx { a }\nb { }"), []);
});

/** Texts in which special characters are frequent. */
const pieces = fc.array(
  fc.constantFrom(
    "a",
    "textures/b",
    "{",
    "}",
    " ",
    "\n",
    "\t",
    '"',
    "'",
    "//",
    "/*",
    "*/",
    "/",
    "\\",
    "-",
    "1",
    "1.2",
    ".",
    "e",
    "#",
    "\0",
    "\x80",
    "é",
    "@",
    "material",
    "table",
    "export",
    '""',
    '"{"',
    "\r\n",
    "{ }\n",
    "name { }\n",
  ),
  { maxLength: 60 },
).map((parts) => text(parts.join("")));

Deno.test("no text makes a scan throw, and every range is inside its file and starts with the name", () => {
  const check = (bytes: Uint8Array, { name, start, offset, nameOffset, end, line }: Definition) => {
    assert(0 <= start && start <= offset && offset <= nameOffset && nameOffset < end && end <= bytes.length);
    const there = string(bytes.subarray(nameOffset, end)).replace(/^"/, "").toLowerCase();
    assert(there.startsWith(name), `${JSON.stringify(name)} is not at ${JSON.stringify(there)}`);
    const lines = bytes.subarray(0, nameOffset).reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1);
    assertEquals(line, lines);
  };
  fc.assert(
    fc.property(fc.oneof(pieces, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      for (const definition of scanQuake3Shaders(bytes).definitions) check(bytes, definition);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 4 }), (files) => {
      for (const one of joined) {
        for (const bytes of files) checkShaderFile(bytes, one);
        for (const { file, definition } of findQuake3Shaders(files, one)) {
          const bytes = files[file];
          assert(bytes);
          assert(definition.start <= definition.offset && definition.offset < definition.end);
          assert(definition.end <= bytes.length);
        }
      }
    }),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.oneof(pieces, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      const scans = [scanDoom3Declarations(bytes), scanDarkPlacesShaders(bytes)];
      for (const { start, offset, nameOffset, end } of scans.flatMap(({ definitions }) => definitions)) {
        assert(0 <= start && start <= offset && offset <= nameOffset && nameOffset < end && end <= bytes.length);
      }
    }),
    { numRuns: 2000 },
  );
});

Deno.test("files that ioquake3 accepts, without ambiguities, are found as they are", () => {
  const word = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
  const block = fc.tuple(
    word,
    fc.array(word, { maxLength: 4 }),
    fc.constantFrom(" ", "\n", " // note\n", " /* note */ "),
  )
    .map(([name, body, space]) => `${name}${space}{ ${body.join(space)} { } }${space}`);
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }).map((blocks) => text(blocks.join("\n"))), (bytes) => {
      assertEquals(checkShaderFile(bytes, engine).fault, null);
      const found = findQuake3Shaders([bytes], engine).map(({ definition }) => definition);
      assertEquals(shown(found), shown(scanQuake3Shaders(bytes).definitions));
    }),
    { numRuns: 300 },
  );
});

Deno.test("hostile sizes are read once: deep braces, endless comments, one endless word", () => {
  const length = 256 * 1024;
  for (const piece of ["{ ", "/* ", "x", '"', '"a" ', "// ", "a { ", '"a" \\ ', "a b ", "} ", "/*/", '"" ']) {
    const bytes = text(`name ${piece.repeat(length / piece.length)}`);
    scanQuake3Shaders(bytes);
    findQuake3Shaders([bytes], engine);
    scanDoom3Declarations(bytes);
  }
  const quoted = text(`a { } x { "${"y".repeat(9_000_000)}" } z { }`);
  assertEquals(scanDarkPlacesShaders(quoted).definitions.map(({ name }) => name), ["a", "x", "z"]);
});
