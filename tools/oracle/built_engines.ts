/**
 * Engines that Debian does not have: each program is built by hand, as its own project describes, and named by a variable.
 * @module
 */
import { builtQuakeEngines } from "./built_quake.ts";
import { daemon } from "./daemon.ts";
import { builtProgram, type Engine, settings } from "./engine.ts";
import { allOdd, anyName, ioquake3 } from "./engines.ts";
import { fullName, type TreeKind } from "./trees.ts";

/** A dedicated server on Quake III's code. */
interface Server {
  readonly profile: string;
  readonly kind: TreeKind;
  /** Variable that names each root. */
  readonly paths: Readonly<Record<string, string>>;
  /** Further variables; mods are those on the search path, the last searched first. */
  variables(mods: readonly string[]): Readonly<Record<string, string>>;
  /** A script without which it does not start; default: `default.cfg`. */
  readonly defaults?: string;
  /** Further files that it needs. */
  readonly needs?: Readonly<Record<string, Uint8Array | string>>;
  /** As of an engine. */
  readonly listsSearchPath?: boolean;
  readonly view?: (mods: readonly string[]) => string;
  readonly printed?: (path: string) => string;
  readonly cleaned?: (output: string) => string;
}

function server(
  { profile, kind, paths, variables, defaults = "default.cfg", needs = {}, ...own }: Server,
): Engine {
  return {
    profile,
    kind,
    ...own,
    files: (driver) =>
      Promise.resolve({
        ...needs,
        [`base/${kind.base}/${defaults}`]: "echo started\n",
        [`home/${kind.base}/driver.cfg`]: driver,
      }),
    command: (root, mods) => {
      const directories = Object.entries(paths).map(([name, variable]) => [variable, `${root}/${name}`]);
      const values = { ...Object.fromEntries(directories), ...variables(mods), dedicated: "1", net_enabled: "0" };
      return Promise.resolve({ program: builtProgram(profile), args: [...settings(values), "+exec", "driver.cfg"] });
    },
  };
}

/** The mod that is played, and the one below it. */
function gameOf(mods: readonly string[]): { fs_game: string; fs_basegame: string } {
  const [mod = "", middle = ""] = mods.toReversed();
  return { fs_game: mod, fs_basegame: middle };
}

const quake3e = server({
  profile: "quake3e",
  // The engine plays one mod. Mods below it are further base games, also of the game without a mod.
  kind: {
    ...ioquake3.kind,
    roots: ["home", "base", "steam"],
    stacks: [[], ["tmod"], ["tmid", "tmod"], ["tmid", "tmod", "tbase"]],
    oddMembers: [...allOdd, "colon"],
    // With a colon it looks like a path on a drive.
    scripts: [...ioquake3.kind.scripts, "c/drive.cfg"],
  },
  view: (mods) => {
    const [mod = "tbase", ...below] = mods.toReversed();
    return below.length === 0 ? mod : `${mod}:bases=${below.toReversed().join(",")}`;
  },
  paths: { home: "fs_homepath", base: "fs_basepath", steam: "fs_steampath" },
  variables: (mods) => ({ fs_basegame: ["tbase", ...mods.slice(0, -1)].join("/"), fs_game: mods.at(-1) ?? "" }),
  // It shows nothing of characters beyond ASCII.
  printed: (path) => path.replaceAll("é", ""),
});

const chomenor = server({
  profile: "chomenor",
  kind: {
    ...ioquake3.kind,
    roots: ["home", "base"],
    stacks: [[], ["tmod"]],
    besides: ["TBase", "TMOD", "basemod", "BASEMOD", "other"],
    folders: ["sub", "downloads", "Downloads", "nolist", "NoList", "refonly", "box.pk3dir", "downloads/box.pk3dir"],
    distinctOffsets: true,
    scripts: [],
  },
  paths: { home: "fs_homepath", base: "fs_basepath" },
  // Without these it searches first where it may write: since August 2026 the directory of the installation.
  variables: ([mod = ""]) => ({
    com_standalone: "1",
    com_basegame: "tbase",
    fs_game: mod,
    fs_dirs: "*fs_homepath fs_basepath",
  }),
  listsSearchPath: false,
});

const etlegacy = server({
  profile: "etlegacy",
  kind: {
    ...ioquake3.kind,
    roots: ["home", "base"],
    base: "etmain",
    stacks: [[], ["tmod"], ["tmid", "tmod"]],
    // It deletes packs whose names have other characters than ASCII's, and what it prints has colours: ^ and a character.
    packCharacters: "_- .~!#09aAzZ[x",
  },
  paths: { home: "fs_homepath", base: "fs_basepath" },
  // Without a mod the engine plays one of its own.
  variables: (mods) => mods.length === 0 ? { fs_game: "etmain" } : gameOf(mods),
  // The engine exits if this is missing.
  needs: { "base/etmain/pak0.pk3": "" },
  cleaned: (output) => output.replaceAll(/^ +\d+ /gm, ""),
});

const openjk = server({
  profile: "openjk",
  kind: {
    ...ioquake3.kind,
    roots: ["home", "base", "cd"],
    base: "base",
    // The engine runs unreadable scripts as the earlier content of that memory: other scripts.
    unknownMethods: false,
    packNames: ["assets0", "assets3", "dl_a", "DL_b", "pak10", "zz", "zzz", "zz_u", "Abc", "map-x"],
  },
  paths: { home: "fs_homepath", base: "fs_basepath", cd: "fs_cdpath" },
  variables: gameOf,
  defaults: "mpdefault.cfg",
  cleaned: (output) => output.replaceAll(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ?/gm, ""),
});

const iortcwKind: TreeKind = {
  ...ioquake3.kind,
  packNames: ["pak0", "pak2", "mp_pak0", "mp_pak5", "mp_bin", "sp_pak1", "zzz", "zz_x", "MP_pak9", "Sp_x", "zz"],
  packDirectory: null,
};
const iortcwPaths = { home: "fs_homepath", base: "fs_basepath", steam: "fs_steampath", gog: "fs_gogpath" };
const iortcwVariables = (mods: readonly string[]) => ({ com_standalone: "1", com_basegame: "tbase", ...gameOf(mods) });

const iortcwMp = server({
  profile: "iortcw-mp",
  kind: iortcwKind,
  paths: iortcwPaths,
  variables: iortcwVariables,
});

const iortcwSp = server({
  profile: "iortcw-sp",
  // The engine runs unreadable scripts as the earlier content of that memory: other scripts.
  kind: { ...iortcwKind, unknownMethods: false },
  paths: iortcwPaths,
  variables: iortcwVariables,
});

const spearmint = server({
  profile: "spearmint",
  kind: { ...ioquake3.kind, roots: ["home", "base", "cd"], base: "baseq3", stacks: [[], ["tmod"]] },
  paths: { home: "fs_homepath", base: "fs_basepath", cd: "fs_cdpath" },
  variables: ([mod = "baseq3"]) => ({ fs_game: mod }),
  needs: { "base/tmod/mint-game.settings": 'addGameDir "baseq3"\n' },
});

const q2pro: Engine = {
  profile: "q2pro",
  // The engine runs few scripts in one frame.
  question: (path) => `wait\nexec "${path}"`,
  kind: {
    ...anyName,
    roots: ["home", "base"],
    base: "baseq2",
    stacks: [[], ["tmod"]],
    packNames: ["pak0", "pak1", "pak2", "pak10", "PAK3", "pakfoo", "pak1-x", "zz", "Abc", "map-x"],
    // Numbers that differ only in leading zeros are a tie that it leaves to qsort.
    packCharacters: "_-.~!#9aAzZ[x",
    oddNames: 20,
    packEndings: [".pak", ".pak", ".PAK", ".pkz", ".pkz", ".Pkz", ".pk3", ".zip"],
    packDirectory: null,
    enginePacks: ["Q2Game.kpf"],
    emptyPacks: true,
    duplicates: true,
    scripts: [fullName],
    looseTwins: true,
    oddMembers: allOdd,
    // The engine ends reading a file with an unknown method by an error.
    unknownMethods: false,
    mixedFormats: true,
    unordered: null,
  },
  files: (driver) => Promise.resolve({ "home/baseq2/driver.cfg": driver, "base/baseq2/": "" }),
  command: (root, [mod = ""]) =>
    Promise.resolve({
      program: builtProgram("q2pro"),
      args: [
        // Any port: a second one of its kind would end the first.
        ...settings({ basedir: `${root}/base`, homedir: `${root}/home`, game: mod, net_port: "-1" }),
        ...["+exec", "driver.cfg"],
      ],
      refusesRoot: true,
    }),
};

/** All of them. */
export const builtEngines: readonly Engine[] = [
  quake3e,
  chomenor,
  etlegacy,
  openjk,
  iortcwMp,
  iortcwSp,
  spearmint,
  q2pro,
  daemon,
  ...builtQuakeEngines,
];
