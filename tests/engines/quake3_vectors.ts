/**
 * Vectors, as in `engine_vectors.ts`, of engines on Quake III's code.
 * @module
 */
import { zipOf } from "../index/fixtures.ts";
import { homeAndBase, type Row } from "./engine_vectors.ts";

export const quake3Rows: readonly Row[] = [
  // ec-/Quake3e
  { engine: "quake3e", tree: ["baseq3/pak0.pk3", "baseq3"], wins: "baseq3/pak0.pk3" },
  { engine: "quake3e", tree: ["baseq3/pak0.pk3", "mod"], view: "mod", wins: "baseq3/pak0.pk3" },
  { engine: "quake3e", tree: ["mod/a.pk3", "baseq3/zzz.pk3"], view: "mod", wins: "mod/a.pk3" },
  { engine: "quake3e", tree: ["mod/x.pk3dir", "mod/x.pk3", "baseq3"], view: "mod", wins: "mod/x.pk3dir" },
  { engine: "quake3e", tree: ["home/baseq3", "base/baseq3"], roots: homeAndBase, wins: "loose home/baseq3" },
  { engine: "quake3e", tree: ["baseq3/pak2.pk3", "baseq3/pak10.pk3"], wins: "baseq3/pak2.pk3" },
  { engine: "quake3e", tree: ["baseq3/pak0.pk3"], asked: "autoexec.cfg", wins: null },
  { engine: "quake3e", tree: ["baseq3/pak0.pk3"], asked: "AUTOEXEC.cfg", wins: null },
  { engine: "quake3e", tree: ["baseq3/x.pk3dir", "baseq3"], asked: "autoexec.cfg", wins: "loose baseq3" },
  { engine: "quake3e", tree: ["baseq3/x.pk3dir"], asked: "AUTOEXEC.cfg", wins: "baseq3/x.pk3dir" },
  { engine: "quake3e", tree: ["baseq3/pak0.pk3"], asked: "two..dots", wins: "baseq3/pak0.pk3" },
  { engine: "ioquake3", tree: ["baseq3/pak0.pk3"], asked: "two..dots", wins: null },
  // code/qcommon/files.c: FS_HashFileName (ioquake3 376, OpenJK 374, iortcw 393; q_shared.c 143 of Quake3e) and
  // FS_ReplaceSeparators
  ...[["quake3", "baseq3"], ["ioquake3", "baseq3"], ["quake3e", "baseq3"], ["chomenor", "baseq3"], ["openjk", "base"], [
    "iortcw-mp",
    "main",
  ]].flatMap(([engine = "", base = ""]): Row[] => [
    { engine, tree: [], files: { [`${base}/a.pk3`]: zipOf("c/x") }, asked: "c\\x", wins: `${base}/a.pk3` },
    { engine, tree: [], files: { [`${base}/c/x`]: "" }, asked: "c\\x", wins: `loose ${base}` },
    { engine, tree: [], files: { [`${base}/c\\x`]: "" }, asked: "c\\x", wins: null },
  ]),
  { engine: "quakespasm", tree: [], files: { "id1/c/x": "" }, asked: "c\\x", wins: null },
  // code/qcommon/files.c of Quake3e: FS_ConvertFilename, 2348, changes each name of a pack that is loaded, 2824
  { engine: "quake3e", tree: [], files: { "baseq3/a.pk3": zipOf("c:x") }, asked: "c/x", wins: "baseq3/a.pk3" },
  { engine: "quake3e", tree: [], files: { "baseq3/a.pk3": zipOf("c:x") }, asked: "x", wins: null },
  { engine: "quake3e", tree: [], files: { "baseq3/a.pk3": zipOf("cc:d:x") }, asked: "cc/d/x", wins: "baseq3/a.pk3" },
  { engine: "quake3e", tree: [], files: { "baseq3/a.pk3": zipOf("cc:/x") }, asked: "cc:/x", wins: null },
  { engine: "quake3e", tree: [], files: { "baseq3/a.pk3": zipOf("cc::x") }, asked: "cc/x", wins: null },
  {
    engine: "quake3e",
    tree: [],
    files: { "baseq3/a.pk3": zipOf("cc:x"), "baseq3/b.pk3": zipOf("cc/x") },
    asked: "cc/x",
    wins: "baseq3/b.pk3",
  },
  { engine: "ioquake3", tree: [], files: { "baseq3/a.pk3": zipOf("cc:x") }, asked: "cc/x", wins: null },
  { engine: "ioquake3", tree: [], files: { "baseq3/a.pk3": zipOf("cc:x") }, asked: "cc:x", wins: "baseq3/a.pk3" },
  { engine: "quake3e", tree: [], files: { "baseq3/cc:x": "" }, asked: "cc/x", wins: null },
  { engine: "quake3e", tree: [], files: { "baseq3/cc:x": "" }, asked: "cc:x", wins: "loose baseq3" },
  // fs_basegame "baseq3/b"
  {
    engine: "quake3e",
    tree: ["home/baseq3/x.pk3", "base/b/x.pk3"],
    roots: homeAndBase,
    view: "baseq3:bases=b",
    wins: "home/baseq3/x.pk3",
  },
  { engine: "quake3e", tree: ["baseq3/z.pk3", "b/a.pk3"], view: "baseq3:bases=b", wins: "b/a.pk3" },
  { engine: "quake3e", tree: ["baseq3/z.pk3", "b/a.pk3"], view: "baseq3:bases=b,baseq3", wins: "baseq3/z.pk3" },
  { engine: "quake3e", tree: ["baseq3/z.pk3", "b/a.pk3"], wins: "baseq3/z.pk3" },
  {
    engine: "quake3e",
    tree: ["home/baseq3/z.pk3", "home/b/z.pk3", "base/mod/a.pk3"],
    roots: homeAndBase,
    view: "mod:bases=b",
    wins: "base/mod/a.pk3",
  },
  { engine: "quake3e", tree: ["baseq3/x.pk3", "b"], view: "b:bases=b", wins: "baseq3/x.pk3" },
  { engine: "quake3e", tree: ["b/x.pk3", "baseq3"], view: "mod:bases=b", files: { "mod/y": "" }, wins: "b/x.pk3" },
  // etlegacy
  { engine: "etlegacy", tree: ["etmain", "legacy/legacy_v2.83.pk3"], view: "legacy", wins: "loose etmain" },
  { engine: "etlegacy", tree: ["etmain", "legacy"], view: "legacy", wins: "loose legacy" },
  {
    engine: "etlegacy",
    tree: ["home/etmain", "base/etmain", "base/legacy"],
    roots: homeAndBase,
    view: "legacy",
    wins: "loose base/legacy",
  },
  { engine: "etlegacy", tree: ["legacy/a.pk3", "etmain/zzz.pk3"], view: "legacy", wins: "legacy/a.pk3" },
  { engine: "etlegacy", tree: ["etmain/x.pk3dir", "etmain/x.pk3"], wins: "etmain/x.pk3dir" },
  { engine: "etlegacy", tree: ["etmain/pak0.pk3", "etmain/pak2.pk3"], wins: "etmain/pak2.pk3" },
  {
    engine: "etlegacy",
    tree: ["etmain/pak0.pk3", "legacy/ht_x.pk3", "legacy/legacy_v2.pk3"],
    view: "legacy",
    wins: "legacy/legacy_v2.pk3",
  },
  // JACoders/OpenJK
  { engine: "openjk", tree: ["base/assets0.pk3", "base/assets3.pk3"], wins: "base/assets3.pk3" },
  { engine: "openjk", tree: ["base/assets0.pk3", "base"], wins: "base/assets0.pk3" },
  { engine: "openjk", tree: ["base/zzz.pk3", "base/dl_a.pk3"], wins: "base/zzz.pk3" },
  {
    engine: "openjk",
    tree: ["base/zzz.pk3", "base/dl_a.pk3"],
    view: "base:with=dl_a",
    wins: "base/dl_a.pk3",
  },
  { engine: "openjk", tree: ["base/zzz.pk3", "base/DL_a.pk3"], view: "base:with=dl_a", wins: "base/DL_a.pk3" },
  {
    engine: "openjk",
    tree: ["base/assets0.pk3", "base"],
    view: "base:with=fs_dirbeforepak=1",
    wins: "loose base",
  },
  { engine: "openjk", tree: ["mod/a.pk3", "base"], view: "mod:with=fs_dirbeforepak=1", wins: "mod/a.pk3" },
  {
    engine: "openjk",
    tree: ["base/a.pk3", "base/z.pk3", "base/dl_a.pk3"],
    view: "base:with=fs_dirbeforepak=1,dl_a",
    wins: "base/dl_a.pk3",
  },
  { engine: "openjk", tree: ["mod", "base/assets3.pk3"], view: "mod", wins: "loose mod" },
  {
    engine: "openjk",
    tree: ["home/base/zzz.pk3", "base/base/assets0.pk3"],
    roots: homeAndBase,
    wins: "home/base/zzz.pk3",
  },
  { engine: "openjk", tree: ["base/assets0.pk3", "base/x.pk3dir"], wins: "base/assets0.pk3" },
  { engine: "openjk", tree: ["base/assets0.pk3"], asked: "openjk.cfg", wins: null },
  { engine: "openjk", tree: ["base/assets0.pk3"], asked: "OpenJK.cfg", wins: null },
  // iortcw
  ...[
    "mp_pak5",
    "mp_pak0",
    "mp_bin",
    "zzz",
    "Sp_pakx",
    "pak0",
    "MP_pak9",
  ].map((_, index, names): Row => ({
    engine: "iortcw-mp",
    tree: [...names.slice(index), "sp_pak1", "zz_x"].map((name) => `main/${name}.pk3`),
    wins: `main/${names[index]}.pk3`,
  })),
  ...["sp_pak1", "zzz", "Sp_pakx", "pak0", "MP_pak9"].map((_, index, names): Row => ({
    engine: "iortcw-sp",
    tree: [...names.slice(index), "mp_pak5", "mp_bin", "zz_x"].map((name) => `main/${name}.pk3`),
    wins: `main/${names[index]}.pk3`,
  })),
  { engine: "iortcw-mp", tree: ["main", "main/mp_pak5.pk3"], wins: "loose main" },
  { engine: "iortcw-sp", tree: ["main", "main/sp_pak1.pk3"], wins: "main/sp_pak1.pk3" },
  { engine: "iortcw-mp", tree: ["mymod/x.pk3", "main/mp_pak5.pk3"], view: "mymod", wins: "mymod/x.pk3" },
  { engine: "iortcw-mp", tree: ["main/zz_maps.pk3", "main/pak0.pk3"], wins: "main/pak0.pk3" },
  { engine: "iortcw-sp", tree: ["main/zz_maps.pk3"], wins: null },
  { engine: "iortcw-mp", tree: ["main/sp_pak1.pk3"], wins: null },
  { engine: "iortcw-mp", tree: ["main/pak0.pk3"], asked: "wolfconfig_mp.cfg", wins: null },
  { engine: "iortcw-sp", tree: ["main/pak0.pk3"], asked: "wolfconfig.cfg", wins: null },
  // zturtleman/spearmint
  { engine: "spearmint", tree: ["baseq3", "baseq3/pak0.pk3", "baseq3/x.pk3dir"], wins: "loose baseq3" },
  { engine: "spearmint", tree: ["baseq3/x.pk3", "baseq3/x.pk3dir"], wins: "baseq3/x.pk3dir" },
];
