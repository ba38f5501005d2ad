/**
 * IWADs of games, identified by their lumps: `IWADINFO` of GZDoom. The first row whose lumps all exist matches.
 * @module
 */

/** Name of a game in filters and autoload directories. */
export type DoomGame = "doom" | "heretic" | "hexen" | "strife" | "chex";

/** One IWAD. */
export interface Iwad {
  /** Title for people. */
  readonly title: string;
  readonly game: DoomGame;
  /** Name in GZDoom's filters, `doom.id.doom2`, and in the sections of its autoload. */
  readonly autoname: string;
  /** Names of its lumps, in upper case. */
  readonly lumps: readonly string[];
}

const rows: readonly (readonly [title: string, game: DoomGame, autoname: string, lumps: string])[] = [
  [
    "Rise of the Wool Ball",
    "doom",
    "woolball.rotwb",
    "E3M6 B3DED WORLDMAP NUCLSKYM PLANETLE MEOWZEKI ZEKIINTR NOWAYBAC",
  ],
  ["Delaweare", "doom", "delaweare", "TITLEMAP ROVEA0 GRLURD01 SQOUI01"],
  ["The Adventures of Square", "doom", "square.square", "SQU-IWAD E1A1"],
  ["The Adventures of Square, shareware", "doom", "square.squareware", "SQU-SWE1 E1A1"],
  ["Harmony", "doom", "harmony", "MAP01 0HAWK01 0CARA3 0NOSE1"],
  ["Hacx 2", "doom", "hacx.hacx2", "MAP01 HACX-E"],
  ["Hacx", "doom", "hacx.hacx1", "MAP01 HACX-R"],
  ["Action Doom 2: Urban Brawl", "doom", "urbanbrawl", "MAP01 AD2LIB"],
  ["Chex Quest 3", "chex", "chex.chex3", "E1M1 CYCLA1 FLMBA1 MAPINFO"],
  ["Chex Quest", "chex", "chex.chex1", "E1M1 E4M1 W94_1 POSSH0M0"],
  ["Strife: Veteran Edition", "strife", "strife.veteran", "MAP35 I_RELB FXAA_F"],
  ["Strife", "strife", "strife.strife", "MAP01 MAP33 ENDSTRF"],
  ["Strife, teaser", "strife", "strifeteaser2", "MAP33 ENDSTRF INVCURS"],
  ["Strife, first teaser", "strife", "strifeteaser1", "MAP33 ENDSTRF"],
  ["Hexen", "hexen", "hexen.hexen", "TITLE MAP01 MAP40 WINNOWR"],
  ["Hexen: Deathkings of the Dark Citadel", "hexen", "hexen.deathkings", "TITLE MAP60 CLUS1MSG"],
  ["Hexen, demo", "hexen", "hexen.shareware", "TITLE MAP01 WINNOWR"],
  ["Blasphemer", "heretic", "blasphemer", "E1M1 E2M1 TITLE BLASPHEM"],
  ["Heretic: Shadow of the Serpent Riders", "heretic", "heretic.shadow", "E1M1 E2M1 TITLE MUS_E1M1 EXTENDED"],
  ["Heretic", "heretic", "heretic.heretic", "E1M1 E2M1 TITLE MUS_E1M1"],
  ["Heretic, shareware", "heretic", "heretic.shareware", "E1M1 TITLE MUS_E1M1"],
  ["FreeDM", "doom", "doom.freedoom.freedm", "MAP01 FREEDM"],
  ["Freedoom: Phase 2", "doom", "doom.freedoom.phase2", "MAP01 FREEDOOM"],
  ["Freedoom: Phase 1", "doom", "doom.freedoom.phase1", "E1M1 E2M1 E3M1 FREEDOOM"],
  ["Freedoom, demo", "doom", "doom.freedoom.demo", "E1M1 FREEDOOM"],
  ["Doom: BFG Edition", "doom", "doom.id.doom1.bfg", "ULTIMATE DMENUPIC M_ACPT M_CAN M_EXITO M_CHG"],
  ["Doom: KEX Edition", "doom", "doom.id.doom1.kex", "ULTIMATE DMENUPIC GAMECONF"],
  ["Doom: Unity Edition", "doom", "doom.id.doom1.unity", "ULTIMATE DMENUPIC"],
  ["Doom Complete", "doom", "doom.id.wadsmoosh", "SMOOSHED ANIMDEFS LANGUAGE MAPINFO ENDOOM M_DOOM TITLEPIC TEXTURES"],
  ["Doom: Xbox Edition", "doom", "doom.id.doom1.ultimate.xbox", "ULTIMATE E1M10 SEWERS"],
  ["The Ultimate Doom", "doom", "doom.id.doom1.ultimate", "ULTIMATE"],
  ["Doom, registered", "doom", "doom.id.doom1.registered", "REGISTERED"],
  ["Doom, shareware", "doom", "doom.id.doom1.shareware", "E1M1"],
  ["Final Doom: TNT: Evilution, Unity Edition", "doom", "doom.id.doom2.tnt.unity", "MAP01 REDTNT2 DMAPINFO"],
  ["Final Doom: TNT: Evilution, KEX Edition", "doom", "doom.id.doom2.tnt.kex", "MAP01 REDTNT2 GAMECONF"],
  ["Final Doom: TNT: Evilution", "doom", "doom.id.doom2.tnt", "MAP01 REDTNT2"],
  [
    "Final Doom: The Plutonia Experiment, Unity Edition",
    "doom",
    "doom.id.doom2.plutonia.unity",
    "MAP01 CAMO1 DMAPINFO",
  ],
  ["Final Doom: The Plutonia Experiment, KEX Edition", "doom", "doom.id.doom2.plutonia.kex", "MAP01 CAMO1 GAMECONF"],
  ["Final Doom: The Plutonia Experiment", "doom", "doom.id.doom2.plutonia", "MAP01 CAMO1"],
  ["Doom II: BFG Edition", "doom", "doom.id.doom2.bfg", "MAP01 DMENUPIC M_ACPT M_CAN M_EXITO M_CHG"],
  ["Doom II: KEX Edition", "doom", "doom.id.doom2.kex", "MAP01 DMENUPIC GAMECONF"],
  ["Doom II: Unity Edition", "doom", "doom.id.doom2.unity", "MAP01 DMENUPIC"],
  ["Doom II: Xbox Edition", "doom", "doom.id.doom2.commercial.xbox", "MAP01 MAP33 CWILV32"],
  ["Doom II, French", "doom", "doom.id.doom2.commercial.french", "MAP01 WIOBJ"],
  ["Doom II", "doom", "doom.id.doom2.commercial", "MAP01"],
];

/** Lumps of maps in two and a half episodes, and of monsters in the registered game. */
const registered = [
  "E1M1",
  ...[2, 3].flatMap((episode) => Array.from({ length: 9 }, (_, map) => `E${episode}M${map + 1}`)),
  ...["DPHOOF", "BFGGA0", "HEADA1", "CYBRA1", "SPIDA1D1"],
];

/** Words of the table, each for several lumps. */
const several: Readonly<Record<string, readonly string[]>> = {
  REGISTERED: registered,
  ULTIMATE: [...registered, "E4M2"],
};

/** The IWADs, the most specific first. */
export const iwads: readonly Iwad[] = rows.map(([title, game, autoname, lumps]) => ({
  title,
  game,
  autoname,
  lumps: lumps.split(" ").flatMap((word) => several[word] ?? [word]),
}));

/** Returns the IWAD that holds these lumps; `undefined` if unknown. */
export function iwadWith(lumps: ReadonlySet<string>): Iwad | undefined {
  return iwads.find((iwad) => iwad.lumps.every((name) => lumps.has(name)));
}

/** Active folders of `filter/` for an IWAD; later ones have priority: `d_main.cpp` of GZDoom. */
export function filtersOf({ game, autoname }: Pick<Iwad, "game" | "autoname">): string[] {
  const groups = game === "heretic" || game === "hexen"
    ? ["game-raven"]
    : game === "strife"
    ? ["game-doomstrifechex"]
    : ["game-doomstrifechex", "game-doomchex"];
  const old = autoname.startsWith("doom.id.doom")
    ? prefixesOf(`doom.doom${autoname.slice("doom.id.doom".length)}`)
    : [];
  return [...groups, `game-${game}`, ...prefixesOf(autoname), ...old];
}

/** Returns the groups of IWADs for which Woof has directories, the largest first: `AutoloadIWadDir` of its d_main.c. */
export function missionsOf({ autoname }: Pick<Iwad, "autoname">): string[] {
  const [, doom, phase, chex] =
    /^(?:doom\.id\.doom([12])|doom\.freedoom\.(phase1|phase2|freedm)|(chex)\.)/.exec(autoname) ??
      [];
  if (doom !== undefined) return ["doom", `doom${doom}`];
  if (phase !== undefined) return ["freedoom", phase === "phase1" ? "freedoom1" : "freedoom2"];
  return chex === undefined ? [] : [chex];
}

/** Returns the prefixes of a name with dots, the shortest first. */
export function prefixesOf(name: string): string[] {
  const parts = name === "" ? [] : name.split(".");
  return parts.map((_, index) => parts.slice(0, index + 1).join("."));
}

/** Files next to an IWAD that GZDoom loads after it, by the IWAD's autoname: `Load` of IWADINFO. */
const loads: Readonly<Record<string, readonly string[]>> = {
  "strife.veteran": ["voices.wad"],
  "strife.strife": ["voices.wad"],
  "doom.id.doom1.kex": ["extras.wad"],
  "doom.id.doom1.unity": ["extras.wad", "soundtrack"],
  "doom.id.doom2.tnt.kex": ["extras.wad"],
  "doom.id.doom2.plutonia.kex": ["extras.wad"],
  "doom.id.doom2.bfg": ["nerve.wad"],
  "doom.id.doom2.kex": ["extras.wad"],
  "doom.id.doom2.unity": ["nerveunity.wad", "extras.wad", "soundtrack"],
  "doom.id.doom2.commercial.xbox": ["nerve.wad"],
};

/** Autonames of IWADs that GZDoom loads before other IWADs, by the autonames of the latter: `Required` of IWADINFO. */
const required: Readonly<Record<string, string>> = {
  "strife.veteran": "strife.strife",
  "hexen.deathkings": "hexen.hexen",
};

/** Returns the names of files next to an IWAD that GZDoom loads after it; `SupportWAD` is the first. */
export function loadedAfter({ autoname }: Pick<Iwad, "autoname">): string[] {
  return [...autoname.startsWith("doom.id.") ? ["id24res.wad"] : [], ...loads[autoname] ?? []];
}

/** Returns the autoname of the IWAD that GZDoom loads before another, without which it refuses to start. */
export function requiredBefore({ autoname }: Pick<Iwad, "autoname">): string | undefined {
  return required[autoname];
}
