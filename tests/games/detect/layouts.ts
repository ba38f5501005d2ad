/**
 * Layouts of directories, with permitted results of detection: editions, ports, packages of distributions, directories
 * that are mixed, half-installed, spelled otherwise, or no game at all.
 * @module
 */

/** A directory, and the answer. */
export interface Layout {
  /** Files by path; one that ends with a slash is a directory. */
  readonly files: readonly string[];
  /** The only permitted title: the result is certain; null: none is permitted; several: any of them, or none. */
  readonly game: string | null | readonly string[];
  /** The expected profile; absent: any that plays the game. */
  readonly profile?: string;
  /** The expected base game directory; absent: not checked. */
  readonly base?: string;
}

/** Returns a layout that is one game for certain. */
function is(game: string, profile: string, base: string, ...files: readonly string[]): Layout {
  return { files, game, profile, base };
}

/** Returns a layout without certain evidence of a game. */
function none(...files: readonly string[]): Layout {
  return { files, game: null };
}

/** Returns a layout that may be one of several games. */
function any(game: readonly string[], ...files: readonly string[]): Layout {
  return { files, game };
}

const iwads = "Doom";
const mohaa = "Medal of Honor: Allied Assault";
const jedi = "Jedi Academy or Jedi Outcast";
const etqw = "Enemy Territory: Quake Wars";
const iwd = "Call of Duty 2 or a later one";

export const layouts: readonly Layout[] = [
  // Quake: the game of 1996, shareware, ports with their own files, the remaster, mission packs and mods
  is("Quake", "quake", "id1", "id1/pak0.pak", "id1/pak1.pak"),
  is("Quake", "quake", "id1", "id1/pak0.pak", "QUAKE.EXE", "hipnotic/pak0.pak", "rogue/pak0.pak"),
  is("Quake", "quake", "Id1", "Id1/PAK0.PAK", "Id1/PAK1.PAK", "Winquake.exe", "Glquake.exe"),
  is("Quake", "quake", "ID1", "ID1/PAK0.PAK", "QUAKE.EXE"),
  is("Quake", "quake", "id1", "id1/pak0.pak", "id1/config.cfg", "gfx.wad", "README.TXT"),
  is("Quake", "quakespasm", "id1", "id1/pak0.pak", "quakespasm", "quakespasm.pak"),
  is("Quake", "quakespasm", "id1", "id1/pak0.pak", "quakespasm-sdl2", "ad/pak0.pak"),
  is("Quake", "quakespasm", "id1", "id1/pak0.pak", "id1/textures.pk3", "quakespasm"),
  is("Quake", "quakespasm", "id1", "id1/pak0.pak", "id1/textures.pk3", "quakespasm.exe"),
  is("Quake", "qss", "id1", "id1/pak0.pak", "id1/textures.pk3", "quakespasm-spiked-linux64"),
  is("Quake", "ironwail", "id1", "id1/pak0.pak", "ironwail.exe", "ironwail.pak"),
  is("Quake", "vkquake", "id1", "id1/pak0.pak", "vkquake.x86_64"),
  is("Quake", "darkplaces", "id1", "id1/pak0.pak", "darkplaces-sdl"),
  is("Quake", "darkplaces", "id1", "id1/pak0.pak", "id1/textures.pk3"),
  is("Quake", "ftequake", "id1", "id1/pak0.pak", "fteqw64"),
  is("Quake", "ezquake", "id1", "id1/pak0.pak", "ezquake/pak.lst", "ezquake-linux-x86_64"),
  is("Quake", "markv", "id1", "id1/pak0.pak", "mark_v.exe"),
  is("Quake", "markv", "id1", "id1/pak0.pak", "id1/textures.pk3", "dx9_mark_v.exe"),
  any(["Quake"], "id1/"),
  any(["Quake"], "id1/pak1.pak"),
  any(["Quake"], "id1/autoexec.cfg", "mod/pak0.pak"),
  { files: ["id1/pak0.pak", "QuakeEX.kpf", "mg1/pak0.pak"], game: "Quake, the remaster of 2021", profile: "ironwail" },
  none("pak0.pak", "pak1.pak"),
  none("ad/pak0.pak", "ad/progs.dat"),
  none("hipnotic/pak0.pak", "rogue/pak0.pak"),
  // Quake II
  is("Quake II", "yquake2", "baseq2", "baseq2/pak0.pak", "baseq2/pak1.pak", "baseq2/pak2.pak", "quake2.exe"),
  is("Quake II", "yquake2", "baseq2", "baseq2/pak0.pak", "baseq2/players/male/tris.md2"),
  is("Quake II", "yquake2", "baseq2", "baseq2/pak0.pak", "ctf/pak0.pak", "rogue/pak0.pak", "xatrix/pak0.pak"),
  is("Quake II", "q2pro", "baseq2", "baseq2/pak0.pak", "q2pro.x86_64"),
  is("Quake II", "q2rtx", "baseq2", "baseq2/pak0.pak", "baseq2/q2rtx_media.pkz", "q2rtx"),
  is("Quake II", "vkquake2", "baseq2", "baseq2/pak0.pak", "vkquake2.exe"),
  is("Quake II", "kmquake2", "baseq2", "baseq2/pak0.pak", "kmquake2.exe", "baseq2/kmq2_main.pk3"),
  is("Quake II", "yquake2", "baseq2", "baseq2/pak0.pak", "vkQuake.exe"),
  { files: ["baseq2/pak0.pak", "Q2Game.kpf"], game: "Quake II, the remaster of 2023", profile: "q2pro" },
  any(["Quake II"], "baseq2/"),
  any(["Quake II"], "baseq2/pak1.pak"),
  // Quake III Arena and games on its engine
  is("Quake III Arena", "ioquake3", "baseq3", "baseq3/pak0.pk3", "baseq3/pak8.pk3", "quake3.exe"),
  is("Quake III Arena", "ioquake3", "baseq3", "baseq3/pak0.pk3", "missionpack/pak0.pk3", "ioquake3.x86_64"),
  is("Quake III Arena", "quake3e", "baseq3", "baseq3/pak0.pk3", "quake3e.x64"),
  is("Quake III Arena", "ioquake3", "demoq3", "demoq3/pak0.pk3"),
  is("Quake III Arena", "ioquake3", "BaseQ3", "BaseQ3/PAK0.PK3"),
  any(["Quake III Arena"], "baseq3/pak1.pk3"),
  any(["Quake III Arena"], "baseq3/q3config.cfg"),
  is("OpenArena", "ioquake3", "baseoa", "baseoa/pak0.pk3", "baseoa/pak6-patch088.pk3"),
  is("Star Trek: Voyager Elite Force", "ioquake3", "baseEF", "baseEF/pak0.pk3", "stvoyHM.exe"),
  is("Urban Terror", "urbanterror", "q3ut4", "q3ut4/zUrT43_001.pk3", "Quake3-UrT.x86_64"),
  is("Urban Terror", "urbanterror", "Q3UT4", "Q3UT4/zUrT43_001.pk3"),
  is("Smokin' Guns", "smokinguns", "smokinguns", "smokinguns/sg_pak0.pk3", "smokinguns.x86_64"),
  is("World of Padman", "worldofpadman", "wop", "wop/wop_001.pk3", "wop.x86_64"),
  is("Tremulous", "tremulous", "base", "base/data-1.1.0.pk3", "base/vms-1.1.0.pk3", "tremulous.x86"),
  is("Tremulous", "tremulous", "base", "base/vms-1.1.0.pk3", "gpp/data-gpp1.pk3"),
  is("Warsow", "qfusion", "basewsw", "basewsw/data0_21pure.pk3", "warsow.x86_64"),
  is("Warfork", "qfusion", "basewf", "basewf/data0_21pure.pk3"),
  is("Unvanquished", "daemon", "pkg", "pkg/unvanquished_0.55.0.dpk", "daemon"),
  is("Alien Arena", "alienarena", "data1", "data1/models/", "data1/maps/", "arena/", "crx"),
  is("Xonotic", "darkplaces", "data", "data/xonotic-20230620-data.pk3", "xonotic-linux64-sdl"),
  is("Xonotic", "darkplaces", "data", "data/xonotic-data.pk3dir/progs.dat", "data/xonotic-maps.pk3dir/maps/"),
  is("Nexuiz", "darkplaces", "data", "data/data20091001.pk3", "data/common-spog.pk3"),
  is("Nexuiz", "darkplaces", "data", "data/common.pk3"),
  is("Nexuiz", "darkplaces", "data", "data/data.pk3", "data/music.pk3", "data/textures.pk3"),
  none("data/mod.pk3"),
  none("data/textures.pk3", "game.exe"),
  none("smokinguns/readme.txt"),
  none("q3ut4/readme.txt"),
  none("wop/readme.txt"),
  none("basewsw/x.cfg"),
  none("basewf/x.cfg"),
  none("data1/models/", "data1/maps/"),
  none("data1/readme.txt", "crx.txt"),
  none("missionpack/pak0.pk3"),
  none("mymod/pak0.pk3", "mymod/vm/cgame.qvm"),
  none("pk3/pak0.pk3", "quake3e.x64"),
  // Return to Castle Wolfenstein, Enemy Territory, Medal of Honor, Call of Duty, Kingpin: bases called main
  is("Return to Castle Wolfenstein", "iortcw-mp", "main", "main/pak0.pk3", "main/mp_pak0.pk3", "main/sp_pak1.pk3"),
  is("Return to Castle Wolfenstein", "iortcw-sp", "Main", "Main/pak0.pk3", "Main/sp_pak1.pk3", "WolfSP.exe"),
  is("Wolfenstein: Enemy Territory", "etlegacy", "etmain", "etmain/pak0.pk3", "et.x86"),
  is("Wolfenstein: Enemy Territory", "etlegacy", "etmain", "etmain/pak0.pk3", "legacy/legacy_v2.81.pk3", "etl"),
  is(mohaa, "openmohaa", "main", "main/Pak0.pk3", "MOHAA.exe"),
  is(mohaa, "openmohaa", "main", "main/Pak0.pk3", "mainta/pak1.pk3", "maintt/pak1.pk3", "moh_breakthrough.exe"),
  is(mohaa, "openmohaa", "main", "main/Pak0.pk3", "openmohaa.x86_64"),
  is("Call of Duty", "quake3", "main", "main/pak0.pk3", "main/localized_english_pak0.pk3", "CoDSP.exe"),
  is("Call of Duty", "quake3", "Main", "Main/pak0.pk3", "Main/localized_german_pak0.pk3", "uo/pakuo00.pk3"),
  is("Call of Duty 2", "callofduty2", "main", "main/iw_00.iwd", "main/localized_english_iw00.iwd", "CoD2SP_s.exe"),
  is(iwd, "callofduty2", "main", "main/iw_00.iwd"),
  is(iwd, "callofduty2", "main", "main/iw_00.iwd", "zone/english/code_post_gfx.ff", "iw3sp.exe"),
  is("Kingpin: Life of Crime", "quake2", "main", "main/pak0.pak", "Kingpin.exe"),
  is("Kingpin: Life of Crime", "quake2", "main", "main/Pak0.pak", "kingpin.x86"),
  none("main/pak0.pk3"),
  none("main/pak0.pak"),
  none("main/iw_00.txt"),
  none("main/readme.txt", "MOHAA.exe"),
  none("main/pak0.pk3", "kingpin.txt"),
  none("main/main.pk3", "main/textures.pk3", "engine.exe"),
  // Games of Raven and others: bases called base
  is(jedi, "openjk", "base", "base/assets0.pk3", "base/assets1.pk3", "base/assets2.pk3"),
  is("Jedi Academy", "openjk", "base", "base/assets0.pk3", "base/assets1.pk3", "base/assets3.pk3", "jamp.exe"),
  is("Jedi Academy", "openjk", "base", "base/assets0.pk3", "base/assets3.pk3", "openjk.x86_64"),
  is("Jedi Academy", "openjk", "base", "base/assets0.pk3", "base/assets3.pk3", "jk2mvmp"),
  is("Jedi Outcast", "openjk", "base", "base/assets0.pk3", "base/assets2.pk3", "base/assets5.pk3", "jk2mp.exe"),
  is("Jedi Outcast", "jk2mv", "base", "base/assets0.pk3", "base/assets5.pk3", "jk2mvmp"),
  is("Jedi Outcast", "jk2mv", "base", "base/assets0.pk3", "base/assets5.pk3", "jk2mvmp.exe", "base/assetsmv.pk3"),
  is("Jedi Outcast", "openjk", "base", "base/assets0.pk3", "base/assets5.pk3", "openjk.x86", "jk2mvmp"),
  is(jedi, "openjk", "base", "base/assets0.pk3", "jk2mvmp"),
  is("Heretic II", "heretic2", "base", "base/htic2-0.pak", "base/htic2-1.pak", "Heretic2.exe"),
  is("SiN", "sin", "base", "base/pak0.sin", "2015/pak0.sin", "sin.exe"),
  is("Soldier of Fortune", "quake2", "base", "base/pak0.pak", "SoF.exe"),
  is("Soldier of Fortune", "quake2", "base", "base/pak0.pak", "base/pak1.pak", "sof-bin"),
  is("Soldier of Fortune II: Double Helix", "quake3", "base", "base/pak0.pk3", "base/mp.pk3", "SoF2MP.exe"),
  is("American McGee's Alice", "quake3", "base", "base/pak0.pk3", "Alice.exe"),
  is("Star Trek: Elite Force II", "quake3", "base", "base/pak0.pk3", "EF2.exe"),
  is("Heavy Metal: F.A.K.K. 2", "quake3", "fakk", "fakk/pak0.pk3", "fakk2.exe"),
  is("Anachronox", "anachronox", "anoxdata", "anoxdata/maps.dat", "anox.exe"),
  is("Daikatana", "daikatana", "data", "data/pak1.pak", "daikatana.exe"),
  is("Hexen II", "uhexen2", "data1", "data1/pak0.pak", "data1/pak1.pak", "h2.exe"),
  is("Hexen II", "uhexen2", "data1", "data1/pak0.pak", "portals/pak3.pak", "hw/pak4.pak", "glhexen2"),
  is("Hexen II", "uhexen2", "data1", "data1/pak0.pak", "data1/maps/"),
  none("base/pak0.pak"),
  none("base/pak0.pk3"),
  none("base/pak0.pk3", "readme.exe"),
  none("base/mod.pk3", "jk2mvmp"),
  none("data/pak1.pak"),
  none("data/common.pak"),
  none("data1/readme.txt"),
  none("anoxdata/readme.txt"),
  none("fakk/readme.txt", "fakk2.exe"),
  // Doom 3, Prey, Quake 4, Quake Wars and The Dark Mod
  is("Doom 3", "dhewm3", "base", "base/pak000.pk4", "base/pak007.pk4", "base/pak008.pk4", "base/game03.pk4"),
  is("Doom 3", "dhewm3", "base", "base/pak000.pk4", "d3xp/pak000.pk4"),
  is("Doom 3", "dhewm3", "base", "base/pak000.pk4", "doom3.exe"),
  is("Doom 3", "dhewm3", "base", "base/pak000.pk4", "dhewm3"),
  is("Doom 3 or Prey", "dhewm3", "base", "base/pak000.pk4", "base/pak004.pk4"),
  is("Prey", "dhewm3", "base", "base/pak000.pk4", "base/pak004.pk4", "prey.x86"),
  is("Prey", "dhewm3", "base", "base/pak000.pk4", "base/pak004.pk4", "PREY.exe"),
  is("Prey", "dhewm3", "base", "base/pak_data.pk4", "base/pak_sound.pk4", "base/pak_en_v.pk4", "base/pak_en_t.pk4"),
  is("Prey", "dhewm3", "base", "base/pak_en_v.pk4"),
  is(etqw, "dhewm3", "base", "base/pak000.pk4", "base/pak008.pk4", "base/zpak_english000.pk4", "base/game000.pk4"),
  is(etqw, "dhewm3", "base", "base/pak000.pk4", "base/zpak_german000.pk4", "base/megatextures/a.mega"),
  any(["Doom 3 or Prey"], "base/pak000.pk4", "base/zpak_english000.pk4"),
  none("base/pak1.pk4", "base/zpak_english000.pk4"),
  none("base/mod.pk4"),
  is("Doom 3 BFG Edition", "rbdoom3bfg", "base", "base/_common.resources", "Doom3BFG.exe"),
  none("base/gameresources.resources", "base/maps/"),
  is("Quake 4", "dhewm3", "q4base", "q4base/pak001.pk4", "q4base/zpak_english.pk4", "Quake4.exe"),
  none("q4base/readme.txt"),
  is("The Dark Mod", "darkmod", "", "tdm_base01.pk4", "tdm_ai_base01.pk4", "fms/missions.tdminfo"),
  none("tdm_readme.txt"),
  none("fms/missions.tdminfo"),
  // Half-Life and the Source engine
  is("Half-Life", "xash3d", "valve", "valve/liblist.gam", "valve/pak0.pak", "hl.exe"),
  is("Half-Life", "xash3d", "valve", "valve/halflife.wad", "cstrike/liblist.gam", "hl_linux"),
  is("Sven Co-op", "xash3d", "svencoop", "svencoop/liblist.gam", "svencoop.exe"),
  none("valve/pak0.pk3"),
  none("valve/"),
  // Doom
  is(iwads, "gzdoom", "", "doom2.wad"),
  is(iwads, "gzdoom", "", "DOOM2.WAD", "mod.pk3"),
  none("doom2.txt", "mod.wad"),
  none("brutal.pk3", "readme.txt"),
  // The Build engine, Descent, the Dark Engine, Cube 2
  is("Duke Nukem 3D", "eduke32", "", "DUKE3D.GRP", "duke3d.exe"),
  is("Blood", "nblood", "", "BLOOD.RFF", "SOUNDS.RFF"),
  is("Shadow Warrior", "voidsw", "", "SW.GRP"),
  none("DUKE3D.GRP.txt", "duke3d.exe"),
  none("BLOOD.txt", "SW.txt"),
  is("Descent", "d1x-rebirth", "", "descent.hog", "descent.pig"),
  is("Descent II", "d2x-rebirth", "", "descent2.hog", "groupa.pig"),
  is("Descent II", "d2x-rebirth", "", "descent2.hog", "descent.hog"),
  is("Descent 3", "descent3", "", "d3.hog", "extra.hog"),
  none("descent.txt"),
  none("missions/a.hog"),
  is("Thief: The Dark Project", "darkengine", "", "RES/obj.crf", "RES/mesh.crf", "THIEF.EXE"),
  is("Thief II: The Metal Age", "darkengine", "", "RES/obj.crf", "Thief2.exe"),
  is("System Shock 2", "darkengine", "", "res/obj.crf", "Shock2.exe"),
  is("System Shock 2", "darkengine", "", "Res/obj.crf", "SS2.exe"),
  none("RES/obj.crf"),
  none("res/icon.png", "Shock2.exe"),
  is("Sauerbraten", "cube2", "", "data/stdlib.cfg", "packages/base/aard3c.ogz", "sauerbraten_unix"),
  is("Sauerbraten", "cube2", "", "data/stdlib.cfg", "packages/base/aard3c.ogz"),
  none("data/stdlib.cfg"),
  is("Red Eclipse", "redeclipse", "", "config/version.cfg", "data/maps/readme.txt", "redeclipse.sh"),
  none("config/version.cfg", "data/x.txt"),
  // Several games in one directory: any of them, and no other
  any(["Quake", "Quake II"], "id1/pak0.pak", "baseq2/pak0.pak"),
  any(["Quake III Arena", "Quake II"], "baseq3/pak0.pk3", "baseq2/pak0.pak"),
  any(["Quake III Arena", "Urban Terror"], "baseq3/pak0.pk3", "q3ut4/zUrT43_001.pk3"),
  any(["Quake III Arena", "Smokin' Guns"], "baseq3/pak0.pk3", "smokinguns/sg_pak0.pk3", "smokinguns.x86"),
  any(["Quake", "Hexen II"], "id1/pak0.pak", "data1/pak0.pak"),
  any(["Doom 3", "Quake 4"], "base/pak000.pk4", "base/pak008.pk4", "q4base/pak001.pk4"),
  any(["Quake", "Half-Life"], "id1/pak0.pak", "valve/liblist.gam"),
  any(["Jedi Academy", "Jedi Outcast"], "base/assets0.pk3", "base/assets3.pk3", "base/assets5.pk3"),
  any(["Quake", iwads], "id1/pak0.pak", "doom2.wad"),
  // No game: the directory around it, one of its game directories, downloads, something else
  none("Quake/id1/pak0.pak"),
  none("Quake/id1/pak0.pak", "Quake II/baseq2/pak0.pak"),
  none("Downloads/q3a.zip", "a.zip", "b.pak", "readme.txt"),
  none("ad_v1_80.zip", "quoth2pt2full.zip", "q3dm17.pk3"),
  none("maps/start.bsp", "progs/player.mdl", "progs.dat"),
  none("src/main.c", "Makefile"),
  none(".hidden/pak0.pak"),
  none("readme.txt"),
];

/** Directories above games, with the titles found below each. */
export const nested: readonly (readonly [files: readonly string[], titles: readonly string[]])[] = [
  [["Quake/id1/pak0.pak"], ["Quake"]],
  [["Steam/Quake/rerelease/id1/pak0.pak", "Steam/Quake/rerelease/QuakeEX.kpf"], ["Quake, the remaster of 2021"]],
  [["a/Quake/id1/pak0.pak", "a/Quake II/baseq2/pak0.pak"], ["Quake", "Quake II"]],
  [["downloads/OpenArena 0.8.8/baseoa/pak0.pk3", "downloads/readme.txt"], ["OpenArena"]],
  [["GOG/JK2/GameData/base/assets0.pk3", "GOG/JK2/GameData/base/assets5.pk3"], ["Jedi Outcast"]],
  [["prey/base/pak_en_v.pk4", "doom3/base/pak000.pk4", "doom3/base/pak008.pk4"], ["Doom 3", "Prey"]],
  [["downloads/a.zip", "downloads/mods/b.txt"], ["Unknown"]],
  // Packages of distributions have no program next to the data: the directory's name identifies the game
  [["games/alien-arena/data1/models/", "games/alien-arena/data1/maps/", "games/alien-arena/arena/"], ["Alien Arena"]],
  [["games/redeclipse/config/version.cfg", "games/redeclipse/data/maps/"], ["Red Eclipse"]],
  [["games/doom3/base/pak000.pk4"], ["Doom 3"]],
];
