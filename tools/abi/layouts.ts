/**
 * The values of `layouts.c`, computed by the TypeScript that does without C.
 * @module
 */
import { NodeAttributes, OpenFlag, S_IFREG } from "deno-fuse-ffi";
import { Capability } from "../../deno-fuse-ffi/src/raw/capabilities.ts";
import { OPERATIONS_BYTES, OperationSlot } from "../../deno-fuse-ffi/src/raw/operation_table.ts";
import { FileDescriptorVector } from "../../deno-fuse-ffi/src/raw/data_vectors.ts";
import {
  DIRENT_BYTES,
  encodeAttrOut,
  encodeDirent,
  encodeEntryOut,
  encodeOpenOut,
  encodeStatfsOut,
  ENTRY_OUT_BYTES,
  GETXATTR_OUT_BYTES,
} from "../../deno-fuse-ffi/src/raw/kernel_abi.ts";
import { ReceivedMessage } from "../../deno-fuse-ffi/src/raw/received_message.ts";

/** Names and values, as `layouts.c` prints them: see `layouts.txt`. */
export type Layouts = ReadonlyMap<string, string>;

/** Reads what `layouts.c` prints. */
export function parseLayouts(text: string): Layouts {
  return new Map(
    text.split("\n").filter((line) => line !== "").map((line): [string, string] => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
}

/** The difference on aarch64: `O_DIRECTORY`, which `O_TMPFILE` contains, has another bit. */
export const differsOnAarch64: Layouts = new Map([["O_TMPFILE", String(0o20000000 | 0o40000)]]);

function sample(): NodeAttributes {
  const attributes = new NodeAttributes();
  attributes.setNode(0x8765_4321, 0xfedc_ba98);
  attributes.generation = 9;
  attributes.mode = S_IFREG | 0o444;
  attributes.size = 0x1_0000_0201;
  attributes.linkCount = 3;
  attributes.userId = 1000;
  attributes.groupId = 1001;
  attributes.blockSize = 8192;
  attributes.accessedSeconds = 0x2_0000_0001;
  attributes.accessedNanoseconds = 999_999_999;
  attributes.modifiedSeconds = -1;
  attributes.modifiedNanoseconds = 5;
  attributes.changedSeconds = 0x2_0000_0002;
  attributes.changedNanoseconds = 6;
  attributes.entryTimeout = 1.5;
  attributes.attributeTimeout = 7.25;
  return attributes;
}

/** Every structure that is sent to the kernel or to libfuse, with the same content as in `layouts.c`. */
export function sentLayouts(): Layouts {
  const layouts = new Map<string, string>();
  const encoded = (name: string, size: number, encode: (words: Uint32Array, bytes: Uint8Array) => void) => {
    const words = new Uint32Array(size / 4);
    encode(words, new Uint8Array(words.buffer));
    layouts.set(name, new Uint8Array(words.buffer).toHex());
  };
  encoded("fuse_attr_out", 104, (words) => encodeAttrOut(words, 0, sample()));
  encoded("fuse_entry_out", ENTRY_OUT_BYTES, (words) => encodeEntryOut(words, 0, sample()));
  encoded(
    "fuse_open_out",
    16,
    (words) => encodeOpenOut(words, 0, 2 ** 40 + 7, OpenFlag.KEEP_CACHE | OpenFlag.CACHE_DIR),
  );
  const statistics = { blocks: 2 ** 33, freeBlocks: 5, files: 6, blockSize: 512, fragmentSize: 1024, nameLength: 200 };
  encoded("fuse_statfs_out", 80, (words) => encodeStatfsOut(words, 0, statistics));
  encoded("fuse_dirent", DIRENT_BYTES + 8, (words, bytes) => {
    encodeDirent(bytes, words, 0, sample(), 0x3_0000_0004, new TextEncoder().encode("hello"), 0, 5);
  });
  layouts.set("sizeof struct fuse_getxattr_out", String(GETXATTR_OUT_BYTES));
  layouts.set("fuse_bufvec", new FileDescriptorVector().set(7, 0x100_8000_0003, 4096).toHex().slice(0, 2 * 64));
  layouts.set(
    "struct fuse_bufvec has 72 bytes or less",
    String(Number(new FileDescriptorVector().set(0, 0, 0).length === 72)),
  );
  for (const [name, slot] of Object.entries(OperationSlot)) {
    layouts.set(`struct fuse_lowlevel_ops ${name}`, String(slot * 8));
  }
  layouts.set("struct fuse_lowlevel_ops has 352 bytes or more", String(Number(OPERATIONS_BYTES === 352)));
  layouts.set("struct fuse_buf has 48 bytes or less", String(Number(new ReceivedMessage().fuseBuffer.length === 48)));
  for (const [name, bit] of Object.entries(Capability)) layouts.set(`FUSE_CAP_${name}`, String(bit));
  return layouts;
}

/** A request whose bytes `layouts.c` has made, as TypeScript reads it. */
export function readRequest(bytes: Uint8Array<ArrayBuffer>): Record<string, number | string> {
  const message = new ReceivedMessage();
  new BigUint64Array(message.fuseBuffer.buffer)[2] = Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));
  message.refresh(bytes.length);
  return {
    opcode: message.opcode,
    nodeHigh: message.nodeHigh,
    nodeLow: message.nodeLow,
    userId: message.userId,
    groupId: message.groupId,
    processId: message.processId,
    name: new TextDecoder().decode(message.name(0)),
  };
}
