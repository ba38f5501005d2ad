// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Session } from "../../repl/command/session.ts";
import { FakeConnection, fixtureTime, hostileName } from "./fake_connection.ts";
import { jsonRows, runLine } from "./harness.ts";

/** Compares with lines written without their common indentation. */
async function assertPrints(line: string, expected: readonly string[]): Promise<void> {
  const { code, out, err } = await runLine(`${line} -q`);
  assertEquals({ code, out: out.split("\n"), err }, { code: 0, out: [...expected, ""], err: "" }, line);
}

const talk = {
  type: "file",
  qpath: "sound/misc/talk.wav",
  view: "quake/hipnotic",
  size: 8,
  mtime: fixtureTime,
  source: "/games/quake/id1/pak0.pak",
  member: "sound/misc/talk.wav",
  format: "quake-pak",
  offset: 12,
  packedSize: 8,
  method: "store",
  crc32: null,
  shadows: 0,
};

Deno.test("games, views, path and packs print tables of all pages", async () => {
  await assertPrints("games", [
    "GAME   PROFILE  VIEWS  PACKS  FILES  BASE  SOURCES; WHY THE PROFILE",
    "quake  quake        2      3  1,234  id1   /games/quake; id1/pak0.pak was found",
  ]);
  await assertPrints("views", [
    "VIEW            PROFILE  PACKS  GAME DIRECTORIES",
    "quake/id1       quake        1  id1",
    "quake/hipnotic  quake        2  hipnotic > id1",
  ]);
  await assertPrints("path", [
    "RANK  GAME DIRECTORY  FORMAT     FILES  SOURCE",
    "   1  hipnotic        quake-pak    200  /games/quake/hipnotic/pak0.pak",
    "   2  hipnotic        loose          1  /games/quake/hipnotic",
    "   3  id1             quake-pak    339  /games/quake/id1/pak0.pak",
  ]);
  await assertPrints("packs", [
    "GAME   GAME DIRECTORY  PACK      FORMAT     FILES  WINS  SIZE  MODIFIED",
    "quake  id1             pak0.pak  quake-pak    339     -   18M  1997-03-11 13:05",
    "quake  id1             pak7.pak  quake-pak      1     -   100  1997-03-11 13:05  " +
    "not used: pak1.pak is missing, and the engine stops counting there",
  ]);
});

Deno.test("path and packs take a view, from the argument before --view", async () => {
  const connection = new FakeConnection();
  await runLine("path quake/id1 --view quake/hipnotic", { connection });
  await runLine("packs --view quake/hipnotic", { connection });
  assertEquals(connection.calls, ['path {"view":"quake/id1"}', 'packs {"view":"quake/hipnotic"}']);
});

Deno.test("ls lists names, and with -l sizes, times and sources", async () => {
  await assertPrints("ls", ["default.cfg", "gfx/", "maps/", "sound/"]);
  await assertPrints("ls /maps/../gfx -l", [
    "SIZE  MODIFIED          FROM           NAME",
    " 768  1997-03-11 13:05  pak0.pak (+2)  palette.lmp",
  ]);
  await assertPrints("ls -l sound", [
    "SIZE  MODIFIED          FROM       NAME",
    "   9  1997-03-11 13:05  extra.pk3  bad.wav  damaged: its checksum is wrong",
    "   -                    1 name     misc/",
  ]);
  await assertPrints("ls sound/misc/talk.wav", ["talk.wav"]);
});

Deno.test("ls puts names in columns on a terminal, and colours directories there", async () => {
  const { out } = await runLine("ls", { terminal: true });
  const blue = (name: string) => `\x1b[1;34m${name}\x1b[0m`;
  assertEquals(out, `default.cfg  ${blue("gfx/")}  ${blue("maps/")}  ${blue("sound/")}\n`);
});

Deno.test("ls --json prints the rows of the protocol as they are", async () => {
  assertEquals(jsonRows((await runLine("ls sound/misc --json")).out), [talk]);
  assertEquals(jsonRows((await runLine("--json ls sound/misc/talk.wav")).out), [talk]);
  const [first] = jsonRows((await runLine("ls sound --json")).out) as { damaged: string }[];
  assertEquals(first?.damaged, "its checksum is wrong");
});

Deno.test("tree draws what is below a directory", async () => {
  await assertPrints("tree sound", ["sound", "├── bad.wav", "└── misc/", "    └── talk.wav"]);
  await assertPrints("tree -L 1 -d", [".", "├── gfx/", "├── maps/", "└── sound/"]);
  assertEquals((await runLine("tree")).err, "4 directories, 7 files\n");
  assertEquals(jsonRows((await runLine("tree sound --json")).out).length, 3);
  assertEquals((await runLine("tree --level 0")).code, 2);
});

Deno.test("find prints qpaths, and stops at its limit", async () => {
  await assertPrints("find *.bsp", ["maps/e1m1.bsp", "maps/hip1m1.bsp", "maps/my map.bsp"]);
  await assertPrints("find *.bsp --limit 1", ["maps/e1m1.bsp"]);
  await assertPrints("find -l talk.wav", [
    "SIZE  MODIFIED          FROM      NAME",
    "   8  1997-03-11 13:05  pak0.pak  sound/misc/talk.wav",
  ]);
  assertEquals(jsonRows((await runLine("find talk.wav --json")).out), [talk]);
  assertEquals((await runLine("find nothing.xyz")).code, 0);
});

Deno.test("paths are printed escaped, whatever is printed with them", async () => {
  const names = ["a.txt", hostileName, "b\u202e.txt", "päck/ü.txt", "two\nlines", "z"];
  const files = names.map((qpath) => ({ qpath, content: new Uint8Array(1), source: "/s", format: "loose" }));
  const expected = [
    "a.txt",
    "maps/\\x1b[2J\\x1b[31mevil\\n.bsp",
    "b\\u{202e}.txt",
    "päck/ü.txt",
    "two\\nlines",
    "z",
    "",
  ];
  for (const pageSize of [1, 2, 100]) {
    const connection = new FakeConnection(files, pageSize);
    assertEquals((await runLine("find", { connection })).out.split("\n"), expected, `${pageSize}`);
    assertEquals(
      (await runLine("find --limit 3", { connection })).out.split("\n"),
      [...expected.slice(0, 3), ""],
      `${pageSize}`,
    );
    assertEquals((await runLine("find --limit 0", { connection })).out, "");
  }
});

Deno.test("find passes its filters on, in bytes", async () => {
  const connection = new FakeConnection([], 100);
  await runLine("find --size +1.5k --ext .wav,tga --ext lmp --in pak0.pak", { connection });
  await runLine("find --size -10k", { connection });
  await runLine("find --size 1k..2M", { connection });
  await runLine("find --size 512", { connection });
  assertEquals(connection.calls, [
    'qpaths {"patterns":["*"],"filters":{"minSize":1536,"extensions":["wav","tga","lmp"],"source":"pak0.pak"},"limit":20000}',
    "packs {}",
    'qpaths {"patterns":["*"],"filters":{"maxSize":10240},"limit":20000}',
    'qpaths {"patterns":["*"],"filters":{"minSize":1024,"maxSize":2097152},"limit":20000}',
    'qpaths {"patterns":["*"],"filters":{"minSize":512,"maxSize":512},"limit":20000}',
  ]);
  for (const size of ["x", "2M..1k", "..", "+", "1e3"]) {
    assertEquals((await runLine(`find --size ${size}`, { connection })).code, 2, size);
  }
});

Deno.test("find looks in and below the current directory", async () => {
  const connection = new FakeConnection();
  const session = new Session(() => Promise.resolve(connection));
  session.directory = "my [dir]";
  for (const pattern of ["*.tga", "a/*.tga", "sub/", "../x/*", "/*.cfg", "/gfx/*"]) {
    await runLine(`find ${pattern}`, { session });
  }
  const asked = connection.calls.filter((call) => call.startsWith("qpaths "));
  const patterns = asked.map((call) => JSON.parse(call.slice("qpaths ".length)).patterns[0]);
  assertEquals(patterns, [
    "my \\[dir\\]/**/*.tga",
    "my \\[dir\\]/a/*.tga",
    "my \\[dir\\]/sub/**",
    "x/*",
    "/*.cfg",
    "gfx/*",
  ]);
});

Deno.test("stat shows everything about a file and a directory", async () => {
  await assertPrints("stat sound/bad.wav", [
    "file:      sound/bad.wav",
    "view:      quake/hipnotic",
    "size:      9 bytes (9)",
    "modified:  1997-03-11 13:05",
    "source:    /games/quake/hipnotic/extra.pk3",
    "member:    sound/bad.wav",
    "format:    zip",
    "method:    deflate, 7 compressed",
    "record at: byte 12",
    "data at:   byte 12",
    "CRC-32:    0badf00d",
    "shadows:   nothing",
    "damaged:   its checksum is wrong",
  ]);
  await assertPrints("stat maps", ["directory: maps/", "view:      quake/hipnotic", "entries:   3"]);
  assertEquals(jsonRows((await runLine("stat sound/misc/talk.wav --json")).out), [{ ...talk, dataOffset: 12 }]);
});

Deno.test("cat writes the bytes of files, piece by piece, into anything but a terminal", async () => {
  const { bytes, code } = await runLine("cat default.cfg maps/hip1m1.bsp --json");
  assertEquals([code, bytes.length], [0, 16 + 3000]);
  assertEquals(new TextDecoder().decode(bytes.subarray(0, 16)), "bind w +forward\n");
});

Deno.test("cat on a terminal shows text, refuses what is none, and never lets it speak to the terminal", async () => {
  const files = ["plain\r\n\x1b[2Jevil\tx", "caf\xe9\n"].map((text, index) => ({
    qpath: `${index}.txt`,
    content: Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
    source: "/s",
    format: "loose",
  }));
  const connection = new FakeConnection(files);
  const { out } = await runLine("cat 0.txt 1.txt", { connection, terminal: true });
  assertEquals(out, "plain\n\\x1b[2Jevil\tx\ncafé\n");
  const refused = await runLine("cat maps/e1m1.bsp", { terminal: true });
  assertEquals([refused.code, refused.out], [1, ""]);
  assertStringIncludes(refused.err, "is not text");
  assertEquals((await runLine("cat maps/e1m1.bsp --force", { terminal: true })).code, 0);
});

Deno.test("hexdump shows bytes in lines of sixteen, from any offset", async () => {
  await assertPrints("hexdump maps/e1m1.bsp", [
    "00000000  00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f  |................|",
    "00000010  10 11 12 13 14 15 16 17  18 19 1a 1b 1c 1d 1e 1f  |................|",
    "00000020  20 21 22 23 24 25 26 27                           | !\"#$%&'|",
  ]);
  await assertPrints("hexdump maps/e1m1.bsp --offset 0x20 -n 2", [
    "00000020  20 21                                             | !|",
  ]);
  assertEquals(jsonRows((await runLine("hexdump maps/e1m1.bsp -s 35 --json")).out), [
    { offset: 35, hex: "2324252627", text: "#$%&'" },
  ]);
  // Pieces of 1,000 bytes do not end at a line.
  assertEquals((await runLine("hexdump maps/hip1m1.bsp")).out.split("\n").length, Math.ceil(3000 / 16) + 1);
  assertEquals((await runLine("hexdump maps/e1m1.bsp -n 0")).code, 2);
});

Deno.test("which prints the winner first and why each of the others lost", async () => {
  await assertPrints("which /gfx/palette.lmp", [
    "gfx/palette.lmp  quake/hipnotic, rules of quake, 3 candidates",
    "  1  /games/quake/hipnotic/pak0.pak  hipnotic, 768",
    "     the engine loads this one",
    "  2  /games/quake/id1/gfx/palette.lmp  id1, 768",
    "     hipnotic is searched before id1 [game-directory]",
    "  3  /games/quake/id1/pak7.pak  id1, 768",
    "     not usable: pak1.pak is missing, and the engine stops counting there",
  ]);
  const [result] = jsonRows((await runLine("why gfx/palette.lmp --json")).out) as { candidates: unknown[] }[];
  assertEquals(result?.candidates.length, 3);
});

Deno.test("names shows how many names of hashed packs were recovered", async () => {
  const { code, out, err } = await runLine("names");
  assertEquals({ code, out: out.split("\n"), err }, {
    code: 0,
    out: [
      "NAMED  FILES   TRIED  BY CHANCE  HASH         PACK",
      "1,100  1,200  90,000      0.025  fnv1a+lower  /games/engine/data/a.pack",
      "    0      8  90,000     <0.001  not found    /games/engine/data/b.pack",
      "",
    ],
    err: "warning: a.pack: 0badcafe is maps/a and maps/b\n",
  });
  const connection = new FakeConnection();
  const rows = jsonRows((await runLine("names a.pack --json", { connection })).out) as { named: number }[];
  assertEquals([rows.length, rows[0]?.named, connection.calls], [1, 1100, ['names {"pack":"a.pack"}']]);
});

Deno.test("pure prints the view of a list of packs, and fails where one is missing", async () => {
  await assertPrints("pure", [
    "quake/hipnotic:pure=-633993734  1 pack",
    "RANK    CHECKSUM  PACK",
    "   1  -633993734  /games/quake/hipnotic/extra.pk3",
  ]);
  const some = await runLine("pure -633993734,extra.pk3 nowhere");
  assertEquals(some.code, 1);
  assertEquals(some.out.split("\n"), [
    "quake/hipnotic:pure=-633993734,extra.pk3,nowhere  3 packs",
    "RANK    CHECKSUM  PACK",
    "   1  -633993734  /games/quake/hipnotic/extra.pk3",
    "   2  -633993734  /games/quake/hipnotic/extra.pk3",
    '   3              missing: no pack is "nowhere"',
    "",
  ]);
  const [result] = jsonRows((await runLine("pure nowhere --json")).out) as { missing: number }[];
  assertEquals(result?.missing, 1);
});

Deno.test("which of an unknown name fails, in words and in JSON", async () => {
  const human = await runLine("which nope.tga");
  assertEquals(human, {
    ...human,
    code: 1,
    out: "",
    err: "pakfs: no file nope.tga in quake/hipnotic; try find '*nope.tga*'\n",
  });
  const json = await runLine("which nope.tga --json");
  assertEquals(jsonRows(json.out), [{ qpath: "nope.tga", view: "quake/hipnotic", profile: "quake", candidates: [] }]);
  assertEquals(jsonRows(json.err), [{
    error: { kind: "notFound", message: "no file nope.tga in quake/hipnotic; try find '*nope.tga*'", exitCode: 1 },
  }]);
});

Deno.test("use, cd and pwd move through views and directories", async () => {
  const connection = new FakeConnection();
  const session = new Session(() => Promise.resolve(connection));
  const at = async (line: string) => {
    const { code } = await runLine(line, { session });
    return [code, session.view, session.directory];
  };
  assertEquals(await at("use hipnotic"), [0, "quake/hipnotic", ""]);
  assertEquals(await at("cd sound/misc"), [0, "quake/hipnotic", "sound/misc"]);
  assertEquals((await runLine("pwd", { session })).out, "quake/hipnotic:/sound/misc\n");
  assertEquals((await runLine("ls", { session })).out, "talk.wav\n");
  assertEquals((await runLine("ls --view quake/id1", { session })).out.split("\n")[0], "default.cfg");
  assertEquals(await at("cd .."), [0, "quake/hipnotic", "sound"]);
  assertEquals(await at("cd bad.wav"), [1, "quake/hipnotic", "sound"]);
  assertEquals(await at("cd nowhere"), [1, "quake/hipnotic", "sound"]);
  assertEquals(await at("cd"), [0, "quake/hipnotic", ""]);
  assertEquals(await at("use nothing"), [1, "quake/hipnotic", ""]);
  assertEquals((await runLine("use hipnotic", { session, remembers: false })).code, 2);
});

Deno.test("status and stop speak of the daemon", async () => {
  const { out } = await runLine("status");
  for (
    const part of ["process 4242", "mount:    /mnt/games", "1 game, 2 views, 2 packs, 1,234 files", "lookups:  17"]
  ) {
    assertStringIncludes(out, part);
  }
  assertStringIncludes(out, "/games/quake/id1/bad.pak: is no archive");
  const [row] = jsonRows((await runLine("status --json")).out) as { pid: number }[];
  assertEquals(row?.pid, 4242);
  const connection = new FakeConnection();
  assertEquals((await runLine("stop", { connection })).err, "the daemon is stopping\n");
  assert(connection.closed);
});

Deno.test("reload reports what it found, and what needs a restart", async () => {
  const { err } = await runLine("reload");
  assertMatch(
    err,
    /^\S+config.toml: packs: 2 removed; files: 7 removed \(20 ms\)\n.*socket: changed to \/run\/other\.sock.*\n$/,
  );
  const [row] = jsonRows((await runLine("reload --json")).out) as { needsRestart: unknown[] }[];
  assertEquals(row?.needsRestart.length, 1);
});

Deno.test("refresh reports what it found", async () => {
  assertEquals((await runLine("refresh")).err, "packs: 1 added; files: 1,200 added, 1 changed (13 ms)\n");
  const [row] = jsonRows((await runLine("refresh --json")).out) as { files: unknown }[];
  assertEquals(row?.files, { added: 1200, removed: 0, changed: 1 });
});

Deno.test("hostile names never reach the terminal raw, and JSON keeps them whole", async () => {
  const file = { qpath: hostileName, content: new Uint8Array(1), source: "/x\x9b1m/\u202egpj.pak", format: "zip" };
  const connection = () => new FakeConnection([file]);
  // deno-lint-ignore no-control-regex -- control characters are what must not be there
  const raw = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/;
  const lines = ["ls maps", "ls -l maps", "find *", "find -l *", "tree", 'stat "maps/\\e[2J\\e[31mevil\\n.bsp"'];
  for (const line of [...lines, ...lines.map((one) => `${one} --json`)]) {
    const { out, err } = await runLine(line, { connection: connection() });
    assertEquals(raw.test(out + err), false, line);
    assert(out.includes("evil"), line);
  }
  const [row] = jsonRows((await runLine("find * --json", { connection: connection() })).out) as {
    qpath: string;
    source: string;
  }[];
  assertEquals([row?.qpath, row?.source], [file.qpath, file.source]);
  const { err } = await runLine(`stat "\\e]0;title\\x07"`);
  assertEquals(raw.test(err), false);
});

Deno.test("wrong commands, arguments and options exit with 2 and say what would be right", async () => {
  const cases: [string, string][] = [
    ["fidn x", "unknown command fidn; did you mean find?"],
    ["archive lst x", "unknown command archive lst; did you mean archive list?"],
    [
      "archive",
      "archive needs a verb; choose one of archive list, archive find, archive verify, archive hash, archive diff, archive extract, archive create",
    ],
    ["stat", "stat needs QPATH; usage: stat QPATH"],
    ["stat a b", "unexpected argument b; usage: stat QPATH"],
    ["ls --lnog", "unknown option --lnog; did you mean --long?"],
    ["extract x", "extract needs an output directory: -o DIR"],
    ["ls --socket x", "unknown option --socket"],
    ["mount a b", "run mount in a shell: pakfs mount SOURCE... MOUNTPOINT [options]"],
  ];
  for (const [line, message] of cases) {
    const { code, out, err } = await runLine(line);
    assertEquals([code, out], [2, ""], line);
    assertStringIncludes(err, message);
  }
});

Deno.test("an unknown view is reported with the nearest one", async () => {
  const { code, err } = await runLine("ls --view quake/hypnotic");
  assertEquals([code, err], [1, "pakfs: unknown view quake/hypnotic; did you mean quake/hipnotic?\n"]);
});

Deno.test("help lists every command, and explains each from the same table", async () => {
  const { out } = await runLine("help");
  for (const name of ["find [PATTERN...]", "archive create OUT [DIR]", "mount SOURCE... MOUNTPOINT", "Exit codes"]) {
    assertStringIncludes(out, name);
  }
  const one = await runLine("help find");
  assertStringIncludes(one.out, "Usage: pakfs find [PATTERN...] [options]");
  assertStringIncludes(one.out, "--size [+|-]SIZE");
  assertEquals((await runLine("find --help")).out, one.out);
  assertStringIncludes((await runLine("help archive")).out, "archive verify FILE|DIR...");
  assertStringIncludes((await runLine("help mount")).out, "--profile PROFILE");
  assertEquals((await runLine("help fnid")).code, 2);
  const names = (jsonRows((await runLine("help --json")).out) as { name: string }[]).map(({ name }) => name);
  assertEquals(new Set(names).size, names.length);
});

Deno.test("a cancelled command is quiet and exits with 130", async () => {
  const { code, out, err } = await runLine("ls", { signal: AbortSignal.abort() });
  assertEquals([code, out, err], [130, "", ""]);
});

Deno.test("an unreadable file is reported with the daemon's sentence", async () => {
  const { code, err } = await runLine("cat sound/bad.wav --json");
  assertEquals(code, 1);
  assertEquals(jsonRows(err), [{
    error: {
      kind: "unreadable",
      message: "sound/bad.wav: its checksum is wrong",
      exitCode: 1,
      data: { errno: "EIO" },
    },
  }]);
});

Deno.test("a file that changes while it is read is an error, not a mixture", async () => {
  const connection = new FakeConnection();
  const read = connection.call.bind(connection);
  let reads = 0;
  connection.call = (async (method, params, options) => {
    const result = await read(method, params, options);
    return method === "read" ? { ...result, size: 3000 + reads++ } : result;
  }) as typeof connection.call;
  const { code, err } = await runLine("cat maps/hip1m1.bsp", { connection });
  assertEquals(code, 1);
  assertStringIncludes(err, "changed from 3000 to 3001 bytes while it was read");
});
