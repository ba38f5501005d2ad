/**
 * Games that are known by name: how they are recognised, and the directories of their engines and installers.
 * @module
 */
import { join } from "@std/path";
import { fileSize, lookInto, spelledAs } from "./directory.ts";

/** An engine's own directory in the user's home, searched before the installation. */
export interface EngineHome {
  /** Name of the engine in sentences. */
  readonly engine: string;
  /** Profile of that engine. */
  readonly profile: string;
  /**
   * Directories, highest first. They begin with `~`, `$XDG_DATA_HOME`, `$XDG_CONFIG_HOME` or `$XDG_STATE_HOME`.
   */
  readonly paths: readonly string[];
}

/** A directory of add-ons, which are game directories, searched before the installation. */
export interface AddOns {
  /** Name of the engine in sentences. */
  readonly engine: string;
  /** Profile of that engine. */
  readonly profile: string;
  /** Path below `steamapps` of the library that holds the game. */
  readonly path: string;
}

/** A game that is known by name. */
export interface KnownGame {
  /** Name for the configuration. */
  readonly name: string;
  readonly title: string;
  /** Base game directories, the most common first; empty: the base directory itself. */
  readonly bases: readonly string[];
  /** A file that the base must hold, for games whose base is named as that of others; null: none. */
  readonly file: RegExp | null;
  /** A file beside the base, for editions whose base is named as that of others. */
  readonly beside?: RegExp;
  /** Engines with a directory in the home, the most common first. */
  readonly homes: readonly EngineHome[];
  /** Where Steam keeps add-ons that the game downloads, and the engine that searches them. */
  readonly addOns?: AddOns;
  /** Names of its directory below `/usr/share/games` and the like. */
  readonly installedAs: readonly string[];
  /** Numbers of it and its mission packs on Steam. */
  readonly steam: readonly number[];
}

/** A pack that comes with a game, known by its size. */
export interface KnownPack {
  /** Path below the base directory, in small letters. */
  readonly path: string;
  readonly size: number;
  /** Its game, for the end of a sentence that begins with the path. */
  readonly of: string;
}

/** Packs that come with games: data/*.yaml of Debian's game-data-packager. */
const knownPacks: readonly KnownPack[] = [
  { path: "id1/pak0.pak", size: 18_689_235, of: "Quake 1.06" },
  { path: "id1/pak0.pak", size: 18_276_119, of: "Quake 1.01" },
  { path: "baseq2/pak0.pak", size: 183_997_730, of: "Quake II" },
  { path: "baseq2/pak0.pak", size: 49_951_322, of: "the demo of Quake II" },
  { path: "baseq3/pak0.pk3", size: 479_493_658, of: "Quake III Arena" },
  { path: "demoq3/pak0.pk3", size: 46_853_694, of: "the demo of Quake III Arena" },
  { path: "main/pak0.pk3", size: 315_823_656, of: "Return to Castle Wolfenstein" },
  { path: "main/mp_pak0.pk3", size: 63_211_149, of: "the multiplayer game of Return to Castle Wolfenstein" },
  { path: "main/sp_pak1.pk3", size: 293_887_431, of: "the single player game of Return to Castle Wolfenstein" },
  { path: "etmain/pak0.pk3", size: 228_138_631, of: "Wolfenstein: Enemy Territory" },
  { path: "base/assets0.pk3", size: 561_806_019, of: "Jedi Academy" },
  { path: "base/assets0.pk3", size: 188_127_360, of: "the demo of Jedi Academy" },
  { path: "base/assets0.pk3", size: 534_984_353, of: "Jedi Outcast" },
  { path: "base/pak000.pk4", size: 353_159_257, of: "Doom 3" },
];

/** Returns the packs in a base directory that come with a game, by their paths and sizes. */
export function packsOfGames(directory: string): readonly (KnownPack & { readonly found: string })[] {
  const bases = lookInto(directory).directories;
  return knownPacks.flatMap((pack) => {
    const [base = "", name = ""] = pack.path.split("/");
    const spelled = spelledAs(bases, base);
    const file = spelled === undefined ? undefined : spelledAs(lookInto(join(directory, spelled)).files, name);
    if (spelled === undefined || file === undefined) return [];
    const found = join(directory, spelled, file);
    return fileSize(found) === pack.size ? [{ ...pack, found }] : [];
  });
}

/** Names by which a game is known. */
export interface GameNames {
  /** Files beside the game directories. */
  readonly beside: readonly string[];
  readonly gameDirectories: readonly string[];
  /** Returns the names in a game directory. */
  inside(gameDirectory: string): readonly string[];
  /** Paths below the base directory, in small letters, and sizes of packs. */
  packs(): Iterable<Pick<KnownPack, "path" | "size">>;
}

/** Returns the game that has such names. */
export function knownGameNamed({ beside, gameDirectories, inside, packs }: GameNames): KnownGame | undefined {
  return knownGames.find(({ bases, beside: mark, file, title }) => {
    if (mark !== undefined && !beside.some((name) => mark.test(name))) return false;
    if (bases.length === 0) return file !== null && beside.some((name) => file.test(name));
    const base = bases.map((name) => spelledAs(gameDirectories, name)).find((name) => name !== undefined);
    if (base === undefined || file === null) return base !== undefined;
    const isOf = ({ of }: KnownPack) => of === title || of === `the demo of ${title}`;
    return inside(base).some((name) => file.test(name)) ||
      Array.from(packs()).some(({ path, size }) =>
        knownPacks.some((pack) => pack.path === path && pack.size === size && isOf(pack))
      );
  });
}

/** Returns the game of a base directory. */
export function knownGameIn(directory: string): KnownGame | undefined {
  const { directories, files } = lookInto(directory);
  return knownGameNamed({
    beside: files,
    gameDirectories: directories,
    inside(base) {
      const listing = lookInto(join(directory, base));
      return [...listing.files, ...listing.directories];
    },
    packs: () => packsOfGames(directory),
  });
}

/** Games of the Source engine: name, title, base and numbers on Steam. Several share a directory: hl2 is the last. */
const sourceGames: readonly (readonly [name: string, title: string, base: string, ...steam: number[]])[] = [
  ["tf2", "Team Fortress 2", "tf", 440],
  ["css", "Counter-Strike: Source", "cstrike", 240],
  ["dods", "Day of Defeat: Source", "dod", 300],
  ["portal2", "Portal 2", "portal2", 620],
  ["portal", "Portal", "portal", 400],
  ["left4dead2", "Left 4 Dead 2", "left4dead2", 550],
  ["left4dead", "Left 4 Dead", "left4dead", 500],
  ["garrysmod", "Garry's Mod", "garrysmod", 4000],
  ["csgo", "Counter-Strike: Global Offensive", "csgo", 730],
  ["hl2dm", "Half-Life 2: Deathmatch", "hl2mp", 320],
  ["hl2", "Half-Life 2", "hl2", 220, 340, 360, 380, 420],
];

/**
 * The games; of two with one base the more specific first. Directories are those of Debian's game-data-packager
 * (data/*.yaml, runtime/launch-*.yaml) and of the engines, named beside them. Numbers on Steam are from
 * game-data-packager, luxtorpeda-dev/packages metadata/packagessniper_v2.json, and for games of Valve
 * alliedmodders/blaster valve/appids.go; 130, Blue Shift in Half-Life/bshift, ititus/valve_tools SteamApp.
 */
const quakeHomes: readonly EngineHome[] = [
  // sezero/quakespasm Quake/sys_sdl_unix.c: SYS_USERDIR; its relatives keep the mechanism under their own names
  { engine: "QuakeSpasm", profile: "quakespasm", paths: ["~/.quakespasm"] },
  // Novum/vkQuake Quake/common.c: COM_SetUserPrefDir, with SDL_GetPrefPath; ~/.vkquake is a choice of the build
  { engine: "vkQuake", profile: "vkquake", paths: ["$XDG_DATA_HOME/vkQuake"] },
  { engine: "vkQuake", profile: "vkquake", paths: ["~/.vkquake"] },
  { engine: "Ironwail", profile: "ironwail", paths: ["~/.ironwail"] },
  // DarkPlacesEngine/darkplaces fs.c: FS_ChooseUserDir, with gameuserdirname of com_game.c
  { engine: "DarkPlaces", profile: "darkplaces", paths: ["~/.darkplaces"] },
  // fte-team/fteqw engine/common/fs.c: FS_GetBestHomeDir, after the name of the game; older versions used ~/.fte.
  { engine: "FTE", profile: "ftequake", paths: ["$XDG_DATA_HOME/quake"] },
  { engine: "FTE", profile: "ftequake", paths: ["~/.quake"] },
  { engine: "FTE", profile: "ftequake", paths: ["~/.fte"] },
  // QW-Group/ezquake-source src/fs.c: FS_AddHomeDirectory; it is a game directory itself
  { engine: "ezQuake", profile: "ezquake", paths: ["~/.ezquake"] },
];

const quake2Homes: readonly EngineHome[] = [
  // yquake2/yquake2 src/backends/unix/system.c: Sys_GetHomeDir
  { engine: "Yamagi Quake II", profile: "yquake2", paths: ["~/.yq2"] },
  { engine: "Quake II", profile: "quake2", paths: ["~/.quake2"] },
  { engine: "Q2PRO", profile: "q2pro", paths: ["~/.q2pro"] },
  // NVIDIA/Q2RTX src/unix/system.c: Sys_Init
  { engine: "Quake II RTX", profile: "q2rtx", paths: ["$XDG_DATA_HOME/quake2rtx"] },
];

const openJk = { bases: ["base"], installedAs: ["jediacademy", "jedioutcast"] } as const;
/** JACoders/OpenJK shared/sys/sys_unix.cpp: Sys_DefaultHomePath; its single player game of Jedi Outcast has its own. */
const openJkHomes: readonly EngineHome[] = [
  { engine: "OpenJK", profile: "openjk", paths: ["$XDG_DATA_HOME/openjk"] },
  { engine: "OpenJO", profile: "openjk", paths: ["$XDG_DATA_HOME/openjo"] },
];

export const knownGames: readonly KnownGame[] = [
  {
    name: "quake-remaster",
    title: "Quake, the remaster of 2021",
    bases: ["id1"],
    file: null,
    beside: /^QuakeEX\.kpf$/i,
    homes: quakeHomes,
    // andrei-drexler/ironwail Quake/sys_sdl_unix.c: Sys_GetSteamQuakeUserDir; common.c: COM_InitBaseDir
    addOns: {
      engine: "Ironwail",
      profile: "ironwail",
      path: "compatdata/2310/pfx/drive_c/users/steamuser/Saved Games/Nightdive Studios/Quake",
    },
    installedAs: [],
    steam: [2310],
  },
  {
    name: "quake",
    title: "Quake",
    bases: ["id1"],
    file: null,
    homes: quakeHomes,
    installedAs: ["quake"],
    steam: [2310, 9040, 9030],
  },
  {
    name: "quake2-remaster",
    title: "Quake II, the remaster of 2023",
    bases: ["baseq2"],
    file: null,
    beside: /^Q2Game\.kpf$/i,
    homes: quake2Homes,
    installedAs: [],
    steam: [2320],
  },
  {
    name: "quake2",
    title: "Quake II",
    bases: ["baseq2"],
    file: null,
    homes: quake2Homes,
    installedAs: ["quake2", "quake2-demo"],
    steam: [2320, 2330, 2340, 1089130, 9130],
  },
  {
    name: "quake3",
    title: "Quake III Arena",
    bases: ["baseq3", "demoq3"],
    file: null,
    homes: [
      // ioquake/ioq3 code/sys/sys_unix.c: Sys_LegacyHomePath is used where it exists, else the three of XDG
      { engine: "ioquake3", profile: "ioquake3", paths: ["~/.q3a"] },
      {
        engine: "ioquake3",
        profile: "ioquake3",
        paths: ["$XDG_CONFIG_HOME/Quake3", "$XDG_DATA_HOME/Quake3", "$XDG_STATE_HOME/Quake3"],
      },
      // ec-/Quake3e code/unix/unix_shared.c and zturtleman/spearmint code/sys/sys_unix.c: Sys_DefaultHomePath
      { engine: "Quake3e", profile: "quake3e", paths: ["~/.q3a"] },
      { engine: "Spearmint", profile: "spearmint", paths: ["$XDG_DATA_HOME/spearmint"] },
    ],
    installedAs: ["quake3", "quake3-demo-data"],
    steam: [2200, 2350, 9080],
  },
  {
    name: "openarena",
    title: "OpenArena",
    bases: ["baseoa"],
    file: null,
    homes: [
      // OpenArena/engine code/qcommon/q_shared.h: HOMEPATH_NAME_UNIX
      { engine: "OpenArena", profile: "ioquake3", paths: ["~/.openarena"] },
      {
        engine: "OpenArena",
        profile: "ioquake3",
        paths: ["$XDG_CONFIG_HOME/OpenArena", "$XDG_DATA_HOME/OpenArena", "$XDG_STATE_HOME/OpenArena"],
      },
    ],
    installedAs: ["openarena"],
    steam: [],
  },
  {
    name: "doom3bfg",
    title: "Doom 3 BFG Edition",
    bases: ["base"],
    file: /^_(common|ordered)\.resources$/i,
    homes: [{ engine: "RBDOOM-3-BFG", profile: "rbdoom3bfg", paths: ["$XDG_DATA_HOME/rbdoom3bfg"] }],
    installedAs: ["doom3bfg"],
    steam: [208200],
  },
  {
    name: "doom3",
    title: "Doom 3",
    bases: ["base"],
    file: /\.pk4$/i,
    homes: [
      // dhewm/dhewm3 neo/sys/linux/main.cpp: Sys_GetPath; configuration above saved games, as in FileSystem.cpp
      {
        engine: "dhewm3",
        profile: "dhewm3",
        paths: ["$XDG_CONFIG_HOME/dhewm3", "$XDG_DATA_HOME/dhewm3"],
      },
      { engine: "Doom 3", profile: "dhewm3", paths: ["~/.doom3"] },
    ],
    installedAs: ["doom3", "dhewm3"],
    steam: [9050, 9070, 9100],
  },
  {
    name: "rtcw",
    title: "Return to Castle Wolfenstein",
    bases: ["main", "Main"],
    file: /^(sp|mp)_pak\d.*\.pk3$/i,
    homes: [
      // iortcw/iortcw code/sys/sys_unix.c: Sys_DefaultHomePath
      { engine: "iortcw", profile: "iortcw-mp", paths: ["~/.wolf"] },
      { engine: "iortcw", profile: "iortcw-sp", paths: ["~/.wolf"] },
    ],
    installedAs: ["rtcw"],
    steam: [9010],
  },
  {
    name: "enemy-territory",
    title: "Wolfenstein: Enemy Territory",
    bases: ["etmain"],
    file: null,
    // etlegacy/etlegacy src/sys/sys_unix.c: Sys_DefaultHomePath
    homes: [{ engine: "ET: Legacy", profile: "etlegacy", paths: ["~/.etlegacy"] }],
    installedAs: ["enemy-territory", "etlegacy"],
    steam: [1873030],
  },
  { ...openJk, name: "jedioutcast", title: "Jedi Outcast", file: /^assets5\.pk3$/i, homes: openJkHomes, steam: [6030] },
  { ...openJk, name: "jediacademy", title: "Jedi Academy", file: /^assets3\.pk3$/i, homes: openJkHomes, steam: [6020] },
  {
    ...openJk,
    name: "jedi",
    title: "Jedi Academy or Jedi Outcast",
    file: /^assets0\.pk3$/i,
    homes: openJkHomes,
    steam: [6020, 6030],
  },
  {
    name: "eliteforce",
    title: "Star Trek: Voyager Elite Force",
    bases: ["baseEF"],
    file: null,
    homes: [],
    installedAs: ["eliteforce"],
    steam: [],
  },
  {
    name: "halflife",
    title: "Half-Life",
    bases: ["valve"],
    file: /^(liblist\.gam|gameinfo\.txt|halflife\.wad)$/i,
    homes: [],
    installedAs: [],
    steam: [10, 20, 30, 40, 50, 60, 70, 80, 130],
  },
  ...sourceGames.map(([name, title, base, ...steam]): KnownGame => ({
    name,
    title,
    bases: [base],
    file: /^gameinfo\.txt$/,
    homes: [],
    installedAs: [],
    steam,
  })),
  {
    name: "unvanquished",
    title: "Unvanquished",
    bases: ["pkg"],
    file: /^unvanquished_.*\.dpk(dir)?$/,
    // DaemonEngine/Daemon src/common/FileSystem.cpp: DefaultHomePath
    homes: [{ engine: "Daemon", profile: "daemon", paths: ["$XDG_DATA_HOME/unvanquished"] }],
    installedAs: ["unvanquished"],
    steam: [],
  },
  {
    name: "xonotic",
    title: "Xonotic",
    bases: ["data"],
    file: /^xonotic-.*\.pk3(dir)?$/i,
    homes: [{ engine: "DarkPlaces", profile: "darkplaces", paths: ["~/.xonotic"] }],
    installedAs: ["xonotic"],
    steam: [],
  },
  {
    name: "nexuiz",
    title: "Nexuiz",
    bases: ["data"],
    file: /\.pk3$/i,
    homes: [{ engine: "DarkPlaces", profile: "darkplaces", paths: ["~/.nexuiz"] }],
    installedAs: ["nexuiz"],
    steam: [],
  },
  {
    name: "doom",
    title: "Doom",
    bases: [],
    file: /^(doom[12]?|doom2f|plutonia|tnt|freedoom[12]?|freedm|heretic1?|hexen|hexdd|strife[01]|chex3?|hacx)\.wad$/i,
    homes: [],
    installedAs: ["doom"],
    steam: [2280, 2300, 2290, 2390, 2360, 2370, 317040],
  },
  {
    name: "dragonnest",
    title: "Dragon Nest",
    bases: [],
    file: /^Resource.*\.pak$/i,
    homes: [],
    installedAs: [],
    steam: [11610],
  },
];

/** Titles of game directories that players know. */
const titles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  id1: {
    hipnotic: "Scourge of Armagon",
    rogue: "Dissolution of Eternity",
    quoth: "Quoth",
    dopa: "Dimension of the Past",
    mg1: "Dimension of the Machine",
  },
  baseq2: { xatrix: "The Reckoning", rogue: "Ground Zero", ctf: "Capture the Flag" },
  baseq3: { missionpack: "Team Arena" },
  base: { d3xp: "Resurrection of Evil" },
};

/** Returns the title of a game directory over `base`, or null. */
export function titleOf(base: string, gameDirectory: string): string | null {
  return titles[base.toLowerCase()]?.[gameDirectory.toLowerCase()] ?? null;
}
