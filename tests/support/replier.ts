/**
 * Repliers of tests.
 * @module
 */
import { assert } from "@std/assert";
import type { Replier } from "deno-fuse-ffi";

/** Returns a replier that fails the test for any other answer. */
export function replierOf(answers: Partial<Replier>): Replier {
  const unexpected = () => assert(false, "an answer of another kind");
  const { close = () => {} } = answers;
  const [error, buffer, fileDescriptor] = [unexpected, unexpected, unexpected];
  const nodes = { entry: unexpected, attributes: unexpected };
  return { error, buffer, fileDescriptor, ...nodes, close, [Symbol.dispose]: close, ...answers };
}
