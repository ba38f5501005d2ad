import { assert, assertEquals, assertMatch } from "@std/assert";
import { output, run } from "../../mount/mounting.ts";
import { needs } from "../../support/programs.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { releases, withLibraryOf } from "../../../tools/abi/releases.ts";

const root = new URL("../../..", import.meta.url).pathname;

Deno.test({
  name: "a libfuse of the other soname, of Debian's next release, serves as this one does",
  // Laying other libraries over the system's takes root.
  ...needs("root", "debian:libfuse3-4+libc6"),
  async fn() {
    await using directory = await temporaryDirectory();
    const release = releases.find(({ soname }) => soname === "libfuse3.so.4");
    assert(release);
    const [program = "", ...words] = await withLibraryOf(release, directory.path);
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
