/**
 * Games that are known by name: how they are recognised, and the directories of their engines and installers.
 * @module
 */

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

/** A game that is known by name. */
export interface KnownGame {
  /** Name for the configuration. */
  readonly name: string;
  readonly title: string;
  /** Base game directories, the most common first; empty: the base directory itself. */
  readonly bases: readonly string[];
  /** A file that the base must hold, for games whose base is named as that of others; null: none. */
  readonly file: RegExp | null;
  /** Engines with a directory in the home, the most common first. */
  readonly homes: readonly EngineHome[];
  /** Names of its directory below `/usr/share/games` and the like. */
  readonly installedAs: readonly string[];
  /** Numbers of it and its mission packs on Steam. */
  readonly steam: readonly number[];
}

/**
 * The games. Directories are those of Debian's game-data-packager (data/*.yaml, runtime/launch-*.yaml) and of the
 * engines, named beside them; numbers on Steam are from game-data-packager and the games' pages on Steam.
 */
export const knownGames: readonly KnownGame[] = [
  {
    name: "quake",
    title: "Quake",
    bases: ["id1"],
    file: null,
    homes: [
      // sezero/quakespasm Quake/sys_sdl_unix.c: SYS_USERDIR; its relatives keep the mechanism under their own names
      { engine: "QuakeSpasm", profile: "quakespasm", paths: ["~/.quakespasm"] },
      // Novum/vkQuake Quake/common.c: COM_SetUserPrefDir, with SDL_GetPrefPath; ~/.vkquake is a choice of the build
      { engine: "vkQuake", profile: "vkquake", paths: ["$XDG_DATA_HOME/vkQuake"] },
      { engine: "vkQuake", profile: "vkquake", paths: ["~/.vkquake"] },
      { engine: "Ironwail", profile: "ironwail", paths: ["~/.ironwail"] },
      // DarkPlacesEngine/darkplaces fs.c: FS_ChooseUserDir, with gameuserdirname of com_game.c
      { engine: "DarkPlaces", profile: "darkplaces", paths: ["~/.darkplaces"] },
      // fte-team/fteqw engine/common/fs.c: FS_GetBestHomeDir, after the name of the game; older versions used ~/.fte.
      // ezQuake's ~/.ezquake is no root but a game directory: QW-Group/ezquake-source src/fs.c: FS_AddHomeDirectory
      { engine: "FTE", profile: "ftequake", paths: ["$XDG_DATA_HOME/quake"] },
      { engine: "FTE", profile: "ftequake", paths: ["~/.quake"] },
      { engine: "FTE", profile: "ftequake", paths: ["~/.fte"] },
    ],
    installedAs: ["quake"],
    steam: [2310, 9040, 9030],
  },
  {
    name: "quake2",
    title: "Quake II",
    bases: ["baseq2"],
    file: null,
    homes: [
      // yquake2/yquake2 src/backends/unix/system.c: Sys_GetHomeDir
      { engine: "Yamagi Quake II", profile: "yquake2", paths: ["~/.yq2"] },
      { engine: "Quake II", profile: "quake2", paths: ["~/.quake2"] },
      { engine: "Q2PRO", profile: "q2pro", paths: ["~/.q2pro"] },
      // NVIDIA/Q2RTX src/unix/system.c: Sys_Init
      { engine: "Quake II RTX", profile: "q2rtx", paths: ["$XDG_DATA_HOME/quake2rtx"] },
    ],
    installedAs: ["quake2", "quake2-demo"],
    steam: [2320, 2330, 2340, 1089130],
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
    steam: [2200, 2350],
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
    steam: [9050, 9070],
  },
  {
    name: "rtcw",
    title: "Return to Castle Wolfenstein",
    bases: ["main", "Main"],
    file: /^(sp_|mp_)?pak\d.*\.pk3$/i,
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
  {
    name: "jedi",
    title: "Jedi Academy or Jedi Outcast",
    bases: ["base"],
    file: /^assets0\.pk3$/i,
    // JACoders/OpenJK shared/sys/sys_unix.cpp: Sys_DefaultHomePath
    homes: [{ engine: "OpenJK", profile: "openjk", paths: ["$XDG_DATA_HOME/openjk"] }],
    installedAs: ["jediacademy", "jedioutcast"],
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
    steam: [70],
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
