import { assertEquals, assertRejects } from "@std/assert";
import { openLocalGames } from "../../service/local.ts";
import { Index } from "../../protocol/library/game_index.ts";
import type { Connection } from "../../protocol/connection.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { maxRead } from "../../protocol/limits.ts";
import { installation } from "../index/fixtures.ts";

Deno.test("a stream requests the next piece only when the last was read, and a signal ends it", async () => {
  const content = new Uint8Array(maxRead * 3 + 5).map((_, index) => index % 251);
  await using made = await installation({ "id1/big.dat": content });
  await using local = await openLocalGames([{ sources: [made.path], profile: "quake" }]);
  let reads = 0;
  const counting: Connection = {
    call: (method, params, options) => {
      if (method === "read") reads++;
      return local.call(method, params, options);
    },
    subscribe: (params, options) => local.subscribe(params, options),
    close: () => local.close(),
    [Symbol.asyncDispose]: () => local.close(),
  };
  const view = new Index(counting).view();

  const reader = view.stream("big.dat").getReader();
  assertEquals(reads, 0);
  const first = await reader.read();
  assertEquals([first.value, reads], [content.subarray(0, maxRead), 1]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(reads, 1);
  await reader.cancel();
  assertEquals(reads, 1);

  const controller = new AbortController();
  const aborted = view.stream("big.dat", { signal: controller.signal }).getReader();
  await aborted.read();
  controller.abort();
  const error = await assertRejects(() => aborted.read(), RpcError);
  assertEquals(error.code, errorCodes.cancelled);
  assertEquals(await view.read("big.dat"), content);

  const { signal } = controller;
  const calls = [
    () => view.stat("big.dat", { signal }),
    () => view.which("big.dat", { signal }),
    () => view.read("big.dat", { signal }),
    () => Array.fromAsync(view.find("*", {}, { signal })),
    () => Array.fromAsync(view.list("", { signal })),
    () => Array.fromAsync(view.packs({ signal })),
    () => Array.fromAsync(view.limits({ signal })),
    () => Array.fromAsync(view.shadowed([], {}, { signal })),
  ];
  for (const call of calls) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its call
    assertEquals((await assertRejects(call, RpcError)).code, errorCodes.cancelled, String(call));
  }
});
