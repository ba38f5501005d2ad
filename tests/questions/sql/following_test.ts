// deno-lint-ignore-file no-await-in-loop -- each index follows the one before
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { SqlReader } from "../../../questions/sql/statement.ts";
import { sqlTables } from "../../../questions/sql/schema.ts";
import type { GameOptions } from "../../../index/columns/game.ts";
import { installation } from "../../index/fixtures.ts";
import { scanCatalog } from "../../support/catalogs.ts";
import { numbersFrom, type Random, seed } from "../../support/chance.ts";
import { richEngines, richGame } from "../rich_games.ts";
import { readerOf, rowsOf, sourceOf } from "./readers.ts";

/** Returns the rows of all tables, without the numbers of members. */
async function allRows(reader: SqlReader): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const { name, columns } of sqlTables) {
    const compared = columns.map((column) => column.name).filter((column) => column !== "id" && column !== "member_id");
    const rows = await rowsOf(reader, `SELECT ${compared.join(", ")} FROM ${name}`);
    tables[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}

/** Changes one file below a directory, or a directory. */
async function change(root: string, files: readonly string[], random: Random): Promise<void> {
  const path = join(root, files[random(files.length)] ?? "");
  const other = join(root, files[random(files.length)] ?? "");
  const kind = random(5);
  if (kind === 0) await Deno.remove(path).catch(() => {});
  else if (kind === 1) await Deno.rename(path, other).catch(() => {});
  else if (kind === 2) await Deno.copyFile(path, other).catch(() => {});
  else if (kind === 3) {
    await Deno.copyFile(path, join(path, "..", `Zz${random(3)}.${path.split(".").at(-1)}`)).catch(() => {});
  } else await Deno.writeTextFile(join(path, "..", `new${random(4)}.cfg`), "x".repeat(random(9))).catch(() => {});
}

Deno.test("tables that follow an index through random changes hold what new ones would", async () => {
  let followed = 0;
  for (const [number, engine] of richEngines.entries()) {
    const random = numbersFrom(seed + number);
    const { files } = richGame(engine, random);
    await using root = await installation({ ...files, "upper/": "" });
    const sources = ["upper", "lower"].map((name) => `${root.path}/${name}`);
    const games: GameOptions[] = [{ sources, profile: engine.profile, name: "g", base: engine.family.base }];
    let catalog = scanCatalog(games);
    let reader = readerOf(catalog);
    await allRows(reader);
    for (let step = 0; step < 6; step++) {
      const changes = 1 + random(3);
      for (let made = 0; made < changes; made++) await change(root.path, Object.keys(files), random);
      catalog = scanCatalog(games, { previous: catalog });
      if (await reader.follow(sourceOf(catalog))) followed++;
      else reader = readerOf(catalog);
      const title = `engine ${number}, step ${step}`;
      assertEquals(await allRows(reader), await allRows(readerOf(catalog)), title);
      const [[count, joined] = []] = await rowsOf(
        reader,
        "SELECT (SELECT count(*) FROM files), count(*) FROM files f JOIN members m ON m.id = f.member_id " +
          "WHERE m.source = f.source AND m.member = f.member AND m.size = f.size",
      );
      assertEquals(count, joined, title);
    }
  }
  assert(followed > 20, `${followed} indexes followed`);
});

Deno.test("members of packs that did not change keep their numbers", async () => {
  const random = numbersFrom(1);
  const [engine] = richEngines;
  assert(engine);
  await using root = await installation({ ...richGame(engine, random).files, "upper/": "" });
  const sources = ["upper", "lower"].map((name) => `${root.path}/${name}`);
  const games: GameOptions[] = [{ sources, profile: engine.profile, name: "g", base: engine.family.base }];
  const catalog = scanCatalog(games);
  const reader = readerOf(catalog);
  const statement = "SELECT source, member, offset, id FROM members JOIN sources USING (source) WHERE kind = 'pack'";
  const before = await rowsOf(reader, statement);
  await Deno.mkdir(`${root.path}/upper/${engine.family.base}`, { recursive: true });
  await Deno.writeTextFile(`${root.path}/upper/${engine.family.base}/aaa.cfg`, "first of all");
  assert(await reader.follow(sourceOf(scanCatalog(games, { previous: catalog }))));
  assertEquals(await rowsOf(reader, statement), before);
  assertEquals(await rowsOf(reader, "SELECT DISTINCT size FROM files WHERE path = 'aaa.cfg'"), [[12]]);
});
