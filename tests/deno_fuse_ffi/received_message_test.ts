import { assertEquals, assertThrows } from "@std/assert";
import { ReceivedMessage } from "../../deno-fuse-ffi/src/raw/received_message.ts";

/** A lookup of "name" in node 0x8000000190000002 as the kernel writes it, followed by bytes of an older message. */
const lookup = Uint8Array.fromHex(
  "2d000000 01000000 0807060504030201 02000090 01000080 e8030000 e9030000 ea030000 00000000".replaceAll(" ", "") +
    "6e616d6500 6f6c64".replaceAll(" ", ""),
);

/** A message whose memory is `bytes`, as if libfuse had received it there. */
function received(bytes: Uint8Array<ArrayBuffer>, length = bytes.length): ReceivedMessage {
  const message = new ReceivedMessage();
  const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));
  new BigUint64Array(message.fuseBuffer.buffer)[2] = address;
  message.refresh(length);
  return message;
}

Deno.test("the header and the name of a request are read where they lie", () => {
  const message = received(lookup, 45);
  assertEquals(message.opcode, 1);
  assertEquals([message.nodeHigh, message.nodeLow], [0x8000_0001, 0x9000_0002]);
  assertEquals([message.userId, message.groupId, message.processId], [1000, 1001, 1002]);
  assertEquals(new TextDecoder().decode(message.name(0)), "name");
});

Deno.test("a name ends before the extensions that follow it", () => {
  const bytes = new Uint8Array(56);
  bytes.set(lookup);
  bytes.set([56, 0, 0, 0]);
  bytes.set([1, 0], 36); // one unit of 8 bytes
  bytes.set([0xff, 0xff, 0xff], 45);
  assertEquals(new TextDecoder().decode(received(bytes).name(0)), "name");
});

Deno.test("arguments after the header are read with 32 and 64 bits", () => {
  const bytes = new Uint8Array(40 + 24);
  new DataView(bytes.buffer).setBigUint64(48, 2n ** 40n + 7n, true);
  new DataView(bytes.buffer).setUint32(56, 0xffff_fff0, true);
  const message = received(bytes);
  assertEquals(message.longArgument(2), 2 ** 40 + 7);
  assertEquals(message.argument(4), 0xffff_fff0);
});

Deno.test("a longer message widens the view, and a kept name is empty once the memory is given back", () => {
  const bytes = new Uint8Array(4096);
  bytes.set(lookup);
  bytes[4092] = 5;
  const message = received(bytes, 45);
  const name = message.name(0);
  assertThrows(() => message.argument((4092 - 40) / 4), RangeError, "word 1023");
  message.refresh(4096);
  assertEquals(message.argument((4092 - 40) / 4), 5);
  assertEquals(name.length, 0);
  const later = message.name(0);
  assertEquals(later.length, 4);
  message.forget();
  assertEquals(later.length, 0);
  assertEquals(message.memory, null);
  assertEquals(lookup.length, 48);
});
