import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { type FormatName, openArchive, verifyArchive } from "../../formats/mod.ts";
import { formatNamed } from "../../formats/table.ts";
import {
  anachronoxDat,
  daikatanaPak,
  grimrock,
  grp,
  type HandFile,
  hog,
  hog2,
  join,
  packedDaikatanaPak,
  pak,
  rff,
  sinPak,
  source,
  string,
} from "./bytes.ts";

const component = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-+() .~%éж\u{1f600}"), minLength: 1, maxLength: 6 })
  .filter((name) => name !== "." && name !== "..");
const path = fc.array(component, { minLength: 1, maxLength: 3 }).map((components) => components.join("/"))
  .filter((name) => new TextEncoder().encode(name).length <= 56);
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.nat(5000).map((length) => new Uint8Array(length).fill(7)),
);
const files = fc.uniqueArray(fc.tuple(path, content), { selector: ([name]) => name, maxLength: 12 });

async function roundTrip(
  format: FormatName,
  members: readonly (readonly [string, Uint8Array])[],
  method: "store" | "deflate",
): Promise<void> {
  const write = formatNamed(format)?.write;
  assert(write);
  const entries = members.map(([name, bytes], index) => ({ path: name, content: () => bytes, mtime: index * 1000 }));
  const written = join(...await Array.fromAsync(write(entries, { path: "x", method })));
  using archive = openArchive(source(written));
  assertEquals(archive.format.name, format);
  assertEquals([...archive].map(({ qpath }) => qpath), members.map(([name]) => name));
  for (const [name, bytes] of members) assertEquals(archive.read(name), bytes);
  for await (const { member, problem } of verifyArchive(archive)) assertEquals(problem, null, member);
}

Deno.test("any files written to a zip are read from it", async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom("store", "deflate"), (members, method) =>
      roundTrip(
        "zip",
        members.filter(([name]) => !/%(?=[01][0-9A-F]|25|7F|[89][0-9A-F]|C2)/.test(name)),
        method,
      )),
    {
      numRuns: 150,
    },
  );
});

Deno.test("any files written to a Quake PAK are read from it", async () => {
  await fc.assert(
    fc.asyncProperty(files, (members) =>
      roundTrip(
        "quake-pak",
        members.filter(([name]) => !/%(?=[01][0-9A-F]|25|7F|[89][0-9A-F]|C2)/.test(name)),
        "store",
      )),
    {
      numRuns: 150,
    },
  );
});

/** Formats of named files: how one is laid out, and the most bytes that a name may have. */
const laidOut: readonly (readonly [FormatName, (files: readonly HandFile[]) => Uint8Array, number])[] = [
  ["quake-pak", pak, 56],
  ["daikatana-pak", daikatanaPak, 56],
  ["sin-pak", sinPak, 120],
  ["anachronox-dat", anachronoxDat, 128],
  ["grp", grp, 12],
  ["hog", hog, 12],
  ["hog2", hog2, 36],
];

/** Names that every one of these formats keeps as they are: no spaces at an end, and nothing that looks escaped. */
const plainName = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-+()~ ."), minLength: 1, maxLength: 12 })
  .filter((name) => /^[^ .].*[^ .]$|^[^ .]$/.test(name));

for (const [format, layOut, longest] of laidOut) {
  Deno.test(`any files laid out as a ${format} are read from it`, () => {
    const member = fc.tuple(plainName.filter((name) => name.length <= longest), content);
    const members = fc.uniqueArray(member, { selector: ([name]) => name, minLength: 1, maxLength: 12 });
    fc.assert(fc.property(members, (files) => {
      using archive = openArchive(source(layOut(files)));
      assertEquals(archive.format.name, format);
      assertEquals([...archive].map(({ qpath }) => qpath), files.map(([name]) => name));
      for (const [name, bytes] of files) assertEquals(archive.read(name), bytes);
    }));
  });
}

Deno.test("any files laid out as an RFF are read from it, whatever its key", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."ABCXYZ019_"), minLength: 1, maxLength: 8 });
  const file = fc.record({
    name: letters,
    extension: letters.map((letter) => letter.slice(0, 3)),
    content: fc.string({ unit: "binary-ascii", maxLength: 600 }),
    encrypted: fc.boolean(),
  });
  const key = fc.constantFrom<[number, (offset: number) => number | null]>(
    [0x200, () => null],
    [0x300, () => null],
    [0x300, (offset) => offset],
    [0x300, (offset) => offset * 2],
    [0x301, (offset) => offset * 2],
  );
  const files = fc.uniqueArray(file, { selector: ({ name, extension }) => `${name}.${extension}`, minLength: 1 });
  fc.assert(fc.property(files, key, (members, [version, keyStart]) => {
    using archive = openArchive(source(rff(version, members, keyStart)));
    for (const { name, extension, content } of members) {
      assertEquals(string(archive.read(`${name}.${extension}`)), content);
    }
    assertEquals(archive.table.length, members.length);
  }));
});

Deno.test("any files laid out as a Grimrock DAT are read from it", () => {
  const file = fc.tuple(fc.nat(0xffffffff), fc.string({ unit: "binary-ascii", maxLength: 600 }), fc.boolean());
  fc.assert(fc.property(fc.uniqueArray(file, { selector: ([hash]) => hash }), (members) => {
    using archive = openArchive(source(grimrock(members)));
    assertEquals(archive.table.length, members.length);
    for (const [index, { qpath }] of [...archive].entries()) {
      const [hash = 0, text] = members[index] ?? [];
      assert(qpath.startsWith(`unknown/${hash.toString(16).padStart(8, "0")}.`));
      assertEquals(string(archive.read(qpath)), text);
    }
  }));
});

/** One command of Daikatana's compression: its code, its operands, and what it appends to an output. */
type Command = readonly [bytes: (output: readonly number[]) => number[], apply: (output: number[]) => void];

const byte = fc.nat(255);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.array(byte, { minLength: 1, maxLength: 64 }).map((bytes): Command => [
    () => [bytes.length - 1, ...bytes],
    (output) => output.push(...bytes),
  ]),
  fc.integer({ min: 2, max: 65 }).map((count): Command => [
    () => [count + 62],
    (output) => output.push(...new Array(count).fill(0)),
  ]),
  fc.tuple(byte, fc.integer({ min: 2, max: 65 })).map(([value, count]): Command => [
    () => [count + 126, value],
    (output) => output.push(...new Array(count).fill(value)),
  ]),
  fc.tuple(fc.nat(255), fc.integer({ min: 2, max: 63 })).map(([seed, count]): Command => {
    const distance = (output: readonly number[]) => Math.min(seed, output.length - 2);
    return [
      (output) => output.length < 2 ? [] : [count + 190, distance(output)],
      (output) => {
        if (output.length < 2) return;
        const back = distance(output) + 2;
        for (let done = 0; done < count; done++) output.push(output[output.length - back] ?? 0);
      },
    ];
  }),
);

Deno.test("any commands of Daikatana's compression decompress to what they say, whole and streamed", async () => {
  await fc.assert(fc.asyncProperty(fc.array(command, { maxLength: 60 }), async (commands) => {
    const compressed: number[] = [];
    const expected: number[] = [];
    for (const [bytes, apply] of commands) {
      compressed.push(...bytes(expected));
      apply(expected);
    }
    const bytes = packedDaikatanaPak([["x.wal", Uint8Array.of(...compressed, 255), expected.length]]);
    using archive = openArchive(source(bytes));
    assertEquals(archive.read("x.wal"), Uint8Array.from(expected));
    assertEquals(join(...await Array.fromAsync(archive.stream("x.wal"))), Uint8Array.from(expected));
  }));
});
