/** Games indexed together do not affect each other's answers. */
import { assertEquals } from "@std/assert";
import { openLocalGames } from "../../service/local.ts";
import type { Connection } from "../../protocol/connection.ts";
import { writeFiles } from "../index/fixtures.ts";
import fc from "../support/fast_check.ts";
import { baseOf, filesOf, rootsOf, type SpelledGame, spelledGame } from "../support/spelled_games.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Answers about the views of one game. */
async function answers(index: Connection, name: string, game: SpelledGame): Promise<unknown> {
  const view = `${name}/${baseOf(game)}`;
  const [found, shadowed, conflicts, usage, path, packs, names, limits] = await Promise.all([
    index.call("find", { view, patterns: ["*"] }),
    index.call("shadowed", { view }),
    index.call("conflicts", { view }),
    index.call("usage", { view, path: "", depth: 3 }),
    index.call("path", { view }),
    index.call("packs", { view }),
    index.call("complete", { kind: "qpath", view, prefix: "m" }),
    index.call("limits", { view }),
  ]);
  const which = await Promise.all(game.asked.map((qpath) => index.call("which", { view, qpath })));
  const stat = await Promise.all(game.asked.map((qpath) => index.call("stat", { view, qpath }).catch(String)));
  return { found, shadowed, conflicts, usage, path, packs, names, limits, which, stat };
}

Deno.test("what is answered about a game is the same whichever other games are indexed with it", async () => {
  const holds = async (one: SpelledGame, two: SpelledGame) => {
    await using directory = await temporaryDirectory();
    const pathOf = (name: string) => `${directory.path}/${name}`;
    await writeFiles(pathOf("one"), filesOf(one));
    await writeFiles(pathOf("two"), filesOf(two));
    const options = (name: string, game: SpelledGame) => ({
      name,
      profile: game.profile,
      sources: rootsOf(pathOf(name)),
      base: baseOf(game),
    });
    const both = [options("one", one), options("two", two)];
    const opened = await Promise.all(
      [both, both.toReversed(), both.slice(0, 1), both.slice(1)].map((games) => openLocalGames(games)),
    );
    const [forth, back, aloneOne, aloneTwo] = await Promise.all([
      ...opened.slice(0, 2).map((index) => Promise.all([answers(index, "one", one), answers(index, "two", two)])),
      ...opened.slice(2).map((index, at) => answers(index, ["one", "two"][at] ?? "", [one, two][at] ?? one)),
    ]);
    await Promise.all(opened.map((index) => index.close()));
    assertEquals(forth, [aloneOne, aloneTwo]);
    assertEquals(back, [aloneOne, aloneTwo]);
  };
  await fc.assert(fc.asyncProperty(spelledGame, spelledGame, holds), { numRuns: 25 });
});
