import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { decodeCodePage437, decodeName, decodeZipName, isPlainName, isUtf8 } from "../../formats/core/names.ts";
import { displayName } from "../../formats/mod.ts";
import { join, output, string, text, u32 } from "./bytes.ts";
import { isUtf8 as isUtf8OfNode } from "node:buffer";
import { crc32 } from "node:zlib";
import { needs } from "../support/programs.ts";

function shown(name: string | Uint8Array): string {
  return string(displayName(typeof name === "string" ? text(name) : name).path);
}

Deno.test("a plain name comes back as the very same bytes", () => {
  for (const name of ["maps/e1m1.bsp", "a", "with space (1).txt", ".hidden/..x", "a/.b/c...", "~%#!@$^&*()[]{}"]) {
    const bytes = text(name);
    const { path, unsafe, shortened } = displayName(bytes);
    assertStrictEquals(path, bytes, name);
    assertEquals([unsafe, shortened], [false, false]);
  }
});

Deno.test("the fast check never lets through what the policy would change", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(..."ab./\\:%\x01\x7f\u00e9 ".split("")), { maxLength: 12 }), (letters) => {
      const bytes = text(letters.join(""));
      if (!isPlainName(bytes)) return;
      assert(!/[\\%\p{Cc}\u00e9]|^\/|\/$|\/\/|(^|\/)\.\.?(\/|$)|^[a-z]:/u.test(letters.join("")), letters.join(""));
    }),
  );
});

Deno.test("separators, leading slashes, drive letters and empty components are cleaned", () => {
  assertEquals(shown("dir\\sub\\file.cfg"), "dir/sub/file.cfg");
  assertEquals(shown("/etc/passwd"), "etc/passwd");
  assertEquals(shown("//server/share"), "server/share");
  assertEquals(shown("C:\\quake\\id1\\a.cfg"), "quake/id1/a.cfg");
  assertEquals(shown("/c:/a"), "a");
  assertEquals(shown("a//b/./c/"), "a/b/c");
  assertEquals(shown("./a"), "a");
  assertEquals(shown("name\0garbage"), "name");
});

Deno.test("a name that leads out is shown below _unsafe", () => {
  assertEquals(shown("../CREDITS"), "_unsafe/__/CREDITS");
  assertEquals(shown("a/../../b"), "_unsafe/a/__/__/b");
  assertEquals(shown("..\\..\\x"), "_unsafe/__/__/x");
  assertEquals(shown(".."), "_unsafe/__");
  assert(displayName(text("../CREDITS")).unsafe);
  for (const nothing of ["", "/", ".", "\0x", "C:"]) assertEquals(shown(nothing), "_unsafe/unnamed");
});

Deno.test("control characters are escaped so that the name can be turned back", () => {
  assertEquals(shown("a\x01b\x1b[31m\x7f"), "a%01b%1B[31m%7F");
  assertEquals(shown("\u009b1m"), "%C2%9B1m");
  assertEquals(shown("100%.txt"), "100%.txt");
  assertEquals(shown("a%41%20b"), "a%41%20b");
  assertEquals(shown("a%01b"), "a%2501b");
  assertEquals(shown("a%25b"), "a%2525b");
  const unescape = (path: string): string =>
    string(Uint8Array.from(
      Array.from(text(path), (byte) => String.fromCharCode(byte)).join("")
        .replace(/%([01][0-9A-F]|25|7F|[89][0-9A-F]|C2)/g, (_, digits) => String.fromCharCode(parseInt(digits, 16))),
      (character) => character.charCodeAt(0),
    ));
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("%", "0", "1", "2", "5", "C", "\x01", "\x1f", "\u0085", "a", "é")),
      (letters) => {
        const name = letters.join("") + "x";
        assertEquals(unescape(shown(name)), name);
      },
    ),
  );
});

Deno.test("names too long for a file system are shortened and stay apart", () => {
  const one = shown("maps/" + "x".repeat(300) + ".bsp");
  const other = shown("maps/" + "x".repeat(301) + ".bsp");
  assert(one !== other);
  for (const path of [one, other]) {
    assertEquals(text(path.slice(5)).length, 255);
    assert(/^maps\/x+~[0-9a-f]{8}\.bsp$/.test(path));
  }
  const accented = displayName(text("é".repeat(200)));
  assert(accented.shortened && accented.path.length <= 255);
  assert(string(accented.path).startsWith("é".repeat(100)));
  const deep = displayName(text("d/".repeat(3000) + "end.txt"));
  assert(deep.unsafe && deep.shortened);
  assert(/^_unsafe\/end~[0-9a-f]{8}\.txt$/.test(string(deep.path)));
  for (const longest of ["x".repeat(255), `${"é".repeat(127)}x`, `maps/${"x".repeat(255)}`]) {
    assert(!displayName(text(longest)).shortened, longest);
    assert(displayName(text(`${longest}x`)).shortened, longest);
  }
  assert(!displayName(text("d/".repeat(1000) + "end.txt")).shortened);
});

Deno.test("whatever the bytes, the display path is UTF-8, relative, stays inside and fits", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (raw) => {
    const { path } = displayName(decodeName(raw).utf8);
    const components = new TextDecoder("utf-8", { fatal: true }).decode(path).split("/");
    for (const component of components) {
      assert(component !== "" && component !== "." && component !== "..");
      assert(text(component).length <= 255);
      assert(!/\p{Cc}/u.test(component));
    }
    assert(path.length <= 2048);
  }));
});

Deno.test("code page 437 is what Python says it is", needs("python3"), async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const expected = await output(
    "python3",
    "-c",
    "import sys; sys.stdout.buffer.write(bytes(range(256)).decode('cp437').encode())",
  );
  assertEquals(decodeCodePage437(bytes), string(expected));
});

Deno.test("a zip name is decoded by bit 11, then the Unicode extra field, then by what it looks like", () => {
  const accented = text("é");
  const dos = Uint8Array.of(0x82);
  const extra = (name: Uint8Array, of: Uint8Array): Uint8Array => join(Uint8Array.of(1), u32(crc32(of)), name);
  assertEquals(decodeZipName(accented, true), { utf8: accented, guessed: false });
  assertEquals(decodeZipName(accented, false), { utf8: accented, guessed: true });
  assertEquals(decodeZipName(dos, false), { utf8: accented, guessed: true });
  assertEquals(decodeZipName(dos, true), { utf8: accented, guessed: true });
  assertEquals(decodeZipName(dos, false, extra(text("ж"), dos)), { utf8: text("ж"), guessed: false });
  assertEquals(decodeZipName(dos, false, extra(text("ж"), accented)), { utf8: accented, guessed: true });
  assertEquals(decodeZipName(dos, false, Uint8Array.of(1, 2)), { utf8: accented, guessed: true });
});

Deno.test("bytes are UTF-8 where Node says so", () => {
  const byte = fc.constantFrom(0, 0x41, 0x7f, 0x80, 0xbd, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff);
  const part = fc.oneof(
    fc.array(byte, { maxLength: 4 }).map((bytes) => Uint8Array.from(bytes)),
    fc.constantFrom("\ufeff", "\ufffd", "é", "😀").map((letter) => text(letter)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const bytes = join(...parts);
      assertEquals(isUtf8(bytes), isUtf8OfNode(bytes));
    }),
    { numRuns: 1000 },
  );
});
