import { assertEquals } from "@std/assert";
import { hashBytes, hashedSpelling, hashName, nameHashVariants, variantName } from "../../formats/core/name_hashes.ts";
import { type NameHashFunction, nameHashFunctions, variantNamed } from "../../formats/mod.ts";
import { text } from "./bytes.ts";

const fox = "The quick brown fox jumps over the lazy dog";

/** Published values: RFC 9923 appendix, the CRC catalogue's check values, Wikipedia, SMHasher, xxHash's own vectors. */
const vectors: Readonly<Record<NameHashFunction, readonly (readonly [string, number])[]>> = {
  "fnv1a": [["", 0x811c9dc5], ["a", 0xe40c292c], ["foobar", 0xbf9cf968]],
  "fnv1": [["", 0x811c9dc5], ["a", 0x050c5d7e], ["foobar", 0x31f0b262]],
  "crc32": [["123456789", 0xcbf43926], [fox, 0x414fa339]],
  "crc32-mpeg2": [["", 0xffffffff], ["123456789", 0x0376e6e7]],
  "djb2": [["", 5381], ["hello world", 894552257], ["a".repeat(80), 3154686037], ["abc", 193485963]],
  "djb2a": [["", 5381], ["a", 177604], ["hello", 0x0a9cede7]],
  "sdbm": [["", 0], ["a", 97], ["hello", 684824882]],
  "jenkins": [["a", 0xca2e9442], [fox, 0x519e91f5]],
  "murmur3": [["", 0], ["hello", 0x248bfa47], ["hello, world", 0x149bbb7f], [fox, 0x2e4ff723]],
  "xxhash32": [
    ["", 0x02cc5d05],
    ["a", 0x550d7456],
    ["abc", 0x32d153ff],
    ["Nobody inspects the spammish repetition", 0xe2293b2f],
  ],
};

for (const name of nameHashFunctions) {
  Deno.test(`${name} gives the published values`, () => {
    for (const [input, expected] of vectors[name]) {
      assertEquals(hashBytes(name, text(input)).toString(16), expected.toString(16), JSON.stringify(input));
    }
  });
}

Deno.test("every variant has a name of its own, by which it is found in any order of its words", () => {
  const names = nameHashVariants.map(variantName);
  assertEquals(names.length, 10 * 3 * 2 * 2 * 2);
  assertEquals(new Set(names).size, names.length);
  for (const variant of nameHashVariants) assertEquals(variantNamed(variantName(variant)), variant);
  assertEquals(variantNamed("crc32+rootless+upper+backslash"), variantNamed("crc32+upper+backslash+rootless"));
  for (const wrong of ["", "md5", "lower", "fnv1a+lower+upper", "fnv1a+", "fnv1a+lower+lower", "lower+fnv1a"]) {
    assertEquals(variantNamed(wrong), undefined, wrong);
  }
});

Deno.test("a path is written as the variant wants it before it is hashed", () => {
  const spelled = (name: string) => hashedSpelling("Data/Maps/é_Start.bsp", variantNamed(name) ?? unknown(name));
  assertEquals(spelled("fnv1a"), "Data/Maps/é_Start.bsp");
  assertEquals(spelled("fnv1a+lower"), "data/maps/é_start.bsp");
  assertEquals(spelled("fnv1a+upper+backslash"), "DATA\\MAPS\\é_START.BSP");
  assertEquals(spelled("fnv1a+leading"), "/Data/Maps/é_Start.bsp");
  assertEquals(spelled("fnv1a+rootless"), "Maps/é_Start.bsp");
  assertEquals(spelled("fnv1a+rootless+leading+backslash"), "\\Maps\\é_Start.bsp");
  assertEquals(hashedSpelling("start.bsp", variantNamed("fnv1a+rootless") ?? unknown("")), "start.bsp");
  assertEquals(hashName("FOOBAR", variantNamed("fnv1a+lower") ?? unknown("")), 0xbf9cf968);
});

function unknown(name: string): never {
  throw new Error(`unknown variant ${name}`);
}
