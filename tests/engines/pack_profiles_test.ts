import { assertEquals, assertStringIncludes } from "@std/assert";
import { deflateSync } from "node:zlib";
import { hashName } from "../../formats/core/name_hashes.ts";
import { variantNamed } from "../../formats/mod.ts";
import { dragonNestPak } from "../formats/dragonnest.ts";
import { hashedPack } from "../formats/hashed.ts";
import { hex, join, text } from "../formats/bytes.ts";
import { candidates, installation, scan, winner } from "../index/fixtures.ts";

/** A Dragon Nest pak of files whose content is their own name. */
function dragonNestOf(...names: readonly (string | Uint8Array)[]): Uint8Array {
  return dragonNestPak(names.map((name) => ({
    name: join(text("\\"), typeof name === "string" ? text(name) : name),
    data: new Uint8Array(deflateSync("content")),
    size: 7,
  })));
}

Deno.test("a folder with Resource*.pak is Dragon Nest, if that is what it holds", async () => {
  await using root = await installation({
    "Resource01.pak": dragonNestOf("resource\\ui\\a.xml"),
    "Resource00.pak": dragonNestOf("resource\\b.txt"),
    "DragonNest.exe": "MZ",
  });
  const [game] = scan(root.path, {}).games;
  assertEquals([game?.profile.name, game?.gameDirectories.length], ["dragonnest", 1]);
  assertStringIncludes(game?.because ?? "", ".pak is a Dragon Nest pak");
  await using other = await installation({ "Resource.pak": "something else" });
  assertEquals(scan(other.path, {}).games[0]?.profile.name, "generic");
});

Deno.test("in Dragon Nest the pak whose name sorts first wins, and which says that this is a guess", async () => {
  await using root = await installation({
    "Resource01.pak": dragonNestOf("resource\\ui\\A.xml", "only1.txt"),
    "Resource01-test.pak": dragonNestOf("resource\\ui\\a.xml"),
    "00Resource.pak": dragonNestOf("mod.txt", "RESOURCE\\ui\\a.xml"),
    "resource/ui/a.xml": "loose",
  });
  const view = scan(root.path, {}).view();
  assertEquals(winner(root.path, view, "resource/ui/a.xml"), "00Resource.pak");
  assertEquals(
    candidates(root.path, view, "resource/ui/a.xml").map((
      { source, decidedBy, because },
    ) => [source, decidedBy, because]),
    [
      ["00Resource.pak", null, null],
      [
        "Resource01-test.pak",
        "first-name-guess",
        "00Resource.pak sorts before Resource01-test.pak; that Dragon Nest takes the first is a guess from how packs " +
        "that replace others are named.",
      ],
      [
        "Resource01.pak",
        "first-name-guess",
        "00Resource.pak sorts before Resource01.pak; that Dragon Nest takes the first is a guess from how packs that " +
        "replace others are named.",
      ],
      [
        ".",
        "pack-over-loose-guess",
        "00Resource.pak is a pack; that Dragon Nest prefers packs to loose files is a guess, as nothing says that it " +
        "reads loose files at all.",
      ],
    ],
  );
  assertEquals(winner(root.path, view, "only1.txt"), "Resource01.pak");
});

Deno.test("a Korean name is found, and its member is spelled as the pak spells it", async () => {
  await using root = await installation({ "Resource00.pak": dragonNestOf(hex("b0 a1 5c b3 aa 2e 74 78 74")) });
  const view = scan(root.path, {}).view();
  assertEquals(candidates(root.path, view, "가/나.txt").map(({ member, size }) => [member, size]), [[
    "\\가\\나.txt",
    7,
  ]]);
});

Deno.test("under the hashed profile the pack registered last wins, below loose files", async () => {
  const variant = variantNamed("djb2a+upper") ?? unknown();
  const pack = (...paths: readonly string[]) =>
    hashedPack(
      paths.map((path) => ({ hash: hashName(path, variant), data: text(path) })).sort((a, b) => a.hash - b.hash),
    );
  await using root = await installation({
    "a.pack": pack("x.txt", "y.txt", "z.txt"),
    "b.pack": pack("x.txt", "y.txt"),
    "y.txt": "loose",
    "list": "x.txt\ny.txt\nz.txt\n",
  });
  const view = scan(root.path, { profile: "hashed", names: [`${root.path}/list`] }).view();
  assertEquals(
    candidates(root.path, view, "y.txt").map(({ source, decidedBy }) => [source, decidedBy]),
    [[".", null], ["b.pack", "loose-over-pack"], ["a.pack", "loose-over-pack"]],
  );
  assertEquals(
    candidates(root.path, view, "x.txt")[1]?.because,
    "b.pack is registered after a.pack, by their names, " +
      "and the pack registered last wins.",
  );
  assertEquals(winner(root.path, view, "z.txt"), "a.pack");
});

function unknown(): never {
  throw new Error("there is no such variant");
}
