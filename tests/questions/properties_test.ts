import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { none } from "../../index/columns/columns.ts";
import { type ConflictRole, findConflicts, uniqueFiles } from "../../questions/conflicts.ts";
import { Contest } from "../../questions/contest.ts";
import { difference, diffRow, diffSummary } from "../../questions/diff.ts";
import { sameByListing } from "../../questions/same_bytes.ts";
import { shadowedFiles } from "../../questions/shadowed.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { installation } from "../index/fixtures.ts";
import { numbered } from "../../questions/question.ts";
import { winsOf } from "../../questions/source_counts.ts";
import {
  catalogOf,
  directories,
  type ModelHolder,
  type ModelPath,
  modelView,
  modelWinner,
  type RandomFile,
  type RandomGame,
  randomGame,
} from "./random_game.ts";

const stacks = [["base"], ["mod", "base"], ["other", "base"], ["other", "mod", "base"], ["mod", "other", "base"]];
const stack = fc.constantFrom(...stacks);
const sourceSet = fc.subarray([0, 1, 2, 3, 4, 5]).map((numbers) => new Set(numbers));

function viewOf(game: RandomGame, directories: readonly string[]) {
  return catalogOf(game).view(`game/${directories.slice(0, -1).toReversed().join("+") || "base"}`);
}

const entriesOf = (holders: readonly ModelHolder[]) => holders.map((holder) => holder.entry);

function check(property: Parameters<typeof fc.assert>[0]): void {
  fc.assert(property, { numRuns: 300 });
}

Deno.test("the generated games have what the questions are about", () => {
  const games = fc.sample(randomGame, { numRuns: 400, seed: 1 });
  const views = games.map((game) => [...modelView(game, ["mod", "base"]).values()]);
  const some = (test: (path: ModelPath) => boolean) => views.filter((paths) => paths.some(test)).length;
  assert(some((path) => path.sound.length > 2) > 10);
  assert(some((path) => new Set(path.sound.map((holder) => holder.source)).size < path.sound.length) > 10);
  assert(some((path) => path.sound.length === 0) > 10);
  assertEquals(directories.length, 3);
});

Deno.test("shadowed lists every sound file of the view that is not the first of its path, from any position", () => {
  check(fc.property(randomGame, stack, fc.nat({ max: 6 }), (game, directories, skipped) => {
    const contest = new Contest(viewOf(game, directories));
    const expected = [...modelView(game, directories).values()]
      .flatMap(({ sound }) => sound.slice(1).map((loser) => `${sound[0]?.entry} over ${loser.entry}`));
    const found = [...shadowedFiles(contest, [], {}, { at: 0, part: 0 })].filter((item) => item !== undefined);
    assertEquals(found.map(({ winner, loser }) => `${winner} over ${loser}`).sort(), expected.sort());
    const { tree } = contest.view;
    assertEquals(
      found.length,
      Array.from(tree.entries.subarray(0, tree.length), (entry, node) => ({ entry, node })).filter(({ entry }) =>
        entry !== none
      )
        .reduce((sum, { entry, node }) => sum + contest.view.losersTo(entry, tree.askedPathOf(node)).length, 0),
    );
    const last = found[skipped];
    if (!last) return;
    const rest = [...shadowedFiles(contest, [], {}, { at: last.node, part: last.index + 1 })];
    assertEquals(rest.filter((item) => item !== undefined), found.slice(skipped + 1));
  }));
});

Deno.test("conflicts are the paths that more than one source has, best first", () => {
  check(fc.property(randomGame, stack, (game, directories) => {
    const contest = new Contest(viewOf(game, directories));
    const expected = [...modelView(game, directories).values()]
      .filter(({ sound }) => new Set(sound.map((holder) => holder.source)).size > 1)
      .map(({ sound }) => entriesOf(sound));
    const found = [...findConflicts(contest, 0)].filter((item) => item !== undefined);
    assertEquals(sorted(found.map(({ winner, losers }) => [winner, ...losers])), sorted(expected));
  }));
});

Deno.test("conflicts of some sources: where they take part, win, lose", () => {
  check(fc.property(randomGame, stack, sourceSet, (game, directories, sources) => {
    const contest = new Contest(viewOf(game, directories));
    const paths = [...modelView(game, directories).values()].map(({ sound }) => sound)
      .filter((sound) => new Set(sound.map((holder) => holder.source)).size > 1);
    const isTheirs = (holder: ModelHolder | undefined) => holder !== undefined && sources.has(holder.source);
    const expected: Record<ConflictRole, number[][]> = {
      any: paths.filter((sound) => sound.some(isTheirs)).map(entriesOf),
      wins: paths.filter((sound) => isTheirs(sound[0]) && !sound.every(isTheirs))
        .map(([winner, ...losers]) =>
          entriesOf([winner, ...losers.filter((loser) => !isTheirs(loser))].filter(isHolder))
        ),
      loses: paths.filter((sound) => !isTheirs(sound[0]) && sound.some(isTheirs))
        .map(([winner, ...losers]) => entriesOf([winner, ...losers.filter(isTheirs)].filter(isHolder))),
    };
    for (const role of ["any", "wins", "loses"] as const) {
      const found = [...findConflicts(contest, 0, sources, role)].filter((item) => item !== undefined);
      assertEquals(sorted(found.map(({ winner, losers }) => [winner, ...losers])), sorted(expected[role]), role);
    }
  }));
});

Deno.test("unique files are those whose path no other source has a sound file of", () => {
  check(fc.property(randomGame, stack, sourceSet, (game, directories, sources) => {
    const contest = new Contest(viewOf(game, directories));
    const expected = [...modelView(game, directories).values()].flatMap((path) => {
      const winner = modelWinner(path);
      const isUnique = winner && sources.has(winner.source) && path.sound.every((one) => sources.has(one.source));
      return isUnique ? [winner.entry] : [];
    });
    const found = [...uniqueFiles(contest, 0, sources)].map((node) => contest.winnerOf(node));
    assertEquals(found.sort(), expected.sort());
  }));
});

Deno.test("each source wins as often as it is first", () => {
  check(fc.property(randomGame, stack, (game, directories) => {
    const expected = game.sources.map(() => 0);
    for (const path of modelView(game, directories).values()) {
      const winner = modelWinner(path);
      if (winner) expected[winner.source] = (expected[winner.source] ?? 0) + 1;
    }
    assertEquals(Array.from(winsOf(viewOf(game, directories))), expected);
  }));
});

Deno.test("two views differ where their winners do", async () => {
  await fc.assert(
    fc.asyncProperty(randomGame, stack, stack, async (game, one, two) => {
      const catalog = catalogOf(game);
      const [from, to] = [one, two].map((directories) =>
        catalog.view(`game/${directories.slice(0, -1).toReversed().join("+") || "base"}`)
      );
      assert(from && to);
      const before = modelView(game, one);
      const after = modelView(game, two);
      // A file gets another name where a directory has its own, which may be so in one view only.
      if (hasClash(game)) return;
      const expected = new Set(before.keys()).union(new Set(after.keys())).values().toArray().flatMap((key) => {
        const left = modelWinner(before.get(key));
        const right = modelWinner(after.get(key));
        if (left?.entry === right?.entry) return [];
        const change = left === undefined ? "added" : right === undefined ? "removed" : "replaced";
        return [{ key, change, identical: left && right ? sameFiles(left.file, right.file) : null }];
      });
      const found = difference(from, to);
      const compare = (a: number, b: number) => sameByListing(catalog.snapshot, a, b);
      const rows = await Promise.all(Array.from(found.before, (_, index) => diffRow(found, index, compare)));
      const keyOf = (path: string) =>
        game.profile.ignoreCase ? path.replace(/[A-Z]/g, (one) => one.toLowerCase()) : path;
      assertEquals(
        rows.map(({ qpath, change, identical }) => `${keyOf(qpath)} ${change} ${identical}`).sort(),
        expected.map(({ key, change, identical }) => `${key} ${change} ${identical}`).sort(),
      );
      const count = (test: (row: typeof expected[number]) => boolean) => expected.filter(test).length;
      assertEquals(await diffSummary(found, compare, () => Promise.resolve()), {
        from: from.name,
        to: to.name,
        added: count(({ change }) => change === "added"),
        removed: count(({ change }) => change === "removed"),
        replaced: count(({ change }) => change === "replaced"),
        identical: count(({ identical }) => identical === true),
        different: count(({ identical }) => identical === false),
        unknown: count(({ change, identical }) => change === "replaced" && identical === null),
        unchanged: before.size - count(({ change }) => change !== "added"),
      });
    }),
    { numRuns: 300 },
  );
});

Deno.test("names in another case are one in a difference only where neither engine distinguishes them", async () => {
  await using root = await installation({ "one/base/A.txt": "a", "two/base/a.txt": "a" });
  for (const [one, two] of [["ioquake3", "quakespasm"], ["quakespasm", "ioquake3"], ["ioquake3", "ioquake3"]]) {
    const catalog = scanCatalog([["one", one], ["two", two]].map(([name = "", profile = ""]) => ({
      sources: [`${root.path}/${name}`],
      name,
      profile,
      base: "base",
    })));
    const found = difference(catalog.view("one"), catalog.view("two"));
    const paths = Array.from(found.before, (_, index) => found.pathOf(index)).sort();
    assertEquals(paths, one === two ? ["a.txt"] : ["A.txt", "a.txt"], `${one} and ${two}`);
  }
});

function isHolder(holder: ModelHolder | undefined): holder is ModelHolder {
  return holder !== undefined;
}

function sorted(lists: readonly (readonly number[])[]): string[] {
  return lists.map((list) => list.join(" ")).sort();
}

function sameFiles(a: RandomFile, b: RandomFile): boolean | null {
  if (a.size !== b.size) return false;
  if (a.size === 0) return true;
  return a.crc === null || b.crc === null ? null : a.crc === b.crc;
}

function hasClash({ sources }: RandomGame): boolean {
  const all = sources.flatMap(({ files }) => files);
  const lower = (path: string) => path.toLowerCase();
  const files = all.filter((file) => !file.isDirectory).map((file) => lower(file.path));
  const isDirectory = (path: string) =>
    all.some((file) => lower(file.path).startsWith(`${path}/`) || (file.isDirectory && lower(file.path) === path));
  return files.some(isDirectory);
}

Deno.test("numbered rows continue from any position, after the last one too, and skip with pauses", () => {
  const rows = fc.array(fc.option(fc.nat(9), { nil: undefined }), { maxLength: 12 });
  fc.assert(fc.property(rows, fc.nat(14), (items, at) => {
    const all = items.filter((item) => item !== undefined);
    const steps = Array.from(numbered(items, { at, part: 0 })).filter((step) => step !== undefined);
    const expected = all.map((row, index) => ({
      row,
      next: index + 1 < all.length ? { at: index + 1, part: 0 } : null,
    }));
    assertEquals(steps, expected.slice(at));
  }));
  const skipped = Array.from(numbered(Array.from({ length: 2001 }, (_, row) => row), { at: 2000, part: 0 }));
  assertEquals(skipped, [undefined, undefined, undefined, undefined, { row: 2000, next: null }]);
});
