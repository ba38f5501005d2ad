// deno-lint-ignore-file no-await-in-loop -- one line after the other, so that a failure names its line
/** Mistyped commands of newcomers, each with the hint that helps. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { openLocalGames } from "../../service/local.ts";
import { connectSocket } from "../../protocol/client.ts";
import { Session } from "../../repl/command/session.ts";
import { workspace } from "../mount/mounting.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { runLine } from "./harness.ts";

/** Lines, each with its exit code and a part of its output. */
type Turns = readonly (readonly [line: string, code: number, says: string])[];

/** At the prompt, with the games of the demo in `~` and the view `quake/lanterns`. */
const typed: Turns = [
  // Commands
  ["fnd *.wav", 2, "unknown command fnd; did you mean find?"],
  ["hlep", 2, "did you mean help?"],
  ["\\q", 2, "unknown command \\q; did you mean exit?"],
  ["\\?", 2, "unknown command \\?; did you mean help?"],
  ["\\dt", 2, "unknown command \\dt; help lists commands"],
  ["archive", 2, "archive needs a verb; choose one of archive list"],
  ["archive lst x.pak", 2, "unknown command archive lst; did you mean archive list?"],
  [".mod json", 2, "unknown command .mod; did you mean .mode?"],
  ["mount --engine quakespasm games mnt", 2, "unknown option --engine; did you mean --profile?"],
  ["mount games --mod lanterns mnt", 2, "choose a mod with --view GAME/MOD"],
  ["mount games mnt", 2, "run mount in a shell: pakfs mount SOURCE... MOUNTPOINT"],
  ["exit now", 2, "exit takes no arguments"],
  ["which", 2, "which needs QPATH; usage: which QPATH"],
  ["stat a b", 2, "unexpected argument b; usage: stat"],
  [".mode jsn", 2, "did you mean json?"],
  ["list", 2, "ls lists a view, archive list FILE an archive"],
  ["unzip pak0.pk3", 2, "unknown command unzip; archive extract FILE -o DIR extracts"],
  ["cp default.cfg out", 2, "extract PATTERN -o DIR copies files"],
  ["rm default.cfg", 2, "packs are read-only here"],
  ["tail default.cfg", 2, "cat FILE | tail"],
  ["restart", 2, "pakfs stop ends the daemon"],
  ["verify pak0.pk3", 2, "did you mean archive verify?"],
  ["service start", 2, "unknown command service start; in a shell: systemctl --user start pakfs"],
  ["service statsu", 2, "did you mean service status?"],
  ["./quake/id1", 2, "unknown command ./quake/id1; a path follows a command: pakfs mount PATH MOUNTPOINT"],
  ["pak0.pak", 2, "archive list PATH for an archive"],
  ["'C:\\Quake\\id1'", 2, "a path follows a command"],
  ["/?", 2, "help lists commands"],
  // Options
  ["find *.wav --siz +1k", 2, "unknown option --siz; did you mean --size?"],
  ["find *.wav --size", 2, "--size needs a value: --size [+|-]SIZE"],
  ["find *.wav --size big", 2, "not a size: big; write 512, 10k, 1.5M or 2G"],
  ["find *.wav --limit few", 2, "--limit takes a whole number"],
  ["find *.wav -view quake", 2, "unknown option -v; did you mean --view?"],
  ["find --hlep", 2, "unknown option --hlep; did you mean --help?"],
  ["ls --json=yes", 2, "--json takes no value"],
  ["ls --mode tabel", 2, "did you mean table?"],
  ["find . -name *.wav", 2, "names need no option: find '*.wav'"],
  ["find . -type f", 2, "find lists files; tree -d lists directories"],
  ["ls -R", 2, "tree lists all below"],
  ["tree --depth 1", 2, "did you mean --level?"],
  ["extract *.cfg -d out", 2, "the output directory is -o DIR"],
  ["find -z", 2, "unknown option -z; see help find"],
  // Views, packs, profiles
  ["ls --view qauke", 1, "unknown view qauke; did you mean quake?"],
  ["ls --view quake/lantern", 1, "did you mean quake/lanterns?"],
  ["ls --view lanters", 1, "did you mean lanterns?"],
  ["use quak", 1, "did you mean quake?"],
  ["ls --view nothing/like/it", 1, '"pakfs views" lists them'],
  ["packs quake/id2", 1, "did you mean quake/id1?"],
  ["diff quake/id1 quake/lanters", 1, "did you mean quake/lanterns?"],
  ["diff quake/id1 --engine quakspasm", 1, "unknown profile quakspasm; did you mean quakespasm?"],
  ["overrides pak9.pak", 1, 'no pack or game directory "pak9.pak" on the search path of quake/lanterns'],
  ["checksum pak0", 1, 'no pack "pak0"; did you mean pak0.pak?'],
  ["find --in nothing.pak", 0, "no file matches; packs lists what --in can name"],
  ["find --in pak1.pk", 0, "no file matches; did you mean --in pak1.pak?"],
  ["missing lanterrns", 1, "did you mean lanterns?"],
  // Maps and shaders
  ["needs harbor", 1, 'no "harbor" in quake/lanterns; did you mean maps/harbour.ent?'],
  ["needs harbor.ent", 1, "did you mean maps/harbour.ent?"],
  ["used-by gfx/palete.lmp", 1, "did you mean gfx/palette.lmp?"],
  ["shader textures/mapper/hege --view nightfall", 1, "did you mean textures/mapper/hedge?"],
  ["shader hege --view nightfall", 1, "did you mean textures/mapper/hedge?"],
  ["used-by hege --view nightfall", 1, "did you mean textures/mapper/hedge?"],
  ["shader textures/nothing", 1, "shaders lists those"],
  ["shaders 'textures/nothing/*' --view nightfall", 0, "no shader matches textures/nothing/*"],
  // Paths and patterns
  ["which gfx/conbak.lmp", 1, "did you mean gfx/conback.lmp?"],
  ["which conback", 1, "did you mean gfx/conback.lmp?"],
  ["which conback.lmp", 1, "did you mean gfx/conback.lmp?"],
  ["which textures/", 1, "textures is a directory; ls textures lists it"],
  ["show textures", 1, "textures is a directory; ls textures lists it"],
  ["needs textures/", 1, "nothing below textures in quake/lanterns refers to other files"],
  ["extract textures -o out", 1, "no file matches textures; try find textures/"],
  ["find textures", 0, "no file matches textures; try find textures/"],
  ["which nothing.lmp", 1, "try find '*nothing.lmp*'"],
  ["cat gfx", 1, "gfx is a directory; ls gfx lists it"],
  ["ls map", 1, "did you mean maps?"],
  ["cd map", 1, "did you mean maps?"],
  ["find conback", 0, "no file matches conback; try find '*conback*'"],
  ["find '*.nothing'", 0, "no file matches *.nothing"],
  ["find '*.WAV'", 0, "try find '*.wav'"],
  ["find 'SOUND/*'", 0, "try find 'sound/**'"],
  ["find 'sound\\*'", 0, "try find 'sound/**'"],
  ["find 'lanterns/maps/*'", 0, "try find 'maps/*'"],
  ["ls '*.WAV'", 0, "nothing matches *.WAV; find also looks below"],
  ["grep bind Default.cfg", 1, "no file matches Default.cfg; try find default.cfg"],
  ["extract *.CFG -o out", 1, "try find '*.cfg'"],
  ["cat 'maps\\harbour.ent'", 1, "did you mean maps/harbour.ent?"],
  ["which 'C:\\Quake\\lanterns\\maps\\harbour.ent'", 1, "did you mean maps/harbour.ent?"],
  ["cat /home/me/mnt/quake/lanterns/default.cfg", 1, "did you mean default.cfg?"],
  ["cat maps/nowhere.bsp", 1, "try find '*nowhere.bsp*'"],
  ["show *.lmp", 1, "try find '*.lmp'"],
  ["tree nowhere", 1, "try find '*nowhere*'"],
  ["extract *.cfg", 2, "extract needs an output directory: -o DIR"],
  ["extract *.cfg -o ~/quake/id1/pak0.pak", 1, "pak0.pak: it is a file, or lies below one; name a directory"],
  ["convert 'gfx/' -o ~/quake/id1/pak0.pak/x", 1, "pak0.pak/x: it is a file, or lies below one; name a directory"],
  ["archive extract ~/quake/id1/pak0.pak -o ~/quake/id1/pak0.pak", 1, "it is a file, or lies below one"],
  ["show gfx/title.lmp --png ~/quake/id1/pak0.pak/x.png", 1, "pak0.pak/x.png cannot be written: Not a directory"],
  ["show gfx/palette", 1, "did you mean gfx/palette.lmp?"],
  ["cd -", 1, "no earlier view or directory to go back to"],
  ["detect /nowhere/at/all", 1, "/nowhere/at/all does not exist; name a game's directory"],
  ["archive list /nowhere.pak", 1, "/nowhere.pak"],
  ["archive list ~/empty", 1, "no archives in"],
  ["archive extract ~/quake/id1/pak0.pak NONE.TXT -o ~/out", 1, "no file matches NONE.TXT; archive list"],
  ["archive create ~/empty.pk3 ~/empty", 1, "empty has no file to archive"],
  ["ls --view ''", 1, "choose one with --view: quake/id1"],
];

Deno.test("wrong turns at the prompt lead on", async () => {
  await using directory = await temporaryDirectory();
  const { games } = await writeDemoInstallation(directory.path);
  await Deno.mkdir(`${directory.path}/empty`);
  await using connection = await openLocalGames(games.map(({ name, base }) => ({ name, sources: [base] })));
  const wrong: string[] = [];
  for (const [line, code, says] of typed) {
    const session = new Session(() => Promise.resolve(connection), "quake/lanterns");
    const result = await runLine(line.replaceAll("~", directory.path), { session });
    if (result.code !== code || !result.err.includes(says)) {
      wrong.push(`${line}: ${result.code} ${result.err}${result.out}`);
    }
  }
  assertEquals(wrong, []);
});

Deno.test("wrong turns in a shell lead on", async () => {
  await using here = await workspace();
  const { games } = await writeDemoInstallation(`${here.path}/games`);
  const quake = games.find(({ name }) => name === "quake")?.base ?? "";
  const { mountPoint } = here;
  const other = `${here.path}/other`;
  await Deno.mkdir(other);
  const full = `${here.path}/full`;
  await Deno.mkdir(full);
  await Deno.writeTextFile(`${full}/notes.txt`, "notes");
  const turns: readonly (readonly [code: number, says: string, ...words: string[]])[] = [
    [4, 'start one with "pakfs daemon" or "pakfs mount SOURCE... MOUNTPOINT"', "ls"],
    [4, "or name a game's directory: --source DIR", "ls"],
    [1, "is not mounted", "unmount", mountPoint],
    [1, "no such directory", "unmount", "/nowhere/mnt"],
    [2, "mount needs a mount point after", "mount", quake],
    [1, "does not exist; create it first: mkdir -p", "mount", quake, `${here.path}/none`],
    [1, "is empty; looked for game directories such as id1", "mount", other, mountPoint],
    [2, "unknown option --hlep; did you mean --help?", "mount", "--hlep"],
    [2, "did you mean quakespasm?", "mount", "--profile", "quakspasm", quake, mountPoint],
    [2, "mount needs a mount point after", "mount", quake, "--profile", mountPoint],
    [1, "is not empty, and the mount would hide its files; choose an empty directory", "mount", quake, full],
    [1, '"pakfs formats" lists them', "mount", `${full}/notes.txt`, mountPoint],
    [1, "games/quake?", "mount", quake.replace("quake", "QUAKE"), mountPoint],
    [1, "paths are written with /, as in /mnt/c/Quake", "mount", "C:\\Quake", mountPoint],
    [1, 'name an archive alone ("pakfs mount ', "mount", quake, `${quake}/id1/pak1.pak`, mountPoint],
    [2, "--config FILE names its configuration", "daemon", "start"],
    [2, "-V prints the version", "-v"],
    [2, "use works only in the REPL and scripts; use --view GAME/MOD instead", "use", "quake"],
    [2, ".mode works only in the REPL and scripts; use --mode MODE instead", ".mode", "json"],
    [0, "mounted quake at", "mount", quake, mountPoint],
    [1, "is already mounted; unmount it first: pakfs unmount", "mount", quake, mountPoint],
    [1, "is not mounted, but inside", "unmount", `${mountPoint}/quake`],
    [1, "and the mount would hide it", "mount", "--profile", "generic", `${mountPoint}/quake`, other],
  ];
  for (const [code, says, ...words] of turns) {
    const result = await here.pakfs(...words);
    assertEquals(result.code, code, `${words.join(" ")}: ${result.stderr}`);
    assertStringIncludes(result.stderr, says, words.join(" "));
  }
  await using client = await connectSocket(here.socket, { client: "test" });
  assertEquals((await client.call("status", {})).mounts.length, 1);
  await here.status();
});
