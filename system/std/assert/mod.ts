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
import { AssertionError as NodeError } from "node:assert";
import { inspect, isDeepStrictEqual } from "node:util";

/** Thrown by every failed assertion. Not exported: tests identify it by its name. */
class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/** Returns a value in one line. */
function describeShort(value: unknown): string {
  return inspect(value, { breakLength: Infinity, maxArrayLength: 20, maxStringLength: 200 });
}

/** Returns the differences of two values; for bytes, which may be many, only the first. */
function describeDifference(actual: unknown, expected: unknown): string {
  if (actual instanceof Uint8Array && expected instanceof Uint8Array) {
    const index = actual.findIndex((byte, index) => byte !== expected[index]);
    const at = index < 0 ? actual.length : index;
    const lengths = `${actual.length} bytes, expected ${expected.length}`;
    return `${lengths}; byte ${at} is ${actual[at]}, expected ${expected[at]}`;
  }
  return new NodeError({ actual, expected, operator: "deepStrictEqual" }).message;
}

/** A class, abstract or not, whose instances are `T`. */
// deno-lint-ignore no-explicit-any -- upstream's type; only `any` accepts every constructor, private or abstract ones too
export type AnyConstructor<T> = abstract new (...args: any[]) => T;

function failed(message: string, reason: string | undefined): AssertionError {
  return new AssertionError(
    reason === undefined ? message : `${message}: ${reason}`,
  );
}

/** Succeeds if `expr` is truthy. */
export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}

/** Succeeds if the two are deeply equal, see `deepStrictEqual` of `node:assert`; otherwise shows the differences. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const message = msg === undefined ? "Values are not equal" : `Values are not equal: ${msg}`;
  throw new AssertionError(
    `${message}\n\n${describeDifference(actual, expected)}\n`,
  );
}

/** Succeeds if the two are not deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!isDeepStrictEqual(actual, expected)) return;
  throw failed(`Expected anything but ${describeShort(expected)}`, msg);
}

/** Succeeds if the two are the same value by `Object.is`. */
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

/** Succeeds if `expected` occurs in `actual`. */
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

/** Succeeds if `expected` matches somewhere in `actual`. */
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

/** Succeeds if `fn` throws, with the given class and part of the message. Returns the thrown value. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Succeeds if `fn` throws an `ErrorClass` whose message contains `msgIncludes`. Returns the thrown value. */
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

/** Succeeds if `fn` returns a promise that rejects. Resolves to the rejection value. */
export function assertRejects(
  fn: () => PromiseLike<unknown>,
  msg?: string,
): Promise<unknown>;
/** Succeeds if `fn` returns a promise that rejects with an `ErrorClass` whose message contains `msgIncludes`. */
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

// A plain boolean, so that a test against `Error` itself does not narrow the error away.
function isInstance(error: Error, errorClass: AnyConstructor<Error>): boolean {
  return error instanceof errorClass;
}
