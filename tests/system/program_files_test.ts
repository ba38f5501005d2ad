// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
import { assertEquals } from "@std/assert";
import { ProgramFiles } from "../../system/program_files.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** A program whose daemon begins in a second. */
async function program() {
  const directory = await temporaryDirectory();
  const root = `${directory.path}/program`;
  for (const name of ["daemon", "repl/show", "tests", ".git"]) await Deno.mkdir(`${root}/${name}`, { recursive: true });
  for (const name of ["deno.json", "notes.txt", "daemon/main.ts", "repl/show/picture.ts", "tests/a_test.ts"]) {
    await Deno.writeTextFile(`${root}/${name}`, "old");
  }
  return {
    root,
    files: new ProgramFiles(root, Date.now() + 1000),
    async [Symbol.asyncDispose](): Promise<void> {
      await this.files[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

Deno.test("each way to update a program is noticed at once, and what is no update is not", async () => {
  const cases: Record<string, [(root: string) => Promise<unknown>, boolean]> = {
    "nothing": [() => Promise.resolve(), false],
    "written in place": [(root) => Deno.writeTextFile(`${root}/repl/show/picture.ts`, "new"), true],
    "written in place to the same size and time": [async (root) => {
      const path = `${root}/daemon/main.ts`;
      const { mtime } = await Deno.stat(path);
      await Deno.writeTextFile(path, "new");
      await Deno.utime(path, mtime ?? 0, mtime ?? 0);
    }, true],
    "replaced": [async (root) => {
      await Deno.writeTextFile(`${root}/notes.txt`, "new");
      await Deno.rename(`${root}/notes.txt`, `${root}/daemon/main.ts`);
    }, true],
    "added": [(root) => Deno.writeTextFile(`${root}/daemon/other.ts`, "new"), true],
    "removed": [(root) => Deno.remove(`${root}/daemon/main.ts`), true],
    "the version": [(root) => Deno.writeTextFile(`${root}/deno.json`, "new"), true],
    "a directory replaced": [(root) => Deno.rename(`${root}/repl`, `${root}/repl.old`), true],
    "all replaced": [(root) => Deno.rename(root, `${root}.old`), true],
    "all removed": [(root) => Deno.remove(root, { recursive: true }), true],
    "a test": [(root) => Deno.writeTextFile(`${root}/tests/a_test.ts`, "new"), false],
    "no module": [(root) => Deno.writeTextFile(`${root}/notes.txt`, "new"), false],
    "a file of an editor": [(root) => Deno.writeTextFile(`${root}/daemon/.main.ts.swp`, "new"), false],
    "who may read it": [(root) => Deno.chmod(`${root}/daemon/main.ts`, 0o600), false],
    "git's files": [(root) => Deno.writeTextFile(`${root}/.git/x.json`, "new"), false],
  };
  for (const [what, [change, isUpdate]] of Object.entries(cases)) {
    await using made = await program();
    const { root, files } = made;
    assertEquals(await files.haveChanged(), false, what);
    await change(root);
    assertEquals(files.isOld, isUpdate, what);
    assertEquals(await files.haveChanged(), isUpdate, what);
  }
});

Deno.test("an update between the start and the first look is noticed, a time in the future is none", async () => {
  await using made = await program();
  const path = `${made.root}/daemon/main.ts`;
  await Deno.utime(path, new Date(Date.now() + 3600_000), new Date(Date.now() + 3600_000));
  assertEquals(await made.files.haveChanged(), false);
  await using updated = new ProgramFiles(made.root, Date.now() - 10_000);
  assertEquals(updated.isOld, false);
  assertEquals(await updated.haveChanged(), true);
  // Unpacked with the times that it had elsewhere.
  for (const name of ["deno.json", "daemon/main.ts", "repl/show/picture.ts"]) {
    await Deno.utime(`${made.root}/${name}`, 1, 1);
  }
  await using unpacked = new ProgramFiles(made.root, Date.now() - 10_000);
  assertEquals(await unpacked.haveChanged(), true);
});
