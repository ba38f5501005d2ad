/** A process of `pakfs web`. */
import { TextLineStream } from "../support/harness.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

/** Starts the command; returns the URL that it prints. */
export async function startPage(
  environment: Record<string, string>,
): Promise<{ readonly url: string; readonly process: Deno.ChildProcess }> {
  const args = ["web", "--json", "--port", "0"];
  const process = new Deno.Command(launcher, { args, env: environment, stdin: "null", stdout: "piped" }).spawn();
  const lines = process.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) return { url: JSON.parse(line).url, process };
  throw new Error(`pakfs web ended with ${(await process.status).code}`);
}
