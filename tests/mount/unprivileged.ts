/**
 * A small system for a user who is not root, and scripts that run in it.
 * @module
 */
import { assertEquals } from "@std/assert";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { output, withoutChoice } from "./mounting.ts";

const checkout = new URL("../..", import.meta.url).pathname;

/**
 * Runs a script in the system that `unprivileged.sh` makes. Returns each step's output by name, without the system's
 * own directory in paths.
 */
export async function steps(script: string): Promise<Record<string, string>> {
  await using directory = await temporaryDirectory();
  await Deno.chmod(directory.path, 0o755);
  // Not in a directory that every user may mount in: a socket below that is not trusted.
  const system = `${directory.path}/system`;
  await Deno.mkdir(system);
  const preparation = await Deno.readTextFile(new URL("./unprivileged.sh", import.meta.url));
  // Set-up, which a user of the system could not do.
  await output(`${checkout}pakfs`, "--version");
  const parameters = [system, checkout, Deno.execPath()];
  const { stdout, stderr, code } = await new Deno.Command("timeout", {
    args: ["-k", "5", "600", "unshare", "-mn", "sh", "-c", `${preparation}${script}\nexit 0`, "sh", ...parameters],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assertEquals([code, withoutChoice(decoder.decode(stderr).replaceAll(system, ""))], [0, ""]);
  const printed = withoutChoice(decoder.decode(stdout).replaceAll(system, ""));
  const parts = printed.split(/^== (.*)\n/m).slice(1);
  return Object.fromEntries(
    Array.from({ length: parts.length / 2 }, (_, index) => [parts[2 * index] ?? "", parts[2 * index + 1] ?? ""]),
  );
}

/** Only root can make such a system. */
export const asRoot = needs("root");
