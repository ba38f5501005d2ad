/**
 * Real engines against the index: random installations in which every file is a script that prints which file it is.
 * The engine runs each script by name; our winner must be the one that answered.
 *
 * `PAKFS_ORACLE_TREES` asks for more trees, `PAKFS_ORACLE_SEED` for those of an earlier run.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Catalog } from "../../index/catalog.ts";
import { none } from "../../index/columns.ts";
import { whichCandidates } from "../../index/which.ts";
import { debianPackage } from "../support/debian_data.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { scan, writeFiles } from "./fixtures.ts";
import { type RandomTree, randomTree, scriptNumber, type TreeKind } from "./oracle/trees.ts";

const treeCount = Number(Deno.env.get("PAKFS_ORACLE_TREES") ?? 8);
const seed = Number(Deno.env.get("PAKFS_ORACLE_SEED") ?? Date.now() % 1_000_000_000);

/** How to have an engine run a script that it finds in the highest directory. */
interface Engine {
  readonly profile: string;
  readonly kind: TreeKind;
  /** Files that the engine needs to start; `driver` is the script. */
  files(driver: string, tree: RandomTree): Record<string, string>;
  /** Program and arguments that run the script and quit. */
  command(root: string, tree: RandomTree): Promise<EngineCommand>;
}

interface EngineCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Directories of libraries that are not installed. */
  readonly libraries?: readonly string[];
}

const ioquake3: Engine = {
  profile: "ioquake3",
  kind: {
    roots: ["home", "base"],
    base: "tbase",
    mods: ["tmid", "tmod"],
    packNames: ["pak0", "pak1", "pak2", "pak10", "PAK3", "zz", "zzz", "zz_u", "Abc", "map-x"],
    packEndings: [".pk3", ".pk3", ".pk3", ".pk3", ".PK3", ".zip", ".pk3x"],
    packCharacters: "_- .~^!#09aAzZé[x",
    packDirectory: ".pk3dir",
    mostPacks: 6,
    duplicates: true,
    backslashes: true,
  },
  files: (driver) => ({ "base/tbase/default.cfg": "echo started\n", "home/tbase/driver.cfg": driver }),
  command: async (root, { mods }) => {
    const [mod = "", middle = "tbase"] = mods.toReversed();
    const settings = {
      fs_basepath: `${root}/base`,
      fs_homepath: `${root}/home`,
      com_standalone: "1",
      com_basegame: "tbase",
      fs_basegame: middle,
      fs_game: mod,
      dedicated: "1",
      net_enabled: "0",
    };
    const engine = await debianPackage("ioquake3-server");
    const args = Object.entries(settings).flatMap(([name, value]) => ["+set", name, value]);
    return { program: `${engine}/usr/lib/ioquake3/ioq3ded`, args: [...args, "+exec", "driver.cfg"] };
  },
};

const darkplaces: Engine = {
  profile: "darkplaces",
  kind: {
    roots: ["home", "base"],
    base: "id1",
    mods: ["tmid", "tmod"],
    packNames: ["pak0", "pak1", "pak2", "pak10", "PAK3", "zz", "zzz", "zz_u", "Abc", "map-x"],
    packEndings: [".pak", ".pak", ".PAK", ".pk3", ".pk3", ".Pk3", ".obb", ".zip", ".pk4"],
    packCharacters: "_- .~^!#09aAzZé[x",
    packDirectory: ".pk3dir",
    mostPacks: 6,
    // Debian's version is older than .dpk. Which of several equal names a binary search meets first depends on all other names of the pack.
    duplicates: false,
    backslashes: false,
  },
  files: (driver) => ({ "base/id1/default.cfg": "echo started\n", "home/id1/driver.cfg": driver }),
  command: async (root, { mods }) => {
    const packages = ["darkplaces-server", "libode8", "libccd2", "libjpeg62-turbo", "libpng16-16", "libfreetype6"];
    const [engine, ...libraries] = await Promise.all(packages.map(debianPackage));
    const games = mods.flatMap((mod) => ["-game", mod]);
    return {
      program: `${engine}/usr/games/darkplaces-server`,
      args: ["-basedir", `${root}/base`, "-userdir", `${root}/home`, ...games, "+exec", "driver.cfg"],
      libraries: libraries.map((library) => `${library}/usr/lib/x86_64-linux-gnu`),
    };
  },
};

/**
 * Which file answered each spelling that the engine ran, by its number; null where a question ran nothing. DarkPlaces
 * takes what is asked for as a pattern, whatever the case, and runs each spelling that it finds.
 */
function answersIn(output: string, questions: readonly string[]): Map<string, number | null> {
  const parts = output.split(/^question \d+ ?$/m).slice(1);
  assertEquals(parts.length, questions.length, output);
  const answers = new Map<string, number | null>();
  for (const [place, part] of parts.entries()) {
    const runs = Array.from(part.matchAll(/^execing (.+?) ?\n+answer (\d+) ?$/gm));
    assertEquals(runs.length, part.match(/^execing /gm)?.length ?? 0, part);
    if (runs.length === 0) answers.set(questions[place] ?? "", null);
    for (const [, spelling = "", number] of runs) answers.set(spelling, Number(number));
  }
  return answers;
}

async function askEngine(engine: Engine, root: string, tree: RandomTree): Promise<Map<string, number | null>> {
  const { program, args, libraries = [] } = await engine.command(root, tree);
  const env = { HOME: `${root}/home`, LC_ALL: "C", LD_LIBRARY_PATH: libraries.join(":") };
  const command = new Deno.Command(program, { args: [...args], cwd: root, env, stdin: "null" });
  const { stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return answersIn(`${decoder.decode(stdout)}\n${decoder.decode(stderr)}`, tree.questions);
}

/** Compares one tree; returns how many questions were answered by a file. */
function compare(
  catalog: Catalog,
  tree: RandomTree,
  base: string,
  answers: ReadonlyMap<string, number | null>,
  what: string,
): number {
  const present = new Set(catalog.games.flatMap((game) => game.gameDirectories.map((directory) => directory.name)));
  const view = catalog.view(`game/${[base, ...tree.mods.filter((mod) => present.has(mod))].join("+")}`);
  const { entrySizes } = view.snapshot.columns;
  for (const [question, answer] of answers) {
    const rows = whichCandidates(view, question);
    const [winner] = rows.filter((row) => row.usable);
    const said = rows.map((row) => `${row.size - 24} ${row.source} ${row.member}: ${row.reason ?? row.because ?? ""}`);
    const about = `${what}, ${view.name}: ${question}\n${said.join("\n")}`;
    assertEquals(winner ? scriptNumber(winner.size) : null, answer, about);
    const node = view.tree.find(question);
    if (answer !== null) assertNotEquals(node, none, `${about}\nis not in the tree`);
    // Under the spelling that the tree shows, it holds what the engine loads.
    if (node === none || view.tree.pathOf(node) !== question || answer === null) continue;
    assertEquals(scriptNumber(entrySizes[view.tree.entries[node] ?? none] ?? 0), answer, `${about}\nin the tree`);
  }
  return Array.from(answers.values()).filter((answer) => answer !== null).length;
}

async function compareTree(engine: Engine, treeSeed: number): Promise<number> {
  await using directory = await temporaryDirectory();
  const tree = randomTree(engine.kind, treeSeed);
  const driver = tree.questions.map((question, place) => `echo question ${place}\nexec "${question}"\n`).join("");
  await writeFiles(directory.path, { ...tree.files, ...engine.files(`${driver}quit\n`, tree) });
  const sources = engine.kind.roots;
  const catalog = scan(directory.path, { profile: engine.profile, name: "game", base: engine.kind.base, sources });
  const answers = await askEngine(engine, directory.path, tree);
  return compare(catalog, tree, engine.kind.base, answers, `PAKFS_ORACLE_SEED=${treeSeed} PAKFS_ORACLE_TREES=1`);
}

/** Whether all libraries that an engine was linked with are there: some come with other packages of the system. */
async function canRun(engine: Engine): Promise<boolean> {
  const { program, libraries = [] } = await engine.command("/", { files: {}, mods: [], questions: [] });
  const env = { LC_ALL: "C", LD_LIBRARY_PATH: libraries.join(":") };
  const { stdout } = await new Deno.Command("ldd", { args: [program], env }).output();
  return !new TextDecoder().decode(stdout).includes("not found");
}

const engines = [ioquake3, ...await canRun(darkplaces) ? [darkplaces] : []];
for (const engine of engines) {
  Deno.test(`${engine.profile}: the real engine loads what we say on ${treeCount} trees from seed ${seed}`, async () => {
    let answered = 0;
    for (let place = 0; place < treeCount; place++) {
      // deno-lint-ignore no-await-in-loop -- one engine at a time
      answered += await compareTree(engine, seed + place);
    }
    assert(answered > 0, "no question was answered by any file");
  });
}
