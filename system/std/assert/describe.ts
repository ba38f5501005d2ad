/**
 * How values and their differences are shown in the messages of failed assertions.
 * @module
 */
import { firstDifference } from "./equal.ts";

/** Lines kept around a difference, so that one sees where in the value it is. */
const contextLines = 3;
/** Longer arrays of numbers are described by their first difference instead of being printed. */
const longestPrintedArray = 512;

/** Returns `value` on one or more lines, whole, with its keys in a fixed order. */
function describe(value: unknown): string {
  return Deno.inspect(value, {
    depth: 100,
    sorted: true,
    trailingComma: true,
    compact: false,
    iterableLimit: Infinity,
    strAbbreviateSize: Infinity,
    colors: false,
  });
}

/** Returns `value` on one line, shortened. */
export function describeShort(value: unknown): string {
  return Deno.inspect(value, {
    depth: 4,
    breakLength: Infinity,
    strAbbreviateSize: 200,
    colors: false,
  });
}

/** Describes how two values differ. */
export function describeDifference(actual: unknown, expected: unknown): string {
  const arrays = describeArrayDifference(actual, expected);
  if (arrays !== undefined) return arrays;

  const actualLines = linesOf(actual, expected);
  const expectedLines = linesOf(expected, actual);
  const start = firstDifference(actualLines, expectedLines);
  if (start === -1) {
    return `    Both print as ${describeShort(actual)}, but they are not equal`;
  }

  let sameAtEnd = 0;
  while (
    sameAtEnd < Math.min(actualLines.length, expectedLines.length) - start &&
    actualLines[actualLines.length - 1 - sameAtEnd] ===
      expectedLines[expectedLines.length - 1 - sameAtEnd]
  ) sameAtEnd++;

  const end = actualLines.length - sameAtEnd;
  return [
    "    [Diff] - actual / + expected",
    ...actualLines.slice(Math.max(0, start - contextLines), start).map((line) => `    ${line}`),
    ...actualLines.slice(start, end).map((line) => `-   ${line}`),
    ...expectedLines.slice(start, expectedLines.length - sameAtEnd).map((
      line,
    ) => `+   ${line}`),
    ...actualLines.slice(end, end + contextLines).map((line) => `    ${line}`),
  ].join("\n");
}

/** Two texts are compared line by line; anything else by how it prints. */
function linesOf(value: unknown, other: unknown): string[] {
  if (
    typeof value === "string" && typeof other === "string" &&
    /\n/.test(value + other)
  ) {
    return value.split("\n").map((line) => JSON.stringify(line));
  }
  return describe(value).split("\n");
}

function describeArrayDifference(
  actual: unknown,
  expected: unknown,
): string | undefined {
  if (!isNumberArray(actual) || !isNumberArray(expected)) return undefined;
  if (Math.max(actual.length, expected.length) <= longestPrintedArray) {
    return undefined;
  }
  const index = firstDifference(actual, expected);
  if (index === -1) return undefined;
  return `    First difference at index ${index}: actual ${actual[index]}, expected ${expected[index]}\n` +
    `    Lengths: actual ${actual.length}, expected ${expected.length}`;
}

function isNumberArray(value: unknown): value is ArrayLike<number | bigint> {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}
