import { assert, assertEquals, assertThrows } from "@std/assert";
import { DirectoryBuffer, NodeAttributes, S_IFDIR, S_IFREG } from "deno-fuse-ffi";
import {
  encodeAttrOut,
  encodeEntryOut,
  encodeNoEntryOut,
  encodeOpenOut,
  encodeStatfsOut,
} from "../../deno-fuse-ffi/src/raw/kernel_abi.ts";

const encoder = new TextEncoder();

function hex(bytes: Uint8Array): string {
  return bytes.toHex().replaceAll(/(.{16})/g, "$1\n").trim();
}

function encoded(bytes: number, encode: (words: Uint32Array) => void): string {
  // Arbitrary bytes reveal fields that are not written.
  const words = new Uint32Array(bytes / 4).fill(0xaaaa_aaaa);
  encode(words);
  return hex(new Uint8Array(words.buffer));
}

function sampleAttributes(): NodeAttributes {
  const attributes = new NodeAttributes();
  attributes.setNode(0xfedc_ba98, 0x8765_4321);
  attributes.generation = 9;
  attributes.mode = S_IFREG | 0o444;
  attributes.size = 2 ** 32 + 513;
  attributes.linkCount = 3;
  attributes.userId = 1000;
  attributes.groupId = 1001;
  attributes.blockSize = 4096;
  attributes.setTimes(2 ** 33 + 1, 999_999_999);
  attributes.modifiedSeconds = -1;
  attributes.entryTimeout = 1.5;
  attributes.attributeTimeout = Infinity;
  return attributes;
}

/** struct fuse_attr of the sample, one 64-bit word per line. */
const attr = `
21436587 98badcfe
01020000 01000000
02008000 00000000
01000000 02000000
ffffffff ffffffff
01000000 02000000
ffc99a3b ffc99a3b
ffc99a3b 24810000
03000000 e8030000
e9030000 00000000
00100000 00000000`;

function lines(text: string): string {
  return text.replaceAll(" ", "").trim();
}

Deno.test("fuse_attr_out has the kernel's layout", () => {
  assertEquals(
    encoded(104, (words) => encodeAttrOut(words, 0, sampleAttributes())),
    lines(`
ffffff7f 00000000
00000000 00000000${attr}`),
  );
});

Deno.test("programs see the inode number that a node has, if it is not the node id", () => {
  const attributes = sampleAttributes();
  attributes.inodeNumber = 2 ** 40 + 5;
  const buffer = new DirectoryBuffer();
  buffer.reset(4096);
  buffer.addWithAttributes(encoder.encode("a"), 7, attributes);
  // The node id of the entry, and the inode numbers of its attributes and of the listing.
  const words = hex(buffer.bytes).replaceAll("\n", "").match(/.{16}/g) ?? [];
  assertEquals([words[0], words[5], words[16]], ["2143658798badcfe", "0500000000010000", "0500000000010000"]);
});

Deno.test("fuse_entry_out has the kernel's layout", () => {
  assertEquals(
    encoded(128, (words) => encodeEntryOut(words, 0, sampleAttributes())),
    lines(`
21436587 98badcfe
09000000 00000000
01000000 00000000
ffffff7f 00000000
0065cd1d 00000000${attr}`),
  );
});

Deno.test("an absent entry is node 0 with a timeout and nothing else", () => {
  assertEquals(
    encoded(128, (words) => encodeNoEntryOut(words, 0, 2.25)),
    lines(`
00000000 00000000
00000000 00000000
02000000 00000000
00000000 00000000
80b2e60e 00000000${"\n0000000000000000".repeat(11)}`),
  );
});

Deno.test("fuse_open_out and fuse_statfs_out have the kernel's layout", () => {
  assertEquals(encoded(16, (words) => encodeOpenOut(words, 0, 2 ** 40 + 7, 10)), "0700000000010000\n0a00000000000000");
  assertEquals(
    encoded(80, (words) =>
      encodeStatfsOut(words, 0, {
        blocks: 2 ** 33,
        freeBlocks: 5,
        files: 6,
        blockSize: 512,
        fragmentSize: 1024,
        nameLength: 200,
      })),
    lines(`
00000000 02000000
05000000 00000000
05000000 00000000
06000000 00000000
00000000 00000000
00020000 c8000000
00040000 00000000
00000000 00000000
00000000 00000000
00000000 00000000`),
  );
});

Deno.test("a listing has the kernel's layout, names padded with zeros", () => {
  const attributes = sampleAttributes();
  attributes.mode = S_IFDIR | 0o555;
  const buffer = new DirectoryBuffer(64);
  buffer.storage.fill(0xaa);
  assert(buffer.add(encoder.encode("abc"), 2 ** 32 + 1, attributes));
  assert(buffer.add(encoder.encode("__12345678__"), 7, attributes, 2, 10));
  assertEquals(
    hex(buffer.bytes),
    lines(`
21436587 98badcfe
01000000 01000000
03000000 04000000
61626300 00000000
21436587 98badcfe
07000000 00000000
08000000 04000000
31323334 35363738`),
  );
});

Deno.test("a listing with attributes is an entry followed by the plain listing", () => {
  const attributes = sampleAttributes();
  const plus = new DirectoryBuffer();
  plus.reset(4096);
  assert(plus.addWithAttributes(encoder.encode("name"), 3, attributes));
  const entry = encoded(128, (words) => encodeEntryOut(words, 0, attributes));
  const plain = new DirectoryBuffer();
  plain.add(encoder.encode("name"), 3, attributes);
  assertEquals(hex(plus.bytes), `${entry}\n${hex(plain.bytes)}`);
});

Deno.test("a listing takes what fits and not one byte more", () => {
  const attributes = sampleAttributes();
  const name = encoder.encode("12345678");
  const buffer = new DirectoryBuffer(16);
  buffer.reset(2 * 32 + 31);
  assert(buffer.add(name, 1, attributes));
  assert(buffer.add(name, 2, attributes));
  assertEquals(buffer.add(name, 3, attributes), false);
  assertEquals(buffer.length, 64);
  assertEquals(buffer.add(encoder.encode("123456"), 3, attributes), false);
  buffer.reset(160);
  assertEquals(buffer.length, 0);
  assert(buffer.addWithAttributes(name, 1, attributes));
  assertEquals(buffer.length, 160);
});

Deno.test("names that the kernel would refuse are refused", () => {
  const attributes = sampleAttributes();
  const buffer = new DirectoryBuffer();
  assertThrows(() => buffer.add(new Uint8Array(0), 1, attributes), RangeError, "0 bytes");
  assertThrows(() => buffer.add(new Uint8Array(1025), 1, attributes), RangeError, "1025 bytes");
  assertThrows(() => buffer.add(new Uint8Array(4), 1, attributes, 2, 5), RangeError);
  assert(buffer.add(new Uint8Array(1024).fill(97), 1, attributes));
});
