import { assert, assertEquals } from "@std/assert";
import { parseLayouts, readRequest, sentLayouts } from "../../../tools/abi/layouts.ts";

/** Printed by `layouts.c`, and the same for each libfuse and processor: `deno task abi` makes sure of that. */
const layouts = parseLayouts(await Deno.readTextFile(new URL("../../../tools/abi/layouts.txt", import.meta.url)));

Deno.test("every structure that is sent is, byte for byte, what a C compiler makes of the headers", () => {
  const made = sentLayouts();
  assert(made.size > 35);
  for (const [name, value] of made) assertEquals(value, layouts.get(name), name);
});

Deno.test("a request made by a C compiler is read as what it is", () => {
  assertEquals(readRequest(Uint8Array.fromHex(layouts.get("fuse_in_header") ?? "")), {
    opcode: 1,
    nodeHigh: 0x8000_0001,
    nodeLow: 0x9000_0002,
    userId: 1000,
    groupId: 1001,
    processId: 1002,
    name: "hello",
  });
});
