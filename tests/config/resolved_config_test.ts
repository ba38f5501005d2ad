// deno-lint-ignore-file no-await-in-loop -- one configuration after the other
/** Random configurations as they take effect, against what was written, and printed and read again. */
import { assert, assertEquals } from "@std/assert";
import { resolveConfig } from "../../config/resolved_config.ts";
import { installation, zipOf } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";

Deno.test("what is written takes effect, all else is the default, and what is printed has the same effect", async () => {
  await using root = await installation({
    "q3/baseoa/pak0.pk3": zipOf("a"),
    "q3/mod/a.pk3": zipOf("b"),
    "odd \"name\" 'x'/id1/a.txt": "x",
  });
  const { path } = root;
  const chance = numbersFrom(seed);
  const some = <Value>(...values: readonly Value[]): Value | undefined => values[chance(values.length + 1)];
  const counted = { problems: 0, games: 0 };
  for (let round = 0; round < 120; round++) {
    const top = {
      mount: some("mnt", "a \"b\" 'c'", "ü\\n"),
      socket: some("s", "run/s"),
      cache: some("1M", "300K"),
      watch: some(true, false),
      options: some([], ["noexec"], ["allow_root", "umask=077"]),
      hung: some("wait", "error"),
      hungAfter: some(1, 77),
    };
    const games = Array.from({ length: chance(4) }, (_, index) => ({
      name: `game ${index}`,
      profile: some("ioquake3", "quake"),
      sources: [some("q3", "odd \"name\" 'x'", "gone") ?? "q3"],
      base: some("baseoa", "id1"),
      mods: some([], ["mod"], ["mod", "b'\""]),
      pure: some(["pak0"], ["pak0", "b"]),
      with: some(["a"]),
    }));
    const line = ([key, value]: [string, unknown]) => value === undefined ? "" : `${key} = ${JSON.stringify(value)}\n`;
    const text = [
      ...Object.entries(top).map(line),
      ...games.flatMap((game) => ["[[game]]\n", ...Object.entries(game).map(line)]),
    ].join("");
    await Deno.writeTextFile(`${path}/config.toml`, text);
    const { resolved, toml } = await resolveConfig(`${path}/config.toml`);
    const about = `round ${round}, PAKFS_SEED=${seed}\n${text}\n${toml}`;
    const { mount, socket, cache, watch, options, hung, hungAfter, exists } = resolved;
    assertEquals({ mount, cache, watch, options, hung, hungAfter, exists }, {
      mount: top.mount === undefined ? null : `${path}/${top.mount}`,
      cache: top.cache === undefined ? 8 * 2 ** 20 : top.cache === "1M" ? 2 ** 20 : 300 * 2 ** 10,
      watch: top.watch ?? true,
      options: top.options ?? [],
      hung: top.hung ?? "wait",
      hungAfter: top.hungAfter ?? 10,
      exists: true,
    }, about);
    if (top.socket !== undefined) assertEquals(socket, `${path}/${top.socket}`, about);
    assertEquals(resolved.games.length, games.length);
    for (const [index, game] of games.entries()) {
      const shown = resolved.games[index];
      assert(shown, about);
      counted.games++;
      const { name, sources, mods = null, pure = null, with: words = null } = game;
      assertEquals([shown.name, shown.sources, shown.mods, shown.pure, shown.with], [
        name,
        sources.map((source) => `${path}/${source}`),
        mods,
        pure,
        words,
      ], about);
      assertEquals([shown.iwad, shown.files, shown.autoload], [null, null, null]);
      if (game.profile !== undefined) assertEquals(shown.profile, game.profile, about);
      if (game.base !== undefined) assertEquals(shown.base, game.base, about);
      assertEquals(shown.problem !== null && sources[0] === "gone", sources[0] === "gone", about);
      if (shown.problem === null) continue;
      counted.problems++;
      assert(toml.includes(`# problem: `), about);
    }
    await Deno.writeTextFile(`${path}/again.toml`, toml);
    const again = (await resolveConfig(`${path}/again.toml`)).resolved;
    const plain = ({ games, ...others }: typeof resolved) => ({
      ...others,
      path: "",
      games: games.map((game) => ({ ...game, because: "" })),
    });
    assertEquals(plain(again), plain(resolved), about);
  }
  for (const [kind, count] of Object.entries(counted)) assert(count > 20, `${count} ${kind}`);
});
