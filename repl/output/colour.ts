/**
 * Decides when text is coloured.
 * @module
 */

/** Setting of coloured output. */
export type ColourChoice = "auto" | "always" | "never";

/** Environment variables for colour. */
export interface ColourEnvironment {
  readonly NO_COLOR?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

/**
 * Decides about colour: the option, else `FORCE_COLOR`, else `NO_COLOR`, else whether the output is a capable terminal.
 */
export function wantsColour(
  choice: ColourChoice,
  environment: ColourEnvironment,
  terminal: boolean,
): boolean {
  if (choice !== "auto") return choice === "always";
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== "0";
  if (environment.NO_COLOR) return false;
  return terminal && environment.TERM !== "dumb";
}

// deno-lint-ignore no-control-regex -- the escape sequences of colours begin with one
const colours = /\x1b\[[0-9;]*m/g;

/** Returns text without the escape sequences of colours. */
export function withoutColours(text: string): string {
  return text.replaceAll(colours, "");
}
