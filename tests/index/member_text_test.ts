import process from "node:process";
import { assertEquals } from "@std/assert";
import { identityFrom } from "../../index/columns/identity.ts";
import { fileText, memberText } from "../../index/scan/member_text.ts";
import { text, zip } from "../formats/bytes.ts";
import { settle } from "../support/settle.ts";
import { installation } from "./fixtures.ts";

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
  const files = ["d.txt", "e.txt", "missing.txt", "."];
  assertEquals(files.map((name) => fileText(`${root.path}/${name}`)), [{ text: "d" }, { text: "", problem: tooLong }, {
    text: "",
  }, { text: "" }]);
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
  // So old that what is known of it stays.
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
