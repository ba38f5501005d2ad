/** Real games from Debian packages. */
import { assert, assertEquals } from "@std/assert";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { expectedManifest, manifest, output, workspace } from "./mounting.ts";

/** Lines in lower case, as neither the engine nor the view distinguishes case. */
function folded(lines: readonly string[]): string[] {
  return lines.map((line) => line.toLowerCase()).sort();
}

Deno.test(
  "every file of OpenArena on the mount is the winner that an independent script finds",
  needs("python3", "debian:openarena-081-misc", "debian:openarena-oacmp1"),
  async () => {
    await using here = await workspace();
    const packages = ["openarena-081-misc", "openarena-oacmp1"].map(debianPackage);
    // One installation of both games, by links, as Debian itself links packs.
    for (const root of packages) {
      const games = `${root}/usr/share/games/openarena`;
      // deno-lint-ignore no-await-in-loop -- a few links
      await output("cp", "-rs", games, `${here.path}/`);
    }
    const installation = `${here.path}/openarena`;
    await here.mount("--profile", "ioquake3", "--base", "baseoa", "--follow-symlinks", installation);
    const root = `${here.mountPoint}/openarena`;
    assertEquals(await output("ls", root), "baseoa\noacmp-mod\n");
    const base = folded(await manifest(`${root}/baseoa`));
    assert(base.length > 600, `${base.length} files`);
    assertEquals(base, folded(await expectedManifest("ioquake3", `${installation}/baseoa`)));
    assertEquals(
      folded(await manifest(`${root}/oacmp-mod`)),
      folded(await expectedManifest("ioquake3", `${installation}/baseoa`, `${installation}/oacmp-mod`)),
    );

    // Another unpacker extracts a few files from the pack that each file's attribute names.
    const paths = (await output("find", `${root}/baseoa`, "-type", "f")).split("\n").filter((path) => path !== "")
      .sort();
    for (let index = 0; index < paths.length; index += Math.floor(paths.length / 12)) {
      const path = paths[index] ?? "";
      // deno-lint-ignore no-await-in-loop -- a few files, one after the other
      await output(
        "sh",
        "-c",
        `pack=$(python3 -c 'import os, sys; print(os.getxattr(sys.argv[1], "user.pakfs.source").decode())' "$1")
member=$(python3 -c 'import os, sys; print(os.getxattr(sys.argv[1], "user.pakfs.member").decode())' "$1")
unzip -p "$pack" "$member" | cmp - "$1"`,
        "sh",
        path,
      );
    }
    assertEquals((await here.status()).problems, []);
  },
);

Deno.test("quakespasm.pak mounted alone is its eight members", needs("python3", "debian:quakespasm"), async () => {
  await using here = await workspace();
  const archive = `${debianPackage("quakespasm")}/usr/share/games/quake/quakespasm.pak`;
  await here.mount(archive);
  const expected = await expectedManifest("archive", archive);
  assertEquals(expected.length, 8);
  assertEquals(await manifest(here.mountPoint), expected);
});

Deno.test(
  "freedm.wad mounted alone is its lumps, in 32 maps of ten and the directories of its markers",
  needs("python3", "debian:freedm"),
  async () => {
    await using here = await workspace();
    const archive = `${debianPackage("freedm")}/usr/share/games/doom/freedm.wad`;
    await here.mount(archive);
    const maps = (await output("ls", `${here.mountPoint}/maps`)).trim().split("\n");
    assertEquals([maps.length, maps[0], maps.at(-1)], [32, "MAP01", "MAP32"]);
    assertEquals(
      await output("ls", `${here.mountPoint}/maps/MAP07`),
      "BLOCKMAP\nLINEDEFS\nNODES\nREJECT\nSECTORS\nSEGS\nSIDEDEFS\nSSECTORS\nTHINGS\nVERTEXES\n",
    );
    assertEquals(await output("ls", here.mountPoint), "flats\nlumps\nmaps\npatches\nsprites\n");
    const expected = await expectedManifest("archive", archive);
    assertEquals(expected.length, 3655);
    assertEquals(await manifest(here.mountPoint), expected);
    assertEquals((await here.status()).problems, []);
  },
);
