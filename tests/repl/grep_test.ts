/** Lines of text files: `grep` and the method behind it, against GNU grep and a search line by line. */
// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { ContentThreads, TooLongError } from "../../index/threads/content_threads.ts";
import { searchBytes } from "../../index/content/line_search.ts";
import { type Caller, rowPages } from "../../protocol/connection.ts";
import { openLocal } from "../../service/local.ts";
import { pak, wad, zip } from "../formats/bytes.ts";
import { installation, scan } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { jsonRows, runLine } from "./harness.ts";

Deno.test("grep finds lines of text files, not of others, as grep does", async () => {
  await using directory = await temporaryDirectory();
  const texts = {
    "a.cfg": "bind W +forward\r\nbind s +back\n",
    "notes.txt": "no such\nBIND\n" + "x".repeat(1000) + "bind",
    "scripts/x.shader": "bind\0",
  };
  await using root = await installation({ "id1/pak0.pak": pak(Object.entries(texts)) });
  await using connection = await openLocal({ sources: [root.path], profile: "quake", game: "quake" });
  for (const [qpath, text] of Object.entries(texts)) {
    await Deno.mkdir(`${directory.path}/${qpath}`.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${directory.path}/${qpath}`, text.replaceAll("\r", ""));
  }
  for (const options of ["bind", "-i bind", "-F +back", "-l bind", "'^no'"]) {
    const ours = await runLine(`grep ${options}`, { connection });
    const { stdout } = await new Deno.Command("sh", {
      args: ["-c", `grep -rIn ${options} a.cfg notes.txt scripts`],
      cwd: directory.path,
      env: { LC_ALL: "C.UTF-8" },
    }).output();
    const shortened = new TextDecoder().decode(stdout).replace(/(notes.txt:3:)x*bind/, `$1…${"x".repeat(236)}bind`);
    assertEquals(ours.out.replaceAll(/^(\S+:\d+:) /gm, "$1"), shortened, options);
  }
  assertEquals(jsonRows((await runLine("grep back --json", { connection })).out), [
    { qpath: "a.cfg", line: 2, text: "bind s +back" },
  ]);
  const none = await runLine("grep nothing-of-that", { connection });
  assertEquals([none.code, none.err], [1, "no match in 3 files\n"]);
  const wrong = await runLine("grep '('", { connection });
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.err, "not a regular expression: Unterminated group; -F searches for literal text");
});

Deno.test("grep names a file of a pk3 once that is a lump too, by its own name; a lump of a WAD by the lump's", async () => {
  await using root = await installation({
    "freedm.wad": wad([["MAP01", ""], ["FREEDM", ""], ["SNDINFO", "rocket of the IWAD"]], "IWAD"),
    "mod.pk3": zip([
      { name: "sndinfo.txt", content: "rocket" },
      { name: "language", content: "rocket" },
      { name: "decorate/a.txt", content: "rocket" },
    ]),
    "patch.wad": wad([["TEXTS", "rocket"]]),
  });
  const at = (name: string) => `${root.path}/${name}`;
  await using connection = await openLocal({ sources: ["freedm.wad", "mod.pk3", "patch.wad"].map(at) });
  const named = async (line: string) => (await runLine(line, { connection })).out;
  assertEquals(
    (await named("grep -l rocket")).split("\n").filter((line) => line !== "").sort(),
    ["TEXTS", "decorate/a.txt", "language", "sndinfo.txt"],
  );
  assertEquals(await named("grep rocket SNDINFO"), "SNDINFO:1: rocket\n", "as it was named");
});

/** Matching lines of a text, found one by one. */
function linesOf(text: string, expression: RegExp): [number, string][] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index): [number, string] => [index + 1, line.replace(/\r$/, "")])
    .filter(([, line]) => expression.test(line));
}

Deno.test("random expressions find in random texts what a search line by line finds", () => {
  const random = numbersFrom(seed);
  const one = (values: readonly string[]) => values[random(values.length)] ?? "";
  const letters = ["a", "b", "ab", " ", "\n", "\r\n", "\r", "\n\n", "é", "\u2028", "A", "1", "\t"];
  const parts = [
    ...[
      "a",
      "b",
      "A",
      ".",
      "^",
      "$",
      "\\s",
      "\\s*",
      "\\S+",
      "[^a]",
      "[^a]*",
      "(?!b)",
      "(?<!a)",
      "(?=$)",
      "(?<=^)",
      "\\b",
      "\\B",
    ],
    ...[
      "(?:ab)+",
      "(a|b)",
      "\\1",
      "\\W",
      "\\D*",
      "a?",
      "b{2}",
      "[\\s\\S]*",
      "(?-i:a)",
      "(?s:.)",
      "(?m:^)",
      "\\n",
      "\\r",
      "é",
      "\\p{L}",
    ],
  ];
  const encoder = new TextEncoder();
  let found = 0;
  for (let round = 0; round < 4000; round++) {
    const text = Array.from({ length: random(30) }, () => one(letters)).join("");
    const source = Array.from({ length: 1 + random(4) }, () => one(parts)).join("");
    const ignoresCase = random(2) === 0;
    let expression: RegExp;
    try {
      expression = new RegExp(source, ignoresCase ? "iu" : "u");
    } catch {
      continue;
    }
    const { numbers, lines } = searchBytes(encoder.encode(text), { source, ignoresCase, isFirstEnough: false });
    const expected = linesOf(text, expression);
    assertEquals(lines.map((line, index) => [numbers[index], line]), expected, JSON.stringify([source, text]));
    const first = searchBytes(encoder.encode(text), { source, ignoresCase, isFirstEnough: true });
    assertEquals(first.lines, expected.slice(0, 1).map(([, line]) => line));
    found += lines.length;
  }
  assert(found > 2000, `${found} lines`);
});

Deno.test("pages of any length list the same lines, and a file that cannot be read is named while others are searched", async () => {
  const random = numbersFrom(seed);
  const texts = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [
    `t${String(index).padStart(2, "0")}.cfg`,
    Array.from({ length: random(40) }, () => random(4) ? "set x 1" : "bind y").join("\n"),
  ]));
  const members = Object.entries(texts).map(([name, content]) => ({ name, content, method: 8 }));
  await using root = await installation({
    "baseq3/pak0.pk3": zip(members),
    "baseq3/pak1.pk3": zip([{ name: "bad.cfg", content: "bind z", crc: 1 }]),
    "baseq3/large.txt": `${"no\n".repeat(6_000_000)}bind far`,
    "baseq3/loose.txt": `${"x".repeat(200_000)}bind${"y".repeat(200_000)}`,
  });
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3", game: "q3" });
  const list = async (limit: number) => {
    const rows = [];
    for await (const page of rowPages(connection, "grep", { expression: "bind", limit })) {
      assert(page.length <= limit);
      rows.push(...page);
    }
    return rows;
  };
  const all = await list(10_000);
  const expected = Object.entries(texts).flatMap(([qpath, text]) =>
    linesOf(text, /bind/u).map(([line, found]) => ({ qpath, line, text: found }))
  );
  assertEquals(all.filter(({ qpath }) => /^t\d/.test(qpath)), expected);
  const [bad] = all.filter(({ qpath }) => qpath === "bad.cfg");
  assertMatch(bad?.problem ?? "", /pak1\.pk3/);
  const [long] = all.filter(({ qpath }) => qpath === "loose.txt");
  assertEquals([long?.text.length, long?.text.includes("xbindy")], [65_536, true]);
  assert(!all.some(({ qpath }) => qpath === "large.txt"), "it has more than 16 MiB");
  for (const limit of [1, 7, 50]) assertEquals(await list(limit), all, `${limit} rows a page`);
  // Requests pages of many searches in turn.
  const others = Array.from({ length: 12 }, (_, index) => ({ expression: `(?:bind|${index})`, limit: 9 }));
  const inTurns = others.map(async (params) => (await Array.fromAsync(rowPages(connection, "grep", params))).flat());
  for (const rows of await Promise.all(inTurns)) {
    assertEquals(rows.filter(({ text, problem }) => problem !== undefined || text.includes("bind")), all);
  }
  const printed = await runLine("grep bind", { connection });
  assertEquals(printed.code, 1);
  assertMatch(printed.err, /bad\.cfg/);
  assertEquals(printed.out.split("\n").filter((line) => line.startsWith("t")).length, expected.length);
});

Deno.test("an expression without an end is cancelled or given up, and others are answered meanwhile", async () => {
  const evil = "(a+)+$";
  const text = `${"a".repeat(60)}b`;
  await using root = await installation({ "baseq3/a.txt": text, "baseq3/b.txt": "hash me" });
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3", game: "q3" });
  const cancel = new AbortController();
  const caller: Caller = { call: (method, params) => connection.call(method, params, { signal: cancel.signal }) };
  const searched = assertRejects(() => Array.fromAsync(rowPages(caller, "grep", { expression: evil })));
  assertEquals((await Array.fromAsync(rowPages(connection, "hash", { patterns: ["b.txt"] }))).flat().length, 1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  cancel.abort();
  await searched;
  assertEquals((await Array.fromAsync(rowPages(connection, "grep", { expression: "hash" }))).flat().length, 1);
  // A thread may take longer than this to start, so only what has no end is asked.
  using threads = new ContentThreads(100);
  const { snapshot } = scan(root.path, { profile: "ioquake3" });
  const question = {
    kind: "search",
    subjects: new Uint32Array(0),
    expression: { source: evil, ignoresCase: false, isFirstEnough: false },
    bytes: new TextEncoder().encode(text),
  } as const;
  await assertRejects(() => threads.ask(snapshot, question), TooLongError);
});
