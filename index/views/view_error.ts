/**
 * What is wrong with a view that was asked for.
 * @module
 */

/** No such view, or more than one that could be meant. The message is for the user. */
export class ViewError extends Error {
  /** Name of the class. */
  override readonly name = "ViewError";
  /** Views that may have been meant. */
  readonly suggestions: readonly string[];

  /** Makes an error that suggests views. */
  constructor(message: string, suggestions: readonly string[]) {
    super(message);
    this.suggestions = suggestions;
  }
}
