/** Archives as a scan reads them: the bytes of their files in few calls, and no file left open. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { openArchive } from "../../../index/content/archive_reader.ts";
import { ReadError, TruncatedError } from "../../../formats/core/errors.ts";
import { content, FailingLibrary } from "../../mount/content_model.ts";
import { numbersFrom, seed } from "../../support/chance.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** Bytes at the start of a file that are read in one call. */
const head = 512;

/** Counts read calls. */
class CountingLibrary extends FailingLibrary {
  reads = 0;

  override readAt(fileDescriptor: number, bytes: Uint8Array, offset: number): number {
    this.reads++;
    return super.readAt(fileDescriptor, bytes, offset);
  }
}

Deno.test("any range is what the file has there, the beginning is read once, and every file is closed once", async () => {
  await using directory = await temporaryDirectory();
  using library = new CountingLibrary();
  const chance = numbersFrom(seed);
  for (const size of [0, 1, head - 1, head, head + 1, 5000]) {
    const path = `${directory.path}/${size}`;
    const bytes = content("archive", size);
    // deno-lint-ignore no-await-in-loop -- one file after the other
    await Deno.writeFile(path, bytes);
    const reader = openArchive(library, path, { size, mtime: 77 });
    assertEquals([reader.path, reader.size, reader.mtime], [path, size, 77]);
    let isHeadRead = false;
    for (let round = 0; round < 200; round++) {
      const offset = chance(chance(2) === 0 ? size + 1 : Math.min(size, head) + 1);
      const length = chance(4) === 0 ? size - offset : chance(size - offset + 1);
      const before = library.reads;
      assertEquals(reader.read(offset, length), bytes.subarray(offset, offset + length), `${length} at ${offset}`);
      const isInHead = offset + length <= head;
      const isCall = isInHead ? !isHeadRead && size > 0 : length > 0;
      assertEquals(library.reads - before, isCall ? 1 : 0, `${length} at ${offset} of ${size}`);
      isHeadRead ||= isInHead;
      assertThrows(() => reader.read(offset, size - offset + 1), TruncatedError);
    }
    assertEquals(library.open.size, 1);
    reader.close();
    reader[Symbol.dispose]();
    assertEquals(library.open.size, 0);
  }
});

Deno.test("a file that cannot be opened or read, or becomes shorter, is an error with its path and offset", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/a`;
  await Deno.writeFile(path, content("archive", 2000));
  using library = new CountingLibrary();
  const known = { size: 2000, mtime: 0 };
  assertThrows(() => openArchive(library, `${path}/none`, known));
  // The other reader reports the error, or reads the file if it can open it.
  library.openError = Errno.EMFILE;
  using other = openArchive(library, path, known);
  library.openError = 0;
  const before = library.reads;
  assertEquals([other.read(1000, 5), library.reads], [content("archive", 2000).subarray(1000, 1005), before]);
  using reader = openArchive(library, path, known);
  await Deno.truncate(path, 1234);
  assertEquals(reader.read(1000, 234).length, 234);
  const error = assertThrows(() => reader.read(1000, 500), ReadError);
  assert(error instanceof ReadError);
  assertEquals([error.path, error.offset], [path, 1234]);
  library.readError = Errno.EIO;
  const failed = assertThrows(() => reader.read(1000, 20), ReadError);
  assert(failed instanceof ReadError);
  assertEquals([failed.path, failed.offset], [path, 1000]);
  await Deno.writeFile(`${path}b`, content("beside", 10));
  using found = reader.beside?.("ab");
  assertEquals([found?.size, reader.beside?.("none")], [10, undefined]);
});
