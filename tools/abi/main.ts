/**
 * `deno task abi [PART...]`: everything that depends on the version of libfuse or on the processor. For each release of
 * Debian with another libfuse (`bullseye`, `bookworm`, `trixie`, `sid`) the tests of `deno-fuse-ffi` and of mounts; for
 * `layouts` the C structures of all of them, on both processors, by C compilers; for `aarch64` the tests again with a
 * Deno, a libfuse and a C library for that processor, run by qemu. Everything is fetched with apt and npm, nothing
 * installed. Needs root, gcc and some minutes. Prints figures; exits with 1 if anything fails.
 * @module
 */
import { makeSandbox } from "../../tests/support/leftovers.ts";
import { temporaryDirectory } from "../../tests/support/temporary.ts";
import { readCommandLine } from "../command_line.ts";
import { testsOnAarch64 } from "./aarch64.ts";
import { type Figures, tests } from "./figures.ts";
import { compiledLayouts } from "./compiled_layouts.ts";
import { releases, withLibraryOf } from "./releases.ts";
import { print } from "../../tests/support/harness.ts";

async function testsOfRelease(name: string): Promise<Figures> {
  const release = releases.find((one) => one.release === name);
  if (!release) throw new Error(`unknown release ${name}`);
  await using hidden = await temporaryDirectory();
  const command = await withLibraryOf(release, hidden.path);
  return await tests([...command, Deno.execPath()], ["tests/deno_fuse_ffi", "tests/mount"]);
}

const parts: Record<string, () => Promise<Figures>> = {
  layouts: compiledLayouts,
  ...Object.fromEntries(releases.map(({ release }) => [release, () => testsOfRelease(release)])),
  aarch64: testsOnAarch64,
};

const { words: wanted, mistake } = readCommandLine([]);
const unknown = wanted.find((name) => !(name in parts));
if (mistake !== undefined || unknown !== undefined || Deno.uid() !== 0) {
  print(`deno task abi [PART...], as root\n\n  ${Object.keys(parts).join("\n  ")}`);
  Deno.exit(2);
}

await using sandbox = await makeSandbox();
for (const name of ["TMPDIR", "XDG_RUNTIME_DIR"]) Deno.env.set(name, sandbox.environment[name] ?? "");
let failed = 0;
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  // deno-lint-ignore no-await-in-loop -- one after the other
  const { summary, failures } = await run().catch((error) => ({ summary: "failed", failures: [Deno.inspect(error)] }));
  print(`${name.padEnd(10)} ${summary}`);
  for (const failure of failures) print(failure);
  failed += failures.length;
}
Deno.exitCode = failed === 0 ? 0 : 1;
