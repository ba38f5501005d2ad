import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { none } from "../../index/columns/columns.ts";
import { Snapshot } from "../../index/columns/snapshot.ts";
import { Tree } from "../../views/tree.ts";
import { compareNames, fold, type ModelEntry, type ModelRule, type ModelTree, resolve } from "../index/model.ts";
import type { LooseCase } from "../../engines/core/profile.ts";
import type { TreeRule } from "../../views/tree_rule.ts";
import { SnapshotBuilder } from "../../index/columns/snapshot_builder.ts";
import { description, snapshotOf, tableOf } from "../index/snapshots.ts";

const encoder = new TextEncoder();

// A few names, to cause collisions: in one archive, across archives, in other case, as file and as directory.
const component = fc.constantFrom("a", "A", "b", "ab", "aB", "AB", "a~file", "ä", "Ä", "z_", "[", "{", "a.b", "_");
const path = fc.array(component, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const entry: fc.Arbitrary<ModelEntry> = fc.record({
  path,
  isDirectory: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  isDamaged: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  offset: fc.integer({ min: 0, max: 3 }),
});
const sources = fc.array(fc.array(entry, { maxLength: 12 }), { minLength: 1, maxLength: 5 });

interface Case {
  readonly sources: readonly (readonly ModelEntry[])[];
  readonly rule: ModelRule;
}

const cases: fc.Arbitrary<Case> = sources.chain((lists) =>
  fc.record({
    sources: fc.constant(lists),
    rule: fc.record({
      searchPath: fc.shuffledSubarray(lists.map((_, index) => index)),
      ignoreCase: fc.boolean(),
      duplicates: fc.constantFrom<"first" | "last" | "last-stored">("first", "last", "last-stored"),
      isTied: fc.array(fc.boolean(), { minLength: lists.length, maxLength: lists.length }),
      hidden: fc.subarray(lists.flatMap((list, source) => list.map((_, index) => `${source}:${index}`)))
        .map((names) => new Set(names.slice(0, 2))),
    }).map(({ isTied, ...rule }) => ({ ...rule, ties: tiesOf(rule.searchPath, isTied) })),
  })
);

/** Sources; some tie with the one before them. */
function tiesOf(searchPath: readonly number[], isTied: readonly boolean[]): Map<number, number> {
  const ties = new Map<number, number>();
  searchPath.forEach((source, index) => {
    const above = searchPath[index - 1];
    if (above !== undefined && isTied[index]) ties.set(source, ties.get(above) ?? above);
  });
  return ties;
}

/** A snapshot with one source for each file. */
function listedSnapshot(...files: readonly (readonly ["pack" | "loose", string])[]): Snapshot {
  const builder = new SnapshotBuilder();
  for (const [kind, path] of files) {
    const table = tableOf([{ path, isDirectory: false, isDamaged: false }]);
    builder.addSource(description({ kind, format: kind === "loose" ? "loose" : "zip" }), table);
  }
  return builder.finish();
}

function treeOf(snapshot: Snapshot, rule: ModelRule): Tree {
  const hidden = Array.from(rule.hidden, (name) => {
    const [source = 0, index = 0] = name.split(":").map(Number);
    return (snapshot.sources[source]?.firstEntry ?? 0) + index;
  });
  // Entries are left out one by one or by a rule, with the same result.
  const refused = new Set(hidden.slice(0, 1));
  return new Tree(snapshot, {
    ...rule,
    hidden: new Set(hidden.slice(1)),
    ...(refused.size > 0 ? { refuses: (entry: number) => refused.has(entry) } : {}),
  });
}

/** All nodes of a tree but the root, by walking it. */
function walk(tree: Tree): number[] {
  const found: number[] = [];
  for (let index = tree.following(0); index !== none; index = tree.following(index)) found.push(index);
  return found;
}

function childrenOf(tree: Tree, directory: number): number[] {
  const first = tree.firstChildren[directory] ?? 0;
  return Array.from({ length: tree.childCounts[directory] ?? 0 }, (_, index) => first + index);
}

/** Files as `path = source:entry`, with the names that clashing files have been given reduced to their own. */
function filesOf(tree: Tree, expected: ModelTree, ignoreCase: boolean): string[] {
  const keyOf = (text: string) => ignoreCase ? fold(text) : text;
  return walk(tree).filter((index) => !tree.isDirectory(index)).map((index) => {
    const entry = tree.entries[index] ?? none;
    const source = tree.snapshot.sourceOf(entry);
    const own = tree.snapshot.pathOf(tree.snapshot.columns.entryNodes[entry] ?? 0);
    const name = tree.nameOf(index);
    const ownName = own.slice(own.lastIndexOf("/") + 1);
    const clashes = expected.directories.has(keyOf(own));
    if (clashes) assert(/^(~file)+$/.test(name.replace(ownName, "")), `${own} is shown as ${name}`);
    else assertEquals(name, ownName);
    return `${own} = ${source.id}:${entry - source.firstEntry}`;
  }).sort();
}

function check({ sources, rule }: Case): void {
  const snapshot = snapshotOf(sources);
  const tree = treeOf(snapshot, rule);
  const expected = resolve(sources, rule);
  const keyOf = (text: string) => rule.ignoreCase ? fold(text) : text;

  assertEquals(
    filesOf(tree, expected, rule.ignoreCase),
    Array.from(expected.files.values(), ({ path, source, entry }) => `${path} = ${source}:${entry}`).sort(),
  );
  assertEquals(tree.fileCount, expected.files.size);
  const directories = walk(tree).filter((index) => tree.isDirectory(index));
  assertEquals(directories.map((index) => keyOf(tree.pathOf(index))).sort(), Array.from(expected.directories).sort());
  assertEquals(walk(tree).length + 1, tree.length);

  for (const directory of [0, ...directories]) {
    const children = childrenOf(tree, directory);
    const names = children.map((child) => tree.nameOf(child));
    assertEquals(names, names.toSorted(compareNames), "sorted");
    assertEquals(new Set(names.map(keyOf)).size, names.length, "each name once");
    for (const [index, child] of children.entries()) {
      const name = names[index] ?? "";
      assertEquals(tree.parents[child], directory);
      assertEquals(tree.findChild(directory, encoder.encode(name)), child);
      assertEquals(tree.find(tree.pathOf(child)), child);
      const other = name.toUpperCase() === name ? fold(name) : name.replace(/[a-z]/g, (letter) => letter.toUpperCase());
      const found = names.findIndex((listed) => rule.ignoreCase ? fold(listed) === fold(other) : listed === other);
      assertEquals(tree.findChild(directory, encoder.encode(other)), found < 0 ? none : children[found]);
    }
    for (const absent of ["", "0", "zz", "~", "a~", "\u{10ffff}"]) {
      assertEquals(tree.findChild(directory, encoder.encode(absent)), none);
    }
    for (const prefix of ["", ...names.flatMap((name) => [name, name.slice(0, 1), name.toUpperCase()]), "zz", "~"]) {
      const found = Array.from(
        tree.childrenBeginning(directory, encoder.encode(prefix)),
        (child) => tree.nameOf(child),
      );
      assertEquals(found, names.filter((name) => fold(name).startsWith(fold(prefix))), `beginning with ${prefix}`);
    }
  }
}

Deno.test("a tree has the same winners, listings and names as a naive model of it", () => {
  fc.assert(fc.property(cases, check), { numRuns: 1500 });
});

/** Content of listed nodes, and targets of some paths. */
function contentOf(tree: Tree, asked: readonly string[]) {
  const describe = (index: number) => [tree.pathOf(index), tree.isDirectory(index) ? "directory" : tree.entries[index]];
  return {
    files: tree.fileCount,
    nodes: walk(tree).map((index) => [index, ...describe(index), tree.parents[index]]),
    asked: asked.map((text) => {
      const index = tree.find(text);
      return index === none ? none : describe(index);
    }),
  };
}

/** Sources of packs and loose files, a rule that may ask for spellings, and paths that are looked up. */
const postedCases = sources.chain((lists) =>
  fc.record({
    lists: fc.constant(lists),
    kinds: fc.array(fc.constantFrom("pack" as const, "loose" as const), { minLength: 5, maxLength: 5 }),
    searchPath: fc.shuffledSubarray(lists.map((_, index) => index)),
    duplicates: fc.constantFrom<"first" | "last" | "last-stored">("first", "last", "last-stored"),
    looseCase: fc.constantFrom<LooseCase>("any", "own", "own-or-small", "own-or-one-case", "small-directory"),
    ignoreCase: fc.boolean(),
    isOrdered: fc.boolean(),
    looseOnly: fc.boolean(),
    asked: fc.array(path, { maxLength: 6 }),
  })
);

Deno.test("a tree that another thread has resolved is the same tree, whatever paths were looked up", () => {
  fc.assert(
    fc.property(postedCases, ({ lists, kinds, asked, isOrdered, looseOnly, ...decisive }) => {
      const builder = new SnapshotBuilder();
      for (const [id, list] of lists.entries()) {
        const [path, kind] = [`/game/${id}`, kinds[id] ?? "pack"];
        builder.addSource(description({ path, kind, format: kind === "loose" ? "loose" : "zip" }), tableOf(list));
      }
      const snapshot = builder.finish();
      const rank = (entry: number) => decisive.searchPath.indexOf(snapshot.columns.entrySources[entry] ?? none);
      const order = (a: number, b: number) => rank(a) - rank(b) || a - b;
      const paths = ["a/", "b"].map((path) => ({ path, withoutMod: false, anyCase: false, packDirectories: false }));
      const ordered = decisive.ignoreCase && isOrdered ? { order, ...looseOnly ? { looseOnly: paths } : {} } : {};
      const rule: TreeRule = { ...decisive, ...ordered };
      const tree = new Tree(snapshot, rule);
      const expected = contentOf(new Tree(snapshot, rule), asked);
      for (const text of asked) tree.find(text);
      const posted = new Tree(snapshot, rule, structuredClone(tree.parts));
      assertEquals(contentOf(posted, asked), expected);
      // Neither thread writes to what both have.
      assertEquals(contentOf(tree, asked), expected);
    }),
    { numRuns: 500 },
  );
});

Deno.test("a tree over columns posted from another thread is the same tree", () => {
  fc.assert(
    fc.property(cases, ({ sources, rule }) => {
      const snapshot = snapshotOf(sources);
      const { columns, sources: list, clashes } = snapshot;
      const copy = structuredClone({ columns, sources: list, clashes });
      const [mine, theirs] = [
        treeOf(snapshot, rule),
        treeOf(Snapshot.from({ ...copy, numbering: snapshot.numbering }), rule),
      ];
      assertEquals(walk(theirs).map((index) => theirs.pathOf(index)), walk(mine).map((index) => mine.pathOf(index)));
      assertEquals(theirs.entries, mine.entries);
    }),
    { numRuns: 100 },
  );
});

Deno.test("candidates of a path are exactly the entries of that name, in source order", () => {
  fc.assert(
    fc.property(sources, path, fc.boolean(), (lists, asked, ignoreCase) => {
      const snapshot = snapshotOf(lists);
      const keyOf = (text: string) => ignoreCase ? fold(text) : text;
      const expected = lists.flatMap((list, source) =>
        list.flatMap((item, index) => keyOf(item.path) === keyOf(asked) ? [`${source}:${index}`] : [])
      );
      const node = snapshot.findNode(asked, ignoreCase);
      const found = node === none ? [] : snapshot.candidatesOf(node, ignoreCase).map((entry) => {
        const source = snapshot.sourceOf(entry);
        return `${source.id}:${entry - source.firstEntry}`;
      });
      assertEquals(found, expected);
    }),
    { numRuns: 500 },
  );
});

Deno.test("following passes over a directory's inside when asked to, and stays within a directory", () => {
  const files = ["a/1", "a/b/2", "a/b/3", "c/4", "d"].map((path) => ({ path, isDirectory: false, isDamaged: false }));
  const tree = treeOf(snapshotOf([files]), {
    searchPath: [0],
    ignoreCase: false,
    duplicates: "first",
    hidden: new Set(),
  });
  const from = (index: number, within: number, skip: boolean) => {
    const found: string[] = [];
    for (let step = tree.following(index, within, skip); step !== none; step = tree.following(step, within, skip)) {
      found.push(tree.pathOf(step));
    }
    return found;
  };
  assertEquals(from(0, 0, false), ["a", "a/1", "a/b", "a/b/2", "a/b/3", "c", "c/4", "d"]);
  assertEquals(from(tree.find("a"), 0, true), ["c", "d"]);
  assertEquals(from(tree.find("a"), tree.find("a"), false), ["a/1", "a/b", "a/b/2", "a/b/3"]);
  assertEquals(from(tree.find("a/b"), tree.find("a"), true), []);
});

Deno.test("names, nodes and sources in their thousands outgrow every table and are all found", () => {
  const entries = Array.from({ length: 6000 }, (_, index) => ({
    path: `dir${index % 97}/sub${index % 13}/file-${index}.ext${index % 5}`,
    isDirectory: false,
    isDamaged: false,
  }));
  const upper = entries.map((entry) => ({ ...entry, path: entry.path.toUpperCase() }));
  const snapshot = snapshotOf([entries, upper]);
  for (const [index, { path }] of entries.entries()) {
    assertEquals(snapshot.pathOf(snapshot.findNode(path, false)), path);
    assertEquals(snapshot.candidatesOf(snapshot.findNode(path, true), true), [index, 6000 + index]);
  }
  const rule = { searchPath: [0, 1], duplicates: "first", hidden: new Set<string>() } as const;
  assertEquals(treeOf(snapshot, { ...rule, ignoreCase: true }).fileCount, 6000);
  assertEquals(treeOf(snapshot, { ...rule, ignoreCase: false }).fileCount, 12000);
});

Deno.test("a directory is spelled as packs of the search path spell it, else in small letters, in whatever order", () => {
  const snapshot = listedSnapshot(
    ["pack", "Maps/Old.bsp"],
    ["pack", "maps/new.bsp"],
    ["pack", "MAPS/x.bsp"],
    ["loose", "maPS/y.bsp"],
    ["loose", "mapS/z.bsp"],
    ["pack", "other/w.bsp"],
  );
  const top = (...searchPath: number[]) => {
    const rule = { searchPath, ignoreCase: true, duplicates: "last" } as const;
    return childrenOf(new Tree(snapshot, rule), 0).map((node) => new Tree(snapshot, rule).nameOf(node))[0];
  };
  const both = (a: number, b: number) => [top(a, b), top(b, a)];
  assertEquals(top(1), "maps");
  assertEquals(both(0, 2), ["Maps", "Maps"]);
  assertEquals(both(0, 1), ["maps", "maps"]);
  assertEquals(both(2, 3), ["MAPS", "MAPS"], "packs spell it before loose files");
  assertEquals(both(3, 4), ["mapS", "mapS"], "of two spellings the one that begins with more small letters");
  assertEquals(top(5, 4, 0, 3, 2), "Maps");
});

Deno.test("spellings that mean the same lead to the same node, and what is in a variant is walked through", () => {
  const snapshot = listedSnapshot(
    ["pack", "maps/x.bsp"],
    ["pack", "MAPS/Sub/y.bsp"],
    ["loose", "Maps/sub/z.bsp"],
    // Not searched: spellings that exist elsewhere are like any other.
    ["loose", "mAPS/q.bsp"],
  );
  const order = (a: number, b: number) => a - b;
  const rule = { searchPath: [2, 0, 1], ignoreCase: true, duplicates: "last", looseCase: "own", order } as const;
  const tree = new Tree(snapshot, rule);
  const below = (path: string) => {
    const top = tree.find(path);
    const found: string[] = [];
    for (let node = tree.following(top, top); node !== none; node = tree.following(node, top)) {
      found.push(tree.pathOf(node));
    }
    return found;
  };
  const other = tree.find("mapS/sub");
  assertEquals(["MAPS", "mAPS", "maPs"].map((name) => tree.find(`${name}/SUB`) === tree.find("maps/SUB")), [
    true,
    true,
    true,
  ]);
  assert(!tree.isVariant(other), "no loose file is found in either spelling");
  assertEquals(below("maps"), ["maps/Sub", "maps/Sub/y.bsp", "maps/x.bsp"]);
  assertEquals(below("Maps"), ["Maps/Sub", "Maps/Sub/y.bsp", "Maps/x.bsp"]);
  assertEquals(below("Maps/sub"), ["Maps/sub/y.bsp", "Maps/sub/z.bsp"]);
  assert(tree.isVariant(tree.find("Maps")) && tree.find("Maps") !== tree.find("maps"));
  assertEquals(tree.length, walk(tree).length + 1, "variants are not listed");
});

Deno.test("a file next to a directory of its name has one suffix, however the names are spelled", () => {
  const file = (path: string) => ({ path, isDirectory: false, isDamaged: false });
  const snapshot = snapshotOf([[file("a"), file("b"), file("B~file")], [file("A")], [file("a/x"), file("b/y")]]);
  const rule = { searchPath: [1, 0, 2], duplicates: "last", hidden: new Set<string>() } as const;
  const names = (ignoreCase: boolean) => {
    const tree = treeOf(snapshot, { ...rule, ignoreCase });
    return childrenOf(tree, 0).map((node) => `${tree.nameOf(node)}${tree.isDirectory(node) ? "/" : ""}`);
  };
  assertEquals(names(true), ["a/", "A~file", "b/", "B~file", "b~file~file"]);
  assertEquals(names(false), ["A", "a/", "a~file", "b/", "B~file", "b~file~file"]);
});
