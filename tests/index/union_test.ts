/** Plain unions: archives and directories without a game. */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { GameError } from "../../games/game_error.ts";
import { choiceSentences } from "../../questions/engine_choice.ts";
import { openLiveIndex } from "../../service/live_index.ts";
import { watchTargets } from "../../service/watch/targets.ts";
import type { Catalog } from "../../views/catalog.ts";
import { whichCandidates } from "../../views/which.ts";
import { layoutFor } from "../../daemon/lifecycle/served_mounts.ts";
import { pak, zip } from "../formats/bytes.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { installation, nextTimeStamp, pakOf, zipOf } from "./fixtures.ts";

const files = {
  "a.zip": zip([{ name: "one", content: "a" }, { name: "two", content: "a" }, { name: "only.a", content: "a" }]),
  "b.pak": pak([["one", "bb"], ["two", "bb"], ["two", "last"]]),
  "plain/one": "loose",
  "plain/deep/three": "loose",
};

/** Returns the source of each file of the only view. */
function winners(catalog: Catalog, root: string): Record<string, string> {
  const view = catalog.view();
  const { tree, snapshot } = view;
  const nodes = Array.from({ length: tree.length }, (_, node) => node).filter((node) => !tree.isDirectory(node));
  return Object.fromEntries(
    nodes.map((node) => [tree.pathOf(node), snapshot.sourceOf(tree.entryOf(node)).path.slice(root.length + 1)]),
  );
}

Deno.test("of a union the later source wins, archive or directory, and the reason is said", async () => {
  await using root = await installation(files);
  const sources = ["a.zip", "b.pak", "plain"].map((name) => `${root.path}/${name}`);
  const catalog = scanCatalog([{ sources }]);
  assertEquals(winners(catalog, root.path), {
    "deep/three": "plain",
    "one": "plain",
    "only.a": "a.zip",
    "two": "b.pak",
  });
  const reversed = scanCatalog([{ sources: sources.toReversed() }]);
  assertEquals(winners(reversed, root.path), {
    "deep/three": "plain",
    "one": "a.zip",
    "only.a": "a.zip",
    "two": "a.zip",
  });
  assertEquals(whichCandidates(catalog.view(), "one").map(({ because }) => because), [
    null,
    "plain is loaded after b.pak, and the file that is loaded last wins.",
    "plain is loaded after a.zip, and the file that is loaded last wins.",
  ]);
  assertEquals(choiceSentences(catalog, true), [
    "plain union: where several have a file, the later one wins, plain over the 2 before it",
  ]);
  const layout = layoutFor(catalog, ["a"], { view: null, showPacks: false, showAs: false });
  assertEquals(layout.view, "a/a", "its files are at the mount point itself");
});

Deno.test("a union follows changes of its files and directories", async () => {
  await using root = await installation(files);
  const sources = ["a.zip", "b.pak", "plain"].map((name) => `${root.path}/${name}`);
  await using index = await openLiveIndex([{ sources }]);
  const watched = await watchTargets(index.catalog);
  assertEquals(watched.map(({ path, matches }) => [path.slice(root.path.length + 1), matches !== undefined]), [
    ["a.zip", true],
    ["b.pak", true],
    ["plain", false],
  ]);
  await nextTimeStamp();
  await Deno.writeFile(`${root.path}/b.pak`, pakOf("new"));
  await Deno.remove(`${root.path}/plain/one`);
  await index.refresh();
  assertEquals(winners(index.catalog, root.path), {
    "deep/three": "plain",
    "new": "b.pak",
    "one": "a.zip",
    "only.a": "a.zip",
    "two": "a.zip",
  });
  const { catalog } = index;
  await index.refresh();
  assertEquals(index.catalog === catalog, true, "nothing has changed");
});

Deno.test("a file of a union that is no archive is reported, and the others are shown", async () => {
  await using root = await installation({ ...files, "x.txt": "text", "cut.zip": zipOf("a").slice(0, -10) });
  const sources = ["a.zip", "x.txt", "cut.zip"].map((name) => `${root.path}/${name}`);
  const catalog = scanCatalog([{ sources }]);
  assertEquals(Object.keys(winners(catalog, root.path)), ["one", "only.a", "two"]);
  assertMatch(catalog.problems.join("\n"), /x\.txt: is not an archive[^]*cut\.zip: no zip directory found/);
});

Deno.test("an archive next to the directory of a game, or under an engine, is no union", async () => {
  await using root = await installation({ ...files, "game/id1/pak0.pak": pakOf("a") });
  const sources = [`${root.path}/game`, `${root.path}/a.zip`];
  const refused = (options: { profile?: string }) =>
    assertThrows(() => scanCatalog([{ sources, ...options }]), GameError, "is a file, and the roots of a game");
  refused({});
  refused({ profile: "quake" });
  assertEquals(scanCatalog([{ sources, profile: "generic" }]).packs.length, 2);
});
