/**
 * Requests that differ in one parameter only: cached results of one must never answer another, in any order, nor
 * outlive a refresh.
 */
// deno-lint-ignore-file no-await-in-loop -- the order of requests is what is tested
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { PagedMethod, PageParameters, ParamsOf } from "../../protocol/methods.ts";
import { openLocalGames } from "../../service/local.ts";
import { pak, text, wad, zip } from "../formats/bytes.ts";
import { hashedPack } from "../formats/hashed.ts";
import { type Files, installation, nextTimeStamp, pakOf, writeFiles, zipOf } from "../index/fixtures.ts";
import { type AskedMethod as Asked, type AskedRequest, askWhole, comparable } from "../support/asked.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { compareValues } from "../support/outcomes.ts";

/** Parameters of a question, except those of its pages, which are tested separately. */
type ParameterOf<M extends Asked> = M extends PagedMethod ? Exclude<keyof ParamsOf<M>, keyof PageParameters>
  : keyof ParamsOf<M>;

/** A request, and other values of each parameter; a missing question or parameter is a compile error. */
type Table = {
  readonly [M in Asked]: {
    readonly plain: ParamsOf<M>;
    readonly others: { readonly [Key in ParameterOf<M>]-?: readonly Required<ParamsOf<M>>[Key & keyof ParamsOf<M>][] };
  };
};

const q3 = "q3/baseq3";
const views = ["q3/mod", "q3/baseq3:inactive=2", "q3/baseq3:map=one", "q3/baseq3:profile=ioquake3", "quake/id1"];
const filters = [{ minSize: 3 }, { maxSize: 2 }, { extensions: ["cfg"] }, { source: "pak1.pk3" }];

const table: Table = {
  checksum: { plain: { view: q3, pack: "pak0.pk3" }, others: { view: ["q3/mod"], pack: ["pak1.pk3"], feed: [1, 2] } },
  conflicts: { plain: { view: q3 }, others: { view: views, source: ["one.pk3"], compare: [true] } },
  overrides: {
    plain: { view: q3, source: "pak1.pk3" },
    others: { view: ["q3/mod"], source: ["pak0.pk3"], by: [true], compare: [true] },
  },
  unique: {
    plain: { view: q3, source: "pak0.pk3" },
    others: { view: ["q3/mod"], source: ["pak1.pk3"], fields: [["size"]] },
  },
  diff: {
    plain: { from: "q3/mod", to: "q3/other" },
    others: { from: ["q3/mod:inactive=2", q3], to: [q3, "q3/mod"], compare: [true], renames: [true] },
  },
  diffstat: {
    plain: { from: "q3/mod", to: q3 },
    others: { from: ["q3/other"], to: ["q3/other", "q3/baseq3:inactive=2"], compare: [true] },
  },
  ls: { plain: { view: q3 }, others: { view: views, path: ["textures"], fields: [["size"]] } },
  stat: { plain: { view: q3, qpath: "a.cfg" }, others: { view: ["q3/mod", "quake/id1"], qpath: ["b.cfg"] } },
  find: {
    plain: { view: q3, patterns: ["*"] },
    others: { view: views, patterns: [["*.cfg"], ["textures/*"]], filters, fields: [["size"]] },
  },
  qpaths: { plain: { view: q3, patterns: ["*"] }, others: { view: ["q3/mod"], patterns: [["*.cfg"]], filters } },
  duplicates: { plain: {}, others: { view: ["q3/mod", "quake/id1"], packs: [true], minSize: [3] } },
  grep: {
    plain: { view: q3, expression: "a" },
    others: {
      view: ["q3/mod"],
      expression: ["b"],
      ignoreCase: [true],
      first: [true],
      patterns: [["*.cfg"]],
      filters: [{ minSize: 6 }, { extensions: ["cfg"] }, { source: "pak1.pk3" }],
    },
  },
  hash: {
    plain: { view: q3, patterns: ["*"] },
    others: {
      view: ["q3/mod"],
      patterns: [["*.cfg"], ["pak0.pk3"]],
      filters,
      losers: [true],
      equal: ["00000000"],
      everything: [true],
    },
  },
  games: { plain: {}, others: {} },
  views: { plain: {}, others: { game: ["q3", "quake"] } },
  limits: { plain: { view: "quake/id1" }, others: { view: ["quake/data", q3] } },
  names: { plain: {}, others: { view: ["quake/id1"], pack: ["a.pack", "b.pack"] } },
  needs: {
    plain: { view: q3, files: ["wall"] },
    others: {
      view: ["q3/mod"],
      files: [["floor"], ["floor", "wall"]],
      missing: [true],
      own: [true],
      without: ["q3/mod"],
    },
  },
  users: {
    plain: { view: q3, name: "textures/wall.tga" },
    others: { view: ["q3/mod"], name: ["textures/floor.tga", "textures/none.tga"] },
  },
  missing: { plain: { view: q3 }, others: { view: ["q3/mod"], source: ["pak0.pk3"] } },
  packs: { plain: {}, others: { view: [q3, "quake/id1"], checksum: [1], fullyShadowed: [true] } },
  pure: { plain: { view: q3 }, others: { view: ["q3/mod"], list: [["pak0.pk3"], ["pak1.pk3", "pak0.pk3"]] } },
  registered: { plain: { view: "quake/id1" }, others: { view: ["quake/data", q3] } },
  path: { plain: { view: q3 }, others: { view: views } },
  shader: { plain: { view: q3, name: "wall" }, others: { view: ["q3/mod"], name: ["floor"] } },
  shaders: { plain: { view: q3 }, others: { view: ["q3/mod"], pattern: ["f*"] } },
  shadowed: {
    plain: { view: q3 },
    others: { view: ["q3/mod"], patterns: [["*.cfg"]], filters, compare: [true] },
  },
  providers: {
    plain: { view: q3, files: ["floor"], library: ["ROOT/library/none.pk3"] },
    others: { view: ["q3/mod"], files: [["wall"]], library: [["ROOT/library/other.pk3"]] },
  },
  unused: { plain: { view: q3 }, others: { view: ["q3/mod"], maps: [["wall"]], source: ["pak0.pk3", "pak1.pk3"] } },
  undecided: { plain: { view: q3 }, others: { view: ["q3/mod"], maps: [["wall"]], source: ["pak0.pk3", "pak1.pk3"] } },
  unfollowed: { plain: { view: q3 }, others: { view: ["doom/doom2"], files: [["a.cfg"]] } },
  usage: { plain: { view: q3 }, others: { view: views, path: ["textures"], depth: [0, 2] } },
  which: {
    plain: { view: q3, qpath: "a.cfg" },
    others: { view: ["q3/mod", "q3/baseq3:inactive=2", "quake/id1"], qpath: ["b.cfg", "A.cfg"], engines: [true] },
  },
};

const shader = (name: string, image: string) => `${name}\n{\n{\nmap textures/${image}.tga\n}\n}\n`;

const files: Files = {
  "q3/baseq3/pak0.pk3": zip([
    { name: "a.cfg", content: "aa" },
    { name: "b.cfg", content: "bbb" },
    { name: "scripts/a.shader", content: shader("wall", "wall") + shader("floor", "none") },
    { name: "textures/wall.tga", content: "wall" },
    { name: "textures/floor.tga", content: "floor" },
  ]),
  "q3/baseq3/pak1.pk3": zip([
    { name: "a.cfg", content: "AA" },
    { name: "b.cfg", content: "bbb" },
    { name: "same.cfg", content: "same" },
    { name: "scripts/b.shader", content: shader("roof", "roof") },
    { name: "textures/wall.tga", content: "WALL" },
  ]),
  "q3/baseq3/one.pk3": zip([{ name: "maps/one.bsp", content: "one" }, { name: "a.cfg", content: "of map" }]),
  "q3/baseq3/all.pk3": zip([{ name: "b.cfg", content: "bbb" }]),
  // Only comparing bytes shows that it equals another file.
  "q3/baseq3/aa.pk3dir/same.cfg": "same",
  "q3/baseq3/loose.cfg": "l",
  "q3/mod/pak0.pk3": zip([
    { name: "a.cfg", content: "mod" },
    { name: "loose.cfg", content: "l" },
    { name: "mod.cfg", content: "m" },
    { name: "scripts/a.shader", content: shader("wall", "floor") + shader("floor", "floor") },
    { name: "textures/wall.tga", content: "WALL" },
  ]),
  "q3/baseq3/textures/deep/roof.tga": "roof",
  // The first file has the bytes of a file of the other mod.
  "q3/other/pak0.pk3": zip([{ name: "other.cfg", content: "m" }, { name: "a.cfg", content: "a.cfg" }]),
  "quake/id1/pak0.pak": pakOf("a.cfg", "gfx/pop.lmp"),
  "quake/id1/b.cfg": "b",
  "doom/doom2.wad": wad([["MAP01", ""], ["DEHACKED", "Thing 1"]], "IWAD"),
  "library/none.pk3": zipOf("textures/none.tga"),
  "library/other.pk3": zipOf("other.cfg"),
  "quake/data/pak0.pak": pak([["a.cfg", "data"]]),
  "hashed/a.pack": hashedPack([{ hash: 1, data: text("a") }]),
  "hashed/b.pack": hashedPack([{ hash: 2, data: text("b") }]),
};

const changed: Files = {
  "q3/baseq3/pak1.pk3": zip([
    { name: "a.cfg", content: "changed" },
    { name: "scripts/b.shader", content: shader("wall", "floor") },
  ]),
  "q3/mod/loose.cfg": "new",
  "quake/id1/b.cfg": "longer",
};

/** The requests of a question: the plain one, then those that differ from it in one parameter; `ROOT` is a directory. */
function requestsOf(method: Asked, root: string): AskedRequest[] {
  const { plain, others }: Table[Asked] = JSON.parse(JSON.stringify(table[method]).replaceAll("ROOT", root));
  const changes = Object.entries<readonly unknown[]>(others).flatMap(([key, values]) =>
    values.map((value) => ({ ...plain, [key]: value }))
  );
  return [plain, ...changes].map((params) => ({ method, params }));
}

Deno.test("answers to requests that differ in one parameter differ, in any order and after a refresh", async () => {
  await using root = await installation(files);
  const games = [
    { sources: [`${root.path}/q3`], profile: "chomenor", name: "q3" },
    { sources: [`${root.path}/quake`], profile: "quakespasm", name: "quake" },
    { sources: [`${root.path}/hashed`], profile: "hashed", name: "hashed" },
    { sources: [`${root.path}/doom/doom2.wad`], profile: "gzdoom", name: "doom" },
  ];
  const questions = (Object.keys(table) as Asked[]).map((method) => requestsOf(method, root.path));
  const requests = questions.flat();
  /** Expected answers come from an index without earlier requests. */
  const alone = async () => {
    const answers: string[] = [];
    for (const request of requests) {
      await using connection = await openLocalGames(games);
      answers.push(await askWhole(connection, request));
    }
    return answers;
  };
  const expected = await alone();
  for (const [plain, ...others] of questions) {
    assert(plain);
    const answer = expected[requests.indexOf(plain)];
    assert(!answer?.includes("Error"), `${JSON.stringify(plain)}: ${answer}`);
    for (const other of others) {
      assertNotEquals(expected[requests.indexOf(other)], answer, `${JSON.stringify(other)} as without the change`);
    }
  }
  const list = new URL("./outcomes.txt", import.meta.url);
  for (const question of questions) {
    const answers = question.map((request) => expected[requests.indexOf(request)] ?? "");
    const plain = answers.map((answer) => comparable(answer, root.path));
    await compareValues(list, question[0]?.method ?? "", plain);
  }
  await using connection = await openLocalGames(games);
  const chance = numbersFrom(seed);
  const askAll = async (answers: readonly string[], count: number) => {
    for (let step = 0; step < count; step++) {
      const question = questions[chance(questions.length)] ?? [];
      // A cache of the last answer only shows when two requests of one question follow each other.
      for (let again = 0; again < 3; again++) {
        const request = question[chance(question.length)];
        assert(request);
        const wanted = answers[requests.indexOf(request)];
        assertEquals(await askWhole(connection, request), wanted, `${JSON.stringify(request)}, PAKFS_SEED=${seed}`);
      }
    }
  };
  await askAll(expected, 200);
  await nextTimeStamp();
  await writeFiles(root.path, changed);
  await connection.call("refresh", {});
  const refreshed = await alone();
  assert(refreshed.filter((answer, index) => answer !== expected[index]).length > requests.length / 2);
  await askAll(refreshed, 200);
});
