/**
 * Compares the games found on random machines with recorded results: games of launchers, of the system and in homes of
 * engines, with files that are missing, misspelled, damaged or in two places.
 */
// deno-lint-ignore-file no-await-in-loop -- one machine after the other
import { dirname } from "node:path";
import { iwads } from "../../../engines/lumps/iwads.ts";
import { GameError } from "../../../games/game_error.ts";
import { games } from "../../../games/table.ts";
import type { KnownGame } from "../../../games/core/game.ts";
import { bfgResources, pak, text, wad } from "../../formats/bytes.ts";
import { mutate } from "../../formats/mutants.ts";
import { pakOf, writeFiles, zipOf } from "../../index/fixtures.ts";
import { numbersFrom, type Random } from "../../support/chance.ts";
import { compareValues } from "../../support/outcomes.ts";
import { machine } from "./machine.ts";

/** Number of machines with each game. */
const machines = 2;
/** Fixed instead of the run's seed: recorded results belong to these machines. */
const start = 20_261_123;

const list = new URL("./outcomes.txt", import.meta.url);

const searchPaths = "GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. } } }";

/** Files that may be in the directory of any game. */
const extras = [
  ...["quakespasm.pak", "ironwail.pak", "ironwail", "darkplaces-sdl", "vkquake.bin", "fteqw64", "ezquake/config.cfg"],
  ...["quakespasm-spiked", "q2pro.x86_64", "q2rtx", "quake3e.x64", "QuakeEX.kpf", "Q2Game.kpf", "pak0.pak"],
  ...["mod/pak0.pk3", "mod/pak0.pak", "mod/progs.dat", "mod/maps/a.bsp", "mod/maps/b.bsp", "mod/autoexec.cfg"],
  ...["mod/cgamex86.so", "mod/vm/ui.qvm", "saves/a.sav", "README.txt", ".hidden/pak0.pak", "addon/sp_pak1.pk3"],
  ...["mod2/assets0.pk3", "mod/gameinfo.txt", "mod2/a.pk3dir/x.cfg", "mod3/pak0.pak", "mod3/pak1.pak", "mod3/pak2.pak"],
  ...["mod3/pak3.pak", "mod3/pak4.pak", "mod3/maps/c.BSP", "dragon.pak", "Resource00.pak", "fgd.wad", "extra.pk3"],
];

/** Files that identify games. */
const cores: Readonly<Record<string, readonly string[]>> = {
  quake: ["id1/pak0.pak", "id1/pak1.pak", "hipnotic/pak0.pak", "rogue/pak0.pak"],
  "quake-remaster": ["id1/pak0.pak", "QuakeEX.kpf", "mg1/pak0.pak"],
  quake2: ["baseq2/pak0.pak", "xatrix/pak0.pak", "baseq2/q2rtx_media.pkz"],
  "quake2-remaster": ["baseq2/pak0.pak", "Q2Game.kpf"],
  quake3: ["baseq3/pak0.pk3", "missionpack/pak0.pk3", "demoq3/pak0.pk3"],
  openarena: ["baseoa/pak0.pk3", "baseoa/pak6-patch088.pk3"],
  eliteforce: ["baseEF/pak0.pk3"],
  rtcw: ["main/pak0.pk3", "main/mp_pak0.pk3", "main/sp_pak1.pk3"],
  "enemy-territory": ["etmain/pak0.pk3", "legacy/legacy_v2.pk3"],
  jedi: ["base/assets0.pk3"],
  jediacademy: ["base/assets0.pk3", "base/assets3.pk3"],
  jedioutcast: ["base/assets0.pk3", "base/assets5.pk3"],
  doom3: ["base/pak000.pk4", "d3xp/pak000.pk4"],
  doom3bfg: ["base/_common.resources", "base/_ordered.resources"],
  halflife: ["valve/liblist.gam", "valve/pak0.pak", "bshift/gameinfo.txt"],
  doom: ["DOOM2.WAD", "doom.wad", "heretic.wad", "freedoom1.wad", "mod.pk3"],
  nexuiz: ["data/common.pk3"],
  xonotic: ["data/xonotic-maps.pk3", "data/xonotic-data.pk3dir/a.cfg"],
  unvanquished: ["pkg/unvanquished_0.5.dpk", "pkg/res_1.dpk"],
  dragonnest: ["Resource00.pak"],
};

/** Files of a game's own. */
function ownFiles({ bases, mods = {}, packs = [], name }: KnownGame): string[] {
  const listed = bases.flatMap((base) => [`${base}/gameinfo.txt`, `${base}/pak01_dir.vpk`]);
  const known = packs.map(({ path }) => path);
  return [...cores[name] ?? listed, ...known, ...Object.keys(mods).map((mod) => `${mod}/pak0.pak`)];
}

/** Files that may be in the base of a game. */
const inBases = [
  ...[
    "PAK2.PAK",
    "zz.pk3",
    "gfx/pop.lmp",
    "maps/start.bsp",
    "config.cfg",
    "pak1.pak",
    "_common.resources",
    "pak000.pk4",
  ],
  ...["assets0.pk3", "mp_pak2.pk3", "q2rtx_media.pkz", "liblist.gam", "gameinfo.txt"],
];

function contentOf(path: string, random: Random): Uint8Array {
  const member = ["a.cfg", "gfx/pop.lmp", "addon.conf"][random(3)] ?? "";
  const content = /\.(pak|kpf)$/i.test(path)
    ? pakOf(member)
    : /\.(pk[34z]|dpk)$/i.test(path)
    ? zipOf(member)
    : /\.wad$/i.test(path)
    ? wad(one(random, iwads).lumps.filter(() => random(25) > 0).map((name) => [name, ""]), random(4) ? "IWAD" : "PWAD")
    : path.endsWith(".resources")
    ? bfgResources([["a", "a"]])
    : path.endsWith("gameinfo.txt")
    ? text(random(3) ? searchPaths : "GameInfo { }")
    : text("");
  return random(12) ? content : mutate(content.length > 0 ? content : pak([]), random);
}

function one<T>(random: Random, values: readonly T[]): T {
  return values[random(values.length)] as T;
}

/** A random machine: files by path, links by path, and directories to examine. */
interface Plan {
  readonly files: Record<string, Uint8Array | string>;
  readonly sparse: Map<string, number>;
  readonly links: Map<string, string>;
  readonly places: string[];
}

/** Puts some files of a game into a directory, sometimes in another spelling. */
function addGame({ files, sparse, places }: Plan, directory: string, game: KnownGame, random: Random): void {
  const chosen = [
    ...ownFiles(game).filter(() => random(4) > 0),
    ...game.bases.flatMap((base) => inBases.filter(() => random(12) === 0).map((name) => `${base}/${name}`)),
    ...extras.filter(() => random(15) === 0),
  ];
  const respell = random(6);
  for (const path of chosen) {
    const spelled = respell === 0
      ? path.toUpperCase()
      : respell === 1
      ? path.replace(/^\w/, (c) => c.toUpperCase())
      : path;
    files[`${directory}/${spelled}`] = contentOf(path, random);
    const known = (game.packs ?? []).filter((pack) => pack.path === path && pack.size < 700_000_000);
    if (known.length > 0 && random(2)) sparse.set(`${directory}/${spelled}`, one(random, known).size);
  }
  files[`${directory}/there.txt`] = "";
  places.push(directory, one(random, [directory, dirname(directory), `${directory}/${dirname(chosen[0] ?? "")}`]));
}

const steams = [
  "home/.local/share/Steam",
  "home/.steam/debian-installation",
  "home/.var/app/com.valvesoftware.Steam/data/Steam",
];

/** Installs a game as a launcher does, or as users and systems do. */
function install(plan: Plan, game: KnownGame, random: Random): void {
  const { files } = plan;
  const title = one(random, [game.title, game.name, "Some Game"]).replaceAll("/", "_");
  const damaged = (content: string) =>
    random(8) ? content : content.slice(0, random(content.length)) + content.slice(random(content.length));
  const steam = one(random, steams);
  const library = one(random, [steam, "second"]);
  switch (random(7)) {
    case 0: {
      const id = one(random, [...game.steam ?? [], 2310]);
      const { addOns } = game;
      files[`${steam}/steamapps/libraryfolders.vdf`] = damaged(one(random, [
        `"libraryfolders"\n{\n\t"0" { "path" "ROOT/second" "apps" { } }\n}\n`,
        `"LibraryFolders" { "1" "ROOT/second" "x" "ROOT/third" "2" "relative" } // end`,
      ]));
      files[`${library}/steamapps/appmanifest_${id}.acf`] = damaged(
        `"AppState"\n{\n\t"appid" "${id}"\n\t${random(5) ? `"Name" "${title}"` : ""}\n\t"installdir" "${title}"\n}\n`,
      );
      if (addOns && random(2)) files[`${library}/steamapps/${addOns.path}/honey/pak0.pak`] = pakOf("a");
      return addGame(plan, `${library}/steamapps/common/${title}${random(4) ? "" : "/rerelease"}`, game, random);
    }
    case 1: {
      const place = `heroic/${title}`;
      const entry = { install_path: random(5) ? `ROOT/${place}` : 7, title };
      const list = random(2) ? { installed: [entry, null] } : { [title]: entry };
      const directory = one(random, [".config/heroic", ".var/app/com.heroicgameslauncher.hgl/config/heroic"]);
      const file = one(random, ["gog_store/installed.json", "legendaryConfig/legendary/installed.json"]);
      files[`home/${directory}/${file}`] = damaged(JSON.stringify(list));
      return addGame(plan, place, game, random);
    }
    case 2: {
      const place = `lutris/${game.name}`;
      const directory = one(random, [".local/share/lutris/games", ".config/lutris/games"]);
      const key = one(random, ["exe", "main_file", "prefix"]);
      files[`home/${directory}/${game.name}.${random(5) ? "yml" : "txt"}`] = damaged(
        `game:\n  ${key}: ${one(random, ["", '"', "'"])}ROOT/${place}/start.exe\nname: x\n`,
      );
      return addGame(plan, place, game, random);
    }
    case 3: {
      const collection = one(random, ["GOG Games", "Games/Heroic", "Games", "games", ".local/share/games"]);
      const below = one(random, ["", "", "/game", "/drive_c/GOG Games/x", "/a/b/c"]);
      return addGame(plan, `home/${collection}/${title}${below}`, game, random);
    }
    case 4: {
      const name = one(random, [...game.installedAs ?? [game.name], game.name]);
      const directory = one(random, ["usr/share/games", "usr/local/games", "opt", "usr/lib/games", "data/games"]);
      return addGame(plan, `system/${directory}/${name}`, game, random);
    }
    case 5: {
      const homes = game.engines.flatMap((engine) => engine.homes);
      const path = (one(random, one(random, homes)?.paths ?? []) ?? "~/games/own").replace("~/", "").replace(
        "$XDG_DATA_HOME",
        ".local/share",
      )
        .replace("$XDG_CONFIG_HOME", ".config").replace("$XDG_STATE_HOME", ".local/state");
      return addGame(
        plan,
        random(4) ? `home/${path}` : `home/.var/app/org.x/${path.replace(".local/share", "data")}`,
        game,
        random,
      );
    }
    default: {
      const target = one(random, plan.places);
      if (target !== undefined) plan.links.set(`home/games/link-to-${game.name}`, target);
    }
  }
}

/** Games that may be next to another one: a fixed list, so that adding a game does not change the machines. */
const others = games.filter(({ name }) =>
  ["quake", "quake3", "rtcw", "jedi", "doom3", "halflife", "doom"].includes(name)
);

function planned(game: KnownGame, random: Random): Plan {
  const plan: Plan = { files: {}, sparse: new Map(), links: new Map(), places: [] };
  install(plan, game, random);
  for (let number = random(5); number > 0; number--) install(plan, random(3) ? game : one(random, others), random);
  return plan;
}

for (const game of games) {
  Deno.test(`what is found on random machines with ${game.name} is what was found`, async () => {
    await compareValues(list, game.name, await foundWith(game));
  });
}

/** Games found on some machines that have a game. */
async function foundWith(game: KnownGame): Promise<unknown[]> {
  const random = numbersFrom(start);
  const values: unknown[] = [];
  for (let number = 0; number < machines; number++) {
    const { files, sparse, links, places } = planned(game, random);
    const variables: Record<string, string> = random(3)
      ? {}
      : { XDG_DATA_HOME: "ROOT/home/.share", XDG_DATA_DIRS: "/data:x" };
    await using made = await machine({}, variables);
    const { path: root } = made;
    const written = Object.entries(files).map(([path, content]) =>
      [path, typeof content === "string" ? content.replaceAll("ROOT", root) : content] as const
    );
    await writeFiles(root, Object.fromEntries(written));
    for (const [path, size] of sparse) await Deno.truncate(`${root}/${path}`, size);
    for (const [path, target] of links) {
      await Deno.mkdir(dirname(`${root}/${path}`), { recursive: true });
      await Deno.symlink(`${root}/${target}`, `${root}/${path}`).catch(() => {});
    }
    const said = (ask: () => unknown) => {
      try {
        return ask();
      } catch (error) {
        if (error instanceof GameError) return error.message;
        throw error;
      }
    };
    const found = [() => made.installed(), ...places.map((place) => () => made.detect(place))];
    if (places.length > 1) found.push(() => made.detect(...places));
    // The offset of an error in a file depends on the length of its paths.
    const plain = JSON.stringify(found.map(said)).replaceAll(root, "ROOT").replaceAll(
      /(position|column|character) \d+/g,
      "",
    );
    values.push(plain);
  }
  return values;
}
