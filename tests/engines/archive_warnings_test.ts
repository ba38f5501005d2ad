import { assertEquals } from "@std/assert";
import { archiveWarnings } from "../../engines/core/archive_warnings.ts";

const fits = "a".repeat(55);
const fills = "ä".repeat(28);
const long = "c".repeat(64);

Deno.test("names without room for a NUL in a PAK, and names too long for Quake 3 in a pk3, are warned of", () => {
  assertEquals(archiveWarnings("quake-pak", [fits, fills]), [
    `1 name of 56 bytes, without room for a NUL (${fills}): Quake and Quake 2 cannot find such files, DarkPlaces cuts ` +
    "the names",
  ]);
  assertEquals(archiveWarnings("zip", [fits, fills]), []);
  assertEquals(archiveWarnings("zip", [fits, long]), [
    `1 name of more than 63 bytes (${long}): Quake 3 refuses such models, sounds and images`,
  ]);
  assertEquals(archiveWarnings("grp", [long]), []);
});

Deno.test("a PAK with more files than Quake or Quake 2 accept is warned of", () => {
  const counts = [2048, 2049, 4096, 4097].map((count) =>
    archiveWarnings("quake-pak", Array.from({ length: count }, String)).length
  );
  assertEquals(counts, [0, 1, 1, 2]);
});

Deno.test("a warning names five files, and says when there are more", () => {
  for (let count = 1; count <= 8; count++) {
    const paths = Array.from({ length: count }, (_, index) => `${index}`.padEnd(56, "x"));
    const [warning = ""] = archiveWarnings("quake-pak", paths);
    assertEquals(paths.filter((path) => warning.includes(path)), paths.slice(0, 5));
    assertEquals(warning.includes("..."), count > 5, String(count));
  }
});
