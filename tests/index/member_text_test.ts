// deno-lint-ignore-file no-await-in-loop -- one installation after the other
import process from "node:process";
import { assertEquals } from "@std/assert";
import { identityFrom } from "../../index/columns/identity.ts";
import { fileText, memberText } from "../../index/scan/member_text.ts";
import { text, wad, zip } from "../formats/bytes.ts";
import { settle } from "../support/settle.ts";
import { type Files, installation, pakOf, scan } from "./fixtures.ts";

Deno.test("texts of packs that cannot be read are empty, and of those that are too long it is said", async () => {
  const long = "x".repeat(1024 * 1024 + 1);
  const tooLong = "is not read: more than 1048576 bytes";
  const pack = zip([{ name: "DEPS", content: "base 1.0" }, { name: "long", content: long }]);
  const damaged = pack.slice();
  const at = new TextDecoder("latin1").decode(pack).indexOf("base 1.0");
  damaged.set(text("case"), at);
  await using root = await installation({
    "a.dpk": pack,
    "b.dpk": damaged,
    "c.dpk": "no zip",
    "d.txt": "d",
    "e.txt": long,
  });
  const textOf = (name: string, member = "DEPS") => {
    const path = `${root.path}/${name}`;
    return memberText(path, identityFrom(Deno.statSync(name === "missing.dpk" ? root.path : path)), member);
  };
  assertEquals([textOf("a.dpk"), textOf("a.dpk", "other"), textOf("a.dpk", "long")], [{ text: "base 1.0" }, {
    text: "",
  }, { text: "", problem: tooLong }]);
  assertEquals(["b.dpk", "c.dpk", "missing.dpk"].map((name) => textOf(name)), Array(3).fill({ text: "" }));
  await Deno.writeTextFile(`${root.path}/most.txt`, long.slice(1));
  assertEquals(fileText(`${root.path}/most.txt`), { text: long.slice(1) });
  const files = ["d.txt", "e.txt", "missing.txt", "."];
  assertEquals(files.map((name) => fileText(`${root.path}/${name}`)), [{ text: "d" }, { text: "", problem: tooLong }, {
    text: "",
  }, { text: "" }]);
});

/** Settings files by their maximum bytes, and the games that read them. */
const settings: readonly (readonly [path: string, maxBytes: number, content: string, files: Files, profile: string])[] =
  [
    ["tf/gameinfo.txt", 2 ** 20, "GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. } } }", {}, "source"],
    ["czero/liblist.gam", 2 ** 16, 'fallback_dir "x"\n', { "valve/x": "", "czero/x": "" }, "xash3d"],
    ["id1/pak.lst", 2 ** 20, "a.pak\n", { "id1/a.pak": pakOf("a") }, "ezquake"],
    [
      "gzdoom.ini",
      2 ** 22,
      "[Global.Autoload]\n",
      { "doom2.wad": wad([["MAP01", ""], ["THINGS", "x"]], "IWAD") },
      "gzdoom",
    ],
  ];

Deno.test("files of settings are read up to their maximum size, and are a problem if they have a byte more", async () => {
  for (const [path, maxBytes, content, files, profile] of settings) {
    for (const size of [maxBytes, maxBytes + 1]) {
      await using root = await installation({ ...files, [path]: content.padEnd(size) });
      const options = profile === "gzdoom"
        ? { sources: ["doom2.wad"], iwad: `${root.path}/doom2.wad`, autoload: `${root.path}/${path}` }
        : {};
      const { problems } = scan(root.path, { profile, ...options });
      const refused = problems.filter((problem) => problem.startsWith(`${root.path}/${path}: not read: ${size} bytes`));
      assertEquals(refused.length, size > maxBytes ? 1 : 0, `${path} of ${size} bytes`);
    }
  }
});

Deno.test("a pack that cannot be read for a moment is a problem, and its text is not kept", async () => {
  await using root = await installation({ "a.dpk": zip([{ name: "DEPS", content: "base 1.0" }]) });
  const path = `${root.path}/a.dpk`;
  const identity = identityFrom(await Deno.stat(path));
  await Deno.rename(path, `${root.path}/away`);
  // A link to itself: opening it is ELOOP.
  await Deno.symlink("a.dpk", path);
  const { text: found, problem } = memberText(path, identity, "DEPS");
  assertEquals([found, problem?.startsWith("cannot be read: ")], ["", true]);
  await Deno.remove(path);
  await Deno.rename(`${root.path}/away`, path);
  assertEquals(memberText(path, identity, "DEPS"), { text: "base 1.0" });
});

Deno.test("a pack whose bytes cannot be read for a moment has no empty text from then on", async () => {
  await using root = await installation({ "a.dpk": zip([{ name: "DEPS", content: "base 1.0" }]) });
  const path = `${root.path}/a.dpk`;
  // The file is old enough for its cached facts to be trusted.
  await Deno.utime(path, 1_000_000_000, 1_000_000_000);
  await settle();
  const identity = identityFrom(await Deno.stat(path));
  const fs = process.getBuiltinModule("node:fs");
  const { readSync } = fs;
  try {
    fs.readSync = () => {
      throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    };
    assertEquals(memberText(path, identity, "DEPS").problem?.includes("EIO"), true);
  } finally {
    fs.readSync = readSync;
  }
  assertEquals(memberText(path, identity, "DEPS"), { text: "base 1.0" });
});
