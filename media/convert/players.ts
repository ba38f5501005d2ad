/**
 * Converter of the players of Quake III: the upper body on a tag of the lower, the head on a tag of the upper
 * (id-Software/Quake-III-Arena code/cgame/cg_players.c, `CG_Player`).
 * @module
 */
import { MediaError } from "../core/reader.ts";
import type { Geometry } from "../models/geometry.ts";
import type { Converter, NamedFile, Surroundings } from "./converter.ts";
import { GltfDocument } from "./gltf/document.ts";
import { addModel, type Assembly } from "./gltf/model_scene.ts";
import { asMaterials, modelOf, stillOf } from "./models.ts";
import { Textures } from "./textures.ts";

/** Parts, and the tag of the next one that each is attached to. */
const parts = [["head", "tag_head"], ["upper", "tag_torso"], ["lower", undefined]] as const;

/**
 * Converts a player to glTF.
 * @param file `animation.cfg` of the player.
 * @throws {MediaError} if a part is missing or damaged.
 */
async function convertPlayer(
  { qpath }: NamedFile,
  surroundings: Surroundings,
  shapeOf: (geometry: Geometry) => Geometry = (geometry) => geometry,
): Promise<Uint8Array> {
  const directory = qpath.replace(/[^/]*$/, "");
  const document = new GltfDocument();
  const textures = new Textures(document, surroundings);
  const models = [];
  for (const [part, tag] of parts) {
    // deno-lint-ignore no-await-in-loop -- one after the other bounds memory
    const file = await surroundings.file(`${directory}${part}.md3`);
    if (!file) throw new MediaError(`its player has no ${part}.md3`);
    // deno-lint-ignore no-await-in-loop -- as above
    const [geometry, skins] = await modelOf(file, surroundings, textures);
    models.push({ part, tag, geometry, skins });
  }
  const names = [...new Set(models.flatMap(({ skins }) => skins.map(({ name }) => name)))];
  const animations: Assembly["animations"] = new Map();
  let nodes: readonly number[] = [];
  let attached: Assembly["attached"] = new Map();
  for (const { part, tag, geometry, skins } of models) {
    // A part without a skin shows its first one.
    const all = names.map((name) => ({
      name,
      materials: (skins.find((skin) => skin.name === name) ?? skins[0])?.materials ?? [],
    }));
    nodes = addModel(document, shapeOf(geometry), asMaterials(all), part, { attached, animations });
    if (tag !== undefined) attached = new Map([[tag, nodes]]);
  }
  for (const [name, channels] of animations) document.animation(name, channels);
  return document.finish(nodes);
}

/** Converters of players. */
export const playerConverters: readonly Converter[] = [{
  name: "player-glb",
  title: "players of Quake III: head, upper and lower body together",
  extensions: ["cfg"],
  paths: /(?:^|\/)players\/[^/]+\/animation\.cfg$/,
  to: "glb",
  convert: (file, surroundings) => convertPlayer(file, surroundings),
  still: (file, surroundings) => convertPlayer(file, surroundings, stillOf),
}];
