// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Symbolic links in a game are followed only into its own directories, even if others have similar names. */
import { assertEquals } from "@std/assert";
import { none } from "../../index/columns/columns.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { isDirectorySource } from "../../index/columns/source.ts";
import { filePathOf } from "../../index/columns/source.ts";
import { pakOf, writeFiles } from "./fixtures.ts";
import fc from "../support/fast_check.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const root = fc.constantFrom("q3", "q", "Q3", "q3.d", "q 3");
const beside = fc.oneof(
  fc.constantFrom("-private", ".old", "2", " ", "\u00e9", "~", "%", "\\"),
  fc.string({ minLength: 1, maxLength: 3, unit: "grapheme-ascii" }).filter((text) => !/[/\0]/.test(text)),
);
const link = fc.record({
  at: fc.constantFrom("game", "pack", "file", "directory", "pack in game"),
  /** Whether the link leads out of the game's directories. */
  isOut: fc.boolean(),
  isRelative: fc.boolean(),
});

/** Path of a link, and its target. */
function linkOf(at: string, number: number): { from: string; to: string } {
  switch (at) {
    case "game":
      return { from: `m${number}`, to: "mod" };
    case "pack":
      return { from: `id1/pak${number + 1}.pak`, to: "s.pak" };
    case "file":
      return { from: `id1/${number}.txt`, to: "secret.txt" };
    case "directory":
      return { from: `id1/d${number}`, to: "deep" };
    default:
      return { from: `own/pak${number}.pak`, to: "s.pak" };
  }
}

Deno.test("links lead neither to a directory whose name begins as the game's own, nor above, and always within", async () => {
  const holds = async (name: string, ending: string, links: { at: string; isOut: boolean; isRelative: boolean }[]) => {
    await using directory = await temporaryDirectory();
    const own = `${directory.path}/${name}`;
    const other = `${own}${ending}`;
    const files = {
      "mod/secret.txt": "secret",
      "deep/secret.txt": "secret",
      "s.pak": pakOf("packed.txt"),
      "secret.txt": "s",
    };
    await writeFiles(own, {
      "id1/pak0.pak": pakOf("x.txt"),
      ...Object.fromEntries(
        Object.entries(files).map(([path, content]) => [`own/${path}`, content]),
      ),
    });
    await writeFiles(other, files);
    for (const [number, { at, isOut, isRelative }] of links.entries()) {
      const top = isOut ? other : `${own}/own`;
      const { from, to } = linkOf(at, number);
      const up = "../".repeat(from.split("/").length - 1);
      const target = isRelative ? `${up}${isOut ? `../${name}${ending}` : "own"}/${to}` : `${top}/${to}`;
      await Deno.symlink(target, `${own}/${from}`);
    }
    const catalog = scanCatalog([{ sources: [own], profile: "quake", name: "game" }]);
    // Packs may be links to anywhere.
    for (const source of catalog.snapshot.sources.filter(isDirectorySource)) {
      assertEquals((await Deno.realPath(source.path)).startsWith(`${own}/`), true, `${source.path} of ${own}`);
    }
    for (const view of catalog.views) {
      for (let node = view.tree.following(0); node !== none; node = view.tree.following(node)) {
        const entry = view.tree.entries[node] ?? none;
        if (entry === none || !isDirectorySource(view.snapshot.sourceOf(entry))) continue;
        const path = filePathOf(view.snapshot.sourceOf(entry), view.snapshot.memberOf(entry));
        assertEquals((await Deno.realPath(path)).startsWith(`${own}/`), true, `${path} is shown by ${view.name}`);
      }
    }
    // Links within are followed.
    const within = links.filter(({ at, isOut }) => !isOut && (at === "file" || at === "directory"));
    const base = catalog.view("game/id1");
    for (const [number, wanted] of links.entries()) {
      if (!within.includes(wanted)) continue;
      const path = wanted.at === "file" ? `${number}.txt` : `d${number}/secret.txt`;
      assertEquals(base.tree.find(path) === none, false, `${path}, which leads within`);
    }
  };
  await fc.assert(fc.asyncProperty(root, beside, fc.array(link, { minLength: 1, maxLength: 6 }), holds), {
    numRuns: 80,
  });
});
