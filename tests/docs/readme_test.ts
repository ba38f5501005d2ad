// deno-lint-ignore-file no-await-in-loop -- documents and their commands follow one another
import { assert, assertEquals } from "@std/assert";
import { copy } from "@std/fs";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { consoleSteps, matchesShown } from "./console.ts";

const root = new URL("../..", import.meta.url).pathname;
/** Set to write outputs without `...` into the documents instead of comparing. */
const isUpdate = Deno.env.get("PAKFS_UPDATE_DOCS") === "1";

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

/** Documents whose sessions each run in a home directory that holds only a game in `~/games/quake`. */
const documents = [
  "README.md",
  ...[
    "archives",
    "command-line",
    "configuration",
    "detection",
    "mounting",
    "questions",
    "troubleshooting",
    "tutorial",
    "uninstall",
  ]
    .map((name) => `docs/${name}.md`),
];

interface Ended {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Returns a function that runs commands with `home` as the home directory. */
function shellIn(home: string): (command: string) => Promise<Ended> {
  const environment = {
    HOME: home,
    XDG_RUNTIME_DIR: `${home}/run`,
    XDG_CACHE_HOME: "",
    XDG_STATE_HOME: "",
    XDG_CONFIG_HOME: "",
    XDG_DATA_DIRS: `${home}/share`,
    XDG_DATA_HOME: "",
    PAKFS_SYSTEM_ROOT: `${home}/system`,
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

/** Runs the commands of a document, and compares their output. A comment `# exit code N` is the expected exit code. */
async function follow(document: string, run: (command: string) => Promise<Ended>): Promise<void> {
  let text = await Deno.readTextFile(root + document);
  for (const { command, output, line } of consoleSteps(text)) {
    const { code, lines } = await run(command);
    const location = `${document}:${line}: $ ${command}\n`;
    assertEquals(code, Number(/ # exit code (\d+)$/.exec(command)?.[1] ?? 0), location + lines.join("\n"));
    const isSame = matchesShown(output, lines);
    if (isUpdate && !isSame && !output.includes("...")) {
      text = text.replace([`$ ${command}`, ...output].join("\n"), () => [`$ ${command}`, ...lines].join("\n"));
    } else assert(isSame, `${location}shown:\n${output.join("\n")}\nprinted:\n${lines.join("\n")}`);
  }
  if (isUpdate) await Deno.writeTextFile(root + document, text);
}

/** Runs the first commands of the README in order, except the whole test suite. */
async function install(run: (command: string) => Promise<Ended>): Promise<void> {
  const block = /```sh\n(.*?)```/s.exec(await Deno.readTextFile(`${root}README.md`))?.[1] ?? "";
  const commands = block.split("\n").map((line) => line.replace(/ *#.*$/, "").replace("./pakfs", "pakfs"));
  for (const command of commands.filter((line) => line !== "" && line !== "pakfs test")) {
    const { code, lines } = await run(command);
    assertEquals(code, 0, `README.md: ${command}\n${lines.join("\n")}`);
  }
}

/** Runs the script of the README; returns its first line of output. */
async function runScript(home: string, run: (command: string) => Promise<Ended>): Promise<string | undefined> {
  const script = /```ts ignore\n(.*?)```/s.exec(await Deno.readTextFile(`${root}README.md`))?.[1] ?? "";
  await Deno.writeTextFile(`${home}/script.ts`, script);
  const config = `--config ${root}deno.json --quiet`;
  const { code, lines } = await run(`"${Deno.execPath()}" run ${config} --allow-read --allow-env ~/script.ts`);
  assertEquals(code, 0, lines.join("\n"));
  return lines[0];
}

Deno.test("every command that documents show prints what they show", async () => {
  await using demo = await temporaryDirectory();
  await writeDemoInstallation(demo.path);
  // All end before this test does, even if one fails: each stops its daemons and mounts.
  const results = await Promise.allSettled(documents.map(async (document) => {
    await using directory = await temporaryDirectory();
    const home = directory.path;
    const run = shellIn(home);
    try {
      await Deno.mkdir(`${home}/games`);
      await copy(`${demo.path}/quake`, `${home}/games/quake`);
      if (document === "README.md") await install(run);
      await follow(document, run);
      if (document !== "README.md") return;
      const line = await runScript(home, run);
      assertEquals(line?.replace(/\d+/, "N"), "sound/ambience/drone.wav N ~/games/quake/id1/pak0.pak");
    } finally {
      await run("pakfs stop; for at in mnt quake-files .cache/pakfs/demo/mount; do pakfs unmount ~/$at; done");
    }
  }));
  const failures = results.flatMap((result) => result.status === "rejected" ? [result.reason as Error] : []);
  assertEquals(failures.map(({ message }) => message), []);
});
