import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { type FormatName, openArchive, verifyArchive } from "../../formats/mod.ts";
import { readMember } from "../../formats/member.ts";
import { formatNamed } from "../../formats/table.ts";
import { crc32, deflateRawSync } from "node:zlib";
import { needs } from "../support/programs.ts";
import {
  anachronoxDat,
  daikatanaPak,
  grimrock,
  grp,
  type HandFile,
  type HandMember,
  hex,
  hog,
  hog2,
  join,
  output,
  packedDaikatanaPak,
  pak,
  rff,
  sinPak,
  source,
  string,
  text,
  u16,
  u32,
  u64,
  withDirectory,
  zip,
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

/** Formats of named files: their layout, and the max length of a name in bytes. */
const laidOut: readonly (readonly [FormatName, (files: readonly HandFile[]) => Uint8Array, number])[] = [
  ["quake-pak", pak, 56],
  ["daikatana-pak", daikatanaPak, 56],
  ["sin-pak", sinPak, 120],
  ["anachronox-dat", anachronoxDat, 128],
  ["grp", grp, 12],
  ["hog", hog, 12],
  ["hog2", hog2, 36],
];

/** Names that all these formats preserve: without leading or trailing spaces, and without apparent escapes. */
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

/** Position of a table of entries. */
interface PlacedTable {
  readonly offset: number;
  readonly length: number;
  readonly count: number;
}

/** Lays out an entry: the position of its data, and bytes for unused fields. */
interface PlacedEntry {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  /** Seconds since 1970. */
  readonly time: number;
  /** Returns `length` random bytes. */
  readonly noise: (length: number) => Uint8Array;
}

/** Layout of the header and the entries of a format with a table of offsets. */
interface TableLayout {
  readonly format: FormatName;
  readonly longest: number;
  readonly headerSize: number;
  readonly header: (table: PlacedTable, noise: PlacedEntry["noise"]) => Uint8Array;
  readonly entry: (entry: PlacedEntry) => Uint8Array;
  /** Display path of a name; default: the name. */
  readonly shown?: (name: string) => string;
  readonly hasTimes?: boolean;
}

/** A name in its field: a NUL ends it, and arbitrary bytes follow. */
function nameIn(length: number, { name, noise }: PlacedEntry): Uint8Array {
  const bytes = text(name);
  return bytes.length >= length ? bytes : join(bytes, Uint8Array.of(0), noise(length - bytes.length - 1));
}

const big = (...values: readonly number[]) => join(...values.map((value) => u32(value).reverse()));
const pakHeader = (magic: string) => ({ offset, length }: PlacedTable) => join(text(magic), u32(offset, length));
const wadHeader = (magic: string) => ({ offset, count }: PlacedTable) => join(text(magic), u32(count, offset));

const tableLayouts: readonly TableLayout[] = [
  {
    format: "quake-pak",
    longest: 56,
    headerSize: 12,
    header: pakHeader("PACK"),
    entry: (entry) => join(nameIn(56, entry), u32(entry.offset, entry.size)),
  },
  {
    format: "daikatana-pak",
    longest: 56,
    headerSize: 12,
    header: pakHeader("PACK"),
    entry: (entry) => join(nameIn(56, entry), u32(entry.offset, entry.size, entry.size, 0)),
  },
  {
    format: "sin-pak",
    longest: 120,
    headerSize: 12,
    header: pakHeader("SPAK"),
    entry: (entry) => join(nameIn(120, entry), u32(entry.offset, entry.size)),
  },
  {
    format: "wad",
    longest: 8,
    headerSize: 12,
    header: wadHeader("IWAD"),
    entry: (entry) => join(u32(entry.offset, entry.size), nameIn(8, entry)),
    shown: (name) => `lumps/${name}`,
  },
  {
    format: "wad3",
    longest: 16,
    headerSize: 12,
    header: wadHeader("WAD3"),
    entry: (entry) =>
      join(u32(entry.offset, entry.size, entry.size), Uint8Array.of(67, 0), entry.noise(2), nameIn(16, entry)),
    shown: (name) => `${name}.miptex`,
  },
  {
    format: "rff",
    longest: 8,
    headerSize: 32,
    header: ({ offset, count }, noise) => join(text("RFF\x1a"), u16(0x200), noise(2), u32(offset, count), noise(16)),
    entry: (entry) =>
      join(
        entry.noise(16),
        u32(entry.offset, entry.size),
        entry.noise(4),
        u32(entry.time),
        entry.noise(1).map((byte) => byte & 0xef),
        text("MAP"),
        nameIn(8, entry),
        entry.noise(4),
      ),
    shown: (name) => `${name}.MAP`,
    hasTimes: true,
  },
  {
    format: "bfg-resources",
    longest: 200,
    headerSize: 12,
    header: ({ offset, length, count }) => join(hex("d000000d"), big(offset, length, count).subarray(0, 8)),
    entry: ({ name, offset, size }) => join(u32(text(name).length), text(name), big(offset, size)),
  },
];

for (const { format, longest, headerSize, header, entry, shown = String, hasTimes } of tableLayouts) {
  Deno.test(`a ${format} is read wherever its table and its data are, and whatever fills its other fields`, () => {
    // Letters that form no WAD marker.
    const name = fc.string({ unit: fc.constantFrom(..."XYZ0189"), minLength: 1, maxLength: Math.min(longest, 12) });
    const member = fc.record({
      name: fc.oneof(name, name.map((part) => part.repeat(longest).slice(0, longest))),
      content: fc.uint8Array({ maxLength: 40 }),
      time: fc.nat(0xffffffff),
      rank: fc.nat(1000),
      gap: fc.nat(9),
    });
    const whole = fc.record({
      members: fc.uniqueArray(member, { selector: ({ name }) => name, minLength: 3, maxLength: 9 }),
      noise: fc.uint8Array({ minLength: 97, maxLength: 97 }),
      tableRank: fc.nat(1000),
      cut: fc.option(fc.nat(2)),
    });
    fc.assert(fc.property(whole, ({ members, noise: bytes, tableRank, cut }) => {
      let noisy = 0;
      const noise = (length: number) => Uint8Array.from({ length }, () => bytes[noisy++ % bytes.length] ?? 0);
      const plain = members.map(({ name, time }) => entry({ name, time, offset: 0, size: 0, noise }));
      const isCounted = format === "bfg-resources";
      const length = plain.reduce((sum, one) => sum + one.length, isCounted ? 4 : 0);
      // The table, -1, and the data lie in any order, with gaps.
      const order = [...members.keys(), -1].sort((a, b) =>
        (members[a]?.rank ?? tableRank) - (members[b]?.rank ?? tableRank)
      );
      const offsets = new Map<number, number>();
      let size = headerSize;
      for (const index of order) {
        size += members[index]?.gap ?? 0;
        offsets.set(index, size);
        size += members[index]?.content.length ?? length;
      }
      const placed = members.map(({ name, content, time }, index): PlacedEntry => {
        const offset = index === cut && content.length > 0 ? size - content.length + 1 : offsets.get(index) ?? 0;
        return { name, time, offset, size: content.length, noise };
      });
      const table: PlacedTable = { offset: offsets.get(-1) ?? 0, length, count: members.length };
      const file = noise(size);
      file.set(header(table, noise));
      file.set(join(isCounted ? big(members.length) : new Uint8Array(), ...placed.map(entry)), table.offset);
      members.forEach(({ content }, index) => file.set(content, offsets.get(index)));
      using archive = openArchive(source(file, "a", 7));
      assertEquals(archive.format.name, format);
      const rows = Array.from(archive, ({ qpath, offset, size, packedSize, mtime, damaged }, index) => {
        const content = damaged === undefined
          ? readMember(archive.source, archive.format, archive.table, index)
          : "past the end";
        return [qpath, size > 0 ? offset : 0, size, packedSize, mtime, content];
      });
      assertEquals(
        rows,
        placed.map(({ name, offset, size, time }, index) => [
          shown(name),
          size > 0 ? offset : 0,
          size,
          size,
          hasTimes ? time * 1000 : 7,
          index === cut && size > 0 ? "past the end" : members[index]?.content ?? "",
        ]),
      );
    }));
  });
}

Deno.test("a HOG2 is read by its offset of data and its lengths, whatever fills its other fields", () => {
  const member = fc.record({
    name: fc.string({ unit: fc.constantFrom(..."XYZ0189."), minLength: 1, maxLength: 36 }).filter((name) =>
      !/^\.+$/.test(name)
    ),
    content: fc.uint8Array({ maxLength: 40 }),
    time: fc.nat(0xffffffff),
  });
  const members = fc.uniqueArray(member, { selector: ({ name }) => name, maxLength: 6 });
  fc.assert(fc.property(members, fc.uint8Array({ minLength: 60, maxLength: 90 }), (members, bytes) => {
    const noise = (length: number) => bytes.subarray(0, length);
    const entries = members.map(({ name, content, time }) =>
      join(nameIn(36, { name, time, offset: 0, size: 0, noise }), noise(4), u32(content.length, time))
    );
    const start = 68 + entries.length * 48 + bytes.length;
    const header = join(text("HOG2"), u32(entries.length, start), noise(56));
    using archive = openArchive(source(join(header, ...entries, bytes, ...members.map(({ content }) => content))));
    let offset = start;
    assertEquals(
      Array.from(archive, ({ qpath, mtime, offset }) => [qpath, mtime, offset, archive.read(qpath)]),
      members.map((
        { name, content, time },
      ) => [name, time * 1000, (offset += content.length) - content.length, content]),
    );
  }));
});

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

/** One command of Daikatana's compression: its code, its operands, and its output. */
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

const stamp = fc.record({
  year: fc.nat(127),
  month: fc.nat(11),
  day: fc.nat(27),
  minutes: fc.nat(1439),
  pair: fc.nat(29),
});
const seconds = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const unknownExtra = fc.tuple(
  fc.constantFrom(0x000a, 0x7875, 0x5456, 0x9901, 0xcafe),
  fc.uint8Array({ maxLength: 12 }),
);

/** A member of a zip: fields that describe it, and fields that readers ignore. */
const zipMember = fc.record({
  name: fc.string({ unit: fc.constantFrom(..."aX0"), minLength: 1, maxLength: 3 }),
  accent: fc.boolean(),
  encoding: fc.constantFrom("utf-8", "code page", "unicode path", "old unicode path"),
  content: fc.uint8Array({ maxLength: 60 }),
  isDeflated: fc.boolean(),
  hasDescriptor: fc.boolean(),
  stamp,
  timestamp: fc.option(fc.record({ flags: fc.nat(7), seconds, others: fc.nat(2) })),
  large: fc.record({ size: fc.boolean(), packedSize: fc.boolean(), offset: fc.boolean() }),
  unknown: fc.array(unknownExtra, { maxLength: 2 }),
  ranks: fc.array(fc.nat(100), { minLength: 5, maxLength: 5 }),
  slack: fc.uint8Array({ maxLength: 3 }),
  localExtra: fc.array(unknownExtra, { maxLength: 2 }),
  comment: fc.uint8Array({ maxLength: 9 }),
  versions: fc.tuple(fc.nat(0xffff), fc.constantFrom(10, 20, 45, 63)),
  attributes: fc.record({ internal: fc.nat(0xffff), external: fc.nat(0xffffffff) }),
});

function extraField(kind: number, data: Uint8Array): Uint8Array {
  return join(u16(kind, data.length), data);
}

Deno.test(
  "a zip is read by the fields that count, whatever the others are, as Python reads it",
  needs("python3"),
  async () => {
    const members = fc.array(zipMember, { maxLength: 6 });
    const whole = fc.record({
      members,
      comment: fc.uint8Array({ maxLength: 30 }),
      junk: fc.uint8Array({ maxLength: 30 }),
      zip64: fc.boolean(),
    });
    const archives: { zip: string; members: readonly unknown[] }[] = [];
    fc.assert(fc.property(whole, ({ members, ...rest }) => {
      let offset = 0;
      const expected: { row: unknown[]; content: Uint8Array }[] = [];
      const laid = members.map((member): HandMember => {
        const { stamp, timestamp, large, content, encoding, isDeflated } = member;
        const shown = member.name + (member.accent ? "ü" : "");
        // 0x81 is the letter in code page 437.
        const raw = encoding === "utf-8"
          ? text(shown)
          : join(text(member.name), member.accent ? Uint8Array.of(0x81) : new Uint8Array());
        const compressed = isDeflated ? new Uint8Array(deflateRawSync(content)) : content;
        const fields: Uint8Array[] = member.unknown.map(([kind, data]) => extraField(kind, data));
        const saturated = [
          ...large.size ? [content.length] : [],
          ...large.packedSize ? [compressed.length] : [],
          ...large.offset ? [offset] : [],
        ];
        if (saturated.length > 0) fields.push(extraField(1, u64(...saturated)));
        if (timestamp) {
          const times = u32(timestamp.seconds >>> 0, ...new Array<number>(timestamp.others).fill(77));
          fields.push(extraField(0x5455, join(Uint8Array.of(timestamp.flags), times)));
        }
        if (encoding.endsWith("path")) {
          // Readers ignore a field that was made for another name.
          const checksum = crc32(encoding === "unicode path" ? raw : text("other"));
          const name = encoding === "unicode path" ? text(`${shown}é`) : text("other name");
          fields.push(extraField(0x7075, join(Uint8Array.of(1), u32(checksum), name)));
        }
        const sorted = fields.map((field, index) => ({ field, rank: member.ranks[index] ?? 0 })).sort((a, b) =>
          a.rank - b.rank
        );
        const localExtra = join(...member.localExtra.map(([kind, data]) => extraField(kind, data)));
        const { year, month, day, minutes, pair } = stamp;
        const time = Math.floor(minutes / 60) * 2048 + minutes % 60 * 32 + pair;
        const usual = Date.UTC(1980 + year, month, day + 1, 0, minutes, pair * 2);
        const mtime = timestamp && (timestamp.flags & 1) === 1 ? timestamp.seconds * 1000 : usual;
        const name = encoding === "unicode path" ? `${shown}é` : shown;
        const method = isDeflated ? "deflate" : "store";
        const start = offset + rest.junk.length;
        expected.push({
          row: [name, mtime, method, start, compressed.length, content.length, crc32(content)],
          content,
        });
        offset += 30 + raw.length + localExtra.length + compressed.length + (member.hasDescriptor ? 16 : 0);
        return {
          name: raw,
          content,
          method: isDeflated ? 8 : 0,
          flags: encoding === "utf-8" ? 0x800 : 0,
          descriptor: member.hasDescriptor,
          dos: ((year * 16 + month + 1) * 32 + day + 1) * 65536 + time,
          centralExtra: join(...sorted.map(({ field }) => field), member.slack),
          localExtra,
          comment: member.comment,
          versions: member.versions,
          attributes: { disk: 0, ...member.attributes },
          ...large.size && { size: 0xffffffff },
          ...large.packedSize && { packedSize: 0xffffffff },
          ...large.offset && { offset: 0xffffffff },
        };
      });
      const bytes = zip(laid, rest);
      using archive = openArchive(source(bytes));
      const isGuessed = members.some(({ accent, encoding }) =>
        accent && /^(?:code page|old unicode path)$/.test(encoding)
      );
      const warnings = (isGuessed ? 1 : 0) + (rest.junk.length > 0 ? 1 : 0);
      assertEquals(archive.warnings.length, warnings, archive.warnings[0]);
      assertEquals(
        Array.from(archive, ({ qpath, mtime, method, offset, packedSize, size, crc32 }, index) => ({
          row: [qpath, mtime, method, offset, packedSize, size, Number(`0x${crc32}`)],
          content: readMember(archive.source, archive.format, archive.table, index),
        })),
        expected,
      );
      const known = expected.map(({ row, content }) => [...row.slice(3), content.toHex()]);
      if (known.length > 0) archives.push({ zip: bytes.toHex(), members: known });
    }));
    const script = `
import io, json, sys, zipfile
for line in open(sys.argv[1]):
    one = json.loads(line)
    z = zipfile.ZipFile(io.BytesIO(bytes.fromhex(one["zip"])))
    seen = [[i.header_offset, i.compress_size, i.file_size, i.CRC, z.read(i).hex()] for i in z.infolist()]
    assert seen == one["members"], (seen, one)`;
    await withDirectory(async (directory) => {
      const lines = archives.map((one) => JSON.stringify(one));
      await Deno.writeTextFile(`${directory}/zips`, lines.join("\n"));
      await output("python3", "-c", script, `${directory}/zips`);
    });
  },
);
