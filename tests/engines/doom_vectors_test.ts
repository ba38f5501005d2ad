/**
 * Vectors derived from the sources of GZDoom, dsda-doom and Chocolate Doom: lists of files, and the file that answers
 * for a lump. Its content, the name of the file and of a member, identifies the answer.
 */
import { assertEquals } from "@std/assert";
import { ContentReader } from "../../index/content/content_reader.ts";
import { none } from "../../index/columns/columns.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { whichCandidates } from "../../views/which.ts";
import { wad, zip } from "../formats/bytes.ts";
import { type Files, installation } from "../index/fixtures.ts";

/** Members of a zip: lists of lumps for WADs, strings, or null for a file that holds its own name. */
type Members = Readonly<Record<string, readonly string[] | string | null>>;

/** Lumps of a WAD, members of a zip, or the content of another file. */
type Content = readonly string[] | Members | string;

/** A list of files, and the file that answers. */
interface Row {
  readonly engine: "gzdoom" | "boom" | "woof" | "chocolate" | "crispy" | "eternity";
  readonly files: Readonly<Record<string, Content>>;
  /** Arguments after the IWAD. */
  readonly list: readonly string[];
  readonly asked: string;
  /** File that answers, with its row (from 1) if several have the name; null for none. */
  readonly wins: string | null;
  readonly iwad?: readonly string[];
  readonly autoload?: string;
}

/** Lumps that identify an IWAD as Doom II, and sections of flats and sprites. */
const doom2 = [
  ...["MAP01", "THINGS", "TITLEPIC", "M_SKIN", "PIC", "F_START", "FLOOR4_8", "FLAT2", "F_END"],
  ...["S_START", "TROOA1", "TROOB2B8", "S_END"],
];
const kex = [...doom2.filter((lump) => lump !== "PIC"), "DMENUPIC", "GAMECONF"];
const heretic = ["E1M1", "E2M1", "TITLE", "MUS_E1M1", "EXTENDED", "PIC"];

/** A WAD whose lumps hold the name of the file and their number. */
function wadOf(name: string, lumps: readonly string[], kind: "IWAD" | "PWAD" = "PWAD"): Uint8Array {
  return wad(
    lumps.map((lump, index) => [lump, /_(START|END)$/.test(lump) ? "" : `${name} ${index + 1}`.padEnd(16)] as const),
    kind,
  );
}

function fileOf(name: string, content: Content): Uint8Array | string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return wadOf(name, content as readonly string[]);
  const members = Object.entries(content as Members);
  return zip(members.map(([member, lumps]) => ({
    name: member,
    content: lumps === null
      ? `${name} ${member}`
      : typeof lumps === "string"
      ? lumps
      : wadOf(`${name} ${member}`, lumps),
  })));
}

const rows: readonly Row[] = [
  // ZDoom/gzdoom
  gz({ "a.wad": ["TITLEPIC"], "b.wad": ["TITLEPIC"] }, "TITLEPIC", "b.wad 1"),
  gz(
    { "a.wad": ["TITLEPIC"], "b.pk3": { "graphics/titlepic.png": null } },
    "graphics/TITLEPIC",
    "b.pk3 graphics/titlepic.png",
  ),
  gz({ "b.pk3": { "graphics/titlepic.png": null }, "z.wad": ["TITLEPIC"] }, "graphics/TITLEPIC", "z.wad 1"),
  gz(
    { "0.pk3": { "graphics/titlepic.png": null }, "a.wad": ["TITLEPIC"], "b.pk3": { "titlepic.png": null } },
    "graphics/TITLEPIC",
    "a.wad 1",
  ),
  gz({ "a.wad": ["TITLEPIC"], "b.pk3": { "titlepic.png": null } }, "TITLEPIC", "b.pk3 titlepic.png"),
  gz({ "a.pk3": { "graphics/a/x.png": null, "graphics/b/x.png": null } }, "graphics/X", "a.pk3 graphics/b/x.png"),
  gz({ "a.pk3": { "graphics/b/x.png": null, "graphics/a/x.png": null } }, "graphics/X", "a.pk3 graphics/b/x.png"),
  gz(
    { "a.pk3": { "filter/doom.id.doom2/sprites/x.png": null, "sprites/x.png": null } },
    "sprites/X",
    "a.pk3 filter/doom.id.doom2/sprites/x.png",
  ),
  {
    ...gz(
      { "a.pk3": { "filter/doom.id.doom2/sprites/x.png": null, "sprites/x.png": null } },
      "sprites/X",
      "a.pk3 sprites/x.png",
    ),
    iwad: heretic,
  },
  gz(
    { "a.pk3": { "filter/game-doom/g.txt": null, "filter/doom.id/g.txt": null, "g.txt": null } },
    "g.txt",
    "a.pk3 filter/doom.id/g.txt",
  ),
  { ...gz({ "a.pk3": { "filter/game-raven/g.txt": null } }, "g.txt", "a.pk3 filter/game-raven/g.txt"), iwad: heretic },
  gz(
    { "p.pk3": { "map01.wad": ["MAP01", "THINGS"], "maps/map01.wad": ["MAP01", "THINGS"] } },
    "MAP01",
    "p.pk3 map01.wad 1",
  ),
  gz({ "my.zip": { "my/zscript.txt": null, "my/sprites/a.png": null } }, "sprites/a.png", "my.zip my/sprites/a.png"),
  // src/common/filesystem/source/resourcefile.cpp 419: FindCommonFolder compares names as they are stored
  gz(
    { "my.zip": { "my/zscript.txt": null, "my/sprites/a.png": null, "my/../b.png": null } },
    "sprites/a.png",
    "my.zip my/sprites/a.png",
  ),
  gz(
    { "my.zip": { "my/zscript.txt": null, "my/sprites/a.png": null, "../b.png": null } },
    "sprites/a.png",
    null,
  ),
  gz({ "my.zip": { "my/readme.txt": null, "my/sprites/a.png": null } }, "sprites/a.png", null),
  gz({ "a.pk3": { "Sounds/DSPISTOL.wav": null } }, "sounds/dspistol.wav", "a.pk3 Sounds/DSPISTOL.wav"),
  { ...gz({ "a.wad": ["TITLEPIC"] }, "TITLEPIC", "a.wad 1"), autoload: "[doom.Autoload]\nPath=z.wad\n" },
  { ...gz({}, "TITLEPIC", "z.wad 1"), autoload: "[Global.Autoload]\nPath=y.wad\n[doom.id.Autoload]\nPath=z.wad\n" },
  // More of the same sources: markers, short names, dropped files, full paths of maps, single lumps.
  gz({ "a.wad": ["SS_START", "TROOA1", "SS_END"] }, "sprites/TROOA1", "a.wad 2"),
  gz({ "a.wad": ["TROOA1"] }, "sprites/TROOA1", "doom2.wad 11"),
  // Engines add an extension to a name that does not exist.
  gz({ "a.wad": ["TITLEPIC"], "b.wad": ["PIC"] }, "TITLEPIC", "a.wad 1", ["a", "b.wad"]),
  gz({ "a": "no WAD", "a.wad": ["TITLEPIC"] }, "TITLEPIC", "doom2.wad 3", ["a"]),
  // Lumps between two sections are in neither; the first of several starts counts, and the last of several ends.
  gz({ "a.wad": ["S_START", "X", "S_END", "TITLEPIC", "S_START", "Y", "S_END"] }, "TITLEPIC", "a.wad 4"),
  gz({ "a.wad": ["S_START", "X", "S_START", "Y", "S_END", "TROOA1", "S_END"] }, "sprites/TROOA1", "a.wad 6"),
  gz({ "a.wad": ["F_START", "X"], "b.wad": ["TITLEPIC"] }, "TITLEPIC", "b.wad 1"),
  gz(
    { "a.pk3": { "sprites/vile^1.png": null }, "b.wad": ["S_START", "VILE\\1", "S_END"] },
    "sprites/VILE^1",
    "b.wad 2",
  ),
  gz({ "a.pk3": { "graphics/titlepicture.png": null } }, "graphics/TITLEPIC", "a.pk3 graphics/titlepicture.png"),
  gz({ "a.pk3": { "setup.exe": null } }, "setup.exe", null),
  gz({ "pic.lmp": "pic.lmp" }, "PIC", "pic.lmp"),
  gz({ "a.wad": ["MAP01", "THINGS", "BEHAVIOR"], "b.wad": ["MAP01", "THINGS"] }, "maps/MAP01/THINGS", "b.wad 2"),
  gz({ "a.wad": ["MAP01", "THINGS", "BEHAVIOR"], "b.wad": ["MAP01", "THINGS"] }, "maps/MAP01/BEHAVIOR", null),
  gz({ "b.pk3": { "maps/map01.wad": ["MAP01", "THINGS"] } }, "maps/MAP01/THINGS", null),
  gz({ "a.wad": ["PIC", "PIC"] }, "PIC", "a.wad 2"),
  // Files loaded by the IWAD, or by GAMEINFO of the last file that has one, come after the IWAD, before the named
  // files.
  gz({ "id24res.wad": ["PIC"] }, "PIC", "id24res.wad 1", []),
  gz({ "extras.wad": ["PIC"] }, "PIC", "doom2.wad 5", []),
  { ...gz({ "extras.wad": ["PIC"], "id24res.wad": ["PIC"] }, "PIC", "extras.wad 1", []), iwad: kex },
  gz({ "z.wad": ["PIC"], "a.pk3": { "gameinfo.txt": 'LOAD = "z.wad", b.wad' }, "b.wad": ["PIC"] }, "PIC", "b.wad 1", [
    "a.pk3",
  ]),
  gz({ "z.wad": ["PIC"], "a.pk3": { "GAMEINFO": "load = z.wad // x", pic: null } }, "PIC", "a.pk3 pic", ["a.pk3"]),
  gz(
    { "z.wad": ["PIC"], "a.pk3": { "gameinfo.txt": "LOAD=z.wad" }, "b.pk3": { "gameinfo.txt": "IWAD = doom2.wad" } },
    "PIC",
    "doom2.wad 5",
    ["a.pk3", "b.pk3"],
  ),
  gz({ "a.pk3": { "gameinfo.txt": 'LOAD = "../z.wad"' } }, "PIC", "doom2.wad 5", ["a.pk3"]),
  // src/common/filesystem/source/filesystem.cpp 564: CheckNumForFullName; resourcefile.cpp 253: NormalizeFileName
  gz({ "a.pk3": { "maps/sub/map01.wad": "no WAD" } }, "maps/sub/map01.wad", "no WAD"),
  gz(
    { "a.pk3": { "maps/map01/x.txt": null, "maps/map01.wad": ["MAP01"] } },
    "maps/MAP01/x.txt",
    "a.pk3 maps/map01/x.txt",
  ),
  gz({ "a.wad": ["MAP01", "THINGS"], "b.pk3": { "maps/map01/x.txt": null } }, "maps/MAP01/THINGS", "a.wad 2"),
  gz({ "a.pk3": { "./longer_.txt": null } }, "longer_.txt", null),
  gz({ "a.pk3": { "./longer_.txt": null } }, "LONGER_", null),
  gz({ "a.pk3": { "/longer_.txt": null } }, "longer_.txt", null),
  gz({ "a.pk3": { "e//longer_.txt": null } }, "e/longer_.txt", null),
  gz({ "a.pk3": { "e\\longer_.txt": null } }, "e/longer_.txt", "a.pk3 e\\longer_.txt"),
  gz({ "a.pk3": { "./zscript.txt": null, "./sprites/a.png": null } }, "sprites/a.png", "a.pk3 ./sprites/a.png"),
  gz({ "x.deh": "x.deh" }, "x.deh", "x.deh"),
  gz({ "x.deh": "x.deh" }, "X", "x.deh"),
  { ...boom({ "x.deh": "x.deh" }, "x.deh", null), list: ["x.deh"] },
  // src/d_main.cpp 2313: RenameSprites. A Minotaur without its frame Z has other frames, in all files.
  gz({ "a.wad": ["S_START", "MNTRF1", "S_END"] }, "sprites/MNTRU1", "a.wad 2"),
  gz({ "a.wad": ["S_START", "MNTRA1F1", "S_END"] }, "sprites/MNTRA1U1", "a.wad 2"),
  gz({ "a.wad": ["S_START", "MNTRL1", "S_END"] }, "sprites/MNTRL1", "a.wad 2"),
  gz({ "a.wad": ["S_START", "MNTRF1", "S_END"], "b.wad": ["S_START", "MNTRZ1", "S_END"] }, "sprites/MNTRU1", null),
  gz({ "a.pk3": { "sprites/mntrk2.png": null } }, "sprites/MNTRZ2", "a.pk3 sprites/mntrk2.png"),
  gz({ "a.pk3": { "sprites/mntrk2.png": null } }, "sprites/mntrk2.png", "a.pk3 sprites/mntrk2.png"),
  gz({ "a.pk3": { "sprites/mntrk2": null } }, "sprites/mntrk2", "a.pk3 sprites/mntrk2"),
  gz({ "a.pk3": { "sprites/mntrk2": null } }, "sprites/MNTRZ2", "a.pk3 sprites/mntrk2"),
  gz({ "a.wad": ["MNTRF1"] }, "MNTRF1", "a.wad 1"),
  // Doom has no other blood; sprites of the IWAD alone have other names.
  gz({ "a.wad": ["S_START", "BLODA0", "S_END"] }, "sprites/BLODA0", "a.wad 2"),
  raven({ "a.wad": ["S_START", "BLODA0", "S_END"] }, "sprites/BLUDA0", "a.wad 2"),
  raven({ "a.wad": ["S_START", "HEADA1", "S_END"] }, "sprites/HEADA1", "a.wad 2"),
  raven({}, "sprites/HEADA1", null),
  raven({}, "sprites/LICHA1", "doom2.wad 8"),
  raven({}, "FONTB02", null),
  raven({ "a.wad": ["FONTB02"] }, "FONTB02", "a.wad 1"),
  raven({ "a.wad": ["HBIGFONT"] }, "BIGFONT", "a.wad 1"),
  gz({ "a.wad": ["HBIGFONT"] }, "HBIGFONT", "a.wad 1"),
  gz({ "a.pk3": { "dbigfont.lmp": null } }, "BIGFONT", "a.pk3 dbigfont.lmp"),
  // kraflab/dsda-doom
  boom(
    { "a.wad": ["S_START", "TROOA1", "S_END"], "b.wad": ["S_START", "TROOA1", "S_END"] },
    "sprites/TROOA1",
    "b.wad 2",
  ),
  boom({ "p.wad": ["TROOA1"] }, "sprites/TROOA1", "doom2.wad 11"),
  boom({ "p.wad": ["TROOA1"] }, "TROOA1", "p.wad 1"),
  boom({ "a.wad": ["F_START", "X"], "b.wad": ["TITLEPIC"] }, "TITLEPIC", "doom2.wad 3"),
  boom({ "a.wad": ["F_START", "X"], "b.wad": ["TITLEPIC"] }, "flats/TITLEPIC", "b.wad 1"),
  // dsda-doom: sprites, collected earlier, come after the flats of a section that never ends.
  boom({ "a.wad": ["F_START", "TROOA1"] }, "flats/TROOA1", "doom2.wad 11"),
  { ...boom({ "dsda-doom.wad": ["M_SKIN"] }, "M_SKIN", "dsda-doom.wad 1"), list: [] },
  boom({ "x.zip": { "a/z.wad": ["TITLEPIC"], "b/a.wad": ["TITLEPIC"] } }, "TITLEPIC", "x.zip a/z.wad 1"),
  boom({ "x.zip": { "a/A.wad": ["TITLEPIC"], "titlepic.txt": null } }, "titlepic.txt", null),
  {
    ...boom({ "m.wad": ["TITLEPIC"], "auto/m.wad/fix.wad": ["TITLEPIC"] }, "TITLEPIC", "auto/m.wad/fix.wad 1"),
    autoload: "auto",
  },
  {
    ...boom({ "auto/doom2.wad/a.wad": ["PIC"], "auto/doom-all/z.wad": ["PIC"] }, "PIC", "auto/doom2.wad/a.wad 1"),
    list: [],
    autoload: "auto",
  },
  // chocolate-doom/chocolate-doom
  chocolate(["a.wad", "b.wad"], { "a.wad": ["TITLEPIC"], "b.wad": ["TITLEPIC"] }, "TITLEPIC", "b.wad 1"),
  chocolate(["a.wad", "-merge", "b.wad"], { "a.wad": ["TITLEPIC"], "b.wad": ["TITLEPIC"] }, "TITLEPIC", "a.wad 1"),
  chocolate(["b.wad", "a.wad"], { "a.wad": ["TITLEPIC", "TITLEPIC"], "b.wad": ["TITLEPIC"] }, "TITLEPIC", "a.wad 2"),
  chocolate(["-merge", "p.wad"], { "p.wad": ["FF_START", "FLOOR4_8", "FF_END"] }, "flats/FLOOR4_8", "p.wad 2"),
  chocolate(["p.wad"], { "p.wad": ["FF_START", "FLOOR4_8", "FF_END"] }, "flats/FLOOR4_8", "doom2.wad 7"),
  chocolate(["-af", "p.wad"], { "p.wad": ["FLOOR4_8", "FLAT2"] }, "flats/FLOOR4_8", "doom2.wad 7"),
  chocolate(["-af", "p.wad"], { "p.wad": ["FLOOR4_8", "FLAT2"] }, "flats/FLAT2", "p.wad 2"),
  {
    ...chocolate(
      [],
      { "auto/doom-all/z.wad": ["TITLEPIC"], "auto/doom2.wad/a.wad": ["TITLEPIC"] },
      "TITLEPIC",
      "auto/doom2.wad/a.wad 1",
    ),
    autoload: "auto",
  },
  {
    ...chocolate(
      [],
      { "auto/doom-all/a.wad": ["TITLEPIC"], "auto/doom-all/B.wad": ["TITLEPIC"] },
      "TITLEPIC",
      "auto/doom-all/B.wad 1",
    ),
    autoload: "auto",
  },
  chocolate(["pic.lmp"], { "pic.lmp": "pic.lmp" }, "PIC", "pic.lmp"),
  chocolate(["-nwtmerge", "p.wad"], { "p.wad": ["TROOA1"] }, "sprites/TROOA1", null),
  chocolate(["-merge", "p.wad"], { "p.wad": ["S_START", "TROOB2", "TROOB8", "S_END"] }, "sprites/TROOB2B8", null),
  chocolate(["-merge", "p.wad"], { "p.wad": ["S_START", "TROOB2", "S_END"] }, "sprites/TROOB2B8", "doom2.wad 12"),
  // team-eternity/eternity source/w_wad.cpp: addZipFile, coalesceMarkedResources; w_zip.cpp; w_formats.cpp
  eternity({ "a.wad": ["TITLEPIC"], "b.wad": ["TITLEPIC"] }, "TITLEPIC", "b.wad 1"),
  eternity({ "a.wad": ["FF_START", "FLOOR4_8", "FF_END"] }, "flats/FLOOR4_8", "a.wad 2"),
  eternity({ "a.wad": ["FLOOR4_8"] }, "flats/FLOOR4_8", "doom2.wad 7"),
  eternity({ "a.wad": ["HI_START", "X", "HI_END"] }, "X", null),
  eternity({ "a.wad": ["TX_START", "X", "TX_END"] }, "textures/X", "a.wad 2"),
  eternity({ "a.pk3": { "graphics/titlepic.png": null } }, "TITLEPIC", "a.pk3 graphics/titlepic.png"),
  eternity({ "a.pk3": { "graphics/sub/titlepic.png": null } }, "TITLEPIC", "a.pk3 graphics/sub/titlepic.png"),
  eternity({ "a.pk3": { "patches/x.png": null } }, "X", "a.pk3 patches/x.png"),
  eternity({ "a.pk3": { "other/x.png": null } }, "X", null),
  eternity({ "a.pk3": { "sounds/x.ogg": null, "x.png": null } }, "X", "a.pk3 sounds/x.ogg"),
  eternity({ "a.pk3": { "Flats/x.png": null } }, "flats/X", "a.pk3 Flats/x.png"),
  eternity({ "a.pk3": { "sprites/x.png": "8 bytes." } }, "sprites/X", null),
  eternity({ "a.pk3": { "hires/x.png": null } }, "X", null),
  eternity({ "a.pk3": { "x.png": null, "sub/z.wad": ["X"] } }, "X", "a.pk3 sub/z.wad 1"),
  eternity({ "a.pk3": { "b.wad": ["X"], "a.wad": ["X"] } }, "X", "a.pk3 b.wad 1"),
  eternity({ "a.pk3": { "__MACOSX/b.wad": ["X"] } }, "X", null),
  eternity({ "a.pk3": { "x.png": null }, "b.wad": ["X"] }, "X", "b.wad 1"),
  eternity({ "a.pk3": { "filter/doom.id/graphics/x.png": null } }, "X", null),
  // fabiangreffrath/crispy-doom src/w_main.c: W_ParseCommandLine; src/doom/d_main.c: D_DoomMain
  crispy(["p.wad"], { "p.wad": ["FF_START", "FLOOR4_8", "FF_END"] }, "flats/FLOOR4_8", "p.wad 2"),
  crispy(["p.wad"], { "p.wad": ["S_START", "TROOB2", "TROOB8", "S_END"] }, "sprites/TROOB2B8", null),
  crispy(["a.wad", "-merge", "b.wad"], { "a.wad": ["TITLEPIC"], "b.wad": ["TITLEPIC"] }, "TITLEPIC", "a.wad 1"),
  crispy(["-nwtmerge", "p.wad"], { "p.wad": ["TROOA1"] }, "sprites/TROOA1", null),
  crispy(["p.wad"], { "p.wad": Array.from({ length: 4047 }, (_, index) => `L${index}`) }, "L4046", "p.wad 4047"),
  chocolate(["p.wad"], { "p.wad": Array.from({ length: 4047 }, (_, index) => `L${index}`) }, "L4046", null),
  crispy(["a.zip"], { "a.zip": { "titlepic.lmp": null } }, "TITLEPIC", "doom2.wad 3"),
  {
    ...crispy(
      ["-merge", "a.wad", "-file", "b.wad"],
      { "a.wad": ["X"], "b.wad": ["X"], "auto/a.wad/m.wad": ["X"], "auto/b.wad/f.wad": ["X"] },
      "X",
      "auto/a.wad/m.wad 1",
    ),
    autoload: "auto",
  },
  // fabiangreffrath/woof src/w_wad.c: AddDirs, W_AddPath; w_zip.c: W_ZIP_AddDir; w_file.c: W_FILE_AddDir
  woof({ "a.pk3": { "graphics/titlepic.png": null } }, "TITLEPIC", "a.pk3 graphics/titlepic.png"),
  woof({ "a.pk3": { "graphics/titlepic.png": null, "titlepic.lmp": null } }, "TITLEPIC", "a.pk3 graphics/titlepic.png"),
  woof({ "a.pk3": { "sounds/x.ogg": null, "graphics/x.png": null } }, "X", "a.pk3 sounds/x.ogg"),
  woof({ "a.pk3": { "graphics/x.png": null, "z.wad": ["X"] } }, "X", "a.pk3 graphics/x.png"),
  woof({ "a.pk3": { "x.png": null, "z.wad": ["X"] } }, "X", "a.pk3 z.wad 1"),
  woof({ "a.pk3": { "zz.b": null, "b.wad": ["ZZ"] } }, "ZZ", "a.pk3 zz.b"),
  woof({ "a.pk3": { "Sprites/troob2b8.png": null } }, "sprites/TROOB2B8", "a.pk3 Sprites/troob2b8.png"),
  woof({ "a.pk3": { "sprites/x.png": "8 bytes." } }, "sprites/X", null),
  woof({ "a.pk3": { "textures/x.png": null } }, "textures/X", "a.pk3 textures/x.png"),
  woof({ "a.pk3": { "actors/x.txt": null } }, "actors/X", "a.pk3 actors/x.txt"),
  woof({ "a.pk3": { "sub/x.png": null, "graphics/sub/x.png": null, "sub/y.wad": ["X"] } }, "X", null),
  woof({ "a.pk3": { "maps/map01.wad": ["MAP01", "THINGS"] } }, "MAP01", "doom2.wad 1"),
  woof({ "a.pk3": { "x.deh": null } }, "X", null),
  woof({ "a.pk3": { "longer_name.v2.txt": null } }, "LONGER_N", "a.pk3 longer_name.v2.txt"),
  woof({ "a.wad": ["FLOOR4_8", "F_START", "X", "F_END"] }, "flats/X", "a.wad 3"),
  woof(
    { "a.pk3": { "filter/doom.id/graphics/x.png": null, "graphics/x.png": null } },
    "X",
    "a.pk3 filter/doom.id/graphics/x.png",
  ),
  woof(
    { "a.pk3": { "filter/doom.id.doom1/graphics/x.png": null, "graphics/x.png": null } },
    "X",
    "a.pk3 graphics/x.png",
  ),
  woof(
    { "a.pk3": { "filter/doom.id.doom2.commercial/x.png": null, "filter/doom.id.doom2/x.png": null } },
    "X",
    "a.pk3 filter/doom.id.doom2.commercial/x.png",
  ),
  woof({ "a.pk3": { "x.png": null }, "b.wad": ["X"] }, "X", "b.wad 1"),
  { ...woof({ "d/graphics/x.png": "d" }, "X", "d"), list: ["d"] },
  { ...woof({ "d/x": "d" }, "X", null), list: ["d"] },
  { ...woof({ "d/Graphics/x.png": "d" }, "X", null), list: ["d"] },
  {
    ...woof({ "auto/doom2-all/x.lmp": "a", "auto/all-all/z.wad": ["X"] }, "X", "a"),
    autoload: "auto",
    list: [],
  },
  { ...woof({ "auto/doom2.wad/x.lmp": "a", "b.wad": ["X"] }, "X", "b.wad 1"), autoload: "auto" },
  { ...woof({ "auto/b.wad/x.lmp": "a", "B.wad": ["X"] }, "X", "a"), autoload: "auto" },
];

function gz(files: Row["files"], asked: string, wins: string | null, list = Object.keys(files)): Row {
  return { engine: "gzdoom", files, list, asked, wins };
}

function raven(files: Row["files"], asked: string, wins: string | null): Row {
  return { ...gz(files, asked, wins), iwad: [...heretic, "S_START", "HEADA1", "S_END", "FONTB02"] };
}

function boom(files: Row["files"], asked: string, wins: string | null): Row {
  return { engine: "boom", files, list: Object.keys(files).filter((name) => !name.includes("/")), asked, wins };
}

function woof(files: Row["files"], asked: string, wins: string | null): Row {
  return { ...boom(files, asked, wins), engine: "woof" };
}

function eternity(...row: Parameters<typeof boom>): Row {
  return { ...boom(...row), engine: "eternity" };
}

function crispy(...row: Parameters<typeof chocolate>): Row {
  return { ...chocolate(...row), engine: "crispy" };
}

function chocolate(list: readonly string[], files: Row["files"], asked: string, wins: string | null): Row {
  return { engine: "chocolate", files, list, asked, wins };
}

function treeOf({ files, iwad = doom2, autoload }: Row): Files {
  const made = Object.entries(files).map(([name, content]) => [name, fileOf(name, content)] as const);
  const ini = autoload?.startsWith("[") ? { "gzdoom.ini": autoload, "y.wad": wadOf("y.wad", ["TITLEPIC"]) } : {};
  const always = autoload?.startsWith("[") ? { "z.wad": wadOf("z.wad", ["TITLEPIC"]) } : {};
  return { "doom2.wad": wadOf("doom2.wad", iwad, "IWAD"), ...ini, ...always, ...Object.fromEntries(made) };
}

for (const row of rows) {
  const { engine, list, asked, wins, autoload, iwad = doom2 } = row;
  const game = iwad === doom2 ? "" : ` with Heretic${iwad === heretic ? "" : "'s sprites"}`;
  const shown = [...list, ...autoload === undefined ? [] : ["autoload"]].join(" ");
  Deno.test(`${engine}: ${asked} of ${shown}${game} is from ${wins ?? "nothing"}`, async () => {
    await using root = await installation(treeOf(row));
    const words = list.map((word) => word.startsWith("-") ? word : `${root.path}/${word}`);
    const catalog = scanCatalog([{
      sources: [`${root.path}/doom2.wad`, ...words.filter((word) => !word.startsWith("-"))],
      profile: engine,
      iwad: `${root.path}/doom2.wad`,
      files: words,
      ...autoload === undefined
        ? {}
        : { autoload: `${root.path}/${autoload.startsWith("[") ? "gzdoom.ini" : autoload}` },
    }]);
    const view = catalog.view();
    const first = whichCandidates(view, asked).find(({ usable }) => usable);
    const node = view.tree.find(asked);
    const entry = node === none ? none : view.tree.entries[node] ?? none;
    assertEquals(entry === none, first === undefined, "the tree and which must agree");
    if (!first) return assertEquals(wins, null);
    const { snapshot } = view;
    assertEquals([snapshot.sourceOf(entry).path, snapshot.memberOf(entry)], [first.source, first.member]);
    assertEquals(await bytesOf(catalog, entry), wins, first.member);
  });
}

/** Reads an entry as a mount does. */
async function bytesOf(catalog: ReturnType<typeof scanCatalog>, entry: number): Promise<string> {
  await using reader = new ContentReader(catalog.snapshot);
  return new TextDecoder().decode(await reader.readWhole(entry)).trimEnd();
}
