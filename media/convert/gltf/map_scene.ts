/**
 * Converts the shape of a map to a glTF scene: a mesh for each of its parts, and a node for each of its entities.
 *
 * The light map is the second texture of a material, in the slot for occlusion with the second set of texture
 * coordinates: the only slot of glTF for a picture that darkens another. Viewers show the map with shadows in their own
 * light, Blender imports image and coordinates, and three.js shows the game's light with one line (`material.lightMap =
 * material.aoMap`). Light baked into vertices would lose its detail, as walls have few, and baked into textures would
 * need a large picture per surface. Surfaces that a map lights by their vertices keep those colours, and are shown
 * without other light, like fully bright surfaces.
 * @module
 */
import type { Entity } from "../../maps/entities.ts";
import type { Light, MapSurface } from "../../maps/map_geometry.ts";
import { placed, placedAll, turnedAll } from "./axes.ts";
import type { GltfDocument, Json, Primitive } from "./document.ts";
import { finite } from "./model_scene.ts";

/** A surface, its material, and the size of its picture if texture coordinates are pixels. */
export interface PaintedSurface extends MapSurface {
  readonly material: number;
  readonly size?: { readonly width: number; readonly height: number };
}

/** Returns whether a viewer's lights should be ignored. */
export function isUnlit(light: Light): boolean {
  return light === "full" || light === "vertices";
}

function primitiveOf(document: GltfDocument, surface: PaintedSurface): Primitive {
  const { positions, normals, imagePoints, lightPoints, colours, triangles, size, material } = surface;
  const vertices = { use: "vertices" } as const;
  const scale = size && [1 / size.width, 1 / size.height] as const;
  const points = scale ? imagePoints.map((value, index) => value * scale[index % 2 === 0 ? 0 : 1]) : imagePoints;
  const indices = positions.length / 3 > 0xffff ? triangles : Uint16Array.from(triangles);
  return {
    attributes: {
      POSITION: document.numbers(placedAll(positions), "VEC3", { ...vertices, hasBounds: true }),
      NORMAL: document.numbers(turnedAll(normals), "VEC3", vertices),
      TEXCOORD_0: document.numbers(finite(points), "VEC2", vertices),
      ...lightPoints.length > 0 && { TEXCOORD_1: document.numbers(finite(lightPoints), "VEC2", vertices) },
      ...colours.length > 0 && {
        COLOR_0: document.numbers(linear(colours), "VEC4", { ...vertices, isNormalized: true }),
      },
    },
    indices: document.numbers(indices, "SCALAR", { use: "indices" }),
    material,
  };
}

/** Converts screen colours to linear colours, which glTF mixes; opacity comes from the picture. */
const toLinear = Uint16Array.from({ length: 256 }, (_, value) => Math.round((value / 255) ** 2.2 * 0xffff));

function linear(colours: Uint8Array): Uint16Array {
  return Uint16Array.from(colours, (value, index) => index % 4 === 3 ? 0xffff : toLinear[value] ?? 0);
}

/** Reads a point of an entity. */
function pointOf(text: string | undefined): readonly [number, number, number] | undefined {
  const numbers = text?.trim().split(/\s+/).map(Number) ?? [];
  const [x, y, z] = numbers;
  if (x === undefined || y === undefined || z === undefined) return undefined;
  return [x, y, z].every((value) => Math.abs(value) < 1e6) ? [x, y, z] : undefined;
}

/** Entities whose brush models are invisible: triggers. */
const hiddenClasses = /^trigger_|^func_(?:ladder|areaportal|monsterclip|clip_)/i;

/**
 * Writes a map; returns the nodes of the scene.
 * @param world Name of the part that does not move.
 */
export function addMap(
  document: GltfDocument,
  surfaces: readonly PaintedSurface[],
  entities: readonly Entity[],
  world = "worldspawn",
): number[] {
  const byModel = new Map<number, PaintedSurface[]>();
  for (const surface of surfaces) {
    const list = byModel.get(surface.model);
    if (list) list.push(surface);
    else byModel.set(surface.model, [surface]);
  }
  const meshes = new Map<number, number>();
  const meshOf = (model: number): number | undefined => {
    const own = byModel.get(model);
    if (!own) return undefined;
    const name = model === 0 ? world : `*${model}`;
    const mesh = meshes.get(model) ??
      document.mesh(name, own.map((surface) => primitiveOf(document, surface)));
    meshes.set(model, mesh);
    return mesh;
  };
  const [first, ...others] = entities;
  const hasWorld = first?.get("classname") === "worldspawn";
  const node = (entity: Entity | undefined, model: number | undefined, name: string): number => {
    const mesh = model === undefined ? undefined : meshOf(model);
    const origin = entity && !(hasWorld && entity === first) ? pointOf(entity.get("origin")) : undefined;
    const extras: Readonly<Record<string, Json>> = entity ? Object.fromEntries(entity) : {};
    return document.node({
      name,
      ...mesh !== undefined && { mesh },
      ...origin && { translation: placed(origin) },
      ...Object.keys(extras).length > 0 && { extras },
    });
  };
  const nodes = [node(hasWorld ? first : undefined, 0, world)];
  for (const entity of hasWorld ? others : entities) {
    const classname = entity.get("classname") ?? "entity";
    const model = /^\*(\d{1,6})$/.exec(entity.get("model") ?? "")?.[1];
    const isHidden = hiddenClasses.test(classname);
    nodes.push(node(entity, model === undefined || isHidden ? undefined : Number(model), classname));
  }
  return nodes;
}
