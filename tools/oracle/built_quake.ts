/**
 * Engines for Quake and Half-Life that Debian does not have.
 * @module
 */
import { dirname } from "@std/path";
import { pak } from "../../tests/formats/bytes.ts";
import { builtProgram, type Engine } from "./engine.ts";
import { allOdd, quakespasm } from "./engines.ts";
import { proofOfRegistration, quakespasmHome } from "./quakespasm.ts";
import { fullName, scriptNumber, type TreeKind } from "./trees.ts";

/** A WAD without lumps. */
const wad = Uint8Array.of(0x57, 0x41, 0x44, 0x32, 0, 0, 0, 0, 12, 0, 0, 0);

const missionPacks: ReadonlySet<string> = new Set(["rogue", "hipnotic", "quoth"]);

/** An engine on QuakeSpasm's code, in the directory of the game, where it looks for its own pack first. */
function relative(profile: string, home: string, changes: Partial<TreeKind>): Engine {
  const name = `base/${profile}`;
  return {
    profile,
    kind: { ...quakespasm.kind, roots: [`home/${home}`, "base"], enginePacks: [], ...changes },
    files: async (driver) => ({
      [`home/${home}/id1/driver.cfg`]: driver,
      "base/id1/gfx.wad": wad,
      "base/id1/gfx/pop.lmp": await proofOfRegistration(),
      // The engine does not start without one.
      "base/id1/pak0.pak": pak([["first.txt", ""]]),
      [name]: await Deno.readFile(builtProgram(profile)),
    }),
    command: async (root, mods) => {
      const isReal = root !== "/nowhere";
      const program = isReal ? `${root}/${name}` : builtProgram(profile);
      if (isReal) await Deno.chmod(program, 0o755);
      return {
        program,
        args: [
          ...["-dedicated", "-port", "0", "-basedir", `${root}/base`],
          ...mods.flatMap((mod) => missionPacks.has(mod) ? [`-${mod}`] : ["-game", mod]),
          ...["+exec", "driver.cfg"],
        ],
        environment: isReal ? await quakespasmHome(root, `${root}/home`) : {},
      };
    },
  };
}

const ironwail = relative("ironwail", ".ironwail", { enginePacks: ["ironwail.pak"] });
const vkquake = relative("vkquake", ".vkquake", { scripts: [fullName, "config.cfg", "vkQuake.cfg"] });
const qss: Engine = {
  ...relative("qss", ".quakespasm", {
    packNames: ["pak0", "pak0", "pak0", "pak1", "pak1", "pak2", "pak3", "pak4", "pak10", "PAK0", "zz"],
    // Of two spellings after a gap it takes the one that the file system lists first.
    packEndings: [".pak", ".pak", ".pak", ".pk3", ".pk3", ".pk4"],
    list: "pak.lst",
    enginePacks: ["quakespasm.pak"],
    // Packs without a number are loaded in file system order.
    unordered: /^(?!pak(0|[1-9]\d?)\.(pak|pk3)$)/,
  }),
  listsSearchPath: false,
};

const ftequake: Engine = {
  profile: "ftequake",
  kind: {
    roots: ["home", "base"],
    base: "id1",
    stacks: [[], ["tmod"], ["tmid", "tmod"]],
    besides: ["qw", "fte"],
    packNames: ["pak0", "pak0", "pak1", "pak1", "pak2", "pak3", "PAK0", "zz", "zzz", "Abc", "map-x"],
    packEndings: [".pak", ".pak", ".pak", ".pk3", ".pk3", ".PAK", ".Pk3", ".pk4", ".zip"],
    packCharacters: "_- .019aAzZx",
    oddNames: 20,
    packDirectory: ".pk3dir",
    enginePacks: [],
    maxPacks: 6,
    emptyPacks: true,
    duplicates: true,
    scripts: [fullName],
    // It takes the dots out of names in Quake PAKs, so that they are found under another name.
    withoutScripts: ["two..dots.cfg"],
    // Of two spellings it takes the one that the file system lists first.
    looseTwins: false,
    oddMembers: allOdd,
    unknownMethods: true,
    mixedFormats: true,
    unordered: null,
    list: "pak.lst",
    nested: { endings: [".pak", ".pak", ".pk3", ".pk4", ".PAK", ".zip"], lists: true },
  },
  listsSearchPath: false,
  // A script is looked up without the table of names by which everything else is found.
  question: (path) => `flocate "${path}"`,
  answer: (output) => {
    const size = /\((\d+) bytes\)/.exec(output)?.[1] ?? /^File is (\d+) bytes/m.exec(output)?.[1];
    return size === undefined ? null : scriptNumber(Number(size));
  },
  files: (driver) => Promise.resolve({ "home/id1/driver.cfg": driver, "base/id1/quake.rc": "" }),
  command: (root, mods) =>
    Promise.resolve({
      program: builtProgram("ftequake"),
      args: [
        ...["-basedir", `${root}/base`, "-usehome", "-quake"],
        ...mods.flatMap((mod) => ["-game", mod]),
        ...["+exec", "driver.cfg"],
      ],
      environment: { FTEHOME: `${root}/home` },
    }),
};

/** Paths by which lumps are found: in a directory that is called as a WAD, or without. */
const lumpScripts = ["one", "two", "conchars", "!wat", "odd.name", "fifteencharname", "fifteencharnameX"].flatMap(
  (name) => ["", "zz/", "pak0/"].map((directory) => `${directory}${name}.txt`),
);

const xash3d: Engine = {
  profile: "xash3d",
  kind: {
    roots: ["base"],
    base: "valve",
    stacks: [[], ["tmod"]],
    besides: ["valve_downloads", "valve_hd", "valve_addon", "valve_lv", "valve/custom"]
      .flatMap((name) => [name, name.replace("valve", "tmod")]),
    packNames: ["pak0", "pak1", "pak2", "pak10", "PAK3", "zz", "zzz", "Abc", "Zed", "map-x"],
    packEndings: [".pak", ".pak", ".PAK", ".pk3", ".pk3", ".Pk3", ".zip", ".wad", ".wad", ".WAD"],
    packCharacters: "_-.~!#09aAzZ[x",
    oddNames: 20,
    packDirectory: ".pk3dir",
    nested: { endings: [".wad", ".wad", ".Wad", ".pak"], lists: false },
    lumps: ["one", "two", "conchars", "*wat", "odd.name", "fifteencharname", "fifteencharnameX"],
    enginePacks: [],
    maxPacks: 6,
    emptyPacks: true,
    // It sorts the names of a pack with qsort, which is free to put equal ones in any order.
    duplicates: false,
    scripts: [fullName, ...lumpScripts],
    // Of directories whose names differ only in case it looks into one.
    directoryTwins: false,
    folders: ["box"],
    looseTwins: false,
    oddMembers: allOdd,
    unknownMethods: false,
    mixedFormats: true,
    unordered: null,
  },
  listsSearchPath: false,
  // The engine prints that it runs a script before it looks for it.
  answer: (output) => {
    const number = /^answer (\d+)/m.exec(output)?.[1];
    return number === undefined ? null : Number(number);
  },
  cleaned: (output) => output.replaceAll(/^\[[\d:]+\] ?/gm, ""),
  files: (driver) =>
    Promise.resolve({
      "base/valve/gfx/conchars": "x",
      "base/valve/liblist.gam": 'game "Half-Life"\n',
      "base/tmod/liblist.gam": 'game "Mod"\n',
      "base/valve/driver.cfg": driver,
    }),
  command: (root, [mod = "valve"]) =>
    Promise.resolve({
      program: builtProgram("xash3d"),
      args: ["-dedicated", "-game", mod, "+exec", "driver.cfg"],
      // Its file system is a library next to it.
      libraries: [dirname(builtProgram("xash3d"))],
      environment: { XASH3D_BASEDIR: `${root}/base` },
    }),
};

/** All of them. */
export const builtQuakeEngines: readonly Engine[] = [ironwail, vkquake, qss, ftequake, xash3d];
