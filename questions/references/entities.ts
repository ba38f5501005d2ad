/**
 * Files named in the entities of a map: sounds, music, models, sky boxes. Files named only in game code, such as the
 * models of items and monsters, are not included.
 *
 * Sources: ioquake/ioq3 code/game/g_spawn.c, g_mover.c, g_target.c, g_trigger.c, g_utils.c; id-Software/Quake-2
 * game/g_spawn.c, g_func.c, g_misc.c, g_target.c; sezero/quakespasm Quake/gl_sky.c, bgmusic.c; id-Software/DOOM-3
 * neo/game/Game_local.cpp `CacheDictionaryMedia`.
 * @module
 */
import type { Entity } from "../../media/mod.ts";
import { extensionOf } from "../shaders/engine_images.ts";
import type { Family } from "../../engines/mod.ts";
import { needed, optional, type Reference, skySides } from "./reference.ts";

/**
 * Returns the references of a map's entities.
 * @param hasQuake3Classes Whether classes play the same sounds as in Quake III.
 */
export function entityReferences(entities: readonly Entity[], family: Family, hasQuake3Classes = false): Reference[] {
  return entities.map((entity) => new Keys(entity)).flatMap((keys) => [
    ...(hasQuake3Classes ? classSounds(keys) : []),
    ...(family === "doom" ? [] : readers[family](keys, hasQuake3Classes)),
  ]);
}

/** Properties of an entity, with keys in any case. */
class Keys {
  readonly classname: string;
  readonly all: ReadonlyMap<string, string>;

  constructor(entity: Entity) {
    this.all = new Map(Array.from(entity, ([key, value]) => [key.toLowerCase(), value.trim()]));
    this.classname = this.of("classname").toLowerCase();
  }

  /** Returns the value of a key; empty if missing. */
  of(key: string): string {
    return this.all.get(key) ?? "";
  }

  /** Returns the reason for loading the file in a key. */
  why(key: string): string {
    return `"${key}" of ${this.classname === "" ? "an entity" : this.classname}`;
  }
}

type EntityReader = (keys: Keys, hasQuake3Classes: boolean) => Reference[];

function sounds(classname: string, names: readonly string[]): Reference[] {
  return names.map((name) => needed("sound", name, `sound of ${classname}`));
}

/** Sounds that classes of Quake III play without a key. */
const quake3Sounds: Readonly<Record<string, readonly string[]>> = {
  func_door: ["sound/movers/doors/dr1_strt.wav", "sound/movers/doors/dr1_end.wav"],
  func_plat: ["sound/movers/plats/pt1_strt.wav", "sound/movers/plats/pt1_end.wav"],
  func_button: ["sound/movers/switches/butn2.wav"],
  trigger_push: ["sound/world/jumppad.wav"],
  trigger_teleport: ["sound/world/jumppad.wav"],
  trigger_hurt: ["sound/world/electro.wav"],
};

function classSounds(keys: Keys): Reference[] {
  const { classname } = keys;
  if (classname !== "target_push") return sounds(classname, quake3Sounds[classname] ?? []);
  const isPad = (Number(keys.of("spawnflags")) & 1) !== 0;
  return sounds(classname, [isPad ? "sound/world/jumppad.wav" : "sound/misc/windfly.wav"]);
}

const readers: Readonly<Record<Exclude<Family, "doom">, EntityReader>> = {
  quake3(keys, hasQuake3Classes) {
    const { classname } = keys;
    const found: Reference[] = [];
    const add = (kind: "sound" | "model" | "texture", key: string, name = keys.of(key)) => {
      if (name !== "" && !name.startsWith("*")) found.push(needed(kind, name, keys.why(key)));
    };
    if (classname === "worldspawn") {
      const tracks = keys.of("music").split(/[\s"]+/).filter((name) => name !== "");
      for (const name of tracks.slice(0, 2)) found.push(needed("music", name, keys.why("music")));
    }
    if (classname === "target_speaker") {
      const noise = keys.of("noise");
      const isWhole = noise === "" || noise.includes(".wav") || !hasQuake3Classes && /\.ogg$/i.test(noise);
      add("sound", "noise", isWhole ? noise : `${noise}.wav`);
    }
    if (classname.startsWith("func_")) {
      add("model", "model2");
      add("sound", "noise");
    }
    // `misc_model` is part of the compiled map; the others are from later games.
    if (/^misc_\w*model/.test(classname) && classname !== "misc_model") add("model", "model");
    for (const key of keys.all.keys()) {
      if (key.startsWith("remapshader")) add("texture", key, keys.of(key).split(";")[1]?.trim());
    }
    add("texture", "targetshadername");
    add("texture", "targetshadernewname");
    return found;
  },

  quake2(keys) {
    const { classname } = keys;
    const isQuiet = keys.of("sounds") === "1" && quietable.has(classname);
    const found = isQuiet ? [] : sounds(classname, quake2Sounds[classname] ?? []);
    if (classname === "worldspawn") {
      const sky = keys.of("sky");
      for (const side of skySides) {
        const names = [`env/${sky === "" ? "unit1_" : sky}${side}.tga`] as const;
        found.push({ kind: "sky", names, why: "sky box", isOptional: sky === "" });
      }
      const track = Number.parseInt(keys.of("sounds"), 10);
      if (track > 0 && track < 100) {
        const number = String(track).padStart(2, "0");
        found.push(optional("music", "music track", `music/${number}.ogg`, `music/track${number}.ogg`));
      }
    }
    const noise = keys.of("noise");
    if ((classname === "target_speaker" || classname === "func_train") && noise !== "" && !noise.startsWith("*")) {
      const isWhole = noise.includes(".wav") || classname === "func_train";
      found.push(needed("sound", isWhole ? noise : `${noise}.wav`, keys.why("noise")));
    }
    if (classname === "target_changelevel") found.push(...quake2Levels(keys));
    const model = keys.of("model");
    const models = [quake2Models[classname], ["md2", "sp2", "md3"].includes(extensionOf(model)) ? model : undefined];
    for (const name of models) if (name !== undefined) found.push(needed("model", name, `model of ${classname}`));
    return found;
  },

  quake(keys) {
    const { classname } = keys;
    const found: Reference[] = [];
    if (classname === "worldspawn") {
      const sky = ["sky", "_sky", "skyname", "_skyname", "qlsky"].map((key) => keys.of(key)).find((name) =>
        name !== ""
      );
      if (sky !== undefined) {
        for (const side of skySides) found.push(needed("sky", `gfx/env/${sky}${side}`, "sky box"));
      }
      const track = Number.parseInt(keys.of("sounds"), 10);
      if (track > 0 && track < 256) {
        found.push(optional("music", "music track", `music/track${String(track).padStart(2, "0")}`));
      }
    }
    // Half-Life's class, which also names a landmark, has the same name and key.
    const level = changesLevel.test(classname) ? keys.of("map") : "";
    if (level !== "") found.push(needed("map", level, keys.why("map")));
    // QuakeC programs choose their keys freely: names of files are recognized by their extensions. Keys with an
    // underscore are comments.
    for (const [key, value] of keys.all) {
      if (key.startsWith("_") || quakeTexts.has(key) || value.startsWith("*")) continue;
      const extension = extensionOf(value);
      if (extension === "wav" || extension === "ogg") found.push(needed("sound", value, keys.why(key)));
      else if (quakeModels.has(extension)) found.push(needed("model", value, keys.why(key)));
    }
    return found;
  },

  doom3(keys) {
    const found: Reference[] = [];
    const define = (type: string, name: string, key: string) =>
      found.push(needed("definition", `${type} ${name}`, keys.why(key)));
    if (keys.classname !== "") define("entitydef", keys.classname, "classname");
    for (const [key, value] of keys.all) {
      const extension = extensionOf(value);
      if (value === "") continue;
      if (key.startsWith("model")) {
        if (doom3Models.has(extension)) found.push(needed("model", value, keys.why(key)));
        // Others are parts of the map itself.
        else found.push(optional("definition", keys.why(key), `model ${value}`));
      } else if (key === "texture" || key.startsWith("mtr") || key.startsWith("inv_icon")) {
        found.push(needed("texture", value, keys.why(key)));
      } else if (key === "s_shader" || key.startsWith("snd")) {
        if (extension === "wav" || extension === "ogg") found.push(needed("sound", value, keys.why(key)));
        else define("sound", value, key);
      } else if (key === "skin") define("skin", value, key);
      else if (key.startsWith("gui") && extension === "gui") found.push(needed("file", value, keys.why(key)));
    }
    return found;
  },
};

const changesLevel = /^(?:trigger|target)_changelevel$/;

/**
 * Returns the items that Quake 2 loads in turn for the key `map` of an entity: maps, films and pictures, separated by
 * `+`, with `*` before a map of another unit, and `$` and the name of an entity after a map. (id-Software/Quake-2
 * server/sv_init.c `SV_Map`.)
 */
function quake2Levels(keys: Keys): Reference[] {
  return keys.of("map").split("+").flatMap((part): Reference[] => {
    const name = part.trim().replace(/^\*/, "").replace(/\$.*/, "");
    const extension = extensionOf(name);
    if (name === "") return [];
    if (extension === "cin") return [optional("video", keys.why("map"), `video/${name}`)];
    if (extension === "pcx") return [optional("file", keys.why("map"), `pics/${name}`)];
    return extension === "dm2" ? [] : [needed("map", name, keys.why("map"))];
  });
}

/** Classes that play no sound with `sounds` 1. */
const quietable: ReadonlySet<string> = new Set(["func_door", "func_door_rotating", "func_button"]);
const doorSounds = ["doors/dr1_strt.wav", "doors/dr1_mid.wav", "doors/dr1_end.wav"];
const quake2Sounds: Readonly<Record<string, readonly string[]>> = {
  func_door: doorSounds,
  func_door_rotating: doorSounds,
  func_door_secret: doorSounds,
  func_plat: ["plats/pt1_strt.wav", "plats/pt1_mid.wav", "plats/pt1_end.wav"],
  func_button: ["switches/butn2.wav"],
};
const quake2Models: Readonly<Record<string, string>> = {
  misc_banner: "models/objects/banner/tris.md2",
  misc_bigviper: "models/ships/bigviper/tris.md2",
  misc_blackhole: "models/objects/black/tris.md2",
  misc_deadsoldier: "models/deadbods/dude/tris.md2",
  misc_eastertank: "models/monsters/tank/tris.md2",
  misc_easterchick: "models/monsters/bitch/tris.md2",
  misc_easterchick2: "models/monsters/bitch/tris.md2",
  misc_explobox: "models/objects/barrels/tris.md2",
  misc_satellite_dish: "models/objects/satellite/tris.md2",
  misc_strogg_ship: "models/ships/strogg1/tris.md2",
  misc_viper: "models/ships/viper/tris.md2",
  misc_viper_bomb: "models/objects/bomb/tris.md2",
  misc_teleporter_dest: "models/objects/dmspot/tris.md2",
  light_mine1: "models/objects/minelite/light1/tris.md2",
  light_mine2: "models/objects/minelite/light2/tris.md2",
};

/** Keys that hold text, or names of other things than files. */
const quakeTexts: ReadonlySet<string> = new Set([
  ...["classname", "message", "target", "targetname", "killtarget", "wad", "map", "netname", "sky", "skyname"],
]);
const quakeModels: ReadonlySet<string> = new Set(["mdl", "spr", "bsp", "md2", "md3", "iqm"]);
const doom3Models: ReadonlySet<string> = new Set(["lwo", "ase", "ma", "md5mesh", "md3", "prt"]);
