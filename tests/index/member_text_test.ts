import { assertEquals } from "@std/assert";
import { identityFrom } from "../../index/columns/identity.ts";
import { fileText, maxTextBytes, memberText } from "../../index/scan/member_text.ts";
import { text, zip } from "../formats/bytes.ts";
import { installation } from "./fixtures.ts";

Deno.test("texts of packs that cannot be read are empty, and those that are too long are none", async () => {
  const long = "x".repeat(maxTextBytes + 1);
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
  assertEquals([textOf("a.dpk"), textOf("a.dpk", "other"), textOf("a.dpk", "long")], ["base 1.0", "", null]);
  assertEquals(["b.dpk", "c.dpk", "missing.dpk"].map((name) => textOf(name)), ["", "", ""]);
  const files = ["d.txt", "e.txt", "missing.txt", "."];
  assertEquals(files.map((name) => fileText(`${root.path}/${name}`)), ["d", null, "", ""]);
});
