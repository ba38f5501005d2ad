import { assertEquals } from "@std/assert";
import { basename, dirname, extname, isAbsolute, join, resolve } from "@std/path";
import { posix } from "node:path";
import fc from "../../support/fast_check.ts";

const paths = fc.array(
  fc.array(fc.constantFrom("/", "//", ".", "..", "a", ".b", "c.d", "e.", " "), { maxLength: 7 }),
  { maxLength: 3 },
).map((paths) => paths.map((parts) => parts.join("")));

Deno.test("paths are what node:path makes of them on POSIX, and the last name of the root is a slash", () => {
  fc.assert(
    fc.property(paths, fc.constantFrom("", "d", ".d"), (paths, suffix) => {
      assertEquals([join(...paths), resolve(...paths)], [posix.join(...paths), posix.resolve(...paths)]);
      for (const path of paths) {
        const isRoot = /^\/+$/.test(path);
        assertEquals(
          [isAbsolute(path), posix.resolve(dirname(path)), extname(path), basename(path), basename(path, suffix)],
          [
            posix.isAbsolute(path),
            posix.resolve(posix.dirname(path)),
            posix.extname(path),
            ...isRoot ? ["/", "/"] : [posix.basename(path), posix.basename(path, suffix)],
          ],
        );
      }
    }),
    { numRuns: 5000 },
  );
});
