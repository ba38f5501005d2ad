/**
 * The engines that Debian has.
 * @module
 */
import { debianLibraries, debianPackage } from "../../tests/support/debian_data.ts";
import { type Engine, settings } from "./engine.ts";
import { proofOfRegistration, quakespasmHome, quakespasmLibraries, quakespasmProgram } from "./quakespasm.ts";
import { fullName, type OddMember, type TreeKind } from "./trees.ts";

/** All ways of writing a name. */
export const allOdd: readonly OddMember[] = ["dot", "rooted", "double", "backslash"];

/** Names of packs for engines that load packs of any name. */
export const anyName: Pick<TreeKind, "packNames" | "packCharacters" | "oddNames" | "maxPacks"> = {
  packNames: ["pak0", "pak1", "pak2", "pak10", "PAK3", "zz", "zzz", "zz_u", "Abc", "map-x"],
  packCharacters: "_- .~^!#09aAzZé[x",
  oddNames: 30,
  maxPacks: 6,
};

/** Related engines have the same installations. */
export const ioquake3: Engine = {
  profile: "ioquake3",
  packages: ["debian:ioquake3-server"],
  kind: {
    ...anyName,
    roots: ["home", "base", "steam", "gog"],
    base: "tbase",
    stacks: [[], ["tmod"], ["tmid", "tmod"]],
    packEndings: [".pk3", ".pk3", ".pk3", ".pk3", ".PK3", ".zip", ".pk3x"],
    packDirectory: ".pk3dir",
    enginePacks: [],
    emptyPacks: true,
    duplicates: true,
    scripts: ["autoexec.cfg", "sub/autoexec.cfg"],
    looseTwins: true,
    oddMembers: allOdd,
    unknownMethods: true,
    mixedFormats: true,
    unordered: null,
    encrypted: true,
    packTwins: true,
    backslashes: true,
  },
  files: (driver) => Promise.resolve({ "base/tbase/default.cfg": "echo started\n", "home/tbase/driver.cfg": driver }),
  command: (root, mods) => {
    const [mod = "", middle = "tbase"] = mods.toReversed();
    const values = {
      fs_basepath: `${root}/base`,
      fs_homepath: `${root}/home`,
      fs_steampath: `${root}/steam`,
      fs_gogpath: `${root}/gog`,
      com_standalone: "1",
      com_basegame: "tbase",
      fs_basegame: middle,
      fs_game: mod,
      dedicated: "1",
      net_enabled: "0",
    };
    const engine = debianPackage("ioquake3-server");
    return Promise.resolve({
      program: `${engine}/usr/lib/ioquake3/ioq3ded`,
      args: [...settings(values), "+exec", "driver.cfg"],
    });
  },
};

const darkplaces: Engine = {
  profile: "darkplaces",
  packages: ["debian:darkplaces-server"],
  // In the terminal it shows characters beyond ASCII without their highest bit.
  printed: (path) => path.replaceAll("é", "C)").replaceAll(/\^(\^|\d)/g, (_, next) => next === "^" ? "^" : ""),
  kind: {
    ...anyName,
    roots: ["home", "base"],
    base: "id1",
    stacks: [[], ["tmod"], ["tmid", "tmod"]],
    // Debian's version is older than .dpk.
    packEndings: [".pak", ".pak", ".PAK", ".pk3", ".pk3", ".Pk3", ".obb", ".zip", ".pk4"],
    packDirectory: ".pk3dir",
    enginePacks: [],
    emptyPacks: true,
    duplicates: true,
    scripts: [fullName],
    looseTwins: true,
    oddMembers: allOdd,
    unknownMethods: true,
    mixedFormats: true,
    unordered: null,
    encrypted: true,
  },
  files: (driver) => Promise.resolve({ "base/id1/default.cfg": "echo started\n", "home/id1/driver.cfg": driver }),
  command: async (root, mods) => ({
    program: `${debianPackage("darkplaces-server")}/usr/games/darkplaces-server`,
    args: [
      ...["-basedir", `${root}/base`, "-userdir", `${root}/home`],
      ...mods.flatMap((mod) => ["-game", mod]),
      ...["+exec", "driver.cfg"],
    ],
    libraries: await debianLibraries("darkplaces-server"),
  }),
};

const quakespasmMissionPacks = ["rogue", "hipnotic", "quoth"];

/** Related engines have the same installations. */
export const quakespasm: Engine = {
  profile: "quakespasm",
  packages: ["debian:quakespasm", "debian:libnss-wrapper"],
  kind: {
    roots: ["home/.quakespasm", "base"],
    base: "id1",
    stacks: [
      [],
      ["tmod"],
      ["hipnotic"],
      ["quoth", "tmod"],
      ["rogue", "hipnotic"],
      ["rogue", "hipnotic", "quoth", "tmod"],
    ],
    packNames: ["pak0", "pak0", "pak0", "pak1", "pak1", "pak2", "pak3", "pak4", "pak10", "PAK0", "zz"],
    packEndings: [".pak", ".pak", ".pak", ".pak", ".pak", ".PAK", ".pk3"],
    packCharacters: "_- .0123",
    oddNames: 5,
    packDirectory: null,
    enginePacks: ["quakespasm.pak"],
    maxPacks: 8,
    emptyPacks: true,
    duplicates: true,
    scripts: [fullName],
    looseTwins: true,
    oddMembers: allOdd,
    unknownMethods: true,
    // The engine refuses to start with a pack in another format.
    mixedFormats: false,
    unordered: null,
  },
  files: async (driver) => ({
    "home/.quakespasm/id1/driver.cfg": driver,
    "base/id1/gfx.wad": Uint8Array.of(0x57, 0x41, 0x44, 0x32, 0, 0, 0, 0, 12, 0, 0, 0),
    "base/id1/gfx/pop.lmp": await proofOfRegistration(),
  }),
  command: async (root, mods) => {
    return {
      program: quakespasmProgram(),
      args: [
        ...["-dedicated", "-port", "0", "-basedir", `${root}/base`],
        ...mods.flatMap((mod) => quakespasmMissionPacks.includes(mod) ? [`-${mod}`] : ["-game", mod]),
        ...["+exec", "driver.cfg"],
      ],
      libraries: await quakespasmLibraries(),
      environment: root === "/nowhere" ? {} : await quakespasmHome(root, `${root}/home`),
    };
  },
};

const yquake2: Engine = {
  profile: "yquake2",
  packages: ["debian:yamagi-quake2-core"],
  kind: {
    roots: ["home/.yq2", "bin", "data"],
    base: "baseq2",
    stacks: [[], ["tmod"], ["xatrix"]],
    packNames: ["pak0", "pak1", "pak2", "pak9", "pak10", "pak99", "pak100", "PAK3", "zz", "Abc", "map-x"],
    packEndings: [".pak", ".pak", ".PAK", ".pk2", ".pk3", ".pkz", ".zip", ".Pk3"],
    packCharacters: "_-.~^!#09aAzZ[x",
    oddNames: 20,
    packDirectory: null,
    enginePacks: [],
    maxPacks: 8,
    emptyPacks: false,
    // It sorts the names of a pack with qsort, which is free to put equal ones in any order.
    duplicates: false,
    scripts: ["players/seven.cfg", "maps.lst.cfg", fullName],
    looseTwins: true,
    oddMembers: allOdd,
    // The engine exits when it opens one.
    unknownMethods: false,
    encrypted: true,
    // The engine refuses to start with a pack in another format.
    mixedFormats: false,
    // Packs without a number are loaded in file system order.
    unordered: /^(?!pak(0|[1-9]\d?)\.[^.]*$)/,
  },
  files: async (driver) => ({
    "home/.yq2/baseq2/driver.cfg": driver,
    "data/": "",
    "bin/q2ded": await Deno.readFile(yamagiProgram()),
  }),
  command: async (root, mods) => {
    const program = `${root}/bin/q2ded`;
    if (root !== "/nowhere") await Deno.chmod(program, 0o755);
    return {
      // Its own directory is one that it searches.
      program: root === "/nowhere" ? yamagiProgram() : program,
      args: [
        ...["-datadir", `${root}/data`],
        ...mods.flatMap((mod) => ["+set", "game", mod]),
        ...["+exec", "driver.cfg"],
      ],
      refusesRoot: true,
    };
  },
};

function yamagiProgram(): string {
  return `${debianPackage("yamagi-quake2-core")}/usr/lib/yamagi-quake2/q2ded`;
}

const dhewm3: Engine = {
  profile: "dhewm3",
  packages: ["debian:dhewm3"],
  // After the search path it lists addons that are not on it.
  cleaned: (output) => output.replaceAll(/^Addon pk4s: ?\n(\/.*\n)*/gm, ""),
  kind: {
    ...anyName,
    roots: ["home/.config/dhewm3", "home/.local/share/dhewm3", "dev", "base", "cd"],
    base: "base",
    stacks: [[], ["tmod"], ["tmid", "tmod"], ["d3xp"]],
    // What it prints has colours, ^ and a character.
    packCharacters: "_- .~!#09aAzZé[x",
    packEndings: [".pk4", ".pk4", ".pk4", ".PK4", ".pk3", ".zip"],
    packDirectory: null,
    enginePacks: [],
    emptyPacks: true,
    duplicates: true,
    // Of several spellings, none of them the one requested, it takes what the file system lists first.
    scripts: [],
    looseTwins: false,
    oddMembers: allOdd,
    unknownMethods: true,
    encrypted: true,
    marks: ["addon.conf", "Addon.conf", "binary.conf"],
    mixedFormats: true,
    unordered: null,
  },
  files: (driver) =>
    Promise.resolve({
      "home/.config/dhewm3/base/driver.cfg": driver,
      "base/base/default.cfg": "exec driver.cfg\n",
      "base/base/materials/least.mtr": "_default\n{\n}\n_tracemodel\n{\n}\n",
    }),
  command: async (root, mods) => {
    const [mod = "", middle = ""] = mods.toReversed();
    const values = {
      fs_basepath: `${root}/base`,
      fs_devpath: `${root}/dev`,
      fs_cdpath: `${root}/cd`,
      fs_game_base: middle,
      fs_game: mod,
      com_skipRenderer: "1",
      s_noSound: "1",
    };
    return {
      program: `${debianPackage("dhewm3")}/usr/games/dhewm3`,
      args: settings(values),
      libraries: await debianLibraries("dhewm3"),
      environment: { SDL_VIDEODRIVER: "dummy", SDL_AUDIODRIVER: "dummy" },
      refusesRoot: true,
    };
  },
};

/** All of them. */
export const engines: readonly Engine[] = [ioquake3, darkplaces, quakespasm, yquake2, dhewm3];
