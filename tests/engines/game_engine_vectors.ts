/**
 * Vectors, as in `engine_vectors.ts`, of engines for only one or two games.
 * @module
 */
import { grp, hog, hog2, rff, zip } from "../formats/bytes.ts";
import { pakOf, zipOf } from "../index/fixtures.ts";
import { homeAndBase, type Row } from "./engine_vectors.ts";

/** Bytes of a zip with one stored member whose method field is `method`. */
function packedBy(method: number): Uint8Array {
  return zip([{ name: "x", content: "x", method }]);
}

const bloodRff = rff(0x200, [{ name: "X", extension: "Y", content: "1" }], () => null);

export const gameEngineRows: readonly Row[] = [
  // FrozenSand/ioq3-for-UrbanTerror-4 code/qcommon/files.c: FS_AddGameDirectory, 2494; FS_FOpenFileRead, 985; FS_Startup
  { engine: "urbanterror", tree: ["q3ut4", "q3ut4/zUrT43_001.pk3"], wins: "q3ut4/zUrT43_001.pk3" },
  { engine: "urbanterror", tree: ["q3ut4/zUrT43_001.pk3", "q3ut4/zUrT43_qvm.pk3"], wins: "q3ut4/zUrT43_qvm.pk3" },
  { engine: "urbanterror", tree: ["q3ut4/x.pk3dir"], files: { "q3ut4/y": "" }, wins: null },
  { engine: "urbanterror", tree: ["q3ut4/a.pk3"], asked: "AutoExec.cfg", wins: null },
  { engine: "urbanterror", tree: ["q3ut4", "q3ut4/a.pk3"], asked: "q3config.cfg", wins: "loose q3ut4" },
  { engine: "urbanterror", tree: ["q3ut4", "q3ut4/download/zz.pk3"], wins: "loose q3ut4" },
  {
    engine: "urbanterror",
    tree: ["q3ut4/download/zz.pk3"],
    files: { "q3ut4/y": "" },
    wins: "q3ut4/download/zz.pk3",
  },
  {
    engine: "urbanterror",
    tree: ["home/q3ut4/download/zz.pk3", "base/q3ut4/a.pk3", "base/q3ut4"],
    files: { "home/q3ut4/y": "" },
    roots: homeAndBase,
    wins: "home/q3ut4/download/zz.pk3",
  },
  {
    engine: "urbanterror",
    tree: ["base/q3ut4/download/zz.pk3", "base/q3ut4/a.pk3"],
    files: { "home/q3ut4/y": "" },
    roots: homeAndBase,
    wins: "base/q3ut4/a.pk3",
  },
  { engine: "urbanterror", tree: ["mod", "q3ut4/a.pk3"], view: "mod", wins: "loose mod" },
  { engine: "urbanterror", tree: [], files: { "q3ut4/a.pk3": zipOf("c/X") }, asked: "C\\x", wins: "q3ut4/a.pk3" },
  // smokin-guns/SmokinGuns code/qcommon/files.c: FS_AddGameDirectory, 2870; FS_FOpenFileRead, 1351; FS_Startup
  { engine: "smokinguns", tree: ["smokinguns", "smokinguns/sg_pak0.pk3"], wins: "loose smokinguns" },
  { engine: "smokinguns", tree: ["smokinguns/sg_pak0.pk3", "smokinguns/z.pk3dir"], wins: "smokinguns/z.pk3dir" },
  { engine: "smokinguns", tree: ["smokinguns/a.pk3"], asked: "autoexec.cfg", wins: "smokinguns/a.pk3" },
  { engine: "smokinguns", tree: ["smokinguns/a.pk3", "baseq3/pak0.pk3"], wins: "smokinguns/a.pk3" },
  { engine: "smokinguns", tree: ["baseq3/pak0.pk3"], files: { "smokinguns/y": "" }, wins: "baseq3/pak0.pk3" },
  // darklegion/tremulous src/qcommon/files.c: FS_AddGameDirectory, 2829; FS_FOpenFileRead, 1311
  { engine: "tremulous", tree: ["base/data-1.1.0.pk3", "base/vms-1.1.0.pk3"], wins: "base/vms-1.1.0.pk3" },
  { engine: "tremulous", tree: ["base", "base/vms-1.1.0.pk3"], wins: "loose base" },
  { engine: "tremulous", tree: ["gpp/a.pk3", "base"], view: "gpp", wins: "gpp/a.pk3" },
  { engine: "tremulous", tree: ["base/a.pk3"], asked: "autoexec.cfg", wins: "base/a.pk3" },
  // PadWorld-Entertainment/worldofpadman code/qcommon/files.c: FS_AddGameDirectory, 2736; FS_FOpenFileRead, 1247
  { engine: "worldofpadman", tree: ["wop/wop_001.pk3", "wop/wop_002.pk3"], wins: "wop/wop_002.pk3" },
  { engine: "worldofpadman", tree: ["wop", "wop/wop_002.pk3"], wins: "loose wop" },
  { engine: "worldofpadman", tree: ["wop/a.pk3"], asked: "wopconfig.cfg", wins: null },
  { engine: "worldofpadman", tree: ["wop/a.pk3"], asked: "WopConfig.cfg", wins: "wop/a.pk3" },
  { engine: "worldofpadman", tree: ["wop/a.pk3"], asked: "q3config.cfg", wins: "wop/a.pk3" },
  // mvdevs/jk2mv src/qcommon/files.cpp: FS_AddGameDirectory, 3052; paksort, 3021; FS_FOpenFileReadHash, 1248
  { engine: "jk2mv", tree: ["base", "base/assets0.pk3"], wins: "base/assets0.pk3" },
  { engine: "jk2mv", tree: ["base/assets5.pk3", "base/zmod.pk3"], wins: "base/zmod.pk3" },
  { engine: "jk2mv", tree: ["base/a.pk3dir"], files: { "base/y": "" }, wins: null },
  { engine: "jk2mv", tree: ["base/dl_a.pk3"], files: { "base/y": "" }, wins: null },
  { engine: "jk2mv", tree: ["base/dl_a.pk3", "base/zz.pk3"], view: "base:with=dl_a", wins: "base/dl_a.pk3" },
  { engine: "jk2mv", tree: ["base/o102_a.pk3", "base/assets0.pk3"], wins: "base/assets0.pk3" },
  { engine: "jk2mv", tree: ["base/o104_a.pk3", "base/assets0.pk3"], wins: "base/o104_a.pk3" },
  { engine: "jk2mv", tree: ["base/a.pk3"], asked: "jk2mvconfig.cfg", wins: null },
  { engine: "jk2mv", tree: ["base/a.pk3"], asked: "JK2MVconfig.cfg", wins: "base/a.pk3" },
  { engine: "jk2mv", tree: ["base/a.pk3"], asked: "openjk.cfg", wins: "base/a.pk3" },
  // TeamForbiddenLLC/warfork-qfusion source/qcommon/files.c: FS_FindPackFilePos, FS_SearchPathForFile, FS_LoadPK3File
  { engine: "qfusion", tree: ["basewf", "basewf/zz.pk3"], wins: "loose basewf" },
  { engine: "qfusion", tree: ["basewf/a.pk3", "basewf/Z.pk3", "basewf/b.pk3"], wins: "basewf/Z.pk3" },
  { engine: "qfusion", tree: ["basewf/z.pak", "basewf/y.pk3"], wins: "basewf/z.pak" },
  { engine: "qfusion", tree: ["basewf", "basewf/data0_22pure.pk3"], wins: "basewf/data0_22pure.pk3" },
  { engine: "qfusion", tree: ["basewf/data0_22pure.pk3", "mod/zz.pk3"], view: "mod", wins: "basewf/data0_22pure.pk3" },
  { engine: "qfusion", tree: ["mod/zz.pk3", "basewf/data0_22.pk3"], view: "mod", wins: "mod/zz.pk3" },
  {
    engine: "qfusion",
    tree: ["basewf/a_22pure.pk3", "mod/b_22PURE.pk3"],
    view: "mod",
    wins: "mod/b_22PURE.pk3",
  },
  { engine: "qfusion", tree: ["basewsw/a.pk3"], asked: "c\\x", wins: null },
  { engine: "qfusion", tree: [], files: { "basewsw/a.pk3": zipOf("C/X") }, asked: "c/x", wins: "basewsw/a.pk3" },
  // sim511777/Quake_Mark_V Mark_V/common.c: COM_AddGameDirectory, 1732; COM_FindFile, 1294; COM_LoadPackFile, 1638
  { engine: "markv", tree: ["id1", "id1/pak0.pak", "id1/pak1.pak"], wins: "id1/pak1.pak" },
  { engine: "markv", tree: ["id1/pak0.pak", "id1/pak2.pak"], wins: "id1/pak0.pak" },
  { engine: "markv", tree: ["id1/pak1.pak"], files: { "id1/pak0.pak": pakOf() }, wins: "id1/pak1.pak" },
  { engine: "markv", tree: ["id1", "id1/a.pk3", "quakespasm.pak"], wins: "loose id1" },
  { engine: "markv", tree: ["nehahra/pak0.pak", "id1/pak0.pak"], view: "nehahra", wins: "nehahra/pak0.pak" },
  { engine: "markv", tree: [], files: { "id1/pak0.pak": pakOf("X") }, wins: null },
  // m-x-d/Heretic2R src/quake2/src/cs_shared/files.c: FS_AddGameDirectory, FS_FOpenFile
  { engine: "heretic2", tree: ["base", "base/htic2-0.pak", "base/htic2-1.pak"], wins: "loose base" },
  { engine: "heretic2", tree: ["base/Htic2-0.pak", "base/htic2-5.pak", "base/pak9.pak"], wins: "base/htic2-5.pak" },
  { engine: "heretic2", tree: ["base", "base/htic2-0.pak"], view: "base:with=pakfirst=1", wins: "base/htic2-0.pak" },
  { engine: "heretic2", tree: ["mod/htic2-0.pak", "base"], view: "mod", wins: "mod/htic2-0.pak" },
  { engine: "heretic2", tree: [], files: { "base/htic2-0.pak": pakOf("X") }, wins: "base/htic2-0.pak" },
  { engine: "heretic2", tree: [], files: { "base/X": "" }, wins: "loose base" },
  // alienarena/alienarena source/qcommon/files.c: FS_init_paths, FS_FullPath; ".pak file support removed"
  { engine: "alienarena", tree: ["data1", "data1/pak0.pak", "data1/a.pk3"], wins: "loose data1" },
  { engine: "alienarena", tree: ["data1/pak0.pak"], files: { "data1/y": "" }, wins: null },
  { engine: "alienarena", tree: ["arena", "data1"], view: "arena", wins: "loose arena" },
  {
    engine: "alienarena",
    tree: ["home/data1", "base/arena", "base/data1"],
    roots: homeAndBase,
    wins: "loose home/data1",
  },
  {
    engine: "alienarena",
    tree: ["home/data1", "base/arena", "base/data1"],
    roots: homeAndBase,
    view: "arena",
    wins: "loose base/arena",
  },
  { engine: "alienarena", tree: ["data1"], asked: "X", files: { "data1/x": "" }, wins: "loose data1" },
  // stgatilov/darkmod_src framework/FileSystem.cpp: AddGameDirectory, 2164; OpenFileReadFlags, 2840
  { engine: "darkmod", tree: [], files: { "tdm_a.pk4": zipOf("x"), x: "" }, wins: "loose ." },
  { engine: "darkmod", tree: ["tdm_a.pk4", "tdm_Z.pk4", "tdm_b.pk4"], wins: "tdm_Z.pk4" },
  { engine: "darkmod", tree: ["tdm_a.pk4"], files: { "tdm_b.pk4": zipOf("x", "binary.conf") }, wins: "tdm_b.pk4" },
  { engine: "darkmod", tree: ["tdm_a.pk4"], files: { "tdm_b.pk4": zipOf("x", "addon.conf") }, wins: "tdm_a.pk4" },
  // sauerbraten/p1xbraten src/shared/stream.cpp: findfile
  { engine: "cube2", tree: [], files: { "a.zip": zipOf("data/x"), "data/x": "" }, asked: "data/x", wins: "loose ." },
  { engine: "cube2", tree: [], files: { "a.zip": zipOf("data/x"), y: "" }, asked: "data/x", wins: null },
  { engine: "cube2", tree: [], files: { "data/x": "" }, asked: "data/X", wins: null },
  // redeclipse/base src/shared/stream.cpp: openfile, findfile; src/shared/zip.cpp: openzipfile
  { engine: "redeclipse", tree: [], files: { "a.zip": zipOf("maps/x"), "maps/x": "" }, asked: "maps/x", wins: "a.zip" },
  {
    engine: "redeclipse",
    tree: [],
    files: { "maps/x": "", "a.zip": zipOf("maps/y") },
    asked: "maps/x",
    wins: "loose .",
  },
  // The engine opens members by the zip's method: only stored and deflated ones.
  {
    engine: "smokinguns",
    tree: [],
    files: { "smokinguns/a.pk3": packedBy(9), "smokinguns/y": "" },
    wins: "smokinguns/a.pk3",
  },
  // nukeykt/NBlood source/duke3d/src/common.cpp: G_LoadGroups, 394; G_LoadGroupsInDir, 900; source/build/src/vfs.cpp:
  // findfrompath, 280; initgroupfile, 482; kopen_internal, 737; source/blood/src/resource.cpp: Resource::Lookup, 645
  ...[
    { files: { "DUKE3D.GRP": grp([["X", "1"]]), x: "" }, wins: "loose ." },
    { files: { "DUKE3D.GRP": grp([["X", "1"]]), X: "" }, wins: "loose ." },
    { files: { "DUKE3D.GRP": grp([["X", "1"]]), y: "" }, wins: "DUKE3D.GRP" },
    { files: { "duke3d.grp": grp([["A.MAP", "1"]]), "A.map": "" }, asked: "a.map", wins: "duke3d.grp" },
    { files: { "duke3d.grp": grp([["A.MAP", "1"]]), "A.MAP": "" }, asked: "a.map", wins: "loose ." },
    { files: { "duke3d.grp": grp([["X", "1"]]), "autoload/a.grp": grp([["X", "1"]]) }, wins: "autoload/a.grp" },
    {
      files: { "duke3d.grp": grp([["X", "1"]]), "autoload/a.pk3": zipOf("x"), "autoload/z.grp": grp([["X", "1"]]) },
      wins: "autoload/a.pk3",
    },
    { files: { "duke3d.grp": grp([["X", "1"]]), "autoload/a.grp": zipOf("x") }, wins: "autoload/a.grp" },
    { files: { "duke3d.grp": grp([["y", "1"]]), "mod.grp": grp([["x", "1"]]) }, wins: null },
    { files: { "duke3d.grp": grp([["X", "1"]]), "mod.grp": grp([["x", "1"]]) }, view: ":with=mod", wins: "mod.grp" },
    {
      files: { "duke3d.grp": grp([["X", "1"]]), "mod.grp": grp([["x", "1"]]), "autoload/z.grp": grp([["x", "1"]]) },
      view: ":with=mod",
      wins: "mod.grp",
    },
  ].map((row): Row => ({ engine: "eduke32", tree: [], ...row })),
  {
    engine: "voidsw",
    tree: [],
    files: { "sw.grp": grp([["X", "1"]]), "duke3d.grp": grp([["X", "1"]]) },
    wins: "sw.grp",
  },
  ...[
    { files: { "BLOOD.RFF": bloodRff, "a.zip": zipOf("x") }, wins: "BLOOD.RFF" },
    { files: { "BLOOD.RFF": bloodRff, "a.zip": zipOf("x.y") }, view: ":with=a", wins: "a.zip" },
    { files: { "BLOOD.RFF": bloodRff, "autoload/a.grp": grp([["X.Y", "1"]]) }, wins: "autoload/a.grp" },
    { files: { "BLOOD.RFF": bloodRff, "x.y": "" }, wins: "loose ." },
  ].map((row): Row => ({ engine: "nblood", tree: [], asked: "x.y", ...row })),
  // ZDoom/Raze source/core/initfs.cpp: InitFileSystem, 330; wadsrc/static/engine/grpinfo.txt
  ...[
    { files: { "DUKE3D.GRP": grp([["X", "1"]]), X: "" }, wins: "loose ." },
    { files: { "DUKE3D.GRP": grp([["X", "1"]]), x: "", "mod.zip": zipOf("x") }, wins: "loose ." },
    { files: { "DUKE3D.GRP": grp([["X", "1"]]), x: "", "mod.zip": zipOf("x") }, view: ":with=mod", wins: "mod.zip" },
    { files: { "BLOOD.RFF": rff(0x200, [{ name: "X", extension: "", content: "1" }], () => null) }, wins: "BLOOD.RFF" },
    { files: { "blood.rff": bloodRff, "gui.rff": bloodRff, "sounds.rff": bloodRff }, asked: "x.y", wins: "gui.rff" },
  ].map((row): Row => ({ engine: "raze", tree: [], ...row })),
  // dxx-rebirth/dxx-rebirth similar/main/inferno.cpp 474; common/misc/physfsx.cpp 351; similar/main/mission.cpp 1036
  ...[
    { files: { "descent2.hog": hog([["x", "1"]]), x: "" }, wins: "loose ." },
    { files: { "DESCENT2.HOG": hog([["x", "1"]]), y: "" }, wins: "DESCENT2.HOG" },
    { files: { "descent2.hog": hog([["x", "1"]]), X: "", "a.dxa": zipOf("x") }, wins: "a.dxa" },
    { files: { "descent2.hog": hog([["x", "1"]]), "b.dxa": zipOf("x"), "a.dxa": zipOf("x") }, wins: "b.dxa" },
    { files: { "descent2.hog": hog([["x", "1"]]), "missions/m.hog": hog([["x", "1"]]) }, wins: "descent2.hog" },
    {
      files: { "descent2.hog": hog([["x", "1"]]), "a.dxa": zipOf("x"), "missions/m.hog": hog([["x", "1"]]) },
      view: ":with=m",
      wins: "missions/m.hog",
    },
  ].map((row): Row => ({ engine: "d2x-rebirth", tree: [], ...row })),
  { engine: "d1x-rebirth", tree: [], files: { "descent.hog": hog([["x", "1"]]), x: "" }, wins: "loose ." },
  // DescentDevelopers/Descent3 Descent3/init.cpp 1524; cfile/cfile.cpp: cf_OpenLibrary, cfopen; Descent3/Mission.cpp 1803
  ...[
    { files: { "d3.hog": hog2([["x", "1"]]), "extra.hog": hog2([["x", "1"]]) }, wins: "extra.hog" },
    { files: { "extra1.hog": hog2([["x", "1"]]), "extra.hog": hog2([["x", "1"]]) }, wins: "extra.hog" },
    { files: { "merc.hog": hog2([["x", "1"]]), "extra13.hog": hog2([["x", "1"]]) }, wins: "extra13.hog" },
    { files: { "d3.hog": hog2([["x", "1"]]), X: "" }, wins: "loose ." },
    { files: { "d3.hog": hog2([["x", "1"]]), "missions/m.mn3": hog2([["x", "1"]]) }, wins: "d3.hog" },
    {
      files: { "d3.hog": hog2([["x", "1"]]), "missions/m.mn3": hog2([["x", "1"]]) },
      view: ":with=m",
      wins: "missions/m.mn3",
    },
    { files: { "d3.hog": hog2([["y", "1"]]), "ppics.hog": hog2([["x", "1"]]) }, wins: null },
  ].map((row): Row => ({ engine: "descent3", tree: [], ...row })),
];
