import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { UsageError } from "../../system/command_line/usage.ts";
import { splitLine, splitPartial } from "../../repl/shell/grammar.ts";
import { pagerCommand, PagingSink } from "../../repl/output/pager.ts";
import { screenLines } from "../../repl/output/text.ts";
import type { MethodName, ParamsOf, ResultOf } from "../../protocol/methods.ts";
import { type Mode, rowFormat } from "../../repl/output/row_format.ts";
import { Session } from "../../repl/command/session.ts";
import { HistorySearch } from "../../repl/shell/history_search.ts";
import { ShellPipe } from "../../repl/output/shell_pipe.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FakeConnection } from "./fake_connection.ts";
import { MemorySink, runLine } from "./harness.ts";

function sessionOf(connection = new FakeConnection()): Session {
  return new Session(() => Promise.resolve(connection));
}

function written(mode: Mode, rows: readonly object[], safe = false): string[] {
  const format = rowFormat(mode, safe);
  return (rows.map((row) => format.row(row)).join("") + format.end()).split("\n");
}

const rows = [
  { name: 'a "b", c', size: 1, list: ["x"], none: null },
  { name: "one|two\n\x1b[2J", size: 2, extra: true },
];

Deno.test("rows are written in every mode", () => {
  assertEquals(written("csv", rows), [
    "name,size,list,none,extra",
    '"a ""b"", c",1,"[""x""]",,',
    '"one|two',
    '\x1b[2J",2,,,true',
    "",
  ]);
  assertEquals(written("csv", rows, true)[2], "one|two\\n\\x1b[2J,2,,,true");
  assertEquals(written("markdown", rows), [
    "| name | size | list | none | extra |",
    "| --- | --- | --- | --- | --- |",
    '| a "b", c | 1 | ["x"] |  |  |',
    "| one\\|two\\\\n\\\\x1b[2J | 2 |  |  | true |",
    "",
  ]);
  assertEquals(written("line", rows), [
    'name = a "b", c',
    "size = 1",
    'list = ["x"]',
    "none = ",
    "",
    " name = one|two\\n\\x1b[2J",
    " size = 2",
    "extra = true",
    "",
  ]);
  assertEquals(JSON.parse(written("json", rows).join("\n")), rows);
  assertEquals(written("jsonlines", rows).slice(0, 2).map((line) => JSON.parse(line)), rows);
  assertEquals(written("json", []), ["[]", ""]);
});

Deno.test("a table whose rows change their columns late starts a new table, and loses nothing", () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({ index }));
  const lines = written("csv", [...many, { index: 1000, late: 1 }, { index: 1001 }]);
  assertEquals(lines.slice(0, 2), ["index", "0"]);
  assertEquals(lines.slice(1000), ["999", "", "index,late", "1000,1", "1001,", ""]);
});

Deno.test(".mode decides how rows are written from then on, --json and --mode for one command", async () => {
  const session = sessionOf();
  assertEquals((await runLine(".mode", { session })).out, "table\n");
  assertEquals((await runLine(".mode csv", { session })).out, "");
  assertEquals((await runLine("pwd", { session })).out, "view,directory\nquake/hipnotic,\n");
  assertEquals((await runLine("pwd --json", { session })).out, '{"view":"quake/hipnotic","directory":""}\n');
  assertEquals((await runLine("pwd --mode table", { session })).out, "quake/hipnotic:/\n");
  await runLine(".mode json", { session });
  assertEquals((await runLine("find nothing.xyz", { session })).out, "[]\n");
  assertEquals((await runLine(".mode json", { session })).out, "");
  assertEquals((await runLine(".timer off", { session })).out, "");
  const failed = await runLine("stat nothing", { session });
  assertEquals(JSON.parse(failed.err).error.kind, "notFound");
  const wrong = await runLine(".mode tabel --mode table", { session });
  assertEquals([wrong.code, wrong.out], [2, ""]);
  assertStringIncludes(wrong.err, "did you mean table?");
  assertStringIncludes((await runLine(".mdoe csv")).err, "did you mean .mode?");
  assertEquals((await runLine(".mode csv", { remembers: false })).code, 2);
});

Deno.test(".timer prints the duration of commands on standard error", async () => {
  const session = sessionOf();
  await runLine(".timer on", { session });
  const { out, err } = await runLine("pwd --json", { session });
  assertEquals(out, '{"view":"quake/hipnotic","directory":""}\n');
  assertEquals(/^\d+\.\d{3} s\n$/.test(err), true, err);
  await runLine(".timer off -q", { session });
  assertEquals((await runLine("pwd", { session })).err, "");
});

Deno.test(".read runs a file in this session, and stops at its first error", async () => {
  await using directory = await temporaryDirectory();
  const session = sessionOf();
  const outer = `${directory.path}/outer`;
  await Deno.writeTextFile(`${directory.path}/inner`, "cd maps\n.mode jsonlines\npwd\n");
  await Deno.writeTextFile(outer, `.read ${directory.path}/inner\n.mode table\nstat nothing\npwd\n`);
  const { code, out, err } = await runLine(`.read ${outer}`, { session });
  assertEquals([code, out], [3, '{"view":"quake/hipnotic","directory":"maps"}\n']);
  assertStringIncludes(err, `${outer}:3: `);
  await Deno.writeTextFile(outer, `.read ${outer}\n`);
  const endless = await runLine(`.read ${outer}`, { session });
  assertEquals(endless.code, 3);
  assertStringIncludes(endless.err, "16 deep");
  assertStringIncludes((await runLine(`.read ${outer}x`)).err, "no such file");
});

Deno.test(".output writes results into a file until it is given without one", async () => {
  await using directory = await temporaryDirectory();
  const file = `${directory.path}/found.txt`;
  const script = `${directory.path}/script`;
  await Deno.writeTextFile(script, `.output ${file}\npwd\nfind '*.wav'\n.output\npwd\n`);
  const { out } = await runLine(`.read ${script}`);
  assertEquals(out, "quake/hipnotic:/\n");
  assertEquals(await Deno.readTextFile(file), "quake/hipnotic:/\nsound/bad.wav\nsound/misc/talk.wav\n");
  const failed = await runLine(`.output ${directory.path}/a/b`);
  assertStringIncludes(failed.err, `cannot write ${directory.path}/a/b: no such file`);
});

Deno.test("a bare | parts the command from the shell's; in quotes it is a letter", () => {
  assertEquals(splitLine("find a | grep 'x|y' | wc"), [
    { words: ["find", "a"], into: { kind: "program", command: "grep 'x|y' | wc" } },
  ]);
  assertEquals(splitLine(`find 'a|b' "|" \\|`), [{ words: ["find", "a|b", "|", "|"] }]);
  assertThrows(() => splitLine("find |"), UsageError, 'column 6: nothing after "|"');
  assertThrows(() => splitLine("| wc"), UsageError, 'column 1: nothing before "|"');
  assertEquals(splitPartial("find a | sort -o ou"), {
    words: [],
    last: "ou",
    start: 17,
    quote: "",
    isOfShell: true,
  });
});

Deno.test("a search in the history goes back, forth, and to where it began", () => {
  const search = new HistorySearch(["ls maps", "find x", "ls gfx"], "typed");
  const keys = (text: string) => {
    for (const letter of text) search.take(letter, { name: letter, sequence: letter });
  };
  keys("ls");
  assertEquals([search.prompt, search.line], ["(search)'ls': ", "ls maps"]);
  search.take("\x12", { name: "r", ctrl: true });
  assertEquals(search.line, "ls gfx");
  search.take("\x12", { name: "r", ctrl: true });
  assertEquals([search.prompt, search.line], ["(failing search)'ls': ", "ls gfx"]);
  search.take("\x13", { name: "s", ctrl: true });
  assertEquals(search.line, "ls maps");
  keys(" g");
  assertEquals(search.line, "ls gfx");
  for (let count = 0; count < 4; count++) search.take("\x7f", { name: "backspace" });
  assertEquals([search.prompt, search.line], ["(search)'': ", "typed"]);
  keys("find");
  assertEquals(search.take("\r", { name: "return" }), { kind: "ended", line: "find x", passOn: true });
  assertEquals(search.take(undefined, { name: "left" }), { kind: "ended", line: "find x", passOn: true });
  assertEquals(search.take("\x1b", { name: "escape" }), { kind: "ended", line: "find x", passOn: false });
  assertEquals(search.take("\x07", { name: "g", ctrl: true }), { kind: "ended", line: "typed", passOn: false });
});

Deno.test("the pager is started only for what is longer than the screen, and gets all of it", async () => {
  await using directory = await temporaryDirectory();
  const screen = new MemorySink(true, 10);
  const seen = `${directory.path}/seen`;
  let started = 0;
  const start = () => {
    started++;
    return new ShellPipe(`cat >${seen}`);
  };
  const write = (sink: PagingSink, text: string) => sink.write(new TextEncoder().encode(text));
  const short = new PagingSink(screen, start);
  write(short, "x\n".repeat(23));
  assertEquals(screen.text, "");
  assertEquals(await short.end(), false);
  assertEquals([started, screen.text], [0, "x\n".repeat(23)]);
  const long = new PagingSink(screen, start);
  for (let line = 0; line < 30; line++) write(long, `${line}\n`);
  assertEquals(await long.end(), true);
  assertEquals(started, 1);
  assertEquals((await Deno.readTextFile(seen)).split("\n").length, 31);
  assertEquals(screen.text, "x\n".repeat(23));
});

Deno.test("lines of the screen are counted with wide letters, wrapping and without colours", () => {
  assertEquals(screenLines("a\nb", 10), 2);
  assertEquals(screenLines("\n\n", 10), 2);
  assertEquals(screenLines("\x1b[1;34m0123456789\x1b[0m\n", 10), 1);
  assertEquals(screenLines("日本語日本語\n", 10), 2);
});

Deno.test("the pager is $PAKFS_PAGER, else $PAGER, else less; an empty one and cat are none", () => {
  const from = (values: Record<string, string>) => pagerCommand((name) => values[name]);
  assertEquals(from({ PAKFS_PAGER: "more", PAGER: "most" }), "more");
  assertEquals(from({ PAGER: "most" }), "most");
  assertEquals(from({ PAGER: "" }), undefined);
  assertEquals(from({ PAGER: "cat" }), undefined);
  assertStringIncludes(from({}) ?? "", "exec less");
});

Deno.test("head shows the first lines or bytes of texts", async () => {
  const text = (qpath: string, content: string) => ({
    qpath,
    content: new TextEncoder().encode(content),
    source: "/s",
    format: "loose",
  });
  const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join("");
  const connection = new FakeConnection([text("a.txt", numbers), text("b.txt", "one\r\ntwo"), text("c.bin", "\0")]);
  const at = async (line: string) => (await runLine(line, { connection })).out;
  assertEquals(await at("head a.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
  assertEquals(await at("head a.txt -n 2"), "1\n2\n");
  assertEquals(await at("head a.txt -c 3"), "1\n2\n");
  assertEquals(await at("head -n 1 a.txt b.txt"), "==> a.txt <==\n1\n\n==> b.txt <==\none\n");
  assertEquals(await at("head b.txt --json"), '{"qpath":"b.txt","text":"one\\r\\ntwo"}\n');
  assertEquals((await runLine("head c.bin", { connection })).code, 1);
});

/** A daemon that has mounted its views somewhere. */
class Mounted extends FakeConnection {
  readonly #status: { mount: string | null; rootView: string | null };

  constructor(mount: string | null, rootView: string | null) {
    super();
    this.#status = { mount, rootView };
  }

  override async call<M extends MethodName>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    const answer = await super.call(method, params);
    const { mount, rootView } = this.#status;
    const mounts = mount === null ? [] : [{ mount, rootView, games: ["quake"], views: 2, packs: 2, files: 4 }];
    return method === "status" ? { ...answer, ...this.#status, mounts } : answer;
  }
}

Deno.test("open prints the path of a file on the mount, and starts programs with it", async () => {
  await using directory = await temporaryDirectory();
  const mounted = (mount: string | null, rootView: string | null) => ({ connection: new Mounted(mount, rootView) });
  const everything = mounted("/mnt/games", null);
  assertEquals((await runLine("open maps/e1m1.bsp", everything)).out, "/mnt/games/quake/hipnotic/maps/e1m1.bsp\n");
  const one = mounted("/mnt/games", "quake/hipnotic");
  assertEquals(
    (await runLine("open default.cfg --json", one)).out,
    '{"qpath":"default.cfg","view":"quake/hipnotic","path":"/mnt/games/default.cfg"}\n',
  );
  assertStringIncludes((await runLine("open default.cfg", mounted("/m", "quake/id1"))).err, "shows quake/id1");
  assertStringIncludes((await runLine("open default.cfg", mounted(null, null))).err, "nothing is mounted");
  const seen = `${directory.path}/seen`;
  const run = `open "maps/my map.bsp" --run "printf '%s' >${seen}; exit 3; :"`;
  assertEquals((await runLine(run, everything)).code, 3);
  const given = `open "maps/my map.bsp" --run "printf '<%s>' >${seen}"`;
  assertEquals((await runLine(given, everything)).code, 0);
  assertEquals(await Deno.readTextFile(seen), "</mnt/games/quake/hipnotic/maps/my map.bsp>");
});

Deno.test("find --shadowed asks for the files that lose", async () => {
  const connection = new FakeConnection();
  await runLine("find *.wav --shadowed --ext wav", { connection });
  assertEquals(connection.calls, ['shadowed {"patterns":["*.wav"],"filters":{"extensions":["wav"]}}']);
});
