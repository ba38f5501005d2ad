// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * A real mount, read by another process: every spelling of a path is answered as the engine would, also after changes,
 * and listed files can be opened.
 */
import { connect, type View } from "@pakfs/pakfs";
import { assertEquals } from "@std/assert";
import { zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import fc from "../support/fast_check.ts";
import { needs } from "../support/programs.ts";
import { settle } from "../support/settle.ts";
import {
  baseOf,
  filesOf,
  rootsOf,
  type Said,
  saidByHand,
  type SpelledGame,
  spelledGame,
} from "../support/spelled_games.ts";
import { python, run, type Workspace, workspace } from "./mounting.ts";

const asking = `
import json, os, sys

def said(path):
    try:
        if os.path.isdir(path):
            for name in os.listdir(path):
                os.stat(os.path.join(path, name))
            return {"isDirectory": True}
        with open(path) as file:
            content = file.read()
        if os.stat(path).st_size != len(content):
            return {"content": "of another size"}
        return {"content": content}
    except FileNotFoundError:
        return None

top = sys.argv[1]
walked = sorted(os.path.relpath(os.path.join(above, name), top) for above, _, names in os.walk(top) for name in names)
print(json.dumps([[said(os.path.join(top, path)) for path in sys.argv[2:]], {path: said(os.path.join(top, path)) for path in walked}]))
`;

/** Content that another process reads at each path, and in each file of a walk. */
async function seen(top: string, paths: readonly string[]): Promise<[Said[], Record<string, Said>]> {
  return JSON.parse(await python(asking, top, ...paths));
}

/** Whether a path exists in every source, or is a pack. */
function isOfAll(path: string): boolean {
  return /(^|\/)other\.txt$|\.pk3$|\.pak$/.test(path);
}

async function assertAgreement(here: Workspace, game: SpelledGame, when: string): Promise<void> {
  const directory = `game/${baseOf(game)}`;
  const expected = game.asked.map((path) => saidByHand(game, path));
  const [answers, walked] = await seen(`${here.mountPoint}/${directory}`, game.asked);
  assertEquals(answers, expected, `the mount ${when}: ${game.asked.join(" ")}`);
  for (const [path, content] of Object.entries(walked)) {
    if (!isOfAll(path)) assertEquals(content, saidByHand(game, path), `${path}, listed ${when}`);
  }
  await using index = await connect({ socket: here.socket });
  const view = index.view(directory);
  for (const [at, path] of game.asked.entries()) {
    assertEquals(await answered(view, path), expected[at], `over the socket ${when}: ${path}`);
  }
}

async function answered(view: View, path: string): Promise<Said> {
  const row = await view.stat(path).catch(() => null);
  if (row?.type !== "file") return row && { isDirectory: true };
  return { content: new TextDecoder().decode(await view.read(path)) };
}

/** Replaces the loose files and packs by those of `game`, and requests the same paths. */
async function replace(here: Workspace, game: SpelledGame): Promise<void> {
  await Promise.all(rootsOf(`${here.path}/game`).map((root) => Deno.remove(root, { recursive: true })));
  await writeFiles(`${here.path}/game`, filesOf(game));
  const { code, stderr } = await here.pakfs("refresh", "-q");
  assertEquals([code, stderr], [0, ""]);
}

const parameters = {
  numRuns: Number(Deno.env.get("PAKFS_PROPERTY_RUNS") ?? 3),
  // Shrinking a failure would take a mount for each attempt.
  interruptAfterTimeLimit: 10 * 60 * 1000,
};

Deno.test(
  "the mount, the socket and a naive model of the engine agree about every spelling, before and after changes",
  needs("python3"),
  async () => {
    const holds = async ([first, ...later]: SpelledGame[]) => {
      if (!first) return;
      await using here = await workspace();
      await writeFiles(`${here.path}/game`, filesOf(first));
      await here.mount("--profile", first.profile, "--game", "game", ...rootsOf(`${here.path}/game`));
      await assertAgreement(here, first, "at first");
      for (const [at, { sources }] of later.entries()) {
        const game = { ...first, sources };
        await replace(here, game);
        await assertAgreement(here, game, `after ${at + 1} changes`);
      }
    };
    const games = fc.array(spelledGame, { minLength: 3, maxLength: 5 });
    await fc.assert(fc.asyncProperty(games, holds), parameters);
  },
);

Deno.test(
  "a file that is open in an unlisted spelling keeps its bytes, and its directory what is requested in it",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const files = {
      "baseq3/Maps/readme.txt": "capital",
      "baseq3/maps/x.bsp": "loose",
      "baseq3/pak0.pk3": zip([{ name: "maps/x.bsp", content: "in the pack" }]),
    };
    await writeFiles(`${here.path}/game`, files);
    // A refresh gives new ids to the files of a young pack, which may have changed.
    await settle();
    await here.mount("--profile", "ioquake3", `${here.path}/game`);
    const script = `
import os, subprocess, sys
base = sys.argv[1]
os.chdir(base + "/Maps")
opened = open("x.bsp")
print(os.listdir("."), os.listdir(base), os.path.exists("../maps/readme.txt"))
first = os.stat("x.bsp").st_ino, os.stat(base + "/maps/x.bsp").st_ino
for path in "maps/x.bsp", "Maps/readme.txt":
    with open(os.path.join(sys.argv[2], path), "w") as file: file.write("other " + path)
subprocess.run(sys.argv[3:], check=True)
print(opened.read(), open("x.bsp").read(), open(base + "/maps/x.bsp").read(), open("readme.txt").read())
print(first[0] == os.stat("x.bsp").st_ino, first[1] == os.stat(base + "/maps/x.bsp").st_ino)
`;
    const launcher = new URL("../../pakfs", import.meta.url).pathname;
    const { code, stdout, stderr } = await run("python3", [
      ...["-c", script, `${here.mountPoint}/game/baseq3`, `${here.path}/game/baseq3`],
      ...[launcher, "refresh", "-q"],
    ], { environment: here.environment });
    assertEquals([code, stderr], [0, ""]);
    assertEquals(stdout.trim().split("\n"), [
      "['readme.txt', 'x.bsp'] ['maps'] False",
      "in the pack in the pack other maps/x.bsp other Maps/readme.txt",
      "True False",
    ]);
  },
);
