// deno-lint-ignore-file no-await-in-loop -- documents and their commands follow one another
import { assert, assertEquals } from "@std/assert";
import { profiles } from "../../index/profiles/profiles.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { consoleSteps, matchesShown } from "./console.ts";

const root = new URL("../..", import.meta.url).pathname;

Deno.test("shown output matches with dots for what is left out, and only then", () => {
  assert(matchesShown(["a", "...", "c"], ["a", "b", "b", "c"]));
  assert(matchesShown(["a", "..."], ["a"]));
  assert(!matchesShown(["a", "...", "c"], ["a", "b"]));
  assert(!matchesShown(["a"], ["a", "b"]));
  assert(!matchesShown([], ["a"]));
});

Deno.test("console blocks are read as commands with their output", () => {
  const steps = consoleSteps("text\n```console\n$ one\nout\n$ two\n```\n```sh\n$ three\n```\n");
  assertEquals(steps, [{ command: "one", output: ["out"], line: 3 }, { command: "two", output: [], line: 5 }]);
});

Deno.test("the README names every engine's profile", async () => {
  const readme = await Deno.readTextFile(`${root}README.md`);
  const engines = /Engines' rules:(.*?)\n\n/s.exec(readme)?.[1] ?? "";
  const named = Array.from(engines.matchAll(/`(\w+)`/g), ([, name]) => name);
  assertEquals(named, profiles.map((profile) => profile.name));
});

/** Documents that begin in a home of their own, which holds a game as `~/games/quake` and nothing else. */
const guides = ["docs/tutorial.md", "docs/configuration.md", "docs/troubleshooting.md"];

interface Ended {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Runs commands as somebody would whose home is `home`. */
function shellIn(home: string): (command: string) => Promise<Ended> {
  const environment = {
    HOME: home,
    XDG_RUNTIME_DIR: `${home}/run`,
    XDG_CACHE_HOME: "",
    XDG_STATE_HOME: "",
    XDG_CONFIG_HOME: "",
    XDG_DATA_DIRS: `${home}/share`,
    PAKFS_CONFIG: "",
    PAKFS_SOCKET: "",
    NO_COLOR: "1",
    LC_ALL: "C",
    PATH: `${root}:${Deno.env.get("PATH")}`,
  };
  return async (command) => {
    const options = { args: ["-c", command], cwd: home, env: environment, stdin: "null" as const };
    const { code, stdout, stderr } = await new Deno.Command("sh", options).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    const lines = text.replaceAll(home, "~").split("\n");
    if (lines.at(-1) === "") lines.pop();
    return { code, lines };
  };
}

/** Runs what a document shows, and compares. A comment `# exit code N` behind a command says that it fails. */
async function follow(document: string, run: (command: string) => Promise<Ended>): Promise<void> {
  for (const step of consoleSteps(await Deno.readTextFile(root + document))) {
    const { code, lines } = await run(step.command);
    const place = `${document}:${step.line}: $ ${step.command}\n`;
    assertEquals(code, Number(/ # exit code (\d+)$/.exec(step.command)?.[1] ?? 0), place + lines.join("\n"));
    assert(
      matchesShown(step.output, lines),
      `${place}shown:\n${step.output.join("\n")}\nprinted:\n${lines.join("\n")}`,
    );
  }
}

Deno.test("every command the README and the guides show prints what they show", async () => {
  await using directory = await temporaryDirectory();
  const home = directory.path;
  const run = shellIn(home);
  await Deno.mkdir(`${home}/games`);
  try {
    const demo = await run(`pakfs demo && cp -r ~/.cache/pakfs/demo/games/quake ~/games/`);
    assertEquals(demo.code, 0, demo.lines.join("\n"));
    for (const document of guides) {
      await using guided = await temporaryDirectory();
      const runThere = shellIn(guided.path);
      try {
        await run(`mkdir ${guided.path}/games && cp -r ~/games/quake ${guided.path}/games`);
        await follow(document, runThere);
      } finally {
        await runThere("pakfs unmount ~/quake-files; pakfs stop");
      }
    }
    await follow("README.md", run);
    const script = /```ts ignore\n(.*?)```/s.exec(await Deno.readTextFile(`${root}README.md`))?.[1] ?? "";
    await Deno.writeTextFile(`${home}/script.ts`, script);
    const config = `--config ${root}deno.json --quiet`;
    const { code, lines } = await run(`"${Deno.execPath()}" run ${config} --allow-read --allow-env ~/script.ts`);
    assertEquals(code, 0, lines.join("\n"));
    assertEquals(lines[0]?.replace(/\d+/, "N"), "sound/ambience/drone.wav N ~/games/quake/id1/pak0.pak");
  } finally {
    await run("pakfs stop; pakfs unmount ~/mnt; pakfs unmount ~/.cache/pakfs/demo/mount");
  }
});
