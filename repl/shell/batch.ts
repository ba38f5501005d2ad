/**
 * `--batch`: executes command lines from a program and replies with JSON lines that have the number of the input line.
 * @module
 */
import { exitCodes, UsageError } from "../../system/mod.ts";
import { prepare, run, type Surroundings } from "./execute.ts";
import { failureOf } from "../output/failure.ts";
import { BrokenPipeError } from "../output/sink.ts";
import { oneRow } from "../output/results.ts";
import type { BatchEnd } from "../rows/client_rows.ts";
import { isBlank, splitLine } from "./grammar.ts";
import type { Script } from "./script.ts";

async function runRequest(line: string, surroundings: Surroundings): Promise<Omit<BatchEnd, "line">> {
  try {
    let exitCode: number = exitCodes.ok;
    for (const { words, into } of splitLine(line)) {
      if (into !== undefined) throw new UsageError("a batch cannot write to a file or a program");
      // deno-lint-ignore no-await-in-loop -- commands run one after another
      exitCode = await run(prepare(words, surroundings.commands, []), surroundings);
      if (exitCode !== exitCodes.ok || surroundings.session.ended) break;
    }
    return { exitCode };
  } catch (error) {
    if (error instanceof BrokenPipeError) throw error;
    const { exitCode, kind, message, data } = failureOf(error);
    return { exitCode, error: { kind, message, ...(data === undefined ? {} : { data }) } };
  }
}

/**
 * Replies to every line of a batch, including failed ones, before the next is read. Empty lines and comments have no
 * reply.
 * @returns 0, or 1 if any line failed; 4 and 130 if no daemon replies or Ctrl-C ended it.
 */
export async function runBatch({ lines }: Script, surroundings: Surroundings): Promise<number> {
  const { output, session } = surroundings;
  let code: number = exitCodes.ok;
  let number = 0;
  for await (const text of lines) {
    const line = ++number;
    if (isBlank(text)) continue;
    const answer = await output.enveloped((content) => ({ line, ...content }), () => runRequest(text, surroundings));
    const end: BatchEnd = { line, ...answer };
    await output.print(oneRow(end));
    output.flush();
    if (answer.exitCode === exitCodes.unreachable || answer.exitCode === exitCodes.interrupted) return answer.exitCode;
    if (answer.exitCode !== exitCodes.ok) code = exitCodes.failed;
    if (session.ended) break;
  }
  return code;
}
