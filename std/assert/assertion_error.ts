/**
 * The error a failed assertion throws.
 * @module
 */

/** Thrown by every assertion of this package when it does not hold. */
export class AssertionError extends Error {
  /** Tells it from other errors where only the name is seen. */
  override readonly name = "AssertionError";
}
