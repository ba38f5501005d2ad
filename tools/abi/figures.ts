/**
 * Findings of a part of the ABI's checks.
 * @module
 */
import { run } from "../../tests/mount/mounting.ts";

/** The root of the checkout. */
export const root = new URL("../..", import.meta.url).pathname;

/** Findings of a part. */
export interface Figures {
  /** One line. */
  readonly summary: string;
  /** Failures in full; empty if all checks pass. */
  readonly failures: readonly string[];
}

const versionProgram =
  'import { libraryVersion } from "deno-fuse-ffi"; console.log(Deno.build.arch, libraryVersion());';

/** Maximum milliseconds of a run of all tests, also on an imitated processor. */
const longestTests = 30 * 60 * 1000;

/** Runs tests with a Deno that is started by `command`. */
export async function tests(
  command: readonly string[],
  paths: readonly string[],
  environment: Record<string, string> = {},
): Promise<Figures> {
  const [program = "", ...words] = command;
  const options = { directory: root, environment: { NO_COLOR: "1", ...environment }, timeout: longestTests };
  const version = await run(program, [...words, "eval", versionProgram], options);
  const { code, stdout, stderr } = await run(
    program,
    [...words, "test", "--allow-all", "--no-check", ...paths],
    options,
  );
  const result = /^(?:ok|FAILED) \| .*$/m.exec(stdout)?.[0] ?? `ended with ${code}`;
  return {
    summary: `libfuse ${version.stdout.trim()}: ${paths.join(" ")}: ${result}`,
    failures: code === 0 && version.code === 0 ? [] : [version.stderr + stdout + stderr],
  };
}
