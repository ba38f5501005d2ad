import { assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { parse } from "smol-toml";
import { TomlLines } from "../../config/toml_lines.ts";

const text = `# comment [[game]]
mount = "a # b" # c
"quo\\u0074ed" = 'x'

[[game]] # first
sources = [
  "one", # two
  '''
three
''',
  "four"
]
name = """
a = 1
"""
[[game]]
name = "second"
inline = { a = 1, "b" = [ { c = 2 },
  { c = 3 } ] }

[game.nested]
deep.er = 2020-01-01
[[profile]]
[[profile.packs]]
kind = "x"
[[profile.packs]]
kind = "y"
[[profile]]
packs = [{ kind = "z" }]
`;

Deno.test("values of TOML are found on their lines", () => {
  parse(text); // It has to be TOML.
  const lines = new TomlLines(text);
  const expected: [keyPath: (string | number)[], line: number][] = [
    [["mount"], 2],
    [["quoted"], 3],
    [["game"], 5],
    [["game", 0], 5],
    [["game", 0, "sources"], 6],
    [["game", 0, "sources", 0], 7],
    [["game", 0, "sources", 1], 8],
    [["game", 0, "sources", 2], 11],
    [["game", 0, "name"], 13],
    [["game", 1], 16],
    [["game", 1, "name"], 17],
    [["game", 1, "inline", "a"], 18],
    [["game", 1, "inline", "b", 0, "c"], 18],
    [["game", 1, "inline", "b", 1, "c"], 19],
    [["game", 1, "nested"], 21],
    [["game", 1, "nested", "deep", "er"], 22],
    [["profile", 0, "packs", 0, "kind"], 25],
    [["profile", 0, "packs", 1], 26],
    [["profile", 0, "packs", 1, "kind"], 27],
    [["profile", 1], 28],
    [["profile", 1, "packs", 0, "kind"], 29],
    [["profile", 1, "packs", 0, "missing"], 29],
    [["game", 1, "missing"], 16],
  ];
  for (const [keyPath, line] of expected) assertEquals(lines.lineOf(keyPath), line, keyPath.join("."));
  assertEquals(lines.lineOf(["nowhere"]), undefined);
});

Deno.test("following any text ends", () => {
  const unit = fc.constantFrom(...`[]{}"'\\=.,# \n\ra1`);
  fc.assert(fc.property(fc.string({ unit, maxLength: 200 }), (any) => {
    new TomlLines(any);
  }));
  for (const hostile of ["[", "{", '"', "'", "a=[", "[[", "a={", '"""']) new TomlLines(hostile.repeat(2000));
});
