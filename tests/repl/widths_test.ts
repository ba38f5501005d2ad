// deno-lint-ignore-file no-await-in-loop -- keys are pressed one after the other
/**
 * One session at each width of a terminal: prompt, help, tables, pager, Ctrl-Z, paste, Ctrl-R, resize.
 * @module
 */
import { assertEquals } from "@std/assert";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { openLocalGames } from "../../service/local.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { openTerminal } from "../support/terminal.ts";
import { serveConnection } from "./fake_server.ts";

const program = new URL("../../repl/main.ts", import.meta.url).pathname;
const prompt = "quake/lanterns>";
const tables = [
  ...["games", "views", "path", "packs", "formats", "profiles", "conflicts", "shadowed", "diff quake/id1"],
  ...["find -l", "ls -l", "tree", "du", "status", "which textures/brick/red.tga", "missing", "needs harbour.ent"],
  ...["stat default.cfg", "show maps/harbour.ent", "profiles quakespasm", "registered", "limits", "which nothing"],
];

for (const columns of [60, 80, 200]) {
  Deno.test(
    `a session on ${columns} columns breaks no line: help, tables, pager, Ctrl-Z, paste, Ctrl-R, resize`,
    needs("tmux"),
    async () => {
      await using directory = await temporaryDirectory();
      const { path } = directory;
      await writeDemoInstallation(path);
      await using connection = await openLocalGames([{ name: "quake", sources: [`${path}/quake`] }]);
      await using _server = serveConnection(`${path}/s`, connection);
      await Deno.writeTextFile(`${path}/history`, `${tables.join("\n")}\n`);
      const settings = [
        `HOME=${path}`,
        `PAKFS_HISTFILE=${path}/history`,
        "NO_COLOR=1",
        "LC_ALL=C.UTF-8",
        "PS1=$ ",
        "HISTFILE=",
      ];
      const shell = ["env", "-u", "PAGER", "-u", "PAKFS_PAGER", ...settings, "bash", "--norc", "-i"];
      await using terminal = await openTerminal(path, shell, { columns, rows: 20 });
      const atPrompt = (end: string) => (lines: string[]) => lines.at(-1) === end;
      const isBusy = (lines: string[]) => lines.at(-1) !== prompt;
      const broken = async () => (await terminal.brokenLines()).filter((line) => !line.includes("deno"));
      await terminal.until(atPrompt("$"));
      await terminal.press(`'${Deno.execPath()}' run --quiet -A ${program} --socket ~/s`, "Enter");
      await terminal.until((lines) => lines.at(-1)?.endsWith(">") === true);
      await terminal.press("use quake/lanterns", "Enter");
      await terminal.until(atPrompt(prompt));

      // The pager leaves the screen to the session when it ends.
      await terminal.press("help", "Enter");
      await terminal.until((lines) => /\bq\b/.test(lines.at(-1) ?? "") && isBusy(lines));
      for (let page = 0; page < 4; page++) {
        assertEquals(await broken(), []);
        await terminal.press("Space");
      }
      await terminal.press("q");
      await terminal.until(atPrompt(prompt));

      await terminal.press(".pager off", "Enter");
      await terminal.until(atPrompt(prompt));
      await terminal.paste(`${tables.join("\n")}\necho-done\n`);
      await terminal.until((lines) =>
        lines.at(-1) === prompt && lines.some((line) => line.includes("command echo-done"))
      );
      assertEquals(await broken(), []);

      await terminal.press("cd ma", "C-z");
      await terminal.until(atPrompt("$"));
      await terminal.press("fg", "Enter");
      await terminal.until(atPrompt(`${prompt} cd ma`));
      await terminal.press("Tab", "Enter");
      await terminal.until(atPrompt("quake/lanterns:maps>"));
      await terminal.press("C-r", "default");
      await terminal.until("(search)'default': stat default.cfg");
      await terminal.press("C-g");
      await terminal.until(atPrompt("quake/lanterns:maps>"));

      await terminal.press("which /gfx/palette.lmp --view quake/id1");
      await terminal.resize(Math.round(columns * 0.7), 20);
      await terminal.press("C-a", "C-k", "cd ..", "Enter");
      await terminal.until(atPrompt(prompt));
      await terminal.press("clear", "Enter");
      await terminal.until((lines) => lines.length === 1);
      await terminal.press("packs", "Enter");
      await terminal.until((lines) => lines.length > 3 && lines.at(-1) === prompt);
      await terminal.resize(columns, 20);
      await terminal.press("pwd", "Enter");
      await terminal.until((lines) => lines.at(-2) === "quake/lanterns:/");
      assertEquals(await broken(), []);
      await terminal.press("exit", "Enter");
      await terminal.until(atPrompt("$"));
    },
  );
}

Deno.test("what the launcher and a daemon in the foreground print is wrapped at blanks", needs("tmux"), async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const settings = [`HOME=${path}`, `XDG_RUNTIME_DIR=${path}`, `PAKFS_SOCKET=${path}/s`, "PS1=$ "];
  await using terminal = await openTerminal(path, ["env", ...settings, "sh"], { columns: 60, rows: 20 });
  await Deno.symlink(new URL("../../pakfs", import.meta.url).pathname, `${path}/pakfs`);
  await terminal.press("cd; clear", "Enter");
  for (const command of ["mount games", "mount -f games"]) {
    await terminal.press(`clear; ./pakfs ${command}; echo end`, "Enter");
    const lines = await terminal.until((shown) => shown.includes("end") && shown.at(-1) === "$");
    assertEquals(lines.slice(lines.findIndex((line) => line.startsWith("pakfs:")), -2), [
      "pakfs: mount needs a mount point after games: pakfs mount",
      "  SOURCE... MOUNTPOINT",
    ]);
  }
});
