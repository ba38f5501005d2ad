// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { ExtractionError, safeDestination } from "../../protocol/library/extraction.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FakeConnection, fixtureFiles, fixtureTime } from "./fake_connection.ts";
import { jsonRows, runLine } from "./harness.ts";

async function filesBelow(directory: string, prefix = ""): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(directory)) {
    if (entry.isDirectory) names.push(...await filesBelow(`${directory}/${entry.name}`, `${prefix}${entry.name}/`));
    else names.push(prefix + entry.name);
  }
  return names.sort();
}

Deno.test("extract copies what matches, below DIR, with content and time", async () => {
  await using directory = await temporaryDirectory();
  const root = `${directory.path}/new/out`;
  const { code, out, err } = await runLine(`extract *.bsp default.cfg -o ${root}`);
  assertEquals([code, out, err], [0, "", `4 files, 3.0K, extracted to ${root}\n`]);
  assertEquals(await filesBelow(root), ["default.cfg", "maps/e1m1.bsp", "maps/hip1m1.bsp", "maps/my map.bsp"]);
  for (const { qpath, content } of fixtureFiles().filter((file) => /bsp|cfg/.test(file.qpath))) {
    assertEquals(await Deno.readFile(`${root}/${qpath}`), content, qpath);
    assertEquals((await Deno.stat(`${root}/${qpath}`)).mtime?.getTime(), fixtureTime);
  }
  const json = await runLine(`extract sound/misc/ -o ${root} --json`);
  assertEquals(jsonRows(json.out), [{ qpath: "sound/misc/talk.wav", path: `${root}/sound/misc/talk.wav`, size: 8 }]);
});

Deno.test("extract reports a damaged file, copies the others and leaves no part of it behind", async () => {
  await using directory = await temporaryDirectory();
  const { code, err } = await runLine(`extract sound/** -o ${directory.path}`);
  assertEquals(code, 1);
  assertStringIncludes(err, "pakfs: sound/bad.wav: its checksum is wrong\n");
  assertStringIncludes(err, "1 file, 8, extracted");
  assertEquals(await filesBelow(directory.path), ["sound/misc/talk.wav"]);
});

Deno.test("extract fails when nothing matches", async () => {
  await using directory = await temporaryDirectory();
  const { code, err } = await runLine(`extract nothing.x -o ${directory.path}`);
  assertEquals([code, err], [1, "pakfs: no file matches nothing.x; try find '*nothing.x*'\n"]);
});

Deno.test("no qpath leads out of the directory", () => {
  assertEquals(safeDestination("/out", "maps/a.bsp"), "/out/maps/a.bsp");
  for (const qpath of ["../x", "a/../../x", "/etc/passwd", "a//b", "", ".", "a\\..\\b", "a\0b", "a/."]) {
    assertThrows(() => safeDestination("/out", qpath), ExtractionError, "not a safe path");
  }
});

Deno.test("a link inside the directory is not followed, and a hostile name is skipped", async () => {
  await using directory = await temporaryDirectory();
  await Deno.mkdir(`${directory.path}/out`);
  await Deno.mkdir(`${directory.path}/elsewhere`);
  await Deno.symlink(`${directory.path}/elsewhere`, `${directory.path}/out/maps`);
  const files = ["maps/a.bsp", "../escaped.cfg", "fine.cfg"].map((qpath) => ({
    qpath,
    content: new Uint8Array(3),
    source: "/s",
    format: "zip",
  }));
  const { code, err } = await runLine(`extract * -o ${directory.path}/out`, { connection: new FakeConnection(files) });
  assertEquals(code, 1);
  assertStringIncludes(err, "maps is a symbolic link, which is not followed");
  assertStringIncludes(err, "not a safe path");
  assertEquals(await filesBelow(directory.path), ["out/fine.cfg", "out/maps"]);
});

Deno.test("extract replaces a file only by a whole one", async () => {
  await using directory = await temporaryDirectory();
  await Deno.mkdir(`${directory.path}/maps`);
  await Deno.writeTextFile(`${directory.path}/maps/hip1m1.bsp`, "old");
  const connection = new FakeConnection();
  const call = connection.call.bind(connection);
  const controller = new AbortController();
  let reads = 0;
  connection.call = ((method, params, options) => {
    if (method === "read" && ++reads === 3) controller.abort();
    return call(method, params, options);
  }) as typeof connection.call;
  const { code } = await runLine(`extract hip1m1.bsp -o ${directory.path}`, { connection, signal: controller.signal });
  assertEquals(code, 130);
  assertEquals(await Deno.readTextFile(`${directory.path}/maps/hip1m1.bsp`), "old");
  assertEquals(await filesBelow(directory.path), ["maps/hip1m1.bsp"]);
  assert((await runLine(`extract hip1m1.bsp -o ${directory.path}`)).code === 0);
  assertEquals((await Deno.stat(`${directory.path}/maps/hip1m1.bsp`)).size, 3000);
});
