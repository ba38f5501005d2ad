// deno-lint-ignore-file no-await-in-loop -- commands run one after another
import { assert, assertEquals } from "@std/assert";
import { openLocalGames } from "../../service/local.ts";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { jsonRows, runLine } from "../repl/harness.ts";
import { exampleRefresh, FakeConnection, type FixtureFile } from "../repl/fake_connection.ts";
import { md3, mdl, mip, quakeMap, spriteList, testPalette, textureWad } from "../media/handmade.ts";
import { composedTextures } from "../media/handmade_doom.ts";
import { commandLines } from "../support/command_lines.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { misfit } from "./json_types.ts";
import { commandRows, declared, jsonReference, reference, types } from "./reference.ts";

const root = new URL("../..", import.meta.url).pathname;

Deno.test("links of the generated reference lead to its headings", () => {
  const text = jsonReference();
  const headings = new Set(Array.from(text.matchAll(/^#+ (\w+)$/gm), ([, heading = ""]) => heading.toLowerCase()));
  const links = Array.from(text.matchAll(/\]\(#(\w+)\)/g), ([, link = ""]) => link);
  assert(links.length > 50);
  assertEquals(links.filter((link) => !headings.has(link)), []);
});

Deno.test("every type of a row is one that a command prints", () => {
  const named = new Set<string>(commandRows.flatMap(({ rows }) => rows));
  const unused = (declared.get("RowTypes")?.fields ?? []).map(({ name }) => name).filter((name) => !named.has(name));
  assertEquals(unused, []);
});

Deno.test("a row that differs from its description is reported", () => {
  const wrong = (row: object) => misfit(types, row, reference("PlaceRow"), "row");
  assertEquals(wrong({ view: "a", directory: "" }), undefined);
  assertEquals(wrong({ view: "a" }), "row.directory is missing");
  assertEquals(wrong({ view: "a", directory: 1 }), "row.directory is no string");
  assertEquals(wrong({ view: "a", directory: "", more: 1 }), "row.more is not described");
});

function loose(qpath: string, content: Uint8Array): FixtureFile {
  return { qpath, content, source: "/s", format: "loose" };
}

Deno.test("what commands print with --json is as the schemas say", async () => {
  await using directory = await temporaryDirectory();
  await writeDemoInstallation(directory.path);
  await Deno.writeFile(`${directory.path}/quake3/baseq3/broken.md3`, md3("models/gone.tga"));
  await Deno.mkdir(`${directory.path}/quake/lanterns/maps`, { recursive: true });
  await Deno.writeFile(`${directory.path}/quake/lanterns/maps/tiny.bsp`, quakeMap("{}"));
  const connection = await openLocalGames(
    ["quake", "quake3"].map((name) => ({ sources: [`${directory.path}/${name}`] })),
  );
  const seen = new Set<string>();
  const check = async (line: string, answering: FakeConnection | typeof connection) => {
    const { out, err } = await runLine(`${line.replaceAll("~", directory.path)} --json`, { connection: answering });
    const command = commandRows.find(({ name }) => line === name || line.startsWith(`${name} `));
    assert(command, line);
    const rows = jsonRows(out);
    assert(rows.length > 0, `${line} printed no rows: ${err}`);
    for (const row of rows) {
      const wrong = command.rows.map((name) => ({ name, misfit: misfit(types, row, reference(name), name) }));
      const fitting = wrong.find(({ misfit: reason }) => reason === undefined);
      assert(fitting, `${line}: ${wrong.map(({ misfit: reason }) => reason).join("; ")}\n${JSON.stringify(row)}`);
      seen.add(fitting.name);
    }
  };
  try {
    await Deno.writeTextFile(`${directory.path}/config.toml`, '[[game]]\nname = "quake"\nsources = ["quake"]\n');
    for (const line of commandLines) await check(line, connection);
    for (const line of ["names", "refresh", "reload", "stop", "mounts", "open default.cfg"]) {
      await check(line, new FakeConnection());
    }
    await check("watch --limit 1", Object.assign(new FakeConnection(), { refreshes: [exampleRefresh] }));
    const special = new FakeConnection([
      loose("map.bsp", quakeMap('{\n"classname" "worldspawn"\n}\n')),
      loose("model.mdl", mdl()),
      loose("model.md3", md3("models/x.tga")),
      loose("lumps.wad", textureWad([["ROCK", 0x44, mip("rock", 5)]])),
      loose("TEXTURE1", composedTextures([["WALL", [0]]])),
      loose("list.sp2", spriteList(["gfx/palette.lmp", "gone.pcx"])),
      loose("gfx/palette.lmp", testPalette()),
    ]);
    for (const line of ["map.bsp", "model.mdl", "model.md3", "lumps.wad", "TEXTURE1", "list.sp2"]) {
      await check(`show ${line}`, special);
    }
    await check("config --config ~/config.toml", connection);
    await Deno.writeTextFile(`${directory.path}/rotation.txt`, "tiny\n");
    await Deno.mkdir(`${directory.path}/library`);
    await Deno.writeTextFile(`${directory.path}/library/torn.pk3`, "");
    await check("missing --library ~/library --view quake3", connection);
    await check("needs --list ~/rotation.txt --view quake/lanterns", connection);
  } finally {
    await connection.close();
  }
  // These commands need a mount, systemd, a browser or a home of their own, or print any rules of an engine; the tests
  // of the commands cover them.
  const notPrintedHere = [
    "UnmountedRow",
    "ProfileRow",
    "TourRow",
    "ServiceRemovedRow",
    "ServiceStatusRow",
    "WebRow",
    "WrittenPathRow",
  ];
  const expected = new Set(commandRows.flatMap(({ rows }) => rows).filter((row) => !notPrintedHere.includes(row)));
  assertEquals([...seen].sort(), [...expected].sort());
});

Deno.test("help with --json is a row, however it is requested", async () => {
  for (const line of ["help find --json", "find --help --json"]) {
    const [row] = jsonRows((await runLine(line)).out);
    assertEquals(misfit(types, row, reference("HelpRow"), line), undefined);
    assertEquals((row as { name: string }).name, "find");
  }
});

Deno.test("commands that the launcher starts print errors with --json too", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const socket = `${path}/s`;
  for (
    const [line, exitCode] of [
      [["mount", `${path}/none`, path], 1],
      [["mount", "-f", `${path}/none`, path], 1],
      [["mount"], 2],
      [["daemon", "--config", `${path}/none`], 1],
      [["daemon", "--nonsense"], 2],
    ] as const
  ) {
    const { code, stdout, stderr } = await new Deno.Command(`${root}pakfs`, {
      args: [...line, "--json"],
      env: { PAKFS_SOCKET: socket, XDG_STATE_HOME: path, HOME: path },
      stdin: "null",
    }).output();
    const printed = new TextDecoder().decode(stderr);
    assertEquals([code, stdout.length], [exitCode, 0], printed);
    const [row, ...more] = jsonRows(printed);
    assertEquals([more, misfit(types, row, reference("ErrorRow"), line.join(" "))], [[], undefined]);
    assertEquals((row as { error: { exitCode: number } }).error.exitCode, exitCode);
  }
});

Deno.test("errors and warnings with --json are as the schemas say", async () => {
  const fake = { connection: new FakeConnection() };
  for (const line of ["stat nothing --json", "nonsense --json", "which nope.tga --json", "cat --json"]) {
    for (const row of jsonRows((await runLine(line, fake)).err)) {
      assertEquals(misfit(types, row, reference("ErrorRow"), line), undefined);
    }
  }
});
