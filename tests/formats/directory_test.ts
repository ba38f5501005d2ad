// deno-lint-ignore-file no-await-in-loop -- cases run one after another, to see which one fails
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { FileByteReader } from "../../formats/core/byte_reader.ts";
import { readDirectory } from "../../formats/core/directory.ts";
import type { EntryTable } from "../../formats/core/entry_table.ts";
import { UnknownFormatError } from "../../formats/core/errors.ts";
import { output, string, text, withDirectory } from "./bytes.ts";

function listing(table: EntryTable): string[] {
  return Array.from({ length: table.length }, (_, index) => table.path(index) + (table.isDirectory(index) ? "/" : ""));
}

async function tree(root: string, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    const end = path.lastIndexOf("/");
    if (end >= 0) await Deno.mkdir(`${root}/${path.slice(0, end)}`, { recursive: true });
    if (end !== path.length - 1) await Deno.writeFile(`${root}/${path}`, text(path));
  }
}

Deno.test("files and directories are listed with sizes and times, sorted as find and sort do it", async () => {
  await withDirectory(async (root) => {
    await tree(root, "b/x", "b-c", "b.txt", "a/deep/er/file", "empty/", "Ä", "\u{10000}", "\uffee", "z");
    const when = new Date(1_234_567_890_000);
    await Deno.utime(`${root}/b-c`, when, when);
    const table = readDirectory(root);
    const found = string(
      await output("sh", "-c", `cd "$1" && find . -mindepth 1 -printf '%P\\n' | LC_ALL=C sort`, "sh", root),
    );
    assertEquals(listing(table).map((path) => path.replace(/\/$/, "")).sort(), found.trim().split("\n").sort());
    assertEquals(listing(table).filter((path) => !path.endsWith("/")), [
      "a/deep/er/file",
      "b-c",
      "b.txt",
      "b/x",
      "z",
      "Ä",
      "\uffee",
      "\u{10000}",
    ]);
    const index = listing(table).indexOf("b-c");
    assertEquals([table.sizes[index], table.mtimes[index]], [3, 1_234_567_890_000]);
    assertEquals(table.compressedSizes[index], (await Deno.stat(`${root}/b-c`)).ctime?.getTime());
    assertEquals([table.warnings, table.rawNames.size], [[], 0]);
  });
});

Deno.test("a name comes before those that begin with it", async () => {
  await withDirectory(async (root) => {
    const names = Array.from({ length: 20 }, (_, index) => "n".repeat(20 - index));
    await tree(root, ...names);
    assertEquals(listing(readDirectory(root)), names.toReversed());
  });
});

Deno.test("what is skipped is left out with all that is in it", async () => {
  await withDirectory(async (root) => {
    await tree(root, "pak0.pak", "mod.pk3dir/a", "maps/a.bsp");
    const asked: string[] = [];
    const table = readDirectory(root, {
      skip: (path, isDirectory) => {
        asked.push(path + (isDirectory ? "/" : ""));
        return /\.pak$|\.pk3dir$/.test(path);
      },
    });
    assertEquals(listing(table), ["maps/", "maps/a.bsp"]);
    assertEquals(asked.sort(), ["maps/", "maps/a.bsp", "mod.pk3dir/", "pak0.pak"]);
  });
});

Deno.test("symbolic links are followed inside the directory only, and never in circles", async () => {
  await withDirectory(async (outside) => {
    const root = `${outside}/root`;
    await tree(outside, "secret", "root-not/x", "root/real/file", "root/sub/");
    await Deno.symlink("real", `${root}/link`);
    await Deno.symlink("../real/file", `${root}/sub/one`);
    await Deno.symlink("../secret", `${root}/escape`);
    await Deno.symlink("../root-not", `${root}/neighbour`);
    await Deno.symlink(".", `${root}/loop`);
    await Deno.symlink("../sub", `${root}/real/to-sub`);
    await Deno.symlink("../real", `${root}/sub/to-real`);
    await Deno.symlink("nothing", `${root}/dangling`);
    await Deno.symlink("itself", `${root}/itself`);
    const table = readDirectory(root);
    assertEquals(listing(table).filter((path) => !path.endsWith("/")), [
      "link/file",
      "link/to-sub/one",
      "real/file",
      "real/to-sub/one",
      "sub/one",
      "sub/to-real/file",
    ]);
    for (
      const name of ["loop", "dangling", "itself", "real/to-sub/to-real", "sub/to-real/to-sub"]
    ) {
      assert(table.warnings.some((warning) => warning.startsWith(`${name} `)), name);
    }
    assert(table.warnings.every((warning) => warning.endsWith("left out")));
    assert(table.warnings.includes("dangling is a symbolic link to nothing, which does not exist; left out"));
    // One sentence names all links that lead out.
    const out = table.warnings.filter((warning) => warning.includes("lead out of"));
    assertEquals(out.map((warning) => warning.replace(/^(escape|neighbour) /, "ONE ").replaceAll(root, "ROOT")), [
      "ONE and 1 more are symbolic links that lead out of ROOT; left out",
    ]);
  });
});

Deno.test("a file that a link leads out to may be reported without being listed; a directory is warned of", async () => {
  await withDirectory(async (outside) => {
    const root = `${outside}/root`;
    await tree(outside, "file", "directory/x", "root/own");
    await Deno.symlink("../file", `${root}/a`);
    await Deno.symlink("../directory", `${root}/b`);
    const reported: string[] = [];
    const table = readDirectory(root, {
      links: { within: [], isReportedOnly: () => true, advice: "left out" },
      onItem: (relativePath) => void reported.push(relativePath),
    });
    assertEquals([listing(table), reported.toSorted(), table.warnings.length], [["own"], ["a", "own"], 1]);
    assert(table.warnings[0]?.startsWith("b "));
  });
});

Deno.test("names that need cleaning keep their path on disk", async () => {
  await withDirectory(async (root) => {
    await tree(root, "back\\slash", "control\x01", "C:x");
    const table = readDirectory(root);
    assertEquals(listing(table), ["x", "back/slash", "control%01"]);
    assertEquals([...table.rawNames.values()].map(string), ["C:x", "back\\slash", "control\x01"]);
  });
});

Deno.test("a socket is no archive, as other special files are none", async () => {
  await withDirectory((root) => {
    using _listener = Deno.listen({ transport: "unix", path: `${root}/a.pak` });
    assertThrows(() => new FileByteReader(`${root}/a.pak`), UnknownFormatError, "not a regular file");
  });
});

Deno.test("what is neither file nor directory, and what cannot be opened, is left out with a warning", async () => {
  await withDirectory(async (root) => {
    await output(
      "sh",
      "-c",
      `cd "$1" && mkfifo pipe && ln -s gone link && touch "$(printf 'bad\\377')" fine`,
      "sh",
      root,
    );
    const table = readDirectory(root);
    assertEquals(listing(table), ["fine"]);
    assertEquals(table.warnings.length, 3);
    assertStringIncludes(table.warnings.join(), "link is a symbolic link to gone, which does not exist; left out");
    assertStringIncludes(table.warnings.join(), "pipe is neither a file nor a directory");
    assertStringIncludes(table.warnings.join(), "not UTF-8");
  });
  assertThrows(() => readDirectory("/nonexistent/directory"), Deno.errors.NotFound);
});
