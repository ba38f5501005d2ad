/** Runs commands from messages of `mount`, `detect` and others as printed: in an empty home, without a network. */
import { assert, assertEquals } from "@std/assert";
import { pak, wad, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { type Outcome, run, type Workspace, workspace } from "./mounting.ts";

const files = {
  "my quake/id1/pak0.pak": pak([["a.txt", "a"], ["textures/b.tga", "b"]]),
  "my quake/id1/pak2.pak": pak([["a.txt", "c"]]),
  "q3/baseq3/pak0.pk3": zip([{ name: "d.txt", content: "d" }]),
  "other/notes.txt": "text",
  "doom/freedm.wad": wad([["MAP01", ""], ["FREEDM", ""], ["DSBSPSIT", "x"]], "IWAD"),
  "doom/more.pk3": zip([{ name: "sounds/dsimpsit.flac", content: "x" }]),
};

const root = new URL("../../", import.meta.url).pathname;
/** A port that no program listens on, for programs that would use a network. */
const nowhere = "http://127.0.0.1:9";

interface Shell {
  /** Runs a command in a shell, and compares its exit code. */
  run(command: string, code?: number): Promise<Outcome>;
  path(name: string): string;
}

function shellOf(here: Workspace): Shell {
  const environment = {
    ...here.environment,
    PATH: `${root}:${Deno.env.get("PATH")}`,
    PAKFS_NO_INSTALL: "1",
    http_proxy: nowhere,
    https_proxy: nowhere,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
  };
  return {
    path: (name) => `${here.path}/${name}`,
    async run(command, code = 0) {
      const outcome = await run("sh", ["-c", command], { environment, directory: here.path });
      assertEquals(outcome.code, code, `${command}\n${outcome.stdout}${outcome.stderr}`);
      return outcome;
    },
  };
}

/** Returns the quoted shell commands of a text. */
function printed(text: string): string[] {
  return Array.from(text.matchAll(/"(pakfs [^"]+)"/g), ([, command = ""]) => command);
}

/** Returns the only quoted command of a text. */
function theCommand(text: string): string {
  const commands = printed(text);
  assertEquals(commands.length, 1, text);
  return commands[0] ?? "";
}

/** Returns the number of differences that `diff` reports. */
function differences({ stderr }: Outcome): number {
  return Number(/^(\d+) differences?/m.exec(stderr)?.[1]);
}

Deno.test("the first line of mount prints a command that lists as many files as it says", async () => {
  await using here = await workspace();
  await writeFiles(here.path, files);
  const shell = shellOf(here);
  const mount = `pakfs mount 'my quake' ${here.mountPoint}`;
  const [first = "", second = ""] = (await shell.run(mount)).stderr.split("\n");
  const [, count] =
    /^detected Quake \(id1\), engine rules: quake; (\d) files differ under other engines: /.exec(first) ?? [];
  assertEquals(differences(await shell.run(theCommand(first))), Number(count), first);
  await shell.run("mkdir b && pakfs mount q3 b");
  const [, end = ""] = /; to unmount: (pakfs .*)$/.exec(second) ?? [];
  await shell.run(end);
  // If several games exist, the command names the game.
  const [again = ""] = (await shell.run(mount)).stderr.split("\n");
  assert(again.startsWith("my quake: detected Quake (id1), engine rules: quake; "), again);
  assertEquals(differences(await shell.run(theCommand(again))), Number(count), again);
});

Deno.test("detect and --source print commands that work without a daemon", async () => {
  await using here = await workspace();
  await writeFiles(here.path, files);
  const shell = shellOf(here);
  const { stderr } = await shell.run("pakfs views --source 'my quake'");
  assertEquals(stderr.split(";")[0], "detected Quake (id1), engine rules: quake");
  const { stdout } = await shell.run(theCommand(stderr));
  const [count] = /\d+(?= files? would differ)/.exec(stdout) ?? [];
  const [diff = "", which = "", ...others] = printed(stdout);
  assertEquals(others, []);
  assertEquals(differences(await shell.run(diff)), Number(count), stdout);
  await shell.run(which.replace("FILE", "a.txt"));
  const [mount = ""] = /pakfs mount .* MOUNTPOINT/.exec(stdout) ?? [];
  await shell.run(mount.replace("MOUNTPOINT", here.mountPoint));
  const generic = await shell.run("pakfs views --source other");
  await shell.run(theCommand(generic.stderr));
  const list = await shell.run("pakfs views --source doom/freedm.wad --source doom/more.pk3");
  assertEquals(printed(list.stderr), [], "no directory to detect");
  const nothing = await shell.run("pakfs games --installed");
  assert(nothing.stderr.endsWith("name another directory: pakfs detect DIR\n"), nothing.stderr);
  await shell.run("pakfs detect doom");
});

Deno.test("messages of what does not work lead to commands that do", async () => {
  await using here = await workspace();
  await writeFiles(here.path, files);
  const shell = shellOf(here);
  // No daemon runs yet.
  const { stderr } = await shell.run("pakfs ls", 4);
  assert(stderr.endsWith("or name a game's directory: --source DIR\n"), stderr);
  await shell.run("pakfs ls --source 'my quake'");
  const [daemon = "", mount = ""] = printed(stderr);
  await shell.run(mount.replace("SOURCE...", "'my quake'").replace("MOUNTPOINT", here.mountPoint));
  await shell.run("pakfs stop");
  const unconfigured = await shell.run(daemon, 1);
  const written = await shell.run(`${theCommand(unconfigured.stderr)} 'my quake'`);
  const [, directory = ""] = /next: (mkdir -p \S+), then pakfs daemon/.exec(written.stderr) ?? [];
  await shell.run(directory);
  const { finished } = await here.foreground(...daemon.split(" ").slice(1));
  await shell.run("pakfs ls");
  await here.stop();
  assertEquals((await finished).code, 0);
  // Archives are given where directories are expected.
  const pak0 = "'my quake/id1/pak0.pak'";
  const together = await shell.run(`pakfs mount ${pak0} 'my quake' ${here.mountPoint}`, 1);
  await shell.run(theCommand(together.stderr).replace("MOUNTPOINT", here.mountPoint));
  await shell.run("pakfs stop");
  await shell.run(theCommand((await shell.run(`pakfs detect ${pak0}`, 1)).stderr));
  // Directories and misplaced names are given where a file is expected.
  const quake = "--source 'my quake'";
  const textures = await shell.run(`pakfs which textures/ ${quake}`, 1);
  const [, ls = ""] = /; (ls .*) lists it$/m.exec(textures.stderr) ?? [];
  assertEquals((await shell.run(`pakfs ${ls} ${quake}`)).stdout, "b.tga\n");
  const doom = "--source doom/freedm.wad --source doom/more.pk3";
  const sound = await shell.run(`pakfs which DSIMPSIT ${doom}`, 1);
  const [, meant = ""] = /did you mean (.*)\?$/m.exec(sound.stderr) ?? [];
  assertEquals(meant, "sounds/DSIMPSIT");
  await shell.run(`pakfs which ${meant} ${doom}`);
});
