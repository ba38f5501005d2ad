import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals } from "@std/assert";
import { checkCodeCache } from "../../repl/doctor/own_checks.ts";
import { codeCachesIn, removeUnusableCodeCaches } from "../../system/code_cache.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const pageBytes = 4096;

Deno.test("a code cache that Deno neither uses nor replaces is found and removed, and then Deno keeps code again", async () => {
  await using directory = await temporaryDirectory();
  const program = `${directory.path}/program.ts`;
  await Deno.writeTextFile(program, "export {};\n");
  const denoDirectory = `${directory.path}/deno`;
  const run = async () => {
    const command = { args: ["run", "--quiet", program], env: { DENO_DIR: denoDirectory } };
    assert((await new Deno.Command(Deno.execPath(), command).output()).success);
  };
  /** Whether the code of the program is in the cache, by a connection of its own. */
  const keepsCode = (path: string) => {
    using database = new DatabaseSync(path);
    return database.prepare("SELECT length(data) AS size FROM codecache WHERE specifier LIKE '%/program.ts'").all()
      .length;
  };
  await run();
  const [path = ""] = codeCachesIn(denoDirectory);
  assertEquals(keepsCode(path), 1);
  assertEquals(await checkCodeCache(denoDirectory), [
    { check: "code cache", health: "ok", found: path, advice: null },
  ]);
  assertEquals(await removeUnusableCodeCaches(denoDirectory), []);
  {
    using database = new DatabaseSync(path);
    // Deno opens a cache that has statistics without reading its table.
    database.exec("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)");
    const table = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'codecache'").get();
    using file = await Deno.open(path, { write: true });
    await file.seek((Number(table?.["rootpage"]) - 1) * pageBytes, Deno.SeekMode.Start);
    await file.write(new Uint8Array(pageBytes).fill(0xaa));
  }
  await run(); // Deno opens it, and says nothing
  assertEquals(await checkCodeCache(denoDirectory), [
    {
      check: "code cache",
      health: "note",
      found: `${path} is damaged, which makes starts slow`,
      advice: `rm ${path}*`,
    },
  ]);
  assertEquals(await removeUnusableCodeCaches(denoDirectory), [{
    path,
    reason: "was damaged, which made starts slow",
  }]);
  const left = (await Array.fromAsync(Deno.readDir(denoDirectory))).filter(({ name }) => name.startsWith("v8"));
  assertEquals(left, []);
  assertEquals(await checkCodeCache(denoDirectory), [
    { check: "code cache", health: "ok", found: "none yet", advice: null },
  ]);
  await run();
  assertEquals(keepsCode(path), 1);
  const { size } = await Deno.stat(path);
  assertEquals(await removeUnusableCodeCaches(denoDirectory, size), []);
  assertEquals(await removeUnusableCodeCaches(denoDirectory, size - 1), [{
    path,
    reason: `had ${Math.round(size / 1e6)} MB, most of them of earlier versions`,
  }]);
  assertEquals(codeCachesIn(denoDirectory), []);
  await run();
  assertEquals(keepsCode(path), 1);
});
