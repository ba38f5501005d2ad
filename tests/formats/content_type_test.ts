import { assertEquals } from "@std/assert";
import { contentType } from "../../formats/core/content_type.ts";
import { hex, join, padded, text, u16, u32 } from "./bytes.ts";

const tga = join(hex("00 00 02"), new Uint8Array(9), u16(64, 32), hex("18 20"));

Deno.test("the kind of content is detected by its first bytes", () => {
  const cases: readonly (readonly [string, Uint8Array])[] = [
    ["bsp", join(u32(29), u32(124, 0), new Uint8Array(120))],
    ["bsp", text("IBSP.\0\0\0")],
    ["wav", join(text("RIFF"), u32(36), text("WAVEfmt "))],
    ["avi", join(text("RIFF"), u32(36), text("AVI LIST"))],
    ["ogg", text("OggS\0")],
    ["png", hex("89 50 4e 47 0d 0a 1a 0a")],
    ["jpg", hex("ff d8 ff e0 00 10")],
    ["dds", text("DDS |\0\0\0")],
    ["md3", text("IDP3\x0f\0\0\0")],
    ["mdc", text("IDPC\x02\0\0\0")],
    ["mdl", text("IDPO\x06\0\0\0")],
    ["spr", text("IDSP\x01\0\0\0")],
    ["tga", padded(tga, 300)],
    ["zip", text("PK\x03\x04")],
    ["pak", text("PACK")],
    ["txt", text("// a config\nbind x quit\n")],
    ["txt", text("grün")],
    ["txt", join(text("some words in another code page: gr"), hex("fc"), text("n"))],
    ["xml", text('<?xml version="1.0"?><a/>')],
    ["ent", text('{\n"classname" "worldspawn"\n}\n')],
    ["bin", hex("00 01 02 03")],
    ["bin", new Uint8Array()],
    ["bin", new Uint8Array(64)],
    ["bin", hex("fe fd fc fb fa 80 81 82")],
  ];
  for (const [expected, bytes] of cases) assertEquals(contentType(bytes, bytes.length), expected);
});

Deno.test("a character cut off where the sample ends does not make text binary", () => {
  const sample = text("ö".repeat(300)).subarray(0, 255);
  assertEquals(contentType(sample, 600), "txt");
});

Deno.test("a TGA of each type has the depths of that type", () => {
  const withType = (type: number, depth: number, mapDepth = 24, colours = 16) => {
    const file = padded(tga, 300);
    file[1] = type % 8 === 1 ? 1 : 0;
    file.set([type], 2);
    if (file[1] === 1) file.set(join(u16(0, colours), Uint8Array.of(mapDepth)), 3);
    file[16] = depth;
    return contentType(file, file.length) === "tga";
  };
  const depthsOf = (type: number) => [8, 15, 16, 24, 32].filter((depth) => withType(type, depth));
  for (const run of [0, 8]) {
    assertEquals([1, 2, 3].map((type) => depthsOf(type + run)), [[8], [15, 16, 24, 32], [8]]);
  }
  assertEquals([8, 16, 24, 32, 48].filter((depth) => withType(1, 8, depth)), [16, 24, 32]);
  assertEquals([1, 256, 257].filter((colours) => withType(1, 8, 24, colours)), [1, 256]);
});

Deno.test("a header that cannot be is no TGA", () => {
  for (const [at, value] of [[1, 2], [2, 4], [12, 0], [16, 7], [17, 0xc0], [3, 1], [5, 1]] as const) {
    const wrong = padded(tga, 300);
    wrong[at] = value;
    if (at === 12) wrong[13] = 0;
    assertEquals(contentType(wrong, wrong.length), "bin", `byte ${at}`);
  }
});
