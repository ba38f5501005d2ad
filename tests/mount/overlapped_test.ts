// deno-lint-ignore-file no-await-in-loop no-sync-fn-in-async-fn -- one after the other; a write falls between two calls
/** Reads during a write to their file that preserves its size and time. */
import { assert, assertEquals } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { ContentReader } from "../../index/content/content_reader.ts";
import { ChangedError } from "../../index/content/indexed_file.ts";
import { fs } from "../../formats/core/builtins.ts";
import { isDirectorySource } from "../../index/columns/source.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { zip } from "../formats/bytes.ts";
import { seeds } from "../formats/seeds.ts";
import { writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { content, ContentModel } from "./content_model.ts";

/**
 * Files of a game: an archive of every format, members of the sizes that are read in different ways, and a loose file.
 */
function files(): Record<string, Uint8Array> {
  const sizes = [100, 70_000, 400_000];
  const members = sizes.flatMap((size) =>
    [0, 8].map((method) => ({ name: `${method}-${size}`, content: content(`${method}${size}`, size), method }))
  );
  return {
    ...Object.fromEntries(seeds.map(({ bytes }, index) => [`${index}.pak`, bytes])),
    "large.pak": zip(members),
    "loose.dat": content("loose", 150_000),
  };
}

/** Writes other bytes to a file, and restores its time. */
function overwrite(path: string, original: Uint8Array): void {
  const { mtime } = Deno.statSync(path);
  Deno.writeFileSync(path, original.map((byte) => byte ^ 1));
  if (mtime) Deno.utimeSync(path, mtime, mtime);
}

Deno.test("a read during which its file is written to gives the indexed bytes or fails, whatever the format", async () => {
  await using directory = await temporaryDirectory();
  const game = `${directory.path}/game`;
  using calls = new FileCalls();
  const look = (path: string) => calls.look(path);
  let failed = 0;
  let answered = 0;
  const chance = numbersFrom(seed);
  await writeFiles(game, files());
  const { snapshot: { entryCount } } = scanCatalog([{ sources: [game], profile: "generic" }], { look });
  for (let entry = 0; entry < entryCount; entry++) {
    // The file soon differs from the indexed one.
    const catalog = scanCatalog([{ sources: [game], profile: "generic" }], { look });
    const { snapshot } = catalog;
    const source = snapshot.sourceOf(entry);
    const size = snapshot.columns.entrySizes[entry] ?? 0;
    if (snapshot.isDirectory(entry) || size === 0 || snapshot.columns.entryDamage[entry] !== 0) continue;
    const path = isDirectorySource(source) ? `${source.path}/${snapshot.memberOf(entry)}` : source.path;
    const original = Deno.readFileSync(path);
    await using sound = new ContentReader(snapshot, look);
    const expected = (await sound.read(entry, 0, size)).slice();
    await using model = new ContentModel(catalog, directory.path);
    // The write comes before a call that reads, or after it.
    const moment = chance(5);
    let step = 0;
    const { readAt } = model.library;
    const overwriteAt = (step: number) => {
      if (step === moment) overwrite(path, original);
    };
    model.library.readAt = (...parameters) => {
      overwriteAt(step++);
      const count = readAt.apply(model.library, parameters);
      overwriteAt(step++);
      return count;
    };
    const part = Math.min(size, 4096);
    const answer = await model.readNow(entry, 0, part);
    const where = `${path} ${snapshot.memberOf(entry)}, moment ${moment}, PAKFS_SEED=${seed}`;
    if (answer === Errno.EIO) failed++;
    else {
      answered++;
      assertEquals(answer, expected.subarray(0, part), where);
    }
    assertEquals(model.reports.filter((report) => !report.includes("changed or deleted")), [], where);
    Deno.writeFileSync(path, original);
  }
  assert(failed > 20 && answered > 5, `${failed} failed, ${answered} answered`);
});

Deno.test("a file that is written to while a question reads it is reported as changed, and its bytes are not given", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(directory.path, files());
  using calls = new FileCalls();
  const look = (path: string) => calls.look(path);
  const { snapshot } = scanCatalog([{ sources: [directory.path], profile: "generic" }], { look });
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
  for (const name of ["loose.dat", "0-400000", "8-70000"]) {
    const entry = entries.find((entry) => snapshot.memberOf(entry) === name) ?? -1;
    const path = `${directory.path}/${name === "loose.dat" ? name : "large.pak"}`;
    const again = scanCatalog([{ sources: [directory.path], profile: "generic" }], { look });
    await using reader = new ContentReader(again.snapshot, look);
    const original = Deno.readFileSync(path);
    const { readSync } = fs();
    const overwriting = (...parameters: Parameters<typeof readSync>) => {
      const count = readSync(...parameters);
      Object.assign(fs(), { readSync });
      overwrite(path, original);
      return count;
    };
    Object.assign(fs(), { readSync: overwriting });
    try {
      const error = await reader.read(entry, 0, 5000).catch((error) => error);
      assert(error instanceof ChangedError, name);
    } finally {
      Object.assign(fs(), { readSync });
      Deno.writeFileSync(path, original);
    }
  }
});
