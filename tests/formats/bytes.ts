/**
 * Archives laid out by hand, field by field, without the writers under test.
 * @module
 */
import { crc32, deflateRawSync, deflateSync } from "node:zlib";
import { MemoryReader } from "../../formats/mod.ts";

// Times of zips that name no zone are local.
Deno.env.set("TZ", "UTC");

/** Bytes of ASCII or UTF-8 text. */
export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** Text of UTF-8 bytes. */
export function string(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function integers(size: number, values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(size * values.length);
  for (const [index, value] of values.entries()) {
    for (let byte = 0; byte < size; byte++) bytes[index * size + byte] = Math.floor(value / 256 ** byte) % 256;
  }
  return bytes;
}

/** 16-bit little-endian integers. */
export function u16(...values: number[]): Uint8Array {
  return integers(2, values);
}

/** 32-bit little-endian integers. */
export function u32(...values: number[]): Uint8Array {
  return integers(4, values);
}

/** 64-bit little-endian integers. */
export function u64(...values: number[]): Uint8Array {
  return integers(8, values);
}

/** Bytes written as hex digits; spaces do not count. */
export function hex(digits: string): Uint8Array {
  return Uint8Array.from(digits.replace(/\s/g, "").match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** One array of all parts. */
export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}

/** `bytes` filled up with NULs. */
export function padded(bytes: Uint8Array, length: number): Uint8Array {
  return join(bytes, new Uint8Array(length - bytes.length));
}

/** An entry of a Quake PAK's directory. */
export function pakEntry(name: Uint8Array | string, offset: number, size: number): Uint8Array {
  return join(padded(typeof name === "string" ? text(name) : name, 56), u32(offset, size));
}

/** A Quake PAK with the data right after the header and the directory at the end. */
export function pak(
  files: readonly (readonly [name: Uint8Array | string, content: Uint8Array | string])[],
): Uint8Array {
  const contents = files.map(([, content]) => typeof content === "string" ? text(content) : content);
  let offset = 12;
  const entries = files.map(([name], index) => {
    const size = contents[index]?.length ?? 0;
    const entry = pakEntry(name, offset, size);
    offset += size;
    return entry;
  });
  return join(text("PACK"), u32(offset, files.length * 64), ...contents, ...entries);
}

/** An entry of a Doom WAD's directory. */
export function wadEntry(name: Uint8Array | string, offset: number, size: number): Uint8Array {
  return join(u32(offset, size), padded(typeof name === "string" ? text(name) : name, 8));
}

/** A Doom WAD with the data right after the header and the directory at the end. */
export function wad(
  lumps: readonly (readonly [name: Uint8Array | string, content: Uint8Array | string])[],
  kind: "IWAD" | "PWAD" = "PWAD",
): Uint8Array {
  const contents = lumps.map(([, content]) => typeof content === "string" ? text(content) : content);
  let offset = 12;
  const entries = lumps.map(([name], index) => {
    const size = contents[index]?.length ?? 0;
    const entry = wadEntry(name, offset, size);
    offset += size;
    return entry;
  });
  return join(text(kind), u32(lumps.length, offset), ...contents, ...entries);
}

/** An entry of the directory of a WAD2 or WAD3. */
export function wad2Entry(
  name: string,
  type: number,
  offset: number,
  size: number,
  compression = 0,
  decompressed: number = size,
): Uint8Array {
  return join(u32(offset, size, decompressed), Uint8Array.of(type, compression, 0, 0), padded(text(name), 16));
}

/** A WAD2 or WAD3 with the data right after the header and the directory at the end. */
export function wad2(
  magic: "WAD2" | "WAD3",
  files: readonly (readonly [name: string, type: number, content: string])[],
): Uint8Array {
  let offset = 12;
  const entries = files.map(([name, type, { length }]) => wad2Entry(name, type, (offset += length) - length, length));
  return join(text(magic), u32(files.length, offset), ...files.map(([, , content]) => text(content)), ...entries);
}

/** A file of a VPK laid out by hand. */
export interface VpkFile {
  readonly path: string;
  readonly content: string;
  /** Number of content bytes that are preloaded. */
  readonly preload?: number;
  readonly part: number;
  readonly offset: number;
}

/** The record after a file's name in the tree of a VPK, with its preload bytes. */
export function vpkFile({ content, preload = 0, part, offset }: VpkFile): Uint8Array {
  const bytes = text(content);
  const location = [
    u16(preload, part),
    u32(preload === bytes.length ? 0 : offset, bytes.length - preload),
    u16(0xffff),
  ];
  return join(u32(crc32(bytes)), ...location, bytes.subarray(0, preload));
}

/** The tree of a VPK, each file with an extension and a path of its own. */
export function vpkTree(files: readonly VpkFile[]): Uint8Array {
  const nodes = files.map((file) => {
    const [, directory = " ", name = "", extension = " "] = /^(?:(.+)\/)?([^/.]+)(?:\.(.+))?$/.exec(file.path) ?? [];
    return join(text(`${extension}\0${directory}\0${name}\0`), vpkFile(file), text("\0\0"));
  });
  return join(...nodes, text("\0"));
}

/** A VPK of version 1 with `data` after the tree. */
export function vpk(files: readonly VpkFile[], data: string): Uint8Array {
  const tree = vpkTree(files);
  return join(u32(0x55aa1234, 1, tree.length), tree, text(data));
}

/** A file to be laid out: its name as bytes or string, and its content. */
export type HandFile = readonly [name: Uint8Array | string, content: Uint8Array | string];

function bytesOf(value: Uint8Array | string): Uint8Array {
  return typeof value === "string" ? text(value) : value;
}

/** Concatenates data from `start`; returns the offset of each part, too. */
function laidOut(contents: readonly Uint8Array[], start: number): { offsets: number[]; end: number } {
  const offsets: number[] = [];
  let end = start;
  for (const content of contents) {
    offsets.push(end);
    end += content.length;
  }
  return { offsets, end };
}

/** An archive of Quake's family: header, data, directory. `entry` lays out the fields after a name. */
function pakLike(
  files: readonly HandFile[],
  { magic, nameSize, header = new Uint8Array(), numbers, compressed = (content) => content }: {
    magic: string;
    nameSize: number;
    header?: Uint8Array;
    numbers: (offset: number, size: number, packedSize: number) => Uint8Array;
    compressed?: (content: Uint8Array) => Uint8Array;
  },
): Uint8Array {
  const contents = files.map(([, content]) => bytesOf(content));
  const data = contents.map(compressed);
  const { offsets, end } = laidOut(data, 12 + header.length);
  const entries = files.map(([name], index) =>
    join(
      padded(bytesOf(name), nameSize),
      numbers(offsets[index] ?? 0, contents[index]?.length ?? 0, data[index]?.length ?? 0),
    )
  );
  const directory = join(...entries);
  return join(text(magic), u32(end, directory.length), header, ...data, directory);
}

/** A SiN PAK. */
export function sinPak(files: readonly HandFile[]): Uint8Array {
  return pakLike(files, { magic: "SPAK", nameSize: 120, numbers: (offset, size) => u32(offset, size) });
}

/** A Daikatana PAK of stored files. */
export function daikatanaPak(files: readonly HandFile[]): Uint8Array {
  return pakLike(files, { magic: "PACK", nameSize: 56, numbers: (offset, size) => u32(offset, size, size, 0) });
}

/** A Daikatana PAK of files with compressed contents and their sizes. */
export function packedDaikatanaPak(files: readonly (readonly [string, Uint8Array, number])[]): Uint8Array {
  const sizes = files.map(([, , size]) => size);
  return pakLike(files.map(([name, compressed]) => [name, compressed]), {
    magic: "PACK",
    nameSize: 56,
    numbers: (offset, packedSize) => u32(offset, sizes.shift() ?? 0, packedSize, 1),
  });
}

/** An Anachronox DAT whose files are zlib data, except empty ones. */
export function anachronoxDat(files: readonly HandFile[]): Uint8Array {
  return pakLike(files, {
    magic: "ADAT",
    nameSize: 128,
    header: u32(9),
    compressed: (content) => content.length === 0 ? content : new Uint8Array(deflateSync(content)),
    numbers: (offset, size, packedSize) => u32(offset, size, packedSize, 0xdeadbeef),
  });
}

/** A GRP. */
export function grp(files: readonly HandFile[]): Uint8Array {
  const contents = files.map(([, content]) => bytesOf(content));
  const entries = files.map(([name], index) => join(padded(bytesOf(name), 12), u32(contents[index]?.length ?? 0)));
  return join(text("KenSilverman"), u32(files.length), ...entries, ...contents);
}

/** A HOG. */
export function hog(files: readonly HandFile[]): Uint8Array {
  return join(
    text("DHF"),
    ...files.flatMap(([name, content]) => [padded(bytesOf(name), 13), u32(bytesOf(content).length), bytesOf(content)]),
  );
}

/** A HOG2; the files are of the seconds 1,000,000,000 and following. */
export function hog2(files: readonly HandFile[]): Uint8Array {
  const entries = files.map(([name, content], index) =>
    join(padded(bytesOf(name), 36), u32(0, bytesOf(content).length, 1_000_000_000 + index))
  );
  return join(
    text("HOG2"),
    u32(files.length, 68 + files.length * 48),
    new Uint8Array(56).fill(0xff),
    ...entries,
    ...files.map(([, content]) => bytesOf(content)),
  );
}

/** A file of an RFF laid out by hand. */
export interface HandRffFile {
  readonly name: string;
  readonly extension: string;
  readonly content: string;
  readonly encrypted?: boolean;
}

/** An RFF of the given version; `key` is what its directory is XORed with: the key of byte `i` begins with `key` / 2. */
export function rff(version: number, files: readonly HandRffFile[], key: (directoryOffset: number) => number | null) {
  const contents = files.map(({ content, encrypted }) => {
    const bytes = text(content);
    return encrypted ? bytes.map((byte, index) => index < 256 ? byte ^ (index >> 1) : byte) : bytes;
  });
  const { offsets, end } = laidOut(contents, 32);
  const directory = join(...files.map(({ name, extension, encrypted }, index) =>
    join(
      new Uint8Array(16),
      u32(offsets[index] ?? 0, contents[index]?.length ?? 0, 0, 860_000_000 + index),
      Uint8Array.of(encrypted ? 0x10 : 0),
      padded(text(extension), 3),
      padded(text(name), 8),
      u32(index),
    )
  ));
  const start = key(end);
  const written = start === null ? directory : directory.map((byte, index) => byte ^ ((start + index) >> 1));
  return join(text("RFF\x1a"), u16(version, 0), u32(end, files.length), new Uint8Array(16), ...contents, written);
}

/** A DAT of Legend of Grimrock: hash, content, and whether it is compressed. */
export function grimrock(
  files: readonly (readonly [hash: number, content: string, compressed: boolean])[],
): Uint8Array {
  const data = files.map(([, content, compressed]) =>
    compressed ? join(u32(content.length), new Uint8Array(deflateSync(content))) : text(content)
  );
  const { offsets } = laidOut(data, 8 + files.length * 16);
  const entries = files.map(([hash, content, compressed], index) =>
    u32(hash, offsets[index] ?? 0, compressed ? data[index]?.length ?? 0 : 0, content.length)
  );
  return join(text("GRAR"), u32(files.length), ...entries, ...data);
}

/** A 32-bit number, the most significant byte first. */
function bigU32(...values: readonly number[]): Uint8Array {
  return join(...values.map((value) => u32(value).reverse()));
}

/** A resource container of Doom 3 BFG. */
export function bfgResources(files: readonly (readonly [name: string, content: string])[]): Uint8Array {
  const data = files.map(([, content]) => text(content));
  const { offsets, end } = laidOut(data, 12);
  const table = join(
    bigU32(files.length),
    ...files.map(([name, content], index) =>
      join(u32(text(name).length), text(name), bigU32(offsets[index] ?? 0, text(content).length))
    ),
  );
  return join(hex("d0 00 00 0d"), bigU32(end, table.length), ...data, table);
}

/** Makes an addon of Garry's Mod, version 3, with CRC-32s if they are given. */
export function gma(
  files: readonly (readonly [name: string, content: string, crc?: number])[],
  required: readonly string[] = [],
): Uint8Array {
  const table = files.map(([name, content, crc = 0], index) =>
    join(u32(index + 1), text(`${name}\0`), u64(content.length), u32(crc))
  );
  const strings = text(`${required.map((name) => `${name}\0`).join("")}\0Title\0{}\0Author\0`);
  const header = join(text("GMAD\x03"), u64(0, 1e9), strings, u32(1));
  return join(header, ...table, u32(0), ...files.map(([, content]) => text(content)), u32(0));
}

/**
 * Makes a map of the Source engine with an archive in it, and a lump after that.
 * @param before Bytes before offset and length of a lump: 4 in Left 4 Dead 2.
 */
export function sourceBsp(archive: Uint8Array, before = 0): Uint8Array {
  const lumps = new Uint8Array(64 * 16);
  lumps.set(u32(1032 + 100, archive.length), 40 * 16 + before);
  return join(text("VBSP"), u32(before === 0 ? 20 : 21), lumps, u32(7), new Uint8Array(96), archive, text("a lump"));
}

/** A member of a zip laid out by hand; omitted fields are as in an ordinary zip. */
export interface HandMember {
  readonly name: Uint8Array | string;
  readonly content?: Uint8Array | string;
  /** Methods 0 and 8 store and deflate the content; others store it under that number. */
  readonly method?: number;
  /** The compressed bytes, if not the method's result for the content. */
  readonly compressed?: Uint8Array;
  readonly flags?: number;
  readonly dos?: number;
  readonly centralExtra?: Uint8Array;
  readonly localExtra?: Uint8Array;
  /** Comment in the central record. */
  readonly comment?: Uint8Array;
  /** Version and system of the writer, and the required version. */
  readonly versions?: readonly [madeBy: number, needed: number];
  /** Fields of the central record that say nothing about the content. */
  readonly attributes?: { readonly disk: number; readonly internal: number; readonly external: number };
  /** Written after the data. */
  readonly descriptor?: boolean;
  /** Wrong values for the central record. */
  readonly crc?: number;
  readonly size?: number;
  readonly packedSize?: number;
  readonly offset?: number;
}

/** Parts of a zip laid out by hand. */
export interface HandZip {
  readonly comment?: Uint8Array;
  /** Bytes prepended to the finished zip; offsets do not count them. */
  readonly junk?: Uint8Array;
  readonly trailing?: Uint8Array;
  readonly count?: number;
  readonly zip64?: boolean;
}

/** A zip of `members`. */
export function zip(members: readonly HandMember[], options: HandZip = {}): Uint8Array {
  const locals: Uint8Array[] = [];
  const centrals: Uint8Array[] = [];
  let offset = 0;
  for (const member of members) {
    const name = typeof member.name === "string" ? text(member.name) : member.name;
    const content = typeof member.content === "string" ? text(member.content) : member.content ?? new Uint8Array();
    const method = member.method ?? 0;
    const compressed = member.compressed ?? (method === 8 ? new Uint8Array(deflateRawSync(content)) : content);
    const descriptor = member.descriptor ?? false;
    const flags = (member.flags ?? 0) + (descriptor ? 8 : 0);
    const dos = member.dos ?? 0x4a2f7000;
    const sizes = [crc32(content), compressed.length, content.length];
    const localExtra = member.localExtra ?? new Uint8Array();
    const centralExtra = member.centralExtra ?? new Uint8Array();
    const memberComment = member.comment ?? new Uint8Array();
    const { disk, internal, external } = member.attributes ?? { disk: 0, internal: 0, external: 0 };
    const [madeBy, needed] = member.versions ?? [0x031e, 20];
    const local = join(
      text("PK\x03\x04"),
      u16(needed, flags, method),
      u32(dos, ...(descriptor ? [0, 0, 0] : sizes)),
      u16(name.length, localExtra.length),
      name,
      localExtra,
      compressed,
      ...(descriptor ? [text("PK\x07\x08"), u32(...sizes)] : []),
    );
    centrals.push(join(
      text("PK\x01\x02"),
      u16(madeBy, needed, flags, method),
      u32(dos, member.crc ?? crc32(content), member.packedSize ?? compressed.length, member.size ?? content.length),
      u16(name.length, centralExtra.length, memberComment.length, disk, internal),
      u32(external, member.offset ?? offset),
      name,
      centralExtra,
      memberComment,
    ));
    locals.push(local);
    offset += local.length;
  }
  const central = join(...centrals);
  const comment = options.comment ?? new Uint8Array();
  const count = options.count ?? members.length;
  const records64 = options.zip64
    ? join(
      text("PK\x06\x06"),
      u64(44),
      u16(45, 45),
      u32(0, 0),
      u64(count, count, central.length, offset),
      text("PK\x06\x07"),
      u32(0),
      u64(offset + central.length),
      u32(1),
    )
    : new Uint8Array();
  return join(
    options.junk ?? new Uint8Array(),
    ...locals,
    central,
    records64,
    text("PK\x05\x06"),
    options.zip64
      ? join(u16(0, 0, 0xffff, 0xffff), u32(0xffffffff, 0xffffffff))
      : join(u16(0, 0, count, count), u32(central.length, offset)),
    u16(comment.length),
    comment,
    options.trailing ?? new Uint8Array(),
  );
}

/** `bytes` as an opened file named `name`. */
export function source(bytes: Uint8Array, name = "test.pak", mtime = 0): MemoryReader {
  return new MemoryReader(bytes, name, mtime);
}

/** Returns a string with the case of every other letter changed, beginning with the first or the second. */
export function recased(value: string, first: 0 | 1 = 0): string {
  let letters = first;
  return value.replace(/[a-z]/gi, (letter) => {
    if (letters++ % 2 === 1) return letter;
    return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  });
}

/** Runs `body` with a temporary directory that is removed afterwards. */
export async function withDirectory(body: (directory: string) => void | Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    await body(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Standard output of a program that must succeed. */
export async function output(program: string, ...parameters: string[]): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: parameters }).output();
  if (!success) throw new Error(`${program} ${parameters.join(" ")}: ${string(stderr)}`);
  return stdout;
}
