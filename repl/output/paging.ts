/**
 * Commands whose output goes through a pager where it is longer than the screen.
 * @module
 */
import type { TerminalLoan } from "../command/command.ts";
import { exitCodes } from "../../command_line/usage.ts";
import { BrokenPipeError } from "./failure.ts";
import { type Output, standardSink } from "./output.ts";
import { pagerCommand, PagingSink, startPager } from "./pager.ts";
import { mayRunShell } from "./shell_pipe.ts";

/** The pager's command line, or undefined where none is wanted, or none may be started. */
export function usablePager(): string | undefined {
  return mayRunShell() ? pagerCommand((name) => Deno.env.get(name)) : undefined;
}

/**
 * Runs a command on the terminal, through `pager` if what it prints is longer than the screen.
 * @param keyboard Is given away while the pager runs, and then taken back.
 * @returns What the command returned; 0 if somebody left the pager before its end.
 */
export async function paged(
  pager: string,
  output: Output,
  keyboard: TerminalLoan,
  run: () => Promise<number>,
): Promise<number> {
  const sink = new PagingSink(standardSink(Deno.stdout), () => {
    output.clearProgress();
    keyboard.giveAway();
    return startPager(pager);
  });
  try {
    return await output.through(sink, Deno.stderr.isTerminal(), run);
  } catch (error) {
    if (error instanceof BrokenPipeError && sink.isPaging) return exitCodes.ok;
    throw error;
  } finally {
    if (await sink.end()) keyboard.takeBack();
  }
}
