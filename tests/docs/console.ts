/**
 * Runs the console sessions that documents show, and compares their output.
 * @module
 */

/** One command of a session, with the output that the document shows. */
export interface ConsoleStep {
  readonly command: string;
  readonly output: readonly string[];
  /** Line number in the document. */
  readonly line: number;
}

/** The steps of all fenced blocks marked `console`: `$ ` begins a command, the other lines are its output. */
export function consoleSteps(markdown: string): ConsoleStep[] {
  const steps: { command: string; output: string[]; line: number }[] = [];
  let isInside = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (line.startsWith("```")) isInside = !isInside && line === "```console";
    else if (isInside && line.startsWith("$ ")) steps.push({ command: line.slice(2), output: [], line: index + 1 });
    else if (isInside) steps.at(-1)?.output.push(line);
  }
  return steps;
}

/** Returns whether output is as shown. A line `...` matches any number of lines. */
export function matchesShown(shown: readonly string[], actual: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return actual.length === 0;
  if (first !== "...") return actual[0] === first && matchesShown(rest, actual.slice(1));
  return actual.some((_, skipped) => matchesShown(rest, actual.slice(skipped))) || matchesShown(rest, []);
}
