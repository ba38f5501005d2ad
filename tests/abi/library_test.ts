import { assert, assertEquals, assertMatch } from "@std/assert";
import { output, run } from "../mount/mounting.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type Release, releases, withLibraryOf } from "./releases.ts";

const root = new URL("../..", import.meta.url).pathname;

/**
 * The words in front of a command that then runs with a release's libfuse; nothing where that release cannot be
 * fetched, or nothing can be laid over the system: this is a look ahead, which must not stop those who are without a
 * network.
 */
async function laidOver(release: Release, directory: string): Promise<string[] | undefined> {
  let reason: string;
  try {
    const words = await withLibraryOf(release, directory);
    const [program = "", ...rest] = words;
    const { code, stderr } = await run(program, [...rest, "true"], { directory: root });
    if (code === 0) return words;
    reason = stderr;
  } catch (error) {
    reason = String(error);
  }
  await Deno.stderr.write(new TextEncoder().encode(`NOT TESTED with the libfuse of ${release.release}: ${reason}\n`));
  return undefined;
}

Deno.test({
  name: "a libfuse of the other soname, of Debian's next release, serves as this one does",
  // Laying other libraries over the system's takes root.
  ignore: Deno.uid() !== 0,
  async fn() {
    await using directory = await temporaryDirectory();
    const release = releases.find(({ soname }) => soname === "libfuse3.so.4");
    assert(release);
    const command = await laidOver(release, directory.path);
    if (!command) return;
    const [program = "", ...words] = command;
    const loaded = 'import { libraryVersion } from "deno-fuse-ffi"; console.log(libraryVersion());';
    const version = await run(program, [...words, Deno.execPath(), "eval", loaded], { directory: root });
    assertMatch(version.stdout, /^3\.17\./, version.stderr);
    for (const tests of ["tests/deno_fuse_ffi", "tests/mount/read_only_test.ts"]) {
      // deno-lint-ignore no-await-in-loop -- one after the other
      const { code, stdout, stderr } = await run(
        program,
        [...words, Deno.execPath(), "test", "--allow-all", "--no-check", tests],
        { directory: root, environment: { NO_COLOR: "1" } },
      );
      assertEquals(code, 0, stdout + stderr);
      assertMatch(stdout, /\d+ passed.* \| 0 failed/);
    }
    assertEquals(await output("ls", "-A", directory.path), "");
  },
});
