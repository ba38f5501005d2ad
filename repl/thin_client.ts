/**
 * Entry of commands that only ask the index: the daemon, where all code is loaded, runs the command line, and this prints
 * what it answers. It loads a few modules, so that it takes little more time than Deno itself. Without a daemon, and for
 * what the daemon leaves to it, the whole program runs instead.
 *
 * The launcher starts it: `thin_client.ts SOCKET WORD...`.
 * @module
 */
import { exitCodes } from "../system/command_line/usage.ts";
import { readLines } from "../protocol/lines.ts";
import { oldestProtocolVersion, protocolVersion } from "../protocol/messages.ts";
import type { MethodName, ParamsOf, PrintedText, ResultOf } from "../protocol/methods.ts";
import { runRequest, terminalSize } from "../protocol/run_request.ts";
import { connectUnix } from "../protocol/unix_socket.ts";
import { version } from "../protocol/version.ts";
import { printableOutput } from "../system/printable.ts";
import { wantsColour, withoutColours } from "./output/colour.ts";
import { BrokenPipeError, standardSink, writeAll } from "./output/sink.ts";

/** Time that the daemon has for its answer, before the whole program asks it; milliseconds. */
const patience = 1000;

const encoder = new TextEncoder();

function requestLine<M extends MethodName>(id: number, method: M, params: ParamsOf<M>): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

/** Asks the daemon at `path` to run `words`; returns undefined for any reason why it does not answer that. */
async function askDaemon(path: string, words: string[]): Promise<ResultOf<"run"> | undefined> {
  // Not `setTimeout`: Deno loads its modules for Node at the first call, which takes as long as all the rest here.
  const late = AbortSignal.timeout(patience);
  let close = () => {};
  try {
    using socket = await connectUnix(path);
    close = () => socket.close();
    late.addEventListener("abort", close);
    // One message: the daemon answers the first request before it reads the second.
    const requests = encoder.encode(
      requestLine(1, "hello", { protocol: [oldestProtocolVersion, protocolVersion], client: `pakfs ${version}` }) +
        requestLine(2, "run", runRequest(words)),
    );
    for (let sent = 0; sent < requests.length;) {
      // deno-lint-ignore no-await-in-loop -- one write after another
      sent += await socket.write(requests.subarray(sent));
    }
    for await (const line of readLines(socket)) {
      const { id, result } = JSON.parse(line);
      if (id === 2) return result;
    }
  } catch {
    // The whole program finds the same reason, and reports it.
  } finally {
    late.removeEventListener("abort", close);
  }
  return undefined;
}

// `as string`: see command/modules.ts.
const load = {
  program: (): Promise<typeof import("./main.ts")> => import("./main.ts" as string),
  pager: (): Promise<typeof import("./output/pager.ts")> => import("./output/pager.ts" as string),
};

/** Prints text, through a pager if it may be longer than the screen; returns whether all of it was printed. */
async function print(output: readonly PrintedText[]): Promise<boolean> {
  const [results, remarks] = [standardSink(Deno.stdout), standardSink(Deno.stderr)];
  // A pipe gets fields of CSV as they are.
  const shown = output.map(({ isError, text }) => {
    const { terminal } = isError ? remarks : results;
    return { isError, text: terminal ? printableOutput(text) : text };
  });
  if (results.terminal && mayBeLong(shown)) return await (await load.pager()).printPaged(shown);
  for (const { isError, text } of shown) writeAll(isError ? remarks : results, encoder.encode(text));
  return true;
}

/** Returns whether text may fill the screen: no UTF-16 unit is wider than two columns. */
function mayBeLong(output: readonly PrintedText[]): boolean {
  const { columns, rows } = terminalSize();
  const lines = output.flatMap(({ text }) => text.split("\n"));
  return lines.reduce((sum, line) => sum + Math.ceil(2 * line.length / columns) + 1, 0) >= rows;
}

/** Returns the output of command lines that depend on nothing: the version, and the list of commands. */
function fixedText(words: readonly string[]): string | undefined {
  if (words.length !== 1) return undefined;
  const [word = ""] = words;
  if (word === "--version" || word === "-V") return `pakfs ${version}\n`;
  if (word !== "--help" && word !== "-h" && word !== "help") return undefined;
  const lines: string[] = JSON.parse(Deno.readTextFileSync(new URL("help/overview.json", import.meta.url)));
  const text = lines.map((line) => `${line}\n`).join("");
  // On a narrower terminal it is wrapped.
  const width = lines.reduce((max, line) => Math.max(max, withoutColours(line).length), 0);
  if (Deno.stdout.isTerminal() && terminalSize().columns < width) return undefined;
  const variables = {
    NO_COLOR: Deno.env.get("NO_COLOR"),
    FORCE_COLOR: Deno.env.get("FORCE_COLOR"),
    TERM: Deno.env.get("TERM"),
  };
  return wantsColour("auto", variables, Deno.stdout.isTerminal()) ? text : withoutColours(text);
}

/** Runs a command line and returns the exit code. */
async function runThin([socket = "", ...words]: readonly string[]): Promise<number> {
  const text = fixedText(words);
  const answer = text === undefined
    ? await askDaemon(socket, words)
    : { exitCode: 0, output: [{ isError: false, text }] };
  if (typeof answer?.exitCode !== "number") return await (await load.program()).main(words);
  try {
    return await print(answer.output) ? answer.exitCode : exitCodes.ok;
  } catch (error) {
    if (error instanceof BrokenPipeError) return exitCodes.brokenPipe;
    throw error;
  }
}

if (import.meta.main) Deno.exit(await runThin(Deno.args));
