/**
 * Vectors derived from the sources of engines: trees and their winners. In a tree, packs are listed, and other names
 * are directories with a loose file.
 * @module
 */
import { bfgResources, pak, zip } from "../formats/bytes.ts";
import { type Files, pakOf, zipOf } from "../index/fixtures.ts";

/** Files that hold or are `x`, and the winner. */
export interface Row {
  readonly engine: string;
  /** Packs by their extension, directories that are packs, and loose files called `x`. */
  readonly tree: readonly string[];
  /** The winning pack, `loose DIRECTORY`, or null. */
  readonly wins: string | null;
  readonly view?: string;
  /** Base directories, highest first. */
  readonly roots?: readonly string[];
  readonly files?: Files;
  readonly asked?: string;
}

export const asked = "x";

export function treeOf({ tree, files = {}, asked: path = asked }: Row): Files {
  const made = tree.map((name): [string, Uint8Array | string] => {
    if (/\.pak$/i.test(name)) return [name, pakOf(path)];
    if (name.endsWith(".resources")) return [name, bfgResources([[path, "x"]])];
    return /\.(pk3|pk4|pkz|kpf|dpk)$/i.test(name) ? [name, zipOf(path)] : [`${name}/${path}`, "loose"];
  });
  return { ...Object.fromEntries(made), ...files };
}

export const addon = (name: string) => zip([{ name: "x", content: "x" }, { name, content: "" }]);
/** Roots of a home and an installation. */
export const homeAndBase = ["home", "base"];
const firstAndSecond = ["b", "a"];
const homeAndRoot = ["home", ""];
const idConfig = { "id1/vkQuake.cfg": "settings" };

export const rows: readonly Row[] = [
  // skullernet/q2pro
  { engine: "q2pro", tree: ["baseq2/pak2.pak", "baseq2/pak10.pak"], wins: "baseq2/pak10.pak" },
  { engine: "q2pro", tree: ["baseq2/pak0.pak", "baseq2/pak0.pkz"], wins: "baseq2/pak0.pkz" },
  { engine: "q2pro", tree: ["baseq2/pak99.pak", "baseq2/abc.pak"], wins: "baseq2/abc.pak" },
  { engine: "q2pro", tree: ["baseq2/pakfoo.pkz", "baseq2/pak1.pak"], wins: "baseq2/pak1.pak" },
  { engine: "q2pro", tree: ["baseq2/pakfoo.pkz", "baseq2/pak0.pkz"], wins: "baseq2/pakfoo.pkz" },
  { engine: "q2pro", tree: ["baseq2/pak1.pak", "baseq2/pak1-x.pak"], wins: "baseq2/pak1.pak" },
  { engine: "q2pro", tree: ["baseq2", "baseq2/pak0.pak"], wins: "baseq2/pak0.pak" },
  { engine: "q2pro", tree: ["baseq2", "Q2Game.kpf"], wins: "loose baseq2" },
  { engine: "q2pro", tree: ["baseq2/pak0.pak", "Q2Game.kpf"], wins: "baseq2/pak0.pak" },
  {
    engine: "q2pro",
    tree: ["home/Q2Game.kpf", "base/baseq2/pak0.pak"],
    files: { "home/baseq2/": "" },
    roots: homeAndBase,
    wins: "home/Q2Game.kpf",
  },
  {
    engine: "q2pro",
    tree: [],
    files: { "baseq2/pak0.pak": pakOf("x", "y", "x") },
    wins: "baseq2/pak0.pak",
  },
  { engine: "q2pro", tree: ["mod", "baseq2/pak9.pak"], view: "mod", wins: "loose mod" },
  { engine: "q2pro", tree: ["baseq2/pak1.pak"], files: { "baseq2/zz.pak": zipOf("x") }, wins: "baseq2/pak1.pak" },
  { engine: "q2pro", tree: ["baseq2/a.pk3", "baseq2/.hidden.pak", "baseq2/b.zip"], wins: null },
  // kondrak/vkQuake2 qcommon/files.c: FS_AddGameDirectory, 517; FS_FOpenFile, 206
  { engine: "vkquake2", tree: ["baseq2/pak1.pak", "baseq2/pak9.pak"], wins: "baseq2/pak9.pak" },
  { engine: "vkquake2", tree: ["baseq2/pak2.pak", "baseq2/pak10.pak", "baseq2/zz.pak"], wins: "baseq2/pak2.pak" },
  { engine: "vkquake2", tree: ["baseq2", "baseq2/pak0.pak", "baseq2/pak0.pk3"], wins: "baseq2/pak0.pak" },
  { engine: "vkquake2", tree: ["mod", "baseq2/pak9.pak"], view: "mod", wins: "loose mod" },
  {
    engine: "vkquake2",
    tree: ["baseq2/pak0.pak"],
    asked: "c\\x",
    files: { "baseq2/pak0.pak": pakOf("c/x") },
    wins: null,
  },
  { engine: "vkquake2", tree: [], files: { "baseq2/pak0.pak": pakOf("X") }, wins: "baseq2/pak0.pak" },
  // m-x-d/KMQuake2 qcommon/files.c: FS_AddGameDirectory, 1152; FS_FileInPakBlacklist, 867
  { engine: "kmquake2", tree: ["baseq2", "baseq2/pak9.pak", "baseq2/zz.pak"], wins: "loose baseq2" },
  { engine: "kmquake2", tree: ["baseq2/pak99.pak", "baseq2/pak0.pk3"], wins: "baseq2/pak0.pk3" },
  { engine: "kmquake2", tree: ["baseq2/pak99.pk3", "baseq2/a.pk3"], wins: "baseq2/a.pk3" },
  { engine: "kmquake2", tree: ["baseq2/z.pk3", "baseq2/a.pak"], wins: "baseq2/a.pak" },
  { engine: "kmquake2", tree: ["baseq2/Zed.pk3", "baseq2/abc.pk3", "baseq2/pak2.pk3"], wins: "baseq2/Zed.pk3" },
  { engine: "kmquake2", tree: ["baseq2/pak2.pak", "baseq2/pak10.pak"], wins: "baseq2/pak10.pak" },
  { engine: "kmquake2", tree: ["mod/pak0.pak", "baseq2"], view: "mod", wins: "mod/pak0.pak" },
  {
    engine: "kmquake2",
    tree: [],
    asked: "autoexec.cfg",
    files: { "baseq2/pak0.pak": pakOf("autoexec.cfg") },
    wins: null,
  },
  {
    engine: "kmquake2",
    tree: ["baseq2"],
    asked: "save/x",
    files: { "mod/pak0.pak": pakOf("save/x") },
    view: "mod",
    wins: "loose baseq2",
  },
  // NVIDIA/Q2RTX
  { engine: "q2rtx", tree: ["baseq2", "baseq2/q2rtx_media.pkz"], wins: "loose baseq2" },
  { engine: "q2rtx", tree: ["baseq2/q2rtx_media.pkz", "baseq2/pak0.pak"], wins: "baseq2/q2rtx_media.pkz" },
  { engine: "q2rtx", tree: ["baseq2/shaders.pkz", "baseq2/q2rtx_media.pkz"], wins: "baseq2/shaders.pkz" },
  // andrei-drexler/ironwail, Novum/vkQuake: roots as they order their base directories
  {
    engine: "ironwail",
    tree: ["a/id1/pak0.pak", "a/id1/pak1.pak", "b/id1/pak0.pak"],
    roots: firstAndSecond,
    wins: "b/id1/pak0.pak",
  },
  {
    engine: "vkquake",
    tree: ["a/id1/pak0.pak", "a/id1/pak1.pak", "b/id1/pak0.pak"],
    roots: ["a", "b"],
    wins: "a/id1/pak1.pak",
  },
  { engine: "ironwail", tree: ["id1/pak0.pak", "ironwail.pak", "id1/pak1.pak", "id1"], wins: "id1/pak1.pak" },
  { engine: "ironwail", tree: ["id1/pak0.pak", "ironwail.pak", "id1"], wins: "ironwail.pak" },
  { engine: "ironwail", tree: ["id1/pak0.pak", "id1"], wins: "id1/pak0.pak" },
  // The engine's own pack follows pak0 of the first base directory, wherever that is, or is not loaded.
  {
    engine: "ironwail",
    tree: ["b/id1", "b/ironwail.pak", "a/id1/pak0.pak"],
    roots: firstAndSecond,
    wins: "loose b/id1",
  },
  { engine: "ironwail", tree: ["id1", "ironwail.pak"], wins: "loose id1" },
  { engine: "quakespasm", tree: ["id1", "quakespasm.pak"], wins: "quakespasm.pak" },
  { engine: "vkquake", tree: ["id1/pak0.pak", "quakespasm.pak"], wins: "id1/pak0.pak" },
  {
    engine: "ironwail",
    tree: ["b/id1", "a/id1/pak0.pak", "a/id1/pak1.pak"],
    roots: firstAndSecond,
    wins: "loose b/id1",
  },
  { engine: "ironwail", tree: ["ad/pak0.pak", "id1/pak0.pak"], view: "ad", wins: "ad/pak0.pak" },
  {
    engine: "ironwail",
    tree: ["b/ad", "a/ad/pak0.pak", "a/id1/pak0.pak"],
    roots: firstAndSecond,
    view: "ad",
    wins: "loose b/ad",
  },
  { engine: "ironwail", tree: ["id1/pak2.pak"], files: { "id1/pak0.pak": pakOf("y") }, wins: null },
  { engine: "vkquake", tree: ["id1/PAK0.PAK"], wins: null },
  // Quake/common.c 2703: a pack in the program comes right above pak0.pak, if there is one.
  { engine: "vkquake", tree: ["id1/pak0.pak", "id1"], asked: "default.cfg", wins: null },
  { engine: "vkquake", tree: ["id1/pak0.pak", "id1/pak1.pak"], asked: "default.cfg", wins: "id1/pak1.pak" },
  { engine: "vkquake", tree: ["id1"], asked: "default.cfg", wins: "loose id1" },
  { engine: "vkquake", tree: ["id1/pak0.pak", "mod"], view: "mod", asked: "default.cfg", wins: "loose mod" },
  { engine: "quakespasm", tree: ["id1/pak0.pak"], asked: "default.cfg", wins: "id1/pak0.pak" },
  // 2731: pak is the one in the program where pak0.pak of the base is empty, so the loop continues.
  { engine: "vkquake", tree: ["id1/pak1.pak"], files: { "id1/pak0.pak": pak([]) }, wins: "id1/pak1.pak" },
  { engine: "vkquake", tree: ["id1"], files: { "id1/pak0.pak": pak([]) }, asked: "default.cfg", wins: null },
  { engine: "quakespasm", tree: ["id1/pak1.pak"], files: { "id1/pak0.pak": pak([]) }, wins: null },
  // 2777: the pack in the program is loaded with the first directory that is not the user's own.
  {
    engine: "vkquake",
    tree: [".vkquake/id1/pak1.pak"],
    files: { ".vkquake/id1/pak0.pak": pak([]), "base/id1/y": "" },
    roots: [".vkquake", "base"],
    wins: null,
  },
  {
    engine: "vkquake",
    tree: [".vkquake/id1/pak0.pak", "base/id1/pak0.pak"],
    roots: [".vkquake", "base"],
    asked: "default.cfg",
    wins: ".vkquake/id1/pak0.pak",
  },
  {
    engine: "vkquake",
    tree: ["mod/pak1.pak"],
    files: { "id1/y": "", "mod/pak0.pak": pak([]) },
    view: "mod",
    wins: null,
  },
  // 2234, 2290: vkQuake.cfg of a directory answers for config.cfg, in any case, before the directory's config.cfg.
  {
    engine: "vkquake",
    tree: ["id1"],
    files: { "home/id1/vkQuake.cfg": "", "id1/y": "" },
    roots: homeAndRoot,
    asked: "config.cfg",
    wins: "loose home/id1",
  },
  { engine: "vkquake", tree: ["mod"], files: idConfig, view: "mod", asked: "config.cfg", wins: "loose mod" },
  { engine: "vkquake", tree: ["mod"], files: idConfig, view: "mod", asked: "Config.CFG", wins: "loose mod" },
  { engine: "vkquake", tree: [], files: idConfig, asked: "config.cfg", wins: "loose id1" },
  { engine: "vkquake", tree: ["id1/pak0.pak"], files: idConfig, asked: "config.cfg", wins: "id1/pak0.pak" },
  { engine: "quakespasm", tree: ["id1/y"], files: idConfig, asked: "config.cfg", wins: null },
  // Shpoike/Quakespasm
  { engine: "qss", tree: ["id1", "id1/pak0.pak"], wins: "loose id1" },
  { engine: "qss", tree: ["id1/pak0.pak", "id1/pak0.pk3"], wins: "id1/pak0.pk3" },
  { engine: "qss", tree: ["id1/pak0.pak", "id1/pak0.pk3", "id1/pak1.pak"], wins: "id1/pak1.pak" },
  { engine: "qss", tree: ["id1/pak0.pak", "quakespasm.pak", "id1/pak0.pk3"], wins: "quakespasm.pak" },
  { engine: "qss", tree: ["id1/zz.pak", "id1/pak0.pak", "id1/pak1.pak"], wins: "id1/zz.pak" },
  { engine: "qss", tree: ["id1/ZZ.PAK", "id1/pak0.pak"], wins: "id1/ZZ.PAK" },
  { engine: "qss", tree: ["id1/aa.pk3", "id1/zz.pak"], wins: "id1/aa.pk3" },
  { engine: "qss", tree: ["id1/zz.pak", "id1/pak0.pak"], files: { "id1/pak.lst": "zz.pak\n" }, wins: "id1/pak0.pak" },
  { engine: "qss", tree: ["id1/pak9.pak", "id1/pak0.pak"], wins: "id1/pak9.pak" },
  // Packs loaded by pak.lst, in any case, leave no gap in the numbers: pak1.pk3 is a numbered pack.
  {
    engine: "qss",
    tree: ["id1/PAK0.pk3", "id1/pak1.pk3", "id1/aa.pak"],
    files: { "id1/pak.lst": "PAK0.pk3" },
    wins: "id1/aa.pak",
  },
  // The engine's own pack is loaded right after a pak0.pak that pak.lst names.
  {
    engine: "qss",
    tree: ["id1/PAK0.pak", "id1/zz.pak", "quakespasm.pak"],
    files: { "id1/pak.lst": "PAK0.pak zz.pak" },
    wins: "id1/zz.pak",
  },
  {
    engine: "qss",
    tree: ["id1/PAK0.pak", "quakespasm.pak"],
    files: { "id1/pak.lst": "PAK0.pak", "id1/zz.pak": pakOf("y") },
    wins: "quakespasm.pak",
  },
  {
    engine: "qss",
    tree: ["id1/zz.pk3", "quakespasm.pak"],
    files: { "id1/pak.lst": "pak0.pk3 zz.pk3" },
    wins: "quakespasm.pak",
  },
  // fte-team/fteqw
  { engine: "ftequake", tree: ["id1/pak0.pak", "id1/pak1.pak", "id1/pak0.pk3", "id1"], wins: "loose id1" },
  { engine: "ftequake", tree: ["id1/pak0.pak", "id1/pak1.pak", "id1/pak0.pk3"], wins: "id1/pak0.pk3" },
  { engine: "ftequake", tree: ["id1/pak5.pak", "id1/aaa.pak"], wins: "id1/pak5.pak" },
  { engine: "ftequake", tree: ["id1/pak0.PAK", "id1/_.pak"], wins: "id1/_.pak" },
  { engine: "ftequake", tree: ["id1/.a.pak", "id1/.b.pk3dir"], wins: null },
  { engine: "ftequake", tree: ["id1/a.pak", "id1"], asked: "sub/.x", wins: null },
  { engine: "ftequake", tree: [], files: { "id1/a.pak": pakOf("/x") }, wins: "id1/a.pak" },
  { engine: "ftequake", tree: [], files: { "id1/a.pk3": zipOf("/x") }, wins: null },
  {
    engine: "ftequake",
    tree: ["id1/a b.pk3", "id1/c.pk3", "id1/d.pk3"],
    files: { "id1/pak.lst": 'd.pk3 c.pk3 // e.pk3\n"a b.pk3"\n' },
    wins: "id1/a b.pk3",
  },
  { engine: "ftequake", tree: ["id1/zzz.pak", "id1/pak0.pk3"], wins: "id1/zzz.pak" },
  { engine: "ftequake", tree: ["id1/zzz.pak", "id1/aaa.pk3"], wins: "id1/aaa.pk3" },
  { engine: "ftequake", tree: ["id1/a.pk3dir", "id1/z.pk3"], wins: "id1/a.pk3dir" },
  {
    engine: "ftequake",
    tree: ["id1/zzz.pk3", "id1/pak0.pak"],
    files: { "id1/pak.lst": "zzz.pk3" },
    wins: "id1/pak0.pak",
  },
  { engine: "ftequake", tree: ["home/id1", "base/id1"], roots: homeAndBase, wins: "loose home/id1" },
  { engine: "ftequake", tree: ["QuakeEX.kpf", "id1/pak0.pak"], wins: "id1/pak0.pak" },
  { engine: "ftequake", tree: ["id1/a.pak", "id1/z.pak"], wins: "id1/z.pak" },
  { engine: "ftequake", tree: ["id1/a.pk3dir", "id1/a.pk3dir/pak0.pak"], wins: "id1/a.pk3dir" },
  { engine: "ftequake", tree: ["id1/a.pk3dir/pak0.pak", "id1/z.pk3"], wins: "id1/a.pk3dir/pak0.pak" },
  {
    engine: "ftequake",
    tree: ["id1/a.pk3dir/pak0.pak", "id1/a.pk3dir/zz.pak", "id1/b.pk3dir/pak1.pak"],
    files: { "id1/a.pk3dir/pak.lst": "zz.pak", "id1/b.pk3dir/pak0.pak": pakOf("y") },
    wins: "id1/b.pk3dir/pak1.pak",
  },
  {
    engine: "ftequake",
    tree: ["id1/a.pk3dir/pak0.pak", "id1/a.pk3dir/zz.pak"],
    files: { "id1/a.pk3dir/pak.lst": "zz.pak" },
    wins: "id1/a.pk3dir/pak0.pak",
  },
  // QW-Group/ezquake-source
  { engine: "ezquake", tree: ["id1", "id1/pak0.pak"], wins: "id1/pak0.pak" },
  { engine: "ezquake", tree: ["id1/pak0.pak", "id1/pak0.pk3"], wins: "id1/pak0.pk3" },
  { engine: "ezquake", tree: ["id1/pak0.pak", "id1/zz.pak"], wins: "id1/zz.pak" },
  { engine: "ezquake", tree: ["id1/zz.pak"], files: { "id1/pak.lst": "a.pak", "id1/a.pak": pakOf("y") }, wins: null },
  { engine: "ezquake", tree: ["id1/a.pak", "id1/pak0.pk3"], files: { "id1/pak.lst": "a.pak" }, wins: "id1/a.pak" },
  { engine: "ezquake", tree: ["id1/a.pak", "id1/b.pak"], files: { "id1/pak.lst": "a.pak\nb.pak" }, wins: "id1/b.pak" },
  // src/fs.c 504: FS_AddUserPaks; src/sys_posix.c 541: Sys_EnumerateFiles; src/vfs_pak.c 371: FSPAK_LoadPackFile
  {
    engine: "ezquake",
    tree: ["id1/pak0.pak", "id1/a.pak"],
    files: { "id1/pak.lst": "a.pak\npak0.pak" },
    wins: "id1/pak0.pak",
  },
  {
    engine: "ezquake",
    tree: ["id1/a.pak", "id1/b.pak"],
    files: { "id1/pak.lst": "a.pak\nb.pak\na.pak" },
    wins: "id1/a.pak",
  },
  { engine: "qss", tree: ["id1/a.pak", "id1/b.pak"], files: { "id1/pak.lst": "a.pak b.pak a.pak" }, wins: "id1/b.pak" },
  { engine: "ezquake", tree: ["id1/.hid.pak"], files: { "id1/y": "" }, wins: null },
  {
    engine: "ezquake",
    tree: ["id1/.hid.pak"],
    files: { "id1/pak.lst": ".hid.pak" },
    wins: "id1/.hid.pak",
  },
  ...["a\\x", "./a/x", "a//x"].map((name): Row => ({
    engine: "ezquake",
    tree: [],
    files: { "id1/pak0.pak": pakOf(name) },
    asked: "a/x",
    wins: null,
  })),
  {
    engine: "ezquake",
    tree: [],
    files: { "id1/pak0.pak": pakOf("x".repeat(56)) },
    asked: "x".repeat(56),
    wins: null,
  },
  // src/vfs_pak.c: FSPAK_LoadPackFile reads packs in a pack alike.
  {
    engine: "ezquake",
    tree: [],
    files: { "id1/pak0.pak": pak([["a.pak", pakOf("x".repeat(56))], ["y", "y"]]) },
    asked: "x".repeat(56),
    wins: null,
  },
  {
    engine: "ezquake",
    tree: [],
    files: { "id1/pak0.pak": pak([["a.pak", pakOf("x".repeat(55))], ["y", "y"]]) },
    asked: "x".repeat(55),
    wins: "id1/pak0.pak",
  },
  ...["a\\x", "./a/x", "a//x"].map((name): Row => ({
    engine: "ezquake",
    tree: [],
    files: { "id1/pak0.pak": pak([["a.pak", pakOf(name)], ["y", "y"]]) },
    asked: "a/x",
    wins: null,
  })),
  // src/fs.c: FS_AddPak loads nothing that cannot be opened, and FS_AddDataFiles then ends the numbers; PAK0.PAK is tried
  ...[
    { files: { "id1/pak0.pak": zipOf("y") }, wins: null },
    { files: { "id1/pak0.pak": zipOf("y"), "id1/PAK0.PAK": pakOf("y") }, wins: "id1/pak1.pak" },
    { files: { "id1/pak0.pak": pakOf() }, wins: "id1/pak1.pak" },
  ].map((row): Row => ({
    engine: "ezquake",
    ...row,
    tree: ["id1/pak1.pak"],
    files: { "id1/pak.lst": "none.pak", ...row.files },
  })),
  {
    engine: "ezquake",
    tree: ["id1/pak1.pk3"],
    files: { "id1/pak.lst": "none.pak", "id1/pak0.pk3": zipOf() },
    wins: null,
  },
  // src/fs.c: FS_AddUserPaks uses lines of 5 or more characters unchanged, except those that begin with "soft"
  ...[[".pak", null], [" .pak", "id1/ .pak"], ['"a.pak"', null], ["SOFT.pak", null]].map((
    [line = "", wins = null],
  ): Row => ({
    engine: "ezquake",
    tree: ["id1/.pak", "id1/ .pak", "id1/a.pak", "id1/SOFT.pak"],
    files: { "id1/pak.lst": `${line}\r\n` },
    wins,
  })),
  // src/fs.c: FS_AddWildDataFiles does not load packs in a pack again
  ...[["x", "id1/pak0.pak"], ["z", "id1/pak1.pak"]].map(([path = "", wins = ""]): Row => ({
    engine: "ezquake",
    tree: [],
    files: {
      "id1/pak0.pak": pak([["x", "x"], ["a.pak", pakOf("x", "z")]]),
      "id1/pak1.pak": pakOf("z"),
      "id1/pak.lst": "pak0.pak",
    },
    asked: path,
    wins,
  })),
  ...[["x", "id1/a.pak"], ["z", "id1/b.pak"]].map(([path = "", wins = ""]): Row => ({
    engine: "ezquake",
    tree: [],
    files: {
      "id1/a.pak": pak([["x", "x"], ["i.pak", pakOf("x", "z")]]),
      "id1/b.pak": pakOf("x", "z"),
      "id1/pak.lst": "a.pak\nb.pak\na.pak",
    },
    asked: path,
    wins,
  })),
  // src/vfs_os.c: FSOS_BuildHash lists no names that begin with a dot, and the first source that has a name in any spelling
  // hides it in all others; src/fs.c: FS_LoadFile still opens ~/.ezquake and the game directory by their paths
  { engine: "ezquake", tree: ["id1/pak0.pak"], files: { "qw/X": "" }, wins: null },
  { engine: "ezquake", tree: ["id1"], files: { "ezquake/X": "" }, wins: null },
  { engine: "ezquake", tree: ["id1"], files: { "ezquake/X": "" }, asked: "X", wins: "loose ezquake" },
  { engine: "ezquake", tree: ["id1"], files: { "qw/X": "", "qw/x": "" }, wins: "loose qw" },
  { engine: "ezquake", tree: ["qw"], files: { "mod/X": "", "id1/y": "" }, view: "mod", wins: null },
  { engine: "ezquake", tree: ["qw"], files: { "qw/pak0.pak": pakOf("X") }, wins: "qw/pak0.pak" },
  {
    engine: "ezquake",
    tree: ["home/.ezquake"],
    files: { "base/mod/X": "", "base/id1/y": "" },
    roots: ["home/.ezquake", "base"],
    view: "mod",
    wins: "loose home/.ezquake",
  },
  ...["ezquake", "id1"].map((directory): Row => ({
    engine: "ezquake",
    tree: [directory],
    files: { "id1/y": "" },
    asked: "a/.b/x",
    wins: null,
  })),
  { engine: "ezquake", tree: ["qw"], files: { "id1/y": "" }, asked: ".x", wins: "loose qw" },
  { engine: "ezquake", tree: ["qw", "id1/pak0.pak"], asked: ".x", wins: "id1/pak0.pak" },
  {
    engine: "ezquake",
    tree: ["home/.ezquake", "base/mod"],
    files: { "base/id1/y": "" },
    roots: ["home/.ezquake", "base"],
    view: "mod",
    asked: ".x",
    wins: "loose home/.ezquake",
  },
  { engine: "ezquake", tree: ["qw", "id1/pak0.pak"], wins: "loose qw" },
  { engine: "ezquake", tree: ["ezquake", "qw", "id1/pak0.pak"], wins: "loose qw" },
  { engine: "ezquake", tree: ["ezquake", "id1/pak0.pak"], wins: "loose ezquake" },
  // Packs that are already loaded keep their position.
  { engine: "ezquake", tree: ["ezquake", "qw", "id1/pak0.pak"], view: "ezquake", wins: "loose qw" },
  { engine: "ezquake", tree: ["mod", "qw", "id1/pak0.pak"], view: "mod", wins: "loose mod" },
  { engine: "ezquake", tree: ["id1/PAK0.PAK"], wins: "id1/PAK0.PAK" },
  // ~/.ezquake itself is a game directory, above qw and below the played one; its subdirectories are none.
  ...[
    { tree: ["home/.ezquake", "base/qw", "base/id1/pak0.pak"], wins: "loose home/.ezquake" },
    {
      tree: ["home/.ezquake", "home/.ezquake/a.pak", "base/qw"],
      files: { "base/id1/y": "" },
      wins: "home/.ezquake/a.pak",
    },
    { tree: ["home/.ezquake", "base/mod", "base/id1/pak0.pak"], view: "mod", wins: "loose base/mod" },
    {
      tree: ["home/.ezquake/mod", "base/id1/pak0.pak"],
      files: { "base/mod/y": "" },
      view: "mod",
      wins: "base/id1/pak0.pak",
    },
    { tree: ["home/.ezquake/id1", "home/.ezquake/qw"], files: { "base/id1/y": "" }, wins: null },
    { tree: ["base/.ezquake", "base/id1"], files: { "home/.ezquake/y": "" }, wins: "loose base/id1" },
    { tree: ["home/.ezquake", "base/.ezquake", "base/id1"], view: "id1:with=-nohome", wins: "loose base/id1" },
  ].map((row): Row => ({ engine: "ezquake", roots: ["home/.ezquake", "base"], ...row })),
  // sezero/uhexen2 engine/h2shared/quakefs.c: FS_AddGameDirectory, FS_LoadPackFile, FS_OpenFile
  ...[
    { tree: ["data1/pak0.pak", "data1/pak3.pak"], wins: "data1/pak3.pak" },
    { tree: ["data1", "data1/pak0.pak"], wins: "loose data1" },
    { tree: ["data1/pak10.pak", "data1/zz.pak", "data1/PAK0.PAK"], wins: null },
    { tree: ["data1/pak0.pak"], files: { "data1/pak1.pak": pakOf() }, wins: "data1/pak0.pak" },
    { tree: ["data1/pak0.pak"], files: { "data1/pak1.pak": zipOf("x") }, wins: "data1/pak0.pak" },
    { tree: [], files: { "data1/X": "" }, wins: null },
    { tree: ["data1", "portals/pak3.pak"], view: "portals", wins: "portals/pak3.pak" },
    { tree: ["home/data1/pak0.pak", "base/data1"], roots: homeAndBase, wins: "home/data1/pak0.pak" },
  ].map((row): Row => ({ engine: "uhexen2", ...row })),
  // openmoh/openmohaa code/qcommon/files.cpp: FS_AddGameDirectory
  { engine: "openmohaa", tree: ["main", "main/pak0.pk3"], wins: "loose main" },
  { engine: "openmohaa", tree: ["main", "mainta/pak1.pk3"], view: "mainta", wins: "mainta/pak1.pk3" },
  { engine: "openmohaa", tree: ["main/pak5.pk3"], asked: "omconfig.cfg", wins: null },
  { engine: "openmohaa", tree: ["main/pak5.pk3", "main/pak6.pk3"], wins: "main/pak6.pk3" },
  // RobertBeckebans/RBDOOM-3-BFG
  { engine: "rbdoom3bfg", tree: ["base", "mod/x.pk4"], view: "mod", wins: "loose base" },
  {
    engine: "rbdoom3bfg",
    tree: ["base/pak000.pk4", "mod/_common.resources"],
    view: "mod",
    wins: "base/pak000.pk4",
  },
  {
    engine: "rbdoom3bfg",
    tree: ["base/_common.resources", "base/_ordered.resources"],
    wins: "base/_ordered.resources",
  },
  {
    engine: "rbdoom3bfg",
    tree: ["base/maps/game.resources", "base/_ordered.resources"],
    wins: "base/maps/game.resources",
  },
  { engine: "rbdoom3bfg", tree: ["base/maps/a.resources", "base/zz.resources"], wins: "base/maps/a.resources" },
  {
    engine: "rbdoom3bfg",
    tree: ["base/maps/game.resources", "mod/_ordered.resources"],
    view: "mod",
    wins: "mod/_ordered.resources",
  },
  { engine: "rbdoom3bfg", tree: ["save/base", "base/base"], roots: ["save", "base"], wins: "loose save/base" },
  { engine: "rbdoom3bfg", tree: ["base/maps/a.pk4", "base/_common.resources"], wins: "base/_common.resources" },
  { engine: "rbdoom3bfg", tree: ["mod/a.pk4", "base/pak000.pk4"], view: "mod", wins: "mod/a.pk4" },
  // neo/sys/posix/posix_main.cpp 629
  { engine: "rbdoom3bfg", tree: ["base/zz.PK4", "base/aa.pk4"], wins: "base/aa.pk4" },
  {
    engine: "rbdoom3bfg",
    tree: [],
    files: { "base/_common.Resources": bfgResources([["x", "x"]]), "base/y": "" },
    wins: null,
  },
  // FWGS/xash3d-fwgs
  { engine: "xash3d", tree: ["valve/pak0.pak", "valve/pak1.pak"], wins: "valve/pak1.pak" },
  { engine: "xash3d", tree: ["valve/pak2.pak", "valve/pak10.pak"], wins: "valve/pak2.pak" },
  { engine: "xash3d", tree: ["valve/abc.pak", "valve/Zed.pak"], wins: "valve/abc.pak" },
  { engine: "xash3d", tree: ["valve/zzz.pak", "valve/aaa.pk3"], wins: "valve/aaa.pk3" },
  { engine: "xash3d", tree: ["valve/zzz.pk3", "valve"], wins: "loose valve" },
  { engine: "xash3d", tree: ["valve", "mod/custom/a.pak", "mod"], view: "mod", wins: "mod/custom/a.pak" },
  {
    engine: "xash3d",
    tree: ["valve", "mod_addon", "mod_hd", "mod"],
    view: "mod:with=addon,hd",
    wins: "loose mod_addon",
  },
  { engine: "xash3d", tree: ["valve", "mod_addon", "mod_hd", "mod"], view: "mod", wins: "loose mod" },
  {
    engine: "xash3d",
    tree: ["valve", "mod_german", "mod_lv", "mod"],
    view: "mod:with=german,lv",
    wins: "loose mod_german",
  },
  { engine: "xash3d", tree: ["valve", "mod_downloads", "mod/pak0.pak"], view: "mod", wins: "mod/pak0.pak" },
  {
    engine: "xash3d",
    tree: ["valve", "mod_downloads"],
    files: { "mod/y": "" },
    view: "mod",
    wins: "loose mod_downloads",
  },
  {
    engine: "xash3d",
    tree: ["valve_addon", "mod/pak0.pak"],
    files: { "valve/y": "" },
    view: "mod:with=addon",
    wins: "mod/pak0.pak",
  },
  { engine: "xash3d", tree: ["valve"], asked: "maps/c0a0.bsp", wins: "loose valve" },
  // Downloads and custom/ are searched with the played game, also if that is the base.
  { engine: "xash3d", tree: ["valve", "valve/custom/a.pak"], wins: "valve/custom/a.pak" },
  { engine: "xash3d", tree: ["valve_downloads"], files: { "valve/y": "" }, wins: "loose valve_downloads" },
  { engine: "xash3d", tree: ["valve", "valve/custom/a.pak", "mod/pak0.pak"], view: "mod", wins: "mod/pak0.pak" },
  { engine: "xash3d", tree: ["valve/custom/a.pak"], files: { "mod/y": "" }, view: "mod", wins: null },
  { engine: "xash3d", tree: [], files: { "valve/a.pak": pakOf("sub\\x") }, asked: "sub/x", wins: null },
  { engine: "xash3d", tree: ["valve/a.pak"], asked: "sub/.x", wins: null },
  { engine: "xash3d", tree: ["valve/custom", "valve"], wins: "loose valve/custom" },
  {
    engine: "xash3d",
    tree: ["valve/pak0.pak"],
    files: { "valve/a.pk3": zip([{ name: "x", content: "" }]) },
    wins: "valve/pak0.pak",
  },
  {
    engine: "xash3d",
    tree: ["valve", "cstrike", "czero/pak0.pak"],
    files: { "czero/liblist.gam": 'game "Condition Zero"\r\nfallback_dir "cstrike"\r\n', "czero/pak0.pak": pakOf("y") },
    view: "czero",
    wins: "loose cstrike",
  },
  {
    engine: "xash3d",
    tree: ["valve"],
    files: { "other/y": "", "mod/gameinfo.txt": 'basedir "other"\nfallback_dir "../secret"\n', "secret/x": "secret" },
    view: "mod",
    wins: null,
  },
  {
    engine: "xash3d",
    tree: ["valve", "cstrike/custom"],
    files: { "cstrike/y": "", "czero/liblist.gam": 'fallback_dir "cstrike"' },
    view: "czero",
    wins: "loose valve",
  },
  // dhewm/dhewm3
  {
    engine: "dhewm3",
    tree: ["base/pak000.pk4"],
    files: { "base/zmap.pk4": addon("addon.conf") },
    wins: "base/pak000.pk4",
  },
  {
    engine: "dhewm3",
    tree: ["base/pak000.pk4"],
    files: { "base/zmap.pk4": addon("Addon.conf") },
    view: "base:with=zmap",
    wins: "base/zmap.pk4",
  },
  {
    engine: "dhewm3",
    tree: ["base/pak000.pk4"],
    files: { "base/amap.pk4": addon("addon.conf") },
    view: "base:with=amap.pk4",
    wins: "base/pak000.pk4",
  },
  {
    engine: "dhewm3",
    tree: ["base/pak000.pk4"],
    files: { "base/game03.pk4": addon("binary.conf") },
    wins: "base/pak000.pk4",
  },
  { engine: "dhewm3", tree: [], files: { "base/sub.pk4": addon("maps/addon.conf") }, wins: "base/sub.pk4" },
  {
    engine: "dhewm3",
    tree: ["base"],
    files: { "base/zmap.pk4": addon("addon.conf") },
    view: "base:with=zmap",
    wins: "loose base",
  },
  {
    engine: "dhewm3",
    tree: ["base/pak000.pk4"],
    files: { "base/zmap.pk4": addon("addon.conf") },
    view: "base:with=fs_searchAddons=1",
    wins: "base/zmap.pk4",
  },
  {
    engine: "dhewm3",
    tree: ["base/pak000.pk4"],
    files: { "base/amap.pk4": addon("addon.conf") },
    view: "base:with=fs_searchAddons=1",
    wins: "base/pak000.pk4",
  },
  {
    engine: "dhewm3",
    tree: ["base/pak000.pk4"],
    files: { "base/game03.pk4": addon("binary.conf") },
    view: "base:with=fs_searchAddons=1",
    wins: "base/pak000.pk4",
  },
  {
    engine: "rbdoom3bfg",
    tree: ["mod", "base/pak000.pk4", "base/_common.resources"],
    view: "mod:with=fs_resourceLoadPriority=1",
    wins: "base/pak000.pk4",
  },
  {
    engine: "rbdoom3bfg",
    tree: ["mod", "base/_common.resources"],
    view: "mod:with=fs_resourceLoadPriority=1",
    wins: "base/_common.resources",
  },
  { engine: "qss", tree: ["id1/pak0.pak", "id1/zz.pak"], view: "id1:with=-nowildpaks", wins: "id1/pak0.pak" },
  { engine: "qss", tree: ["id1/pak0.pak", "id1/pak0.pk3"], view: "id1:with=-nowildpaks", wins: "id1/pak0.pk3" },
  {
    engine: "qss",
    tree: ["id1/zz.pak", "id1/zzz.pak"],
    files: { "id1/pak.lst": "zz.pak\n" },
    view: "id1:with=-nowildpaks",
    wins: "id1/zz.pak",
  },
  {
    engine: "vkquake",
    tree: ["user/id1", "a/id1/pak0.pak", "a/id1/pak1.pak"],
    roots: ["user", "a"],
    wins: "loose user/id1",
  },
  { engine: "ironwail", tree: ["id1/PAK0.PAK"], wins: null },
  { engine: "ironwail", tree: ["ad/pak0.pak", "id1/pak0.pak", "id1/pak1.pak"], view: "ad", wins: "ad/pak0.pak" },
];
