/**
 * Compares answers to every question about random games of each engine family with recorded ones, and answers after a
 * refresh with those of a new index.
 */
// deno-lint-ignore-file no-await-in-loop -- one game after the other
import { assertEquals } from "@std/assert";
import type { Connection } from "../../protocol/connection.ts";
import type { ParamsOf } from "../../protocol/methods.ts";
import { openLocalGames } from "../../service/local.ts";
import { type Files, installation, writeFiles } from "../index/fixtures.ts";
import { type AskedMethod, type AskedRequest, askWhole, comparable } from "../support/asked.ts";
import { numbersFrom, type Random } from "../support/chance.ts";
import { compareValues } from "../support/outcomes.ts";
import { type RichEngine, richEngines, type RichGame, richGame } from "./rich_games.ts";

/** Number of games of each engine. */
const games = 2;
/** Fixed instead of the run's seed: recorded results belong to these games. */
const start = 20_261_123;

/** File names of the packs. */
function packsOf(files: Files): string[] {
  const names = Object.keys(files).map((path) => path.split("/")[2] ?? "");
  return Array.from(new Set(names.filter((name) => /\.(pak|pk3|pk4)$/.test(name)))).sort();
}

/** Requests of every question, about some of the game's files, views and packs. */
function requestsOf(
  { qpaths }: RichGame,
  { profile, family: { base } }: RichEngine,
  packs: readonly string[],
  random: Random,
) {
  const one = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const some = (count: number) => Array.from({ length: count }, () => one(qpaths));
  const other = profile === "ftequake" ? "quake" : one(["generic", "quake2", "darkplaces", "ioquake3"]);
  const plain = `g/${base}`;
  const mod = "g/mod";
  const view = () =>
    one([mod, mod, plain, `${mod}:inactive=${random(4)}`, `${plain}:map=zz`, `${mod}:profile=${other}`]);
  const source = () => one([...packs, base, "mod"]);
  const oddView = () => {
    const name = one([
      "g",
      "mod",
      base,
      `g/mod+${base}`,
      `g/${base}+mod`,
      "",
      "h",
      "none",
      "MOD",
      mod,
      mod,
      `${mod}+mod`,
    ]);
    const settings = [
      ...["pure", `pure=${source()},${source()}`, "pure=~AAAA", "pure=~!!", "map=maps/m0.bsp", "map=", "inactive=3"],
      ...[
        "inactive=1",
        `with=${source()}`,
        `bases=mod,${base}`,
        "bases=none",
        "profile=none",
        `profile=${other}`,
        "x",
        "=",
      ],
      ...["pure=pak0%2Epk3 -1 4294967295", "with=none", "map=zz", "pure=", "inactive=2"],
    ];
    return [name, ...settings.filter(() => random(9) === 0)].join(":");
  };
  const compare = () => random(2) === 0;
  const questions: { readonly [M in AskedMethod]: readonly ParamsOf<M>[] } = {
    views: [one([{}, { game: "g" }, { game: "h" }])],
    games: [{}],
    names: [{}],
    packs: [one([{}, { view: mod }, { fullyShadowed: true }]), { view: `h/${base}` }],
    path: [{ view: view() }, ...Array.from({ length: 14 }, () => ({ view: oddView() }))],
    pure: [{ view: mod, ...random(2) ? { list: [source(), source()] } : {} }],
    limits: [{ view: mod }],
    registered: [{ view: view() }],
    checksum: [{ view: mod, pack: one(packs), feed: random(3) }],
    ls: [{ view: view(), path: one(["", "maps", "textures", "scripts", "models"]) }],
    usage: [{ view: view(), depth: random(3) }],
    find: [
      { view: view(), patterns: [one(["*", "*.tga", "maps/*", "**/*0*", "[a-m]*", "*.{wav,ogg}"])] },
      { view: mod, patterns: ["*"], ...one([{ minSize: 2 }, { maxSize: 2 }, { source: source() }]) },
    ],
    qpaths: [{ view: mod, patterns: [one(["*", "textures/*", "*.md3"])] }],
    shadowed: [{ view: view(), compare: compare() }],
    conflicts: [{ view: mod, compare: compare(), ...random(2) ? { source: source() } : {} }],
    overrides: [{ view: mod, source: source(), by: compare() }],
    unique: [{ view: view(), source: source() }],
    diff: [{ from: plain, to: view(), compare: compare() }],
    diffstat: [{ from: view(), to: mod }],
    missing: [{ view: mod }, { view: view(), source: source() }],
    shaders: [{ view: view() }],
    shader: [
      { view: view(), name: one(["textures/a", "textures/b", "models/skin", "sky/day", "textures/img0"]) },
      { view: mod, name: one(["Textures/A", "textures/img1.tga", "maps/none", "models/other", "sky/day"]) },
    ],
    needs: [
      { view: mod, files: ["m0"] },
      { view: plain, files: ["m1", "m0"], missing: true },
      { view: view(), files: [one(["m1", ...some(1), "models", source(), "textures/a", "imp", "hum"])] },
      { view: mod, files: ["m0"], own: true },
      { view: mod, files: ["m0"], without: plain },
    ],
    which: some(4).map((qpath) => ({ view: view(), qpath, engines: true })),
    stat: some(4).map((qpath) => ({ view: view(), qpath })),
    // tests/service/hash_test.ts and grep_test.ts compare these with other programs.
    hash: [],
    grep: [],
    duplicates: [],
    users: [...some(2), "textures/a", "textures/b", "coat", "hum", "imp"].map((name) => ({ view: mod, name })),
    unused: [{ view: mod }, { view: mod, maps: ["m0"] }],
    undecided: [{ view: mod }],
    unfollowed: [{ view: mod }],
    providers: [],
  };
  return (Object.keys(questions) as AskedMethod[]).flatMap((method) =>
    questions[method].map((params): AskedRequest => ({ method, params }))
  );
}

async function answersTo(connection: Connection, requests: readonly AskedRequest[], root: string): Promise<string[]> {
  const answers: string[] = [];
  for (const request of requests) answers.push(comparable(await askWhole(connection, request), root));
  return answers;
}

/** Removes some files, and writes some of another game. */
async function changeSome(root: string, files: Files, others: Files, random: Random): Promise<void> {
  for (const path of Object.keys(files)) {
    if (random(6) === 0 && !path.endsWith("/there.cfg")) await Deno.remove(`${root}/${path}`);
  }
  const added = Object.entries(others).filter(() => random(4) === 0);
  await writeFiles(root, Object.fromEntries(added));
}

for (const engine of richEngines) {
  const { profile, family } = engine;
  const title = typeof profile === "string" ? profile : profile.name;
  Deno.test(`random games of ${title} answer as they did, and after changes as a new index`, async () => {
    const values: unknown[] = [];
    const random = numbersFrom(start + richEngines.indexOf(engine));
    for (let number = 0; number < games; number++) {
      const game = richGame(engine, random);
      const next = richGame(engine, random);
      await using root = await installation({ ...game.files, "upper/": "", "lower/": "" });
      const sources = ["upper", "lower"].map((name) => `${root.path}/${name}`);
      const lower = sources.slice(1);
      const options = [
        { name: "h", profile: "generic", base: "mod", sources: lower },
        { name: "g", profile, base: family.base, sources },
      ];
      const requests = requestsOf(game, engine, packsOf(game.files), random);
      await using connection = await openLocalGames(options);
      values.push(...await answersTo(connection, requests, root.path));
      await changeSome(root.path, game.files, next.files, random);
      await connection.call("refresh", {});
      await using fresh = await openLocalGames(options);
      const refreshed = await answersTo(connection, requests, root.path);
      assertEquals(refreshed, await answersTo(fresh, requests, root.path), `game ${number}`);
    }
    await compareValues(new URL("./outcomes.txt", import.meta.url), title, values);
  });
}
