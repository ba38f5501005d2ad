import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";

/** Returns the message of the error of an assertion in `check`, without the help of what is tested here. */
function failureOf(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    if (error instanceof Error && error.name === "AssertionError") return error.message;
    throw error;
  }
  throw new Error("The assertion held although it should have failed");
}

class Point {
  readonly x = 1;
}

function cycle(): object {
  const value: Record<string, unknown> = { a: 1 };
  value["self"] = value;
  return value;
}

const equalPairs: [string, unknown, unknown][] = [
  ["NaN", NaN, NaN],
  ["nested objects", { a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }],
  ["bytes", new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  ["a view into a larger buffer", new Uint8Array([9, 1, 2]).subarray(1), new Uint8Array([1, 2])],
  ["buffers", new Uint8Array([1]).buffer, new Uint8Array([1]).buffer],
  ["maps with object keys", new Map([[{ k: 1 }, [1]]]), new Map([[{ k: 1 }, [1]]])],
  ["sets in another order", new Set([[1], [2]]), new Set([[2], [1]])],
  ["dates", new Date(5), new Date(5)],
  ["invalid dates", new Date(NaN), new Date(NaN)],
  ["regular expressions", /a/g, /a/g],
  ["cycles", cycle(), cycle()],
  ["instances of one class", new Point(), new Point()],
  ["bigints", 2n ** 64n, 18446744073709551616n],
];

const unequalPairs: [string, unknown, unknown][] = [
  ["number and text", 1, "1"],
  ["null and undefined", null, undefined],
  ["a missing and an undefined property", { a: undefined }, {}],
  ["an extra property", { a: 1 }, { a: 1, b: 2 }],
  ["arrays of other length", [1], [1, undefined]],
  ["array and object", [], {}],
  ["a class instance and a plain object", new Point(), { x: 1 }],
  ["other bytes", new Uint8Array([1, 2]), new Uint8Array([1, 3])],
  ["a prefix of the bytes", new Uint8Array([1, 2]), new Uint8Array([1, 2, 3])],
  ["other element types", new Uint8Array([1]), new Int8Array([1])],
  ["other map values", new Map([["a", 1]]), new Map([["a", 2]])],
  ["other sets", new Set([1, 2]), new Set([1, 3])],
  ["other dates", new Date(5), new Date(6)],
  ["other flags", /a/, /a/g],
  ["symbol properties", { [Symbol.for("s")]: 1 }, { [Symbol.for("s")]: 2 }],
  ["other messages", new Error("a"), new Error("b")],
];

Deno.test("assertEquals() compares by structure", () => {
  for (const [what, a, b] of equalPairs) {
    assertEquals(a, b, what);
    assertEquals(b, a, what);
    failureOf(() => assertNotEquals(a, b));
  }
  for (const [what, a, b] of unequalPairs) {
    failureOf(() => assertEquals(a, b));
    assertNotEquals(a, b, what);
    assertNotEquals(b, a, what);
  }
});

Deno.test("assertEquals() shows the lines that differ, and not the whole of a long value", () => {
  const message = failureOf(() => assertEquals({ a: 1, b: [1, 2, 3] }, { a: 1, b: [1, 2, 4] }, "rows"));
  assertMatch(message, /^Values are not equal: rows\n/);
  assertMatch(message, /^\+ {5}3$/m);
  assertMatch(message, /^- {5}4$/m);

  const long = new Uint8Array(100_000);
  const changed = long.slice();
  changed[70_000] = 7;
  const difference = failureOf(() => assertEquals(changed, long));
  assertStringIncludes(difference, "byte 70000 is 7, expected 0");
  assert(difference.length < 500);
});

Deno.test("assertThrows() returns the error and checks its class and message", () => {
  const error = assertThrows(() => JSON.parse("{"), SyntaxError);
  assert(error instanceof SyntaxError);
  assertThrows(
    () => {
      throw new RangeError("offset 12 is past the end");
    },
    Error,
    "offset 12",
  );
  assertEquals(
    assertThrows(() => {
      // deno-lint-ignore no-throw-literal -- anything can be thrown
      throw 5;
    }),
    5,
  );

  failureOf(() => assertThrows(() => 1));
  failureOf(() => assertThrows(() => JSON.parse("{"), RangeError));
  failureOf(() => assertThrows(() => JSON.parse("{"), SyntaxError, "no such words"));
  failureOf(() =>
    assertThrows(() => {
      // deno-lint-ignore no-throw-literal -- anything can be thrown
      throw "text";
    }, Error)
  );
});

Deno.test("assertRejects() wants a rejection, not a throw", async () => {
  const error = await assertRejects(() => Promise.reject(new TypeError("no view")), TypeError, "view");
  assertEquals(error.message, "no view");

  await assertRejects(() => assertRejects(() => Promise.resolve(1)), Error, "Expected function to reject");
  await assertRejects(() => assertRejects(() => Promise.reject(new Error("x")), TypeError), Error);
  await assertRejects(
    () =>
      assertRejects(() => {
        throw new Error("at once");
      }),
    Error,
    "throws when expected to reject",
  );
});

Deno.test("the remaining assertions hold and fail", () => {
  assert(1);
  failureOf(() => assert(0));
  assertStrictEquals(NaN, NaN);
  failureOf(() => assertStrictEquals({}, {}));
  failureOf(() => assertMatch("pak0", /^\d/));
  failureOf(() => assertStringIncludes("pak0", "pak1"));
});
