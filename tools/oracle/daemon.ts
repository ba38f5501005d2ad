/**
 * Random installations for the Daemon engine: packs with versions in folders, which name those that they need.
 * @module
 */
import { profileNamed } from "../../engines/table.ts";
import { zip } from "../../tests/formats/bytes.ts";
import { builtProgram, type Engine } from "./engine.ts";
import { Chance } from "./random.ts";
import { type RandomTree, scriptOf, type TreeKind } from "./trees.ts";

const names = ["tex", "res", "a/tex", "a/res", "b/res", "a/b/snd", "a/_u"];
const versions = ["1", "1.9", "1.10", "1.0~rc1", "1.0", "1.0a", "0.5-x", "2"];
const extras = ["more", "x/more"];
const scripts = [
  "one.cfg",
  "sub/two.cfg",
  "sub/deep/three.cfg",
  "six 6.cfg",
  ".hidden.cfg",
  "sub/.x.cfg",
  "two..dots.cfg",
];
const directory = "base/pkg";

class Maker {
  readonly files: Record<string, Uint8Array | string> = {};
  readonly #chance: Chance;
  #count = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Adds a pack or a directory of that path, without its ending. */
  add(path: string, ending: string, needed: readonly string[]): void {
    const chance = this.#chance;
    const members = Array.from({ length: chance.below(4) }, () => {
      const name = scripts[chance.below(scripts.length)] ?? "";
      return { name: chance.happens(20) ? name.toUpperCase() : name, content: scriptOf(this.#count++) };
    });
    const lines = (count: number, line: () => string) =>
      Array.from({ length: chance.below(count) }, () => `${chance.happens(20) ? "  " : ""}${line()}\n`).join("");
    const pick = () => needed[chance.below(needed.length)] ?? "";
    const deps = needed.length === 0 ? "" : lines(4, pick);
    const deleted = needed.length === 0
      ? ""
      : lines(3, () => `${pick().split(" ")[0]} ${scripts[chance.below(scripts.length)]}`);
    if (deps !== "") members.push({ name: "DEPS", content: deps });
    if (deleted !== "" && chance.happens(40)) members.push({ name: "DELETED", content: deleted });
    if (ending.endsWith("dir")) {
      // Of two spellings it takes the one that the file system lists first.
      const unique = new Map(members.map((member) => [member.name.toLowerCase(), member]));
      for (const { name, content } of unique.values()) this.files[`${path}${ending}/${name}`] = content;
      this.files[`${path}${ending}/`] = "";
    } else {
      // Members without content are not in its checksum, and a pack without members is none.
      this.files[path + ending] = zip([{ name: "first.txt", content: "x" }, ...members]);
    }
  }
}

/** Makes an installation. A pack that is missing would end the engine, so only packs that are there are named. */
function daemonTree(seed: number): RandomTree {
  const chance = new Chance(seed);
  const isLegacy = chance.happens(40);
  const prefixes = chance.happens(40) ? chance.pick([["a"], ["b", "a"], ["nowhere", "a/b"]]) : [];
  const paks = names.flatMap((name) =>
    Array.from({ length: chance.below(4) }, () => ({
      name,
      // Of equal packs without a version it takes the one that the file system lists last.
      version: !isLegacy && chance.happens(10) ? "" : versions[chance.below(versions.length)] ?? "",
      root: chance.happens(70) ? directory : "home/pkg",
      ending: chance.happens(70) ? ".dpk" : ".dpkdir",
    }))
  );
  const legacy = names.filter(() => chance.happens(25));
  const needed = [
    ...paks.flatMap(({ name, version }) => version !== "" && chance.happens(25) ? [`${name} ${version}`] : [name]),
    ...isLegacy ? legacy : [],
  ];
  const maker = new Maker(chance);
  for (const { name, version, root, ending } of paks) maker.add(`${root}/${name}_${version}`, ending, needed);
  for (const name of legacy) {
    maker.add(
      `${chance.happens(70) ? directory : "home/pkg"}/${name}`,
      chance.happens(70) ? ".pk3" : ".pk3dir",
      needed,
    );
  }
  const chosen = extras.filter(() => chance.happens(50));
  for (const name of extras) maker.add(`${directory}/${name}_1`, ".dpk", needed);
  maker.add(`${directory}/unvanquished_1`, ".dpk", needed);
  const daemon = profileNamed("daemon");
  if (!daemon?.dependencies) throw new RangeError("Cannot find the profile of Daemon");
  return {
    files: maker.files,
    mods: [...chosen, ...isLegacy ? ["fs_legacypaks=1"] : [], ...prefixes.map((prefix) => `prefix=${prefix}`)],
    questions: [...scripts, ...scripts.map((name) => name.toUpperCase())],
    options: {
      profile: { ...daemon, dependencies: { ...daemon.dependencies, prefixes } },
      with: [...chosen, ...isLegacy ? ["fs_legacypaks=1"] : []],
    },
  };
}

const kind: TreeKind = {
  roots: ["home", "base"],
  base: "pkg",
  stacks: [[]],
  packNames: [""],
  packEndings: [""],
  packCharacters: "",
  oddNames: 0,
  packDirectory: null,
  enginePacks: [],
  maxPacks: 0,
  emptyPacks: false,
  duplicates: false,
  scripts: [],
  looseTwins: false,
  oddMembers: [],
  unknownMethods: false,
  mixedFormats: false,
  unordered: null,
};

/** Daemon, whose dedicated server is asked. */
export const daemon: Engine = {
  profile: "daemon",
  kind,
  tree: daemonTree,
  view: () => "pkg",
  listsSearchPath: false,
  question: (path) => `preset "${path}"`,
  answer: (output) => {
    const number = /^answer (\d+)/m.exec(output)?.[1];
    return number === undefined ? null : Number(number);
  },
  files: (driver) => Promise.resolve({ "home/config/driver.cfg": driver, "home/pkg/": "", "lib/": "" }),
  command: (root, words) => {
    const prefixes = words.flatMap((word) => word.startsWith("prefix=") ? [word.slice("prefix=".length)] : []);
    const chosen = words.filter((word) => !word.includes("="));
    return Promise.resolve({
      program: builtProgram("daemon"),
      args: [
        ...["-libpath", `${root}/lib`, "-homepath", `${root}/home`, "-pakpath", `${root}/${directory}`],
        ...["-set", "fs_legacypaks", words.includes("fs_legacypaks=1") ? "1" : "0"],
        ...["-set", "fs_pakprefixes", prefixes.join(" ")],
        ...["-set", "fs_extrapaks", chosen.join(" ")],
        ...["+exec", "driver.cfg"],
      ],
    });
  },
};
