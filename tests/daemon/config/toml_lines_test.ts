import { assert, assertEquals } from "@std/assert";
import fc from "../../support/fast_check.ts";
import { parse } from "smol-toml";
import { numbersFrom, seed } from "../../support/chance.ts";
import { TomlLines } from "../../../daemon/config/toml_lines.ts";

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

/** Writes random TOML, and notes the line of each value. */
class Writer {
  text = "";
  readonly lines: [keyPath: (string | number)[], line: number][] = [];
  readonly #chance: (below: number) => number;

  constructor(chance: (below: number) => number) {
    this.#chance = chance;
    this.#write(this.#some(["", "\n\n", "# a = [ # b-1 = {\n", " # a, 'b-1' = 1\n"]));
  }

  /** Writes a table with its nested tables and arrays of tables. */
  table(keyPath: (string | number)[], names: readonly string[], depth = 0): void {
    for (const key of this.#keys(4)) this.#keyValue([...keyPath, key], key, true);
    if (depth === 2) return;
    for (const key of this.#keys(3).map((one) => `t${one}`)) {
      const all = [...names, key];
      const header = all.map((name) => this.#key(name)).join(this.#some([".", " . "]));
      const count = this.#chance(3);
      for (let index = 0; index < count; index++) {
        this.#write(this.#some(["", "# [[no]]\n", "\n\n"]));
        if (index === 0) this.#note([...keyPath, key]);
        this.#note([...keyPath, key, index]);
        this.#write(`[[${header}]]${this.#end()}`);
        this.table([...keyPath, key, index], all, depth + 1);
      }
      if (count > 0) continue;
      this.#note([...keyPath, key]);
      this.#write(`[${header}]${this.#end()}`);
      this.table([...keyPath, key], all, depth + 1);
    }
  }

  #keyValue(keyPath: (string | number)[], key: string, mayBreak: boolean): void {
    this.#note(keyPath);
    this.#write(`${this.#key(key)}${this.#some(["=", " = "])}`);
    this.#value(keyPath, 0, mayBreak);
    if (mayBreak) this.#write(this.#end());
  }

  #value(keyPath: (string | number)[], depth: number, mayBreak: boolean): void {
    const kind = this.#chance(depth > 1 ? 3 : 5);
    if (kind === 0) return this.#write(this.#some(["1", "-2.5", "true", "2020-01-01"]));
    const lines = mayBreak ? ['"""\n[a] # no\nb = 1 \\""" """', "'''\n]\n}'''"] : [];
    if (kind <= 2) return this.#write(this.#some(['"# \\" ] }"', "'\\'", '""', "''", ...lines]));
    if (kind === 3) {
      this.#write("[");
      const count = this.#chance(4);
      for (let index = 0; index < count; index++) {
        this.#write(mayBreak ? this.#some(["", " ", "\n", " # ]\n"]) : "");
        this.#note([...keyPath, index]);
        this.#value([...keyPath, index], depth + 1, mayBreak);
        if (index + 1 < count || this.#chance(2) === 0) this.#write(",");
      }
      return this.#write(mayBreak ? this.#some(["]", "\n]"]) : "]");
    }
    this.#write("{");
    for (const [index, key] of this.#keys(3).entries()) {
      this.#write(index === 0 ? " " : ", ");
      this.#keyValue([...keyPath, key], key, false);
    }
    this.#write("}");
  }

  #keys(most: number): string[] {
    return ["a", "b-1", "c d", 'é"', "x.y"].filter(() => this.#chance(most) === 0);
  }

  #key(name: string): string {
    return /^[\w-]+$/.test(name) ? this.#some([name, JSON.stringify(name), `'${name}'`]) : JSON.stringify(name);
  }

  #end(): string {
    return this.#some(["\n", " # b = [\n", "\r\n", "\n\n"]);
  }

  #some(choices: readonly string[]): string {
    return choices[this.#chance(choices.length)] ?? "";
  }

  #note(keyPath: (string | number)[]): void {
    this.lines.push([keyPath, this.text.split("\n").length]);
  }

  #write(text: string): void {
    this.text += text;
  }
}

/** Value at a path of parsed TOML. */
function valueAt(value: unknown, keyPath: readonly (string | number)[]): unknown {
  return keyPath.reduce((inner: unknown, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
}

Deno.test("every value of random texts is found on the line that it was written on", () => {
  const chance = numbersFrom(seed);
  let compared = 0;
  for (let round = 0; round < 400; round++) {
    const writer = new Writer(chance);
    writer.table([], []);
    const parsed = parse(writer.text);
    const lines = new TomlLines(writer.text);
    for (const [keyPath, line] of writer.lines) {
      const text = `${JSON.stringify(keyPath)} in round ${round}, PAKFS_SEED=${seed}\n${writer.text}`;
      assert(valueAt(parsed, keyPath) !== undefined, text);
      assertEquals(lines.lineOf(keyPath), line, text);
      assertEquals(lines.lineOf([...keyPath, "missing"]), line, text);
      compared++;
    }
  }
  assert(compared > 2000, `${compared} values`);
});
