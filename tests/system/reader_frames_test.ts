import { assert, assertEquals } from "@std/assert";
import { encodeFrame, type OrderFrame, type ReaderFrame, readFrames } from "../../system/reader_frames.ts";

/** Returns the frames received if their bytes come in chunks of some length. */
async function sent(frames: readonly (OrderFrame | ReaderFrame)[], length: number): Promise<unknown[]> {
  const bytes = frames.flatMap((frame) => Array.from(encodeFrame(frame), (part) => [...part])).flat();
  const parts = Array.from(
    { length: Math.ceil(bytes.length / length) },
    (_, part) => Uint8Array.from(bytes.slice(part * length, (part + 1) * length)),
  );
  return await Array.fromAsync(readFrames(ReadableStream.from(parts).getReader()));
}

Deno.test("frames arrive whole, however the stream parts them, and columns of orders and answers as they were", async () => {
  const shared = new Uint32Array(new SharedArrayBuffer(12));
  shared.set([1, 2, 0xffffffff]);
  const frames: (OrderFrame | ReaderFrame)[] = [
    { order: { kind: "index", index: { games: ["a"], few: Uint8Array.of(7) } } },
    {
      order: {
        kind: "index",
        columns: { shared: shared.subarray(1), none: new Uint8Array(0), times: Float64Array.of(0.5) },
      },
    },
    { type: "answer", answer: { kind: "rows", columns: { rows: Uint8Array.of(1, 2, 3) }, isEnd: true } },
    { type: "answer", answer: { kind: "names", columns: ["a"] } },
    { type: "failure", message: "no" },
    { type: "answer", answer: null },
  ];
  for (const length of [1, 3, 1000]) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    const arrived = await sent(frames, length);
    assertEquals(arrived, [
      { order: { kind: "index", index: { games: ["a"], few: Uint8Array.of(7) } } },
      {
        order: {
          kind: "index",
          columns: { shared: Uint32Array.of(2, 0xffffffff), none: new Uint8Array(0), times: Float64Array.of(0.5) },
        },
      },
      ...frames.slice(2),
    ]);
    const [, order] = arrived as { order: { columns: { shared: Uint32Array } } }[];
    assert(order?.order.columns.shared.buffer instanceof SharedArrayBuffer);
  }
  assertEquals(await sent(frames.slice(1, 2), 7), (await sent(frames, 7)).slice(1, 2));
});
