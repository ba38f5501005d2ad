/** Modules that delay a mount: each costs time to load, Node's own ones twenty milliseconds. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { build, builtName } from "../../system/build/build.ts";
import { programRoot } from "../../system/program_root.ts";

const packages = {
  "@std/cli": "system/std/cli",
  "@std/fs": "system/std/fs",
  "@std/path": "system/std/path",
  "deno-fuse-ffi": "deno-fuse-ffi",
};
const tree = {
  root: programRoot,
  packages: new Map(Object.entries(packages).map(([name, path]) => [name, join(path, "mod.ts")])),
};

const nodeImport = /\b(?:from|import) ?"node:[\w/]+"/g;

Deno.test("no command, and no file of a worker, loads modules of Node before it needs them", async () => {
  const workers = [
    "mount/session/session_worker",
    "mount/converting/converter_worker",
    "mount/decoding/decoder_worker",
  ];
  for (const program of ["repl/main.ts", ...workers.map((name) => `${name}.ts`)]) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its program
    const { files } = await build(tree, program, { splits: program === "repl/main.ts", looksLater: false });
    const name = program === "repl/main.ts" ? "repl.main.0.js" : builtName(program);
    assertEquals(files.get(name)?.match(nodeImport), null, program);
  }
});

Deno.test("no thread that a mount waits for loads modules of Node, or more of our own than today", async () => {
  const limits = { "daemon/program.ts": 246, "mount/session/session_worker.ts": 148 };
  for (const [program, limit] of Object.entries(limits)) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its program
    const { atStart, files } = await build(tree, program, { splits: true, looksLater: false });
    // Each engine, game and format is a module.
    const modules = atStart.map((stamp) => stamp.slice(0, stamp.indexOf("|")))
      .filter((path) => !/^(?:engines|engines\/lumps|games|formats\/archives)\/\w+\.ts$/.test(path));
    assert(modules.length > 100, "the modules were found");
    const first = files.get(builtName(program)) ?? "";
    assert(first.length > 100_000, program);
    assertEquals(first.match(nodeImport), null, program);
    assertEquals(modules.filter((path) => /^(service\/service|daemon\/demo_command)\.ts$/.test(path)), []);
    assert(modules.length <= limit, `${program} loads ${modules.length} modules`);
  }
});
