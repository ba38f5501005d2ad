/**
 * Errors about requested views.
 * @module
 */

/** An unknown or ambiguous view. The message is for the user. */
export class ViewError extends Error {
  /** Name of the class. */
  override readonly name = "ViewError";
  /** Similar view names. */
  readonly suggestions: readonly string[];

  /** Makes an error that suggests views. */
  constructor(message: string, suggestions: readonly string[]) {
    super(message);
    this.suggestions = suggestions;
  }
}
