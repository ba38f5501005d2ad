// deno-lint-ignore-file no-await-in-loop -- one game after the other, to see which one fails
/**
 * Needs of Quake 2 and Doom 3 maps, users of files, and missing files, compared with independent walks of the files'
 * bytes: random games in which a third of the files are missing.
 */
import { assertEquals } from "@std/assert";
import { openIndex } from "../../../mod.ts";
import { join, pak, text, zip } from "../../formats/bytes.ts";
import { installation } from "../../index/fixtures.ts";
import { md2, quake2Map, spriteList } from "../../media/handmade.ts";
import { numbersFrom, type Random, seed } from "../../support/chance.ts";

/** Content by path. */
type Contents = Map<string, Uint8Array>;

/** References of a node: paths, names of declarations, and missing names after `! `. */
type Graph = Map<string, Set<string>>;

const decoder = new TextDecoder();
const games = 12;

/** All nodes reachable from a node. */
function closure(graph: Graph, from: string, follows: (name: string) => boolean = () => true): Set<string> {
  const found = new Set([from]);
  for (const name of found) {
    if (name === from || follows(name)) { for (const next of graph.get(name) ?? []) found.add(next); }
  }
  return found;
}

/** Checks `needs` of each map, `missing`, and `used-by` of each file against a graph. */
async function checkGame(
  game: { readonly files: Contents; readonly graph: Graph; readonly maps: readonly string[] },
  { profile, base, isDeclared = () => false }: {
    readonly profile: string;
    readonly base: string;
    /** Whether a name of the graph is not a file. */
    readonly isDeclared?: (name: string) => boolean;
  },
): Promise<void> {
  const { files, graph, maps } = game;
  const packed = profile === "dhewm3"
    ? { [`${base}/pak000.pk4`]: zip(Array.from(files, ([name, content]) => ({ name, content }))) }
    : { [`${base}/pak0.pak`]: pak([...files]) };
  await using root = await installation(packed);
  await using index = await openIndex({ sources: [root.path], profile, name: "g" });
  const view = index.view(`g/${base}`);
  for (const map of maps) {
    const rows = await Array.fromAsync(view.needs(map));
    assertEquals(rows.filter(({ problem }) => problem !== null), []);
    const named = rows.map(({ qpath, name }) => qpath === null ? `! ${name}` : name);
    // A surface and an image of one name may both be missing.
    assertEquals([...new Set(named)].sort(), [...closure(graph, map)].sort(), map);
  }
  const lacking = await Array.fromAsync(view.missing(), ({ name, missing }) => [name, missing.map((row) => row.name)]);
  const expected = Array.from(graph, ([name, to]) => [name, [...to].flatMap((one) => /^! (.*)/.exec(one)?.[1] ?? [])]);
  const sorted = (rows: readonly (readonly (string | string[] | undefined)[])[]) =>
    rows.filter(([, names]) => names !== undefined && names.length > 0).map(([name, names]) =>
      `${name}: ${[names].flat().toSorted().join(", ")}`
    ).sort();
  assertEquals(sorted(lacking), sorted(expected));
  for (const target of [...files.keys(), ...graph.keys().filter(isDeclared)]) {
    const users = await Array.fromAsync(view.usedBy(target), ({ name }) => name);
    const reaching = graph.keys().filter((name) => name !== target && closure(graph, name, isDeclared).has(target));
    assertEquals(users.toSorted(), [...new Set(reaching)].sort(), target);
  }
}

/** Adds files, some of them missing; `endings` are their possible extensions. */
function scatter(files: Contents, random: Random, names: readonly string[], endings: readonly string[] = [""]): void {
  for (const name of names) {
    if (random(3) > 0) files.set(`${name}${endings[random(endings.length)]}`, text(name));
  }
}

function several(random: Random, names: readonly string[], limit: number): string[] {
  return Array.from({ length: random(limit + 1) }, () => names[random(names.length)] ?? "");
}

function numbered(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

const sides = ["rt", "bk", "lf", "ft", "up", "dn"];

/** Returns the first existing path, or the name of the missing file. */
function firstOf(files: Contents, missing: string, ...paths: readonly string[]): string {
  return paths.find((path) => files.has(path)) ?? `! ${missing}`;
}

function quake2Game(random: Random): { files: Contents; graph: Graph; maps: string[] } {
  const files: Contents = new Map();
  const pictures = numbered(8, "models/skin");
  scatter(files, random, numbered(10, "textures/u/t").map((name) => `${name}.wal`));
  scatter(files, random, numbered(5, "textures/u/t"), [".tga", ".jpg"]);
  scatter(files, random, pictures, [".pcx", ".tga"]);
  scatter(files, random, numbered(6, "sound/s").map((name) => `${name}.wav`));
  scatter(files, random, sides.flatMap((side) => ["env/day", "env/unit1_"].map((sky) => `${sky}${side}.tga`)));
  scatter(files, random, ["music/03.ogg", "music/track05.ogg"]);
  const skins = () => several(random, pictures, 3).map((name) => `${name}.pcx`);
  for (const name of numbered(3, "models/m")) if (random(3) > 0) files.set(`${name}.md2`, md2(skins()));
  for (const name of numbered(2, "sprites/s")) if (random(3) > 0) files.set(`${name}.sp2`, spriteList(skins()));
  const maps = numbered(3, "maps/m").map((name) => `${name}.bsp`);
  for (const map of maps) {
    const entities = [
      `"classname" "worldspawn"${random(2) ? ' "sky" "day"' : ""} "sounds" "${[0, 3, 5][random(3)]}"`,
      ...several(random, numbered(6, "s"), 3).map((name) =>
        `"noise" "${name}${random(2) ? ".wav" : ""}" "classname" "target_speaker"`
      ),
      ...several(random, [...numbered(3, "models/m").map((name) => `${name}.md2`), "sprites/s0.sp2", "*3"], 3)
        .map((name) => `"classname" "misc_thing" "model" "${name}"`),
    ];
    files.set(
      map,
      quake2Map(entities.map((entity) => `{ ${entity} }\n`).join(""), several(random, numbered(10, "u/t"), 6)),
    );
  }

  const graph: Graph = new Map();
  const string = (bytes: Uint8Array) => decoder.decode(bytes).split("\0")[0] ?? "";
  for (const [path, bytes] of files) {
    const found = new Set<string>();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const image = (name: string) => {
      const plain = name.replace(/\.pcx$/, "");
      return firstOf(files, name, name, `${plain}.tga`, `${plain}.png`, `${plain}.jpg`);
    };
    if (path.endsWith(".md2")) {
      for (let index = 0; index < view.getUint32(20, true); index++) {
        found.add(image(string(bytes.subarray(view.getUint32(44, true) + 64 * index).subarray(0, 64))));
      }
    } else if (path.endsWith(".sp2")) {
      for (let at = 12; at < bytes.length; at += 80) found.add(image(string(bytes.subarray(at + 16, at + 80))));
    } else if (path.endsWith(".bsp")) {
      const lump = (number: number) => {
        const offset = view.getUint32(8 + 8 * number, true);
        return bytes.subarray(offset, offset + view.getUint32(12 + 8 * number, true));
      };
      const information = lump(5);
      for (let at = 0; at < information.length; at += 76) {
        const name = `textures/${string(information.subarray(at + 40, at + 72))}`;
        found.add(firstOf(files, `${name}.wal`, `${name}.wal`, `${name}.tga`, `${name}.png`, `${name}.jpg`));
        found.add(firstOf(files, "", `${name}.tga`, `${name}.png`, `${name}.jpg`));
      }
      for (const [, entity = ""] of decoder.decode(lump(0)).matchAll(/\{([^}]*)\}/g)) {
        const key = (name: string) => new RegExp(`"${name}" "([^"]*)"`).exec(entity)?.[1] ?? "";
        if (key("classname") === "worldspawn") {
          const sky = key("sky");
          for (const side of sides) {
            const name = `env/${sky || "unit1_"}${side}`;
            found.add(firstOf(files, sky === "" ? "" : `${name}.tga`, `${name}.tga`, `${name}.png`, `${name}.jpg`));
          }
          const track = key("sounds").padStart(2, "0");
          if (track !== "00") found.add(firstOf(files, "", `music/${track}.ogg`, `music/track${track}.ogg`));
        }
        const noise = key("noise").replace(/\.wav$/, "");
        if (noise !== "") found.add(firstOf(files, `${noise}.wav`, `sound/${noise}.wav`));
        if (/\.\w+$/.test(key("model"))) found.add(firstOf(files, key("model"), key("model")));
      }
    }
    found.delete("! ");
    graph.set(path, found);
  }
  return { files, graph, maps };
}

Deno.test("maps of Quake 2 need what a walk of their bytes finds, and the reverse, in random games", async () => {
  const random = numbersFrom(seed);
  for (let game = 0; game < games; game++) {
    await checkGame(quake2Game(random), { profile: "yquake2", base: "baseq2" });
  }
});

/** An LWO with surfaces of some names, all of odd lengths with their NUL. */
function lwo(surfaces: readonly string[]): Uint8Array {
  const chunk = (name: string, content: Uint8Array) =>
    join(text(name), Uint8Array.of(0, 0, content.length >> 8, content.length & 0xff), content);
  const parts = surfaces.map((name) => chunk("SURF", text(name.padEnd(name.length + 2 - name.length % 2, "\0"))));
  return chunk("FORM", join(text("LWO2"), ...parts));
}

function doom3Game(random: Random): { files: Contents; graph: Graph; maps: string[] } {
  const files: Contents = new Map();
  const images = numbered(8, "textures/i");
  const materials = [...numbered(7, "textures/m"), "textures/i7"];
  const [sounds, skins, bodies, entities] = [
    numbered(5, "hum"),
    numbered(4, "coat"),
    numbered(4, "body"),
    numbered(7, "imp"),
  ];
  scatter(files, random, images, [".tga", ".jpg"]);
  scatter(files, random, images.slice(5).map((name) => `dds/${name}.dds`));
  scatter(files, random, numbered(6, "sound/w"), [".wav", ".ogg"]);
  scatter(files, random, numbered(3, "models/a").map((name) => `${name}.md5anim`));
  const one = (names: readonly string[]) => names[random(names.length)] ?? "";
  const declare = (path: string, names: readonly string[], body: (name: string) => string) => {
    files.set(path, text(names.filter(() => random(5) > 0).map((name) => `${body(name)}\n`).join("")));
  };
  declare(
    "materials/a.mtr",
    materials.slice(0, 7),
    (name) =>
      `${random(2) ? "material " : ""}${name} { qer_editorimage textures/editor.tga\n diffusemap ${one(images)}.tga\n` +
      ` bumpmap addnormals( ${one(images)}, heightmap( ${one(images)}, 4 ) )\n specularmap _black\n` +
      ` { blend add map makeintensity(${one(images)}) } // map textures/none\n}`,
  );
  declare(
    "sound/a.sndshd",
    sounds,
    (name) =>
      `sound ${name} { minDistance 1 ${
        several(random, numbered(6, "sound/w"), 3).map((file) => `${file}.wav`).join(" ")
      } }`,
  );
  declare(
    "skins/a.skin",
    skins,
    (name) =>
      `skin ${name} { model models/x0.lwo ${
        several(random, materials, 2).map((material) => `* ${material}`).join("\n")
      } }`,
  );
  declare("def/a.def", [...bodies, ...entities], (name) => {
    if (name.startsWith("body")) {
      return `model ${name} { ${random(3) ? "" : `inherit ${one(bodies)}`} mesh ${
        one(numbered(3, "models/b"))
      }.md5mesh\n` +
        ` ${random(3) ? "" : `skin ${one(skins)}`} anim walk models/a${random(3)}.md5anim }`;
    }
    const keys = [
      ...random(2) ? [`"inherit" "${one(entities)}"`] : [],
      `"model" "${random(2) ? one(bodies) : `models/x${random(3)}.lwo`}"`,
      `"snd_see" "${one(sounds)}"`,
      `"mtr_splat" "${one(materials)}"`,
      ...random(2) ? [`"skin" "${one(skins)}"`] : [],
    ];
    return `entityDef ${name} { ${keys.join("\n")} }`;
  });
  for (const name of numbered(3, "models/x")) {
    if (random(3) > 0) files.set(`${name}.lwo`, lwo(several(random, materials, 3)));
  }
  for (const name of numbered(3, "models/b")) {
    const meshes = several(random, materials, 2).map((material) => `mesh {\n shader "${material}"\n}\n`);
    if (random(3) > 0) files.set(`${name}.md5mesh`, text(`MD5Version 10\n${meshes.join("")}`));
  }
  const maps = numbered(2, "maps/m").map((name) => `${name}.map`);
  for (const map of maps) {
    const placed = several(random, entities, 4).map((name) =>
      `{\n"classname" "${name}"\n"s_shader" "${one(sounds)}"\n"texture" "${one(materials)}"\n` +
      `"model" "${random(2) ? "body1" : "models/x1.lwo"}"\n{ brushDef3 { "textures/unseen" } }\n}\n`
    );
    files.set(map, text(`Version 2\n${placed.join("")}`));
    const shown = several(random, materials, 4).map((name) => `{ "${name}" 0 0 }\n`);
    files.set(
      map.replace(/map$/, "proc"),
      text(`mapProcFile003\nmodel { "_area0" ${shown.length}\n${shown.join("")}}\n`),
    );
  }
  scatter(files, random, numbered(2, "maps/m"), [".cm", ".aas48"]);
  return { files, graph: doom3Graph(files), maps };
}

const wordPattern = /"[^"]*"|[{}(),]|[^\s{}(),"]+/g;

function wordsOf(bytes: Uint8Array): string[] {
  const words = decoder.decode(bytes).replaceAll(/\/\/.*$/gm, "").match(wordPattern) ?? [];
  return words.map((word) => word.replaceAll('"', ""));
}

/** Words of each block at the top of a text, by the words before it. */
function blocksOf(bytes: Uint8Array): [head: string, body: string[]][] {
  const blocks: [string, string[]][] = [];
  let head: string[] = [];
  let body: string[] = [];
  let depth = 0;
  for (const word of wordsOf(bytes)) {
    if (word === "}" && --depth === 0) {
      blocks.push([head.join(" ").toLowerCase(), body]);
      [head, body] = [[], []];
    } else if (depth > 0) body.push(word);
    else if (word !== "{") head.push(word);
    if (word === "{") depth++;
  }
  return blocks;
}

function doom3Graph(files: Contents): Graph {
  const declared = new Map<string, { kind: string; body: string[] }>();
  for (const [path, bytes] of files) {
    if (!/\.(?:mtr|sndshd|skin|def)$/.test(path)) continue;
    for (const [head, body] of blocksOf(bytes)) {
      const [kind, name] = head.includes(" ") ? head.split(" ") : ["material", head];
      declared.set(name ?? "", { kind: kind ?? "", body });
    }
  }
  const image = (name: string) => {
    const plain = name.replace(/\.tga$/, "");
    return firstOf(files, name, `${plain}.tga`, `${plain}.jpg`, `dds/${plain}.dds`);
  };
  const surface = (name: string) => declared.get(name)?.kind === "material" ? name : image(name);
  const named = (kind: string, name: string) => declared.get(name)?.kind === kind ? name : `! ${kind} ${name}`;
  const sound = (name: string) => firstOf(files, name, name, name.replace(".wav", ".ogg"));
  const pairs = (words: readonly string[]) =>
    words.flatMap((word, index) => index % 2 === 0 ? [[word, words[index + 1] ?? ""] as const] : []);
  /** References of keys of an entity or its definition. */
  const ofKeys = (words: readonly string[]) =>
    pairs(words).map(([key, value]) => {
      if (key === "classname" || key === "inherit") return named("entitydef", value);
      if (key === "model") {
        // An undeclared model is a part of the map.
        return value.includes(".") ? firstOf(files, value, value) : declared.has(value) ? value : "";
      }
      if (key === "skin") return named("skin", value);
      return /^(?:snd|s_)/.test(key) ? named("sound", value) : surface(value);
    });
  const after = (words: readonly string[], word: string) =>
    words.flatMap((one, at) => one === word ? words[at + 1] ?? [] : []);
  const isFile = (name: string) => /\.md5(?:mesh|anim)$/.test(name);
  const ofDeclared = (kind: string, body: readonly string[]) => {
    if (kind === "sound") return body.filter((word) => word.endsWith(".wav")).map(sound);
    if (kind === "skin") return after(body, "*").map(surface);
    if (kind === "entitydef") return ofKeys(body);
    if (kind === "material") {
      return body.filter((word, at) => word.includes("textures/") && body[at - 1] !== "qer_editorimage").map(image);
    }
    return [
      ...body.filter(isFile).map((name) => firstOf(files, name, name)),
      ...after(body, "skin").map((name) => named("skin", name)),
      ...after(body, "inherit").map((name) => named("model", name)),
    ];
  };
  const graph: Graph = new Map();
  for (const [name, { kind, body }] of declared) graph.set(name, new Set(ofDeclared(kind, body)));
  for (const [path, bytes] of files) {
    const found: string[] = [];
    const plain = path.replace(/\.\w+$/, "");
    if (path.endsWith(".map")) {
      for (const [, body] of blocksOf(bytes)) found.push(...ofKeys(body.slice(0, body.indexOf("{"))));
      found.push(...["proc", "cm"].map((end) => firstOf(files, `${plain}.${end}`, `${plain}.${end}`)));
      found.push(firstOf(files, "", `${plain}.aas48`));
    } else if (path.endsWith(".proc")) {
      const words = wordsOf(bytes);
      found.push(...after(words.slice(4), "{").map(surface));
    } else if (path.endsWith(".md5mesh")) found.push(...after(wordsOf(bytes), "shader").map(surface));
    else if (path.endsWith(".lwo")) {
      found.push(
        ...Array.from(decoder.decode(bytes).matchAll(/SURF[^]{4}([^\0]*)/g), ([, name = ""]) => surface(name)),
      );
    }
    graph.set(path, new Set(found));
  }
  for (const [name, to] of graph) [name, "", "! "].forEach((one) => to.delete(one));
  return graph;
}

Deno.test("maps of Doom 3 need what a walk of their texts and definitions finds, and the reverse, in random games", async () => {
  const random = numbersFrom(seed);
  for (let game = 0; game < games; game++) {
    await checkGame(doom3Game(random), { profile: "dhewm3", base: "base", isDeclared: (name) => !/\.\w+$/.test(name) });
  }
});
