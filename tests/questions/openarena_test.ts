import { assert, assertEquals } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import { pages } from "../../protocol/connection.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { output, string } from "../formats/bytes.ts";

/** The files of a zip by `unzip`'s listing: name in lower case, size and CRC-32. Later files replace earlier ones. */
async function listed(path: string): Promise<Map<string, string>> {
  const lines = string(await output("unzip", "-v", path)).split("\n");
  const columns = lines.map((line) => /^ *(\d+) +\S+ +\d+ +-?\d+% +\S+ \S+ ([0-9a-f]{8}) {2}(.*)$/.exec(line));
  return new Map(
    columns.filter((match) => match !== null).filter((match) => !match[3]?.endsWith("/"))
      .map(([, size, crc, name = ""]) => [name.toLowerCase(), `${size} ${crc}`]),
  );
}

Deno.test(
  "OpenArena's two patches conflict, override and are unique as unzip's listings say",
  needs("unzip", "debian:openarena-085-data", "debian:openarena-088-data"),
  async () => {
    await using directory = await temporaryDirectory();
    const base = `${directory.path}/baseoa`;
    await Deno.mkdir(base);
    const roots = ["openarena-085-data", "openarena-088-data"].map(debianPackage);
    const names = ["pak6-patch085.pk3", "pak6-patch088.pk3"];
    const [older, newer] = await Promise.all(names.map(async (name, index) => {
      await Deno.symlink(`${roots[index]}/usr/share/games/openarena/baseoa/${name}`, `${base}/${name}`);
      return await listed(`${base}/${name}`);
    }));
    assert(older && newer && older.size > 100 && newer.size > 100);
    const both = newer.keys().filter((name) => older.has(name)).toArray();
    const same = both.filter((name) => older.get(name) === newer.get(name));
    assert(same.length > 0 && same.length < both.length, "there are equal and different ones");

    await using connection = await openLocal({ sources: [directory.path], profile: "ioquake3", game: "oa" });
    const conflicts = await Array.fromAsync(pages(connection, "conflicts", { limit: 100 }));
    const lower = (rows: readonly { qpath: string }[]) => rows.map(({ qpath }) => qpath.toLowerCase()).sort();
    assertEquals(lower(conflicts), both.toSorted());
    assertEquals(lower(conflicts.filter(({ identical }) => identical === true)), same.toSorted());
    assert(conflicts.every(({ winner, losers }) => winner.source.endsWith("88.pk3") && losers.length === 1));
    const overrides = await Array.fromAsync(pages(connection, "overrides", { source: "pak6-patch088.pk3" }));
    assertEquals(overrides, conflicts);
    assertEquals((await connection.call("overrides", { source: "pak6-patch085.pk3" })).rows, []);
    const lost = await Array.fromAsync(pages(connection, "shadowed", { filters: { source: "pak6-patch085.pk3" } }));
    assertEquals(lower(lost), both.toSorted());
    for (
      const [source, own, other] of [["pak6-patch085.pk3", older, newer], ["pak6-patch088.pk3", newer, older]] as const
    ) {
      // deno-lint-ignore no-await-in-loop -- one after the other
      const unique = await Array.fromAsync(pages(connection, "unique", { source }));
      assertEquals(lower(unique), own.keys().filter((name) => !other.has(name)).toArray().sort(), source);
    }
  },
);
