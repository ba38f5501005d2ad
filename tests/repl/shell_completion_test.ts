import { assert, assertEquals } from "@std/assert";
import { FakeConnection } from "./fake_connection.ts";
import { serveConnection } from "./fake_server.ts";
import { runLine } from "./harness.ts";
import { needs } from "../support/programs.ts";
import { openTerminal } from "../support/terminal.ts";
import { installation } from "../index/fixtures.ts";

const root = new URL("../../", import.meta.url).pathname;

/** A shell, and a way to request its completions of a line. */
interface Shell {
  readonly name: string;
  /** A program of the shell: the script is in `$SCRIPT`, the words are its arguments; it prints one offer per line. */
  readonly program: string;
}

const bash: Shell = {
  name: "bash",
  program: `
    . "$SCRIPT"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    compopt() { :; }
    _pakfs
    printf '%s\\n' "\${COMPREPLY[@]}"`,
};

const zsh: Shell = {
  name: "zsh",
  program: `
    compdef() { : }
    compset() { PREFIX=\${PREFIX#*=} }
    compadd() { [[ $1 != -S ]] || shift 2; shift; local word; for word; do [[ $word != "$PREFIX"* ]] || print -r -- "$word"; done }
    _describe() { local word; for word in "\${(@P)2}"; do [[ $word != "$PREFIX"* ]] || print -r -- "\${word%%:*}"; done }
    _files() { print -l -- "$PREFIX"*(N) }
    . "$SCRIPT"
    words=("$@") CURRENT=$# PREFIX=\${@[-1]}
    _pakfs`,
};

const fish: Shell = {
  name: "fish",
  program: `
    source $SCRIPT
    complete -C (string join ' ' -- $argv) | string replace -r '\\t.*' ''`,
};

const shells = [bash, zsh, fish];

for (const shell of shells) {
  Deno.test({
    name: `${shell.name} completes commands, options, values, files, and what the daemon knows`,
    ...needs(shell.name),
    fn: async () => {
      await using directory = await installation({ "games/a.pak": "", "games/b.pak": "", "bin/deno-is-elsewhere": "" });
      const script = (await runLine(`completions ${shell.name}`)).out;
      await Deno.writeTextFile(`${directory.path}/script`, script);
      await Deno.symlink(`${root}pakfs`, `${directory.path}/bin/pakfs`);
      await using server = serveConnection(`${directory.path}/s.sock`, new FakeConnection());
      const offered = async (...words: string[]): Promise<string[]> => {
        const args = shell.name === "fish"
          ? ["--no-config", "-c", shell.program, "pakfs", ...words]
          : [...shell.name === "zsh" ? ["-f"] : ["--norc"], "-c", shell.program, shell.name, "pakfs", ...words];
        const { stdout, stderr } = await new Deno.Command(shell.name, {
          args,
          cwd: directory.path,
          env: {
            SCRIPT: `${directory.path}/script`,
            PATH: `${directory.path}/bin:${Deno.env.get("PATH")}`,
            PAKFS_SOCKET: server.path,
            HOME: directory.path,
            XDG_RUNTIME_DIR: directory.path,
            DENO: Deno.execPath(),
          },
        }).output();
        const errors = new TextDecoder().decode(stderr);
        assertEquals(errors, "");
        return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "").sort();
      };
      assertEquals(await offered("comp"), ["completions"]);
      assertEquals(await offered("arch"), ["archive"]);
      assertEquals(await offered("archive", "c"), ["create"]);
      assertEquals(await offered("find", "--li"), ["--limit"]);
      assertEquals(await offered("mount", "--show-p"), ["--show-packs"]);
      assertEquals(await offered("--json", "ls", "--color", "n"), ["never"]);
      assertEquals(await offered("help", "hexd"), ["hexdump"]);
      assertEquals(await offered("archive", "list", "games/"), ["games/a.pak", "games/b.pak"]);
      assertEquals(await offered("ls", "--view", "quake/h"), ["quake/hipnotic"]);
      assertEquals(await offered("stat", "maps/e"), ["maps/e1m1.bsp"]);
      assertEquals(await offered("stat", "--view", "quake/hipnotic", "gfx/p"), ["gfx/palette.lmp"]);
      assertEquals(await offered("find", "--in", "pak7"), ["pak7.pak"]);
      // For an option's value after =, a shell replaces only its own last word.
      const assigned = await offered("ls", "--view=quake/h");
      assertEquals(assigned.map((word) => word.replace(/^--view=/, "")), ["quake/hipnotic"]);
      const everything = await offered("");
      assert(everything.includes("find") && everything.includes("mount"));
      assert(!everything.includes("cd") && !everything.includes("complete"), "it is not for a shell");
    },
  });
}

/** The shells as people use them, in a terminal; `$SCRIPT` is the completion script. */
const interactive: Readonly<Record<string, string>> = {
  bash: `printf '%s\\n' 'PS1="$ "' '. "$SCRIPT"' > rc; exec bash --rcfile rc -i`,
  zsh: `mkdir functions; cp "$SCRIPT" functions/_pakfs; export ZDOTDIR=$PWD
    printf '%s\\n' 'PS1="$ "' 'fpath=($PWD/functions $fpath)' 'autoload -Uz compinit && compinit -u -D' > .zshrc
    exec zsh -i`,
  // fish's suggestions look like completions before Tab is pressed.
  fish: `exec fish --no-config -C "set -g fish_autosuggestion_enabled 0; source $SCRIPT
    function fish_prompt; echo -n '\\$ '; end"`,
};

for (const { name } of shells) {
  Deno.test({
    name: `${name} in a terminal completes commands, profiles, and files below a directory with a space`,
    ...needs(name, "tmux"),
    fn: async () => {
      await using directory = await installation({ "my dir/a b.pak": "", "my dir/inner dir/c": "", "bin/x": "" });
      const { path } = directory;
      await Deno.writeTextFile(`${path}/script`, (await runLine(`completions ${name}`)).out);
      await Deno.symlink(`${root}pakfs`, `${path}/bin/pakfs`);
      const settings = Object.entries({
        SCRIPT: `${path}/script`,
        PATH: `${path}/bin:${Deno.env.get("PATH")}`,
        HOME: path,
        XDG_RUNTIME_DIR: path,
        PAKFS_CONFIG: `${path}/none`,
        PAKFS_SOCKET: `${path}/none.sock`,
        DENO: Deno.execPath(),
      }).map(([variable, value]) => `${variable}=${value}`);
      const program = `cd '${path}'; ${interactive[name]}`;
      await using terminal = await openTerminal(path, ["env", ...settings, "sh", "-c", program], {
        columns: 100,
        rows: 20,
      });
      await terminal.until((lines) => lines.at(-1) === "$");
      const typed = async (keys: string, shown: string): Promise<string[]> => {
        await terminal.press(keys, "Tab");
        const screen = await terminal.until(shown);
        // Not Ctrl-C: its signal is lost if it arrives just before fish waits for input, which it does with `select`.
        await terminal.press("C-u");
        await terminal.until((lines) => lines.at(-1) === "$");
        return screen;
      };
      await typed("pakfs archive li", "$ pakfs archive list");
      await typed("pakfs archive list my", "$ pakfs archive list my\\ dir/");
      await typed("pakfs archive list my\\ dir/a", "$ pakfs archive list my\\ dir/a\\ b.pak");
      await typed('pakfs archive list "my dir/a', '$ pakfs archive list "my dir/a b.pak"');
      await typed("pakfs profiles ioq", "$ pakfs profiles ioquake3");
      await typed("pakfs mount --profile dhe", "$ pakfs mount --profile dhewm3");
    },
  });
}

Deno.test("mount points of pakfs are completed, through the launcher", async () => {
  const asked = new Deno.Command(`${root}pakfs`, {
    args: ["complete", "--", "mount", "/no/such"],
    env: { DENO: Deno.execPath() },
  });
  const { code, stdout, stderr } = await asked.output();
  assertEquals([code, new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr)], [0, ""]);
});

Deno.test("no shell but those is known", async () => {
  const { code, err } = await runLine("completions tcsh");
  assertEquals([code, err], [2, "pakfs: no completions for tcsh; choose one of bash, zsh, fish\n"]);
});
