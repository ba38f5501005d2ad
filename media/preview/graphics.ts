/**
 * Detects how a terminal can show a picture, from environment variables. The terminal is never queried, since a late
 * reply would appear as input at the prompt.
 * @module
 */

/** Ways to show a picture: two protocols, coloured half blocks, or text. */
export type Graphics = "kitty" | "sixel" | "blocks" | "none";

/** All ways, for the option `--graphics`. */
export const graphicsChoices: readonly Graphics[] = ["kitty", "sixel", "blocks", "none"];

/** Variables that identify a terminal. */
export interface TerminalEnvironment {
  readonly TERM?: string | undefined;
  readonly TERM_PROGRAM?: string | undefined;
  readonly COLORTERM?: string | undefined;
  readonly KITTY_WINDOW_ID?: string | undefined;
  readonly PAKFS_GRAPHICS?: string | undefined;
}

/** Terminals by the prefix of TERM. Inside tmux and screen neither protocol reaches the terminal. */
const byTerm: readonly (readonly [start: string, graphics: Graphics])[] = [
  ["dumb", "none"],
  ["tmux", "blocks"],
  ["screen", "blocks"],
  ["xterm-kitty", "kitty"],
  ["xterm-ghostty", "kitty"],
  ["foot", "sixel"],
  ["mlterm", "sixel"],
  ["contour", "sixel"],
  ["yaft", "sixel"],
];

const byProgram: ReadonlyMap<string, Graphics> = new Map([
  ["ghostty", "kitty"],
  ["WezTerm", "kitty"],
  ["iTerm.app", "sixel"],
  ["mintty", "sixel"],
]);

/** Returns the best supported way of the terminal; `PAKFS_GRAPHICS` overrides it. */
export function detectedGraphics(environment: TerminalEnvironment): Graphics {
  const { TERM = "", TERM_PROGRAM = "", KITTY_WINDOW_ID, PAKFS_GRAPHICS } = environment;
  const wanted = graphicsChoices.find((choice) => choice === PAKFS_GRAPHICS);
  if (wanted) return wanted;
  const known = byTerm.find(([start]) => TERM.startsWith(start));
  if (known) return known[1];
  if (KITTY_WINDOW_ID) return "kitty";
  return byProgram.get(TERM_PROGRAM) ?? "blocks";
}

/** Returns whether the terminal shows all colours instead of a palette of 256. */
export function showsAnyColour({ TERM = "", COLORTERM = "" }: TerminalEnvironment): boolean {
  return /^(truecolor|24bit)$/i.test(COLORTERM) || /-direct|kitty|ghostty|^foot|^contour/.test(TERM);
}
