// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals } from "@std/assert";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { quake3Map } from "../media/handmade.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary.ts";

const root = new URL("../..", import.meta.url).pathname;
const document = `${root}docs/scripting.md`;
/** Set to write what the programs print into the document instead of comparing. */
const isUpdate = Deno.env.get("PAKFS_UPDATE_DOCS") === "1";

/** A program of the document. */
interface Program {
  readonly name: string;
  readonly code: string;
  readonly options: readonly string[];
  readonly args: readonly string[];
  readonly shown: string;
}

const block = /```ts ignore\n(\/\/ pakfs run ((?:--\S+ )*)(\S+)([^\n]*)\n.*?)```\n\n```text\n(.*?)```/gs;

function programsOf(text: string): Program[] {
  return Array.from(text.matchAll(block), ([, code = "", flags = "", name = "", args = "", shown = ""]) => ({
    name,
    code,
    options: flags.split(" ").filter((flag) => flag !== ""),
    args: args.trim().split(" "),
    shown,
  }));
}

interface Home extends AsyncDisposable {
  readonly path: string;
  start(program: Program): Deno.ChildProcess;
}

async function homeWith(programs: readonly Program[]): Promise<Home> {
  const directory: TemporaryDirectory = await temporaryDirectory();
  const home = directory.path;
  await writeDemoInstallation(`${home}/games`);
  await Deno.mkdir(`${home}/games/quake3/baseq3/maps`, { recursive: true });
  const names = ["textures/base/floor", "textures/base/no_such_wall", "textures/mapper/path"];
  const map = quake3Map('{ "classname" "worldspawn" }', names.map((name) => [name, 1]));
  await Deno.writeFile(`${home}/games/quake3/baseq3/maps/little.bsp`, map);
  await Promise.all(programs.map(({ name, code }) => Deno.writeTextFile(`${home}/${name}`, code)));
  return {
    path: home,
    start: ({ name, options, args }) =>
      new Deno.Command(`${root}pakfs`, {
        args: ["run", ...options, name, ...args.map((word) => word.replace(/^~/, home))],
        cwd: home,
        env: { NO_COLOR: "1", HOME: home },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** Programs that run until they are stopped. */
const runByTheirOwnTests = ["serve.ts", "watch.ts"];

Deno.test("every program of the cookbook runs by its first line and prints what is shown", async () => {
  let text = await Deno.readTextFile(document);
  const programs = programsOf(text);
  assert(programs.length >= 10, `only ${programs.length} programs were found`);
  assertEquals(
    Array.from(text.matchAll(/```ts/g)).length,
    programs.length,
    "some program is not written as the others",
  );
  await using home = await homeWith(programs);
  for (const program of programs.filter(({ name }) => !runByTheirOwnTests.includes(name))) {
    const { stdout, stderr } = await home.start(program).output();
    assertEquals(new TextDecoder().decode(stderr), "", program.name);
    const printed = new TextDecoder().decode(stdout).replaceAll(home.path, "~");
    if (isUpdate) {
      text = text.replace(
        program.code + "```\n\n```text\n" + program.shown,
        () => program.code + "```\n\n```text\n" + printed,
      );
    } else assertEquals(printed, program.shown, program.name);
  }
  if (isUpdate) await Deno.writeTextFile(document, text);
  // The programs leave all sounds of the mod as they are in its packs, and a pack of the mod's own files.
  const listed = async (pack: string) => {
    const { stdout } = await new Deno.Command(`${root}pakfs`, { args: ["archive", "list", pack] }).output();
    return new TextDecoder().decode(stdout);
  };
  assert((await listed(`${home.path}/lanterns-all.pak`)).includes("sound/lanterns/crackle.wav"));
  assertEquals(
    await Deno.readFile(`${home.path}/sounds/sound/lanterns/crackle.wav`),
    await Deno.readFile(`${home.path}/games/quake/lanterns/sound/lanterns/crackle.wav`),
  );
});

Deno.test("the cookbook's programs pass the type check", async () => {
  const programs = programsOf(await Deno.readTextFile(document));
  await using home = await homeWith(programs);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--config", `${root}deno.json`, ...programs.map(({ name }) => `${home.path}/${name}`)],
    env: { NO_COLOR: "1" },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
});

Deno.test("the cookbook's server serves what the engine would load", async () => {
  const program = programsOf(await Deno.readTextFile(document)).find(({ name }) => name === "serve.ts");
  if (program === undefined) throw new Error("serve.ts is missing");
  await using home = await homeWith([program]);
  const child = home.start(program);
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const errors = new Response(child.stderr).text();
  try {
    let said = "";
    while (!/:(\d+)\//.test(said)) {
      const { value, done } = await lines.read();
      if (done) throw new Error("it ended before it said where it listens");
      said += value;
    }
    const address = `http://127.0.0.1:${/:(\d+)\//.exec(said)?.[1]}`;
    const sound = await fetch(`${address}/sound/lanterns/crackle.wav`);
    const expected = await Deno.readFile(`${home.path}/games/quake/lanterns/sound/lanterns/crackle.wav`);
    assertEquals([sound.status, sound.headers.get("content-length")], [200, String(expected.length)]);
    assertEquals(new Uint8Array(await sound.arrayBuffer()), expected);
    const listed = await fetch(`${address}/gfx`);
    assert(((await listed.json()) as string[]).includes("gfx/palette.lmp"));
    const missing = await fetch(`${address}/no/such.file`);
    assertEquals([missing.status, await missing.text()], [404, 'no "no/such.file" in quake/lanterns']);
  } finally {
    await lines.cancel();
    child.kill("SIGTERM");
    await child.status;
    await errors;
  }
});

Deno.test("the cookbook's watcher reports a file as soon as it exists, and ends at Ctrl-C", async () => {
  const program = programsOf(await Deno.readTextFile(document)).find(({ name }) => name === "watch.ts");
  if (program === undefined) throw new Error("watch.ts is missing");
  await using home = await homeWith([program]);
  const textures = `${home.path}/games/quake/lanterns/textures/brick`;
  await Deno.mkdir(textures, { recursive: true });
  const child = home.start(program);
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const errors = new Response(child.stderr).text();
  let said = "";
  const until = async (wanted: string) => {
    while (!said.includes(wanted)) {
      const { value, done } = await lines.read();
      if (done) throw new Error(`it never said ${wanted}, but ${said}${await errors}`);
      said += value;
    }
  };
  try {
    await until("watching");
    // It looks at what it indexed once more when it begins to watch, so no change is too early.
    await Deno.writeTextFile(`${textures}/new.tga`, "new");
    await until("new.tga\n");
    child.kill("SIGINT");
    await until("done\n");
    assertEquals((await child.status).code, 0, await errors);
    assertEquals(said, program.shown);
  } finally {
    await lines.cancel();
    await child.status.catch(() => undefined);
  }
});
