/**
 * Packs that a real ioquake3 server reports to its clients, against the index: `sv_paks`, `sv_pakNames`, and the
 * search path with the number of files of each pack.
 *
 * `PAKFS_ORACLE_GAMES=all` fetches all packs of OpenArena, some 450 MB, instead of half of them.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { packChecksum } from "../../index/checksums/pack_checksum.ts";
import type { View } from "../../views/view.ts";
import { zip } from "../formats/bytes.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { below, scan, writeFiles } from "../index/fixtures.ts";

const packages = ["openarena-data", "openarena-081-maps", "openarena-081-misc", "openarena-oacmp1"];
const otherPackages = [
  ...["openarena-081-players", "openarena-081-players-mature", "openarena-081-textures"],
  ...["openarena-085-data", "openarena-088-data"],
];

/** Packs whose names are hard to sort, in the home directory. */
const craftedPacks = {
  "home/baseoa/empty.pk3": zip([{ name: "nothing/" }, { name: "none.txt", content: "" }]),
  "home/baseoa/no members.pk3": zip([]),
  "home/baseoa/PAK0.PK3": zip([{ name: "a.txt", content: "capitals" }]),
  "home/baseoa/pak0_x.pk3": zip([{ name: "a.txt", content: "underscore" }]),
  "home/baseoa/pak0-x.pk3": zip([{ name: "a.txt", content: "hyphen" }]),
  "home/baseoa/pak10.pk3": zip([{ name: "a.txt", content: "10" }, { name: "b.txt", content: "" }]),
  "home/baseoa/z.pk3dir/a.txt": "a directory has no checksum",
  "home/oacmp-mod/aé.pk3": zip([{ name: "a.txt", content: "mod" }]),
};

/** Values of the server's variables, and the lines of its search path. */
async function askServer(root: string, mod: string): Promise<{ settings: Map<string, string>; path: string[] }> {
  const values = {
    fs_basepath: `${root}/base`,
    fs_homepath: `${root}/home`,
    fs_game: mod,
    com_standalone: "1",
    com_basegame: "baseoa",
    vm_game: "0",
    sv_pure: "1",
    dedicated: "1",
    net_enabled: "0",
  };
  const engine = debianPackage("ioquake3-server");
  const args = Object.entries(values).flatMap(([name, value]) => ["+set", name, value]);
  const { stdout, stderr } = await new Deno.Command(`${engine}/usr/lib/ioquake3/ioq3ded`, {
    args: [...args, "+map", "oa_dm1", "+systeminfo", "+path", "+quit"],
    cwd: root,
    env: { HOME: `${root}/home`, LC_ALL: "C" },
    stdin: "null",
  }).output();
  const said = `${new TextDecoder().decode(stdout)}\n${new TextDecoder().decode(stderr)}`;
  assertMatch(said, /^sv_paks +-?\d/m);
  const settings = Array.from(
    said.matchAll(/^(sv_\w+) +(.*?) *$/gm),
    ([, name = "", value = ""]) => [name, value] as const,
  );
  const path = said.split("We are looking in the current search path:")[1]?.split("\n") ?? [];
  return {
    settings: new Map(settings),
    path: path.filter((line) => line.startsWith(`${root}/`)).map((line) => line.slice(root.length + 1).trimEnd()),
  };
}

/** Values of the server's variables and its search path, expected from a view. */
function expectedOf(root: string, view: View): { sums: string; names: string; path: string[] } {
  const packs = view.searchPath.filter((source) => source.kind === "pack" && source.format !== "pk3dir");
  const sums = packs.map((source) => packChecksum(view.snapshot, view.game.profile, source)?.checksum);
  const names = packs.map((source) => source.name.replace(/\.pk3$/i, ""));
  const path = view.searchPath.map((source) => {
    const shown = below(root, source.path);
    return packs.includes(source) ? `${shown} (${source.entryCount} files)` : shown;
  });
  return { sums: sums.join(" "), names: names.join(" "), path };
}

const wanted = Deno.env.get("PAKFS_ORACLE_GAMES") === "all" ? [...packages, ...otherPackages] : packages;
const unpacked = ["ioquake3-server", "openarena-server", ...wanted].map((name) => `debian:${name}`);
for (const mod of ["", "oacmp-mod"]) {
  Deno.test(
    `ioquake3: sv_paks, sv_pakNames and path of a real server are ours ${mod ? "with" : "without"} a mod`,
    needs(...unpacked),
    async () => {
      await using directory = await temporaryDirectory();
      const root = directory.path;
      const data = wanted.map(debianPackage);
      await Deno.mkdir(`${root}/base`);
      for (const one of data) {
        const args = ["-rsn", `${one}/usr/share/games/openarena/.`, `${root}/base/`];
        // deno-lint-ignore no-await-in-loop -- a few links
        assertEquals((await new Deno.Command("cp", { args }).output()).success, true);
      }
      await writeFiles(root, craftedPacks);
      // The packages' bytecode is a placeholder: the game's code comes as a library, which the engine loads from home.
      const game = debianPackage("openarena-server");
      const library = "qagamex86_64.so";
      for (const directory of ["baseoa", "oacmp-mod"]) {
        // deno-lint-ignore no-await-in-loop -- two files
        await Deno.copyFile(
          `${game}/usr/lib/openarena-server/baseoa/${library}`,
          `${root}/home/${directory}/${library}`,
        );
      }
      const catalog = scan(root, { profile: "ioquake3", name: "oa", base: "baseoa", sources: ["home", "base"] });
      const view = catalog.view(mod === "" ? "oa" : `oa/${mod}`);
      const expected = expectedOf(root, view);
      const { settings, path } = await askServer(root, mod);
      assertEquals(settings.get("sv_paks"), expected.sums);
      assertEquals(settings.get("sv_pakNames"), expected.names);
      assertEquals(path, expected.path);
      assertEquals(expected.sums.split(" ").includes("-1737972033"), true, "the pack without content");

      // A client of that server searches just these packs, in that order.
      const client = catalog.view(`${view.name}:pure=${expected.sums.replaceAll(" ", ",")}`);
      assertEquals(expectedOf(root, client).sums, expected.sums);
      assertEquals(client.pure?.items.filter((item) => item.source === null), []);
    },
  );
}
