/**
 * Assertions for tests, with the names, signatures and meaning of the part of `jsr:@std/assert` used here.
 *
 * A first-party stand-in, not the Deno authors' code; used where JSR cannot be reached.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * assertEquals(new Uint8Array([1, 2]), new Uint8Array([1, 2]));
 * assertThrows(() => JSON.parse("{"), SyntaxError);
 * ```
 * @module
 */
import { AssertionError } from "./assertion_error.ts";
import { describe, describeDifference, describeShort } from "./describe.ts";
import { equal } from "./equal.ts";

export { AssertionError, equal };

/** A class, abstract or not, whose instances are `T`. */
// deno-lint-ignore no-explicit-any -- upstream's type; only `any` accepts every constructor, private or abstract ones too
export type AnyConstructor<T> = abstract new (...args: any[]) => T;

function failed(message: string, reason: string | undefined): AssertionError {
  return new AssertionError(
    reason === undefined ? message : `${message}: ${reason}`,
  );
}

/** Holds if `expr` is truthy. */
export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}

/** Holds if `expr` is falsy. */
export function assertFalse(
  expr: unknown,
  msg?: string,
): asserts expr is false {
  if (expr) {
    throw failed(`Expected a falsy value, got ${describeShort(expr)}`, msg);
  }
}

/** Holds if the two are deeply equal, see {@linkcode equal}; otherwise shows where they differ. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (equal(actual, expected)) return;
  const message = msg === undefined ? "Values are not equal" : `Values are not equal: ${msg}`;
  throw new AssertionError(
    `${message}\n\n${describeDifference(actual, expected)}\n`,
  );
}

/** Holds if the two are not deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!equal(actual, expected)) return;
  throw failed(`Expected anything but ${describeShort(expected)}`, msg);
}

/** Holds if the two are the same value by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  const message = msg === undefined ? "Values are not strictly equal" : `Values are not strictly equal: ${msg}`;
  throw new AssertionError(
    `${message}\n\n${describeDifference(actual, expected)}\n`,
  );
}

/** Holds if the two are not the same value by `Object.is`. */
export function assertNotStrictEquals<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  if (Object.is(actual, expected)) {
    throw failed(
      `Expected anything but the same ${describeShort(actual)}`,
      msg,
    );
  }
}

/** Holds if `actual` is neither `null` nor `undefined`. */
export function assertExists<T>(
  actual: T,
  msg?: string,
): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) {
    throw failed(`Expected a value, got ${actual}`, msg);
  }
}

/** Holds if `actual` was made by `expectedType` or a class below it. */
export function assertInstanceOf<T extends AnyConstructor<unknown>>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is InstanceType<T> {
  if (actual instanceof expectedType) return;
  throw failed(
    `Expected an instance of ${expectedType.name}, got ${describeShort(actual)}`,
    msg,
  );
}

/** Holds if `actual` is within `tolerance` of `expected`; by default one ten-millionth of `expected`. */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void {
  if (Object.is(actual, expected)) return;
  const allowed = tolerance ??
    (Number.isFinite(expected) ? Math.abs(expected * 1e-7) : 1e-7);
  if (Math.abs(expected - actual) <= allowed) return;
  throw failed(
    `Expected ${actual} to be within ${allowed} of ${expected}`,
    msg,
  );
}

/** Holds if `actual > expected`. */
export function assertGreater<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual > expected)) {
    throw failed(
      `Expected ${describeShort(actual)} > ${describeShort(expected)}`,
      msg,
    );
  }
}

/** Holds if `actual >= expected`. */
export function assertGreaterOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  if (!(actual >= expected)) {
    throw failed(
      `Expected ${describeShort(actual)} >= ${describeShort(expected)}`,
      msg,
    );
  }
}

/** Holds if `actual < expected`. */
export function assertLess<T>(actual: T, expected: T, msg?: string): void {
  if (!(actual < expected)) {
    throw failed(
      `Expected ${describeShort(actual)} < ${describeShort(expected)}`,
      msg,
    );
  }
}

/** Holds if `actual <= expected`. */
export function assertLessOrEqual<T>(
  actual: T,
  expected: T,
  msg?: string,
): void {
  if (!(actual <= expected)) {
    throw failed(
      `Expected ${describeShort(actual)} <= ${describeShort(expected)}`,
      msg,
    );
  }
}

/** Holds if `expected` occurs in `actual`. */
export function assertStringIncludes(
  actual: string,
  expected: string,
  msg?: string,
): void {
  if (actual.includes(expected)) return;
  throw failed(
    `Expected the text to contain ${JSON.stringify(expected)}; it is\n${actual}\n`,
    msg,
  );
}

/** Holds if `expected` matches somewhere in `actual`. */
export function assertMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void {
  if (expected.test(actual)) return;
  throw failed(
    `Expected the text to match ${expected}; it is\n${actual}\n`,
    msg,
  );
}

/** Holds if `expected` matches nowhere in `actual`. */
export function assertNotMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void {
  if (!expected.test(actual)) return;
  throw failed(
    `Expected the text not to match ${expected}; it is\n${actual}\n`,
    msg,
  );
}

/** Holds if every element of `expected` has an equal in `actual`. */
export function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  msg?: string,
): void {
  const present = Array.from(actual);
  const missing = Array.from(expected).filter((wanted) => !present.some((value) => equal(value, wanted)));
  if (missing.length === 0) return;
  throw failed(
    `Expected ${describe(present)}\nto include ${describe(missing)}`,
    msg,
  );
}

/** Holds if everything in `expected`, at any depth, is in `actual`, which may have more. */
export function assertObjectMatch(
  actual: object,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void {
  const selected = selectLike(actual, expected, new Map());
  assertEquals<unknown>(selected, expected, msg);
}

/** Holds if `fn` throws, with the class and the part of the message that are asked for. Returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Holds if `fn` throws an `ErrorClass` whose message contains `msgIncludes`. Returns what it threw. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: AnyConstructor<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertThrows(
  fn: () => unknown,
  classOrMessage?: AnyConstructor<Error> | string,
  msgIncludes?: string,
  msg?: string,
): unknown {
  const wanted = thrownExpectation(classOrMessage, msgIncludes, msg);
  try {
    fn();
  } catch (error) {
    checkThrown(error, wanted);
    return error;
  }
  throw failed("Expected function to throw", wanted.reason);
}

/** Holds if `fn` returns a promise that rejects. Resolves to what it rejected with. */
export function assertRejects(
  fn: () => PromiseLike<unknown>,
  msg?: string,
): Promise<unknown>;
/** Holds if `fn` returns a promise that rejects with an `ErrorClass` whose message contains `msgIncludes`. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: AnyConstructor<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects(
  fn: () => PromiseLike<unknown>,
  classOrMessage?: AnyConstructor<Error> | string,
  msgIncludes?: string,
  msg?: string,
): Promise<unknown> {
  const wanted = thrownExpectation(classOrMessage, msgIncludes, msg);
  let pending: PromiseLike<unknown>;
  try {
    pending = fn();
  } catch (error) {
    throw failed(
      `Function throws when expected to reject (${describeShort(error)})`,
      wanted.reason,
    );
  }
  try {
    await pending;
  } catch (error) {
    checkThrown(error, wanted);
    return error;
  }
  throw failed("Expected function to reject", wanted.reason);
}

/** Fails. */
export function fail(msg?: string): never {
  throw failed("Failed assertion", msg);
}

/** Fails: marks a place that must not be reached. */
export function unreachable(reason?: string): never {
  throw failed("Unreachable", reason);
}

interface ThrownExpectation {
  readonly errorClass: AnyConstructor<Error> | undefined;
  readonly messageIncludes: string | undefined;
  readonly reason: string | undefined;
}

function thrownExpectation(
  classOrMessage: AnyConstructor<Error> | string | undefined,
  messageIncludes: string | undefined,
  reason: string | undefined,
): ThrownExpectation {
  if (typeof classOrMessage === "string") {
    return {
      errorClass: undefined,
      messageIncludes: undefined,
      reason: classOrMessage,
    };
  }
  return { errorClass: classOrMessage, messageIncludes, reason };
}

function checkThrown(error: unknown, wanted: ThrownExpectation): void {
  if (wanted.errorClass === undefined) return;
  if (!(error instanceof Error)) {
    throw failed(
      `Expected an Error, got ${describeShort(error)}`,
      wanted.reason,
    );
  }
  if (!isInstance(error, wanted.errorClass)) {
    throw new AssertionError(
      `Expected error to be a ${wanted.errorClass.name}, got ${error.name}: ${error.message}`,
      {
        cause: error,
      },
    );
  }
  if (
    wanted.messageIncludes !== undefined &&
    !error.message.includes(wanted.messageIncludes)
  ) {
    throw new AssertionError(
      `Expected the error's message to contain ${JSON.stringify(wanted.messageIncludes)}, ` +
        `got ${JSON.stringify(error.message)}${wanted.reason === undefined ? "" : `: ${wanted.reason}`}`,
      { cause: error },
    );
  }
}

// A plain boolean, so that the error is not narrowed away by a test against `Error` itself.
function isInstance(error: Error, errorClass: AnyConstructor<Error>): boolean {
  return error instanceof errorClass;
}

/** The part of `actual` that `expected` speaks of, so that the two can be compared whole. */
function selectLike(
  actual: unknown,
  expected: unknown,
  done: Map<unknown, unknown>,
): unknown {
  if (
    !isContainer(actual) || !isContainer(expected) ||
    Array.isArray(actual) !== Array.isArray(expected)
  ) return actual;
  const known = done.get(actual);
  if (known !== undefined) return known;
  // Arrays are compared element by element and must have the same length.
  const selected: object = Array.isArray(actual)
    ? new Array(actual.length)
    : Object.create(Object.getPrototypeOf(expected));
  done.set(actual, selected);
  const keys = Array.isArray(actual) ? Object.keys(actual) : Reflect.ownKeys(expected);
  for (const key of keys) {
    if (!(key in actual)) continue;
    const value = selectLike(
      Reflect.get(actual, key),
      Reflect.get(expected, key),
      done,
    );
    Object.defineProperty(selected, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return selected;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  return !(value instanceof Date || value instanceof RegExp ||
    value instanceof Map || value instanceof Set ||
    ArrayBuffer.isView(value));
}
