/**
 * `docs/profiles.md`, made from the tables of profiles, rules and settings.
 * @module
 */
import type { KnownGame } from "../../games/core/game.ts";
import { games } from "../../games/table.ts";
import type { LoadList } from "../../engines/core/load_list.ts";
import type { PackRule } from "../../engines/core/pack_steps.ts";
import type { Profile } from "../../engines/core/profile.ts";
import { profiles } from "../../engines/table.ts";
import { type Settings, writtenKeys } from "../../engines/settings/fields.ts";
import {
  collations,
  folderRules,
  listedPackSettings,
  numberedPackSettings,
  sortedPackSettings,
} from "../../engines/settings/pack_step_settings.ts";
import {
  duplicateRules,
  fullNameRules,
  loadListSettings,
  looseCases,
  lumpRules,
  nestedOrders,
  profileSettings,
} from "../../engines/settings/profile_settings.ts";
import { ruleNames, ruleNotes } from "../../engines/settings/rule_notes.ts";
import { sentencesOf } from "./key_sentences.ts";
import { markdownTable } from "./markdown.ts";

const introduction = `# Profiles

A profile describes an engine: the packs it loads, the order in which it searches them, and the rules that choose among
several copies of a file. This page is generated from the files in \`engines/\`; a test keeps it current.

\`pakfs profiles\` lists them, \`pakfs profiles NAME\` prints one as a configuration. A custom
profile extends another (\`generic\` by default) and lists the differences:

\`\`\`toml
[[profile]]
name = "strict"
extends = "ioquake3"
rules = ["pure-list", "game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"]

[[game]]
profile = "strict"
sources = ["~/.q3a", "/usr/share/games/quake3"]
\`\`\`

Games of the configuration without a \`profile\` take a custom one if a file next to their game directories matches its
\`programs\`, such as \`programs = ["myengine*"]\`.

Each rule compares two candidates, and the first rule that prefers one decides. So a list of rules is refused if one of
them can never decide, or if none decides between game directories, base directories, packs and loose files, packs, or
(last) equal names in one pack.
`;

function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

function stepOf(rule: PackRule): string {
  if (rule.kind === "sorted") {
    const endings = rule.suffixes.length === 0 ? "every archive" : code(rule.suffixes);
    const directories = rule.directories.length === 0 ? "" : ` and directories ${code(rule.directories)}`;
    const except = rule.exceptNumbered ? ", but for numbered ones" : "";
    const prefixes = [
      ...rule.sortsAs.map(({ prefix, as }) => `; \`${prefix}\` sorts as \`${as}\``),
      ...rule.except.map((prefix) => `; none that begin with \`${prefix}\``),
      ...rule.opensAs.map(({ prefix, as }) => `; \`${prefix}\` is opened as \`${as}\``),
    ];
    const folders = {
      any: "",
      none: "; none in folders",
      before: "; those in folders before all others",
      after: "; those in folders after all others",
    }[rule.folders];
    return `${rule.title}: ${endings}${directories}${except}; ${collations[rule.collation]}${
      prefixes.join("")
    }${folders}${rule.belowLoose ? "; searched after loose files" : ""}`;
  }
  if (rule.kind === "listed") {
    const replaces = rule.replacesSorted ? "; where it exists, packs are not loaded by name" : "";
    return `${rule.title}: those that \`${rule.file}\` names, ${code(rule.suffixes)}${replaces}`;
  }
  const name = (number: number) => `\`${rule.prefix}${number}${rule.suffix}\``;
  const range = rule.last === null ? `${name(0)}, ${name(1)} and so on` : `${name(0)} to ${name(rule.last)}`;
  const others = rule.otherSuffixes.length === 0 ? "" : `, for each number also ${code(rule.otherSuffixes)}`;
  const anyCase = rule.anyCase ? ", in capitals too" : rule.capitals ? ", or in capitals as a whole" : "";
  const gap = rule.stopsAtGap ? "the first that is missing ends them" : "gaps are skipped";
  return `${rule.title}: ${range}${others}${anyCase}; ${gap}${
    rule.emptyIsMissing ? ", and an empty one is missing" : ""
  }`;
}

function packsLeftOut(member: string | null, prefix: string | null, except: readonly string[]): string {
  if (member !== null) return `with \`${member}\``;
  return prefix === null ? `other than ${code(except)}` : `that begin with \`${prefix}\``;
}

function section(profile: Profile): string {
  const { enginePack, missionPacks, packs, bases } = profile;
  const facts = [
    ...profile.loadList ? [] : [`Base: ${bases.length === 0 ? "the base directory itself" : code(bases)}.`],
    ...missionPacks.length === 0 ? [] : [`Mission packs: ${code(missionPacks)}, the last is searched first.`],
    ...enginePack === null ? [] : [
      `\`${enginePack.name}\` next to the base ${
        enginePack.belowLoose ? "is searched last" : `counts as number ${enginePack.order}`
      }${
        { "each-root": "", "last-root": ", in the last root", "one-root": "; one is loaded, with the last root" }[
          enginePack.foundIn
        ]
      }.`,
    ],
    ...profile.programPack === null ? [] : [
      `\`${profile.programPack.name}\` inside the program is loaded after \`${profile.programPack.follows}\` of the base, ` +
      "even if that is empty; pakfs knows what is in it, and does not read it.",
    ],
    ...profile.aliases.map(({ path, opens }) =>
      `In each directory \`${opens}\`, if it is there, answers for the loose file \`${path}\`.`
    ),
    ...profile.dependencies === null ? [] : [
      `\`${profile.dependencies.base}\` is loaded first, then the packs that its \`${profile.dependencies.file}\` ` +
      `names, each with the packs that it names; \`:with=NAME\` loads another pack before it, or after it if the name ` +
      `begins with \`${profile.dependencies.maps}\`. \`${profile.dependencies.deleted}\` hides files of packs ` +
      "loaded later.",
    ],
    ...profile.chain === null ? [] : [
      `\`${profile.chain.base}\` and \`${profile.chain.fallback}\` in ${code(profile.chain.files)} of a mod name the ` +
      "directories searched below it.",
    ],
    ...profile.sourceList === null ? [] : [`\`${profile.sourceList}\` of a game directory lists what is searched.`],
    ...profile.companions.map(({ name, of, isBelow, choice, isRoot }) =>
      `${isRoot ? "A base directory called " : ""}\`${name}\` is searched ${isBelow ? "after" : "before"} ${
        { base: "the base", mods: "each mod", all: "each game directory", played: "the game that is played" }[of]
      }${choice === null ? "" : ` with \`:with=${choice}\``}.`
    ),
    ...profile.leftOut.map(({ member, prefix, except, choice, needs, because }) =>
      `Packs ${packsLeftOut(member, prefix, except)} are left out: ${because}${
        choice ? "; `:with=NAME` chooses one" : ""
      }${needs === null ? "" : `, and the packs whose checksums its \`${needs}\` names`}.`
    ),
    ...profile.settings.map(({ name, note }) => `${note} with \`:with=${name}\`.`),
    ...profile.rules.includes("base-game")
      ? ["`:bases=NAME,NAME` names several base games, as `fs_basegame` does."]
      : [],
    ...nestedFacts(profile),
    ...profile.memberNames?.lumpTypes
      ? [
        "Lumps of a WAD are found as `wad/lump.ext` and as `lump.ext`, with an extension for their type: `mip`, `lmp`.",
      ]
      : [],
    ...profile.loadList === null ? [] : loadFacts(profile.loadList),
    profile.ignoreCase ? "Case is ignored in packs." : "Case matters.",
  ];
  return [
    `### ${profile.name}\n`,
    `${profile.title}. ${facts.join(" ")}\n`,
    ...profile.loadList ? [] : [
      "Packs, in the order of loading; what is loaded last is searched first:\n",
      packs.map((rule) => `- ${stepOf(rule)}\n`).join(""),
    ],
    "Rules:\n",
    profile.rules.map((rule, index) => `${index + 1}. \`${rule}\`: ${ruleNotes[rule].sentence}\n`).join(""),
  ].join("\n");
}

/** Returns a sentence about packs in packs. */
function nestedFacts({ nestedPacks }: Profile): string[] {
  if (nestedPacks === null) return [];
  const { suffixes, isAbove, order } = nestedPacks;
  const which = order === "steps" ? "in the same order as packs of a directory" : "the last first";
  return [
    `Packs ${order === "steps" ? "at the top of" : "in"} a pack, ${code(suffixes)}, are searched ${
      isAbove ? "before" : "after"
    } it, ${which}.`,
  ];
}

/** Returns sentences about the list of files that an engine loads. */
function loadFacts(
  { lumps, switches, own, autoload, autoloadAs, autoloadOfFiles, mergesFiles, maxLumps }: LoadList,
): string[] {
  const directories = autoload.length === 0
    ? "the sections `Autoload` of its INI file"
    : `the directories ${code(autoload)} of \`autoload\`, loaded with \`${autoloadAs}\``;
  return [
    `It loads an IWAD and a list of files, in the order ${code(switches)}.`,
    `Lumps are named ${lumpRules[lumps]}.`,
    ...own.length === 0 ? [] : [`${code(own)} next to the IWAD come right after it.`],
    ...autoload.length === 0 && lumps !== "gzdoom"
      ? []
      : [`Files that are always loaded are in ${directories}, and come before the list.`],
    ...autoloadOfFiles ? ["A directory there that is named after a file is loaded after all files."] : [],
    ...mergesFiles ? ["Files of `-file` are merged as those of `-merge` are."] : [],
    ...maxLumps === null ? [] : [`A WAD after the IWAD has at most ${maxLumps} lumps.`],
  ];
}

function settingRows<T extends object>(settings: Settings<T>): string[][] {
  const keys = Object.entries<Settings<T>[keyof T]>(settings);
  const sentences = sentencesOf(Object.keys(settings));
  return keys.map(([key, { field, fallback }]) => [
    `\`${key}\``,
    sentences[key] ?? "",
    field.takes,
    fallback === undefined ? "" : `\`${field.write(fallback)}\``,
  ]);
}

/** Returns the first criterion between packs and loose files, for a table. */
function looseRow({ rules }: Pick<Profile, "rules">): string {
  if (rules.includes("source-list")) return "by the list";
  if (rules.includes("dependency-order")) return "no loose files";
  if (rules.includes("load-order")) return "packs alone";
  if (rules.includes("pack-over-loose-guess")) return "packs, as a guess";
  const isLoose = rules.includes("loose-over-pack");
  const rule = rules.indexOf(isLoose ? "loose-over-pack" : "pack-over-loose");
  if (rule < 0) return "";
  const isOverall = rule < rules.indexOf("game-directory");
  return `${isLoose ? "loose" : "packs"}${isOverall ? ", of any game directory" : ""}`;
}

/** Returns the order of the packs of one directory, for a table, in search order. */
function orderRow({ packs, rules }: Pick<Profile, "packs" | "rules">): string {
  if (rules.includes("source-list")) return "the order of the list";
  if (rules.includes("dependency-order")) return "the order of loading";
  if (rules.includes("load-order")) return "the file that is loaded last";
  if (rules.includes("first-name-guess")) return "name, a to z, as a guess";
  const steps = packs.toReversed().map((step) => {
    if (step.kind === "listed") return `\`${step.file}\``;
    if (step.kind === "numbered") return "number";
    if (step.collation === "listing" || rules.includes("pack-number-or-listing")) return "as listed on disk";
    if (step.collation === "newest") return "the last that was changed";
    return step.collation === "q2pro" ? "other names, z to a, then number" : "name, z to a";
  });
  return steps.filter((step, index) => step !== steps[index - 1]).join(", then ");
}

/** Maximum titles of one row. */
const maxTitles = 4;

/** Rows of the engines by game: each game's usual engine first, and games with equal engines together. */
function gameRows(): string[][] {
  const byEngines = new Map<string, KnownGame[]>();
  for (const game of games.filter(({ editionOf }) => editionOf === undefined)) {
    const names = game.engines.map(({ name }) => name).join(" ");
    byEngines.set(names, [...byEngines.get(names) ?? [], game]);
  }
  return Array.from(byEngines.values()).flatMap((alike) => {
    const titles = alike.flatMap(({ title, relatives = [] }) => [title, ...relatives]);
    const shown = titles.length > maxTitles ? [...titles.slice(0, maxTitles), "others"] : titles;
    return alike[0]?.engines.map((engine, index) => [
      index === 0 ? shown.join(", ") : "",
      `[\`${engine.name}\`](#${engine.name})`,
      looseRow(engine),
      orderRow(engine),
    ]) ?? [];
  });
}

/** Such engines are for files made on systems that ignore case. */
const namesInCapitals = `## Names in capitals

An engine on Linux looks for \`id1/pak0.pak\`. Installers made for Windows leave \`Id1/PAK0.PAK\`, which it does not find;
pakfs shows what the engine finds, and \`mount\`, \`detect\`, \`status\` and \`doctor\` report the other files. Rename them to
lower case. Or, if the engine runs on a file system that ignores case (Windows, Wine and Proton, macOS), give the game
this profile:

\`\`\`toml
[[profile]]
name = "quake-on-windows"
extends = "quake"
ignoreCase = true
looseCase = "any"
packs = [{ kind = "numbered", anyCase = true }]
\`\`\`
`;

function wordRows(words: Readonly<Record<string, string>>): string[][] {
  return Object.entries(words).map(([word, meaning]) => [`\`${word}\``, meaning]);
}

/** Returns the document, before it is formatted. */
export function profilesDocument(): string {
  const engines = profiles.map(({ name, title, bases }) => [`[\`${name}\`](#${name})`, title, code(bases)]);
  const titles = ["key", "what it decides", "takes", "usually"];
  return [
    introduction,
    "## What wins",
    "The default engine of each game comes first. `which FILE --all-engines` and `diff --engine PROFILE` compare engines.",
    markdownTable(["game", "profile", "loose files or packs", "packs of one directory, best first"], gameRows()),
    "## Engines",
    markdownTable(["profile", "engine", "base game"], engines),
    ...profiles.map(section),
    "## Rules",
    markdownTable(
      ["rule", "what it decides"],
      ruleNames.map((name) => [`\`${name}\``, ruleNotes[name].sentence]),
    ),
    namesInCapitals,
    "## Keys of a profile",
    "`extends` names the profile that provides missing keys. `false` sets a key to none.",
    markdownTable(titles.slice(0, 3), settingRows(profileSettings).map((row) => row.slice(0, 3))),
    "A step of `packs` is one of three tables.",
    '`kind = "numbered"`:',
    markdownTable(titles, settingRows(numberedPackSettings).slice(1)),
    '`kind = "sorted"`:',
    markdownTable(titles, settingRows(sortedPackSettings).slice(1)),
    '`kind = "listed"`:',
    markdownTable(titles, settingRows(listedPackSettings).slice(1)),
    "`loadList` is a table:",
    markdownTable(titles, settingRows(loadListSettings)),
    "`loadList.lumps` is how lumps are named:",
    markdownTable(["lumps", "named"], wordRows(lumpRules)),
    "`looseCase` is the spelling that finds a loose file:",
    markdownTable(["looseCase", "found by"], wordRows(looseCases)),
    "`duplicates` chooses among equal names in a pack:",
    markdownTable(["duplicates", "answers"], wordRows(duplicateRules)),
    "`memberNames.fullNames` says how the engine reads a name that fills its field in a Quake PAK:",
    markdownTable(["fullNames", "then"], wordRows(fullNameRules)),
    "`nestedPacks.order` is how packs in one pack are ordered:",
    markdownTable(["order", "loaded"], wordRows(nestedOrders)),
    "`folders` is how packs in the folders of `packFolders` count:",
    markdownTable(["folders", "then"], wordRows(folderRules)),
    "`collation` is how names are compared:",
    markdownTable(["collation", "order"], wordRows(collations)),
    "A profile that has all keys:",
    ["```toml", "[[profile]]", ...example(), "```"].join("\n"),
  ].join("\n\n");
}

function example(): string[] {
  const profile = profiles.find(({ name }) => name === "quakespasm");
  if (!profile) throw new RangeError("the profile of the example is missing");
  return writtenKeys(profileSettings, { ...profile, name: "mine" }).map(([key, value]) => `${key} = ${value}`);
}
