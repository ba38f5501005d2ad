// deno-lint-ignore-file no-await-in-loop -- one mount after another
/** Output of `tour` for the user's own games; every printed command is run. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { run, workspace } from "./mounting.ts";

const games = {
  "my games/quake/id1/pak0.pak": pak([["default.cfg", "bind w +forward\n"], ["a.wav", "a".repeat(70_000)]]),
  "my games/quake/mod one/pak0.pak": pak([["default.cfg", "bind s +back\n"]]),
  "q3/baseq3/pak0.pk3": zip([{ name: "d.txt", content: "d" }]),
  "q3/baseq3/pak1.pk3": zip([{ name: "d.txt", content: "e" }]),
  "alone/id1/pak0.pak": pak([["a.lmp", "a"]]),
  "bare/id1/": "",
};

Deno.test("tour shows one's own games, and each command that it prints works", async () => {
  await using here = await workspace();
  await writeFiles(here.path, games);
  const launcher = new URL("../../", import.meta.url).pathname;
  const environment = { ...here.environment, PATH: `${launcher}:${Deno.env.get("PATH")}` };
  const cases: [mounted: string[], steps: number, counts: string][] = [
    [["my games/quake"], 4, "1 game, 2 packs, 5 files"],
    [["my games/quake", "q3"], 5, "2 games, 4 packs, 9 files"],
    [["--view", "quake/mod one", "my games/quake"], 4, "1 game, 2 packs, 5 files"],
    [["my games/quake/id1/pak0.pak"], 4, "1 game, 1 pack, 2 files"],
    [["alone"], 3, "1 game, 1 pack, 2 files"],
    [["bare"], 2, "1 game, 0 packs, 0 files"],
  ];
  for (const [mounted, steps, counts] of cases) {
    await here.pakfs(
      "mount",
      ...mounted.map((word) => /^-|^quake/.test(word) ? word : `${here.path}/${word}`),
      here.mountPoint,
    );
    const { code, stdout, stderr } = await here.pakfs("tour");
    assertEquals(code, 0, `${mounted}: ${stderr}`);
    assertStringIncludes(stdout, `At ${here.mountPoint}: ${counts}.`);
    const commands = stdout.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
    const [, end = ""] = /^To unmount: (.*)$/m.exec(stdout) ?? [];
    assertEquals(commands.length, steps, stdout);
    for (const command of [...commands, end]) {
      const result = await run("sh", ["-c", command], { environment });
      assertEquals(result.code, 0, `${command}\n${result.stderr}`);
      assert(command === end || stdout.includes(result.stdout), `${command} printed something else:\n${result.stdout}`);
    }
    await here.stop();
  }
  const { code, stderr } = await here.pakfs("tour");
  assertEquals(code, 4, stderr);
});
