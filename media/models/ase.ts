/**
 * Reads ASCII scenes of 3ds Max, which Doom 3 loads as models without motion and q3map2 places in maps: lines of a keyword
 * after `*`, values, and `{` where a block begins. Positions count from the origin of the scene; texture coordinates
 * count from below. (id-Software/DOOM-3 neo/renderer/Model_ase.cpp, Model.cpp.)
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { FaceMesh, requireRecords } from "./face_mesh.ts";
import type { Geometry, Mesh } from "./geometry.ts";

const latin = new TextDecoder("windows-1252");

/** Values of a line that are read; the third vertex of a face is the seventh. */
const maxValues = 7;

/** Keywords whose lines become objects in memory. */
const kept: ReadonlySet<string> = new Set(
  ["MATERIAL", "SUBMATERIAL", "GEOMOBJECT", "MESH_VERTEX", "MESH_TVERT", "MESH_FACE", "MESH_TFACE"],
);

/** A material: its image, and how that lies on the surface. */
interface Material {
  bitmap: string;
  offset: [u: number, v: number];
  tiling: [u: number, v: number];
  /** Rotation in radians. */
  angle: number;
  /** Materials of single faces. */
  readonly parts: Material[];
}

/** A face: indices of positions, and of texture coordinates if it has some. */
interface Face {
  readonly positions: readonly number[];
  readonly smoothing: string;
  readonly part: number;
}

/** An object, whose faces may have several materials. */
interface SceneObject {
  name: string;
  material: number;
  readonly positions: number[];
  readonly points: (readonly [number, number])[];
  readonly faces: Face[];
  readonly pointFaces: (readonly number[])[];
}

/** Returns the path of an image below the game directory. */
export function asePath(bitmap: string): string {
  return bitmap.replaceAll("\\", "/").replace(/^.*\/(?:base|doom)\//i, "").replace(/^(?:\.\.?\/)+/, "");
}

function newMaterial(): Material {
  return { bitmap: "", offset: [0, 0], tiling: [1, 1], angle: 0, parts: [] };
}

function newObject(): SceneObject {
  return { name: "", material: -1, positions: [], points: [], faces: [], pointFaces: [] };
}

function numberOf(value: string | undefined): number {
  const number = Number(value);
  if (value === undefined || !Number.isFinite(number)) throw new MediaError("a number is missing, or is none");
  return number;
}

function numbersOf(values: readonly string[], first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => numberOf(values[first + index]));
}

function unquoted(text: string): string {
  return /^"([^"]*)"/.exec(text)?.[1] ?? text;
}

/** Reads the lines of a scene. */
class Scene {
  readonly materials: Material[] = [];
  readonly objects: SceneObject[] = [];
  #material = newMaterial();
  #isDiffuse = false;
  #object = newObject();
  #records = 0;

  line(keyword: string, rest: string): void {
    if (kept.has(keyword)) requireRecords(++this.#records);
    const values = rest.split(/\s+/, maxValues);
    switch (keyword) {
      case "MATERIAL":
        this.#material = newMaterial();
        this.materials.push(this.#material);
        break;
      case "SUBMATERIAL":
        this.#material = newMaterial();
        this.materials.at(-1)?.parts.push(this.#material);
        break;
      case "BITMAP":
        if (this.#isDiffuse) this.#material.bitmap = asePath(unquoted(rest));
        break;
      case "UVW_U_OFFSET":
      case "UVW_V_OFFSET":
        if (this.#isDiffuse) this.#material.offset[keyword === "UVW_U_OFFSET" ? 0 : 1] = numberOf(values[0]);
        break;
      case "UVW_U_TILING":
      case "UVW_V_TILING":
        if (this.#isDiffuse) this.#material.tiling[keyword === "UVW_U_TILING" ? 0 : 1] = numberOf(values[0]);
        break;
      case "UVW_ANGLE":
        if (this.#isDiffuse) this.#material.angle = numberOf(values[0]);
        break;
      case "GEOMOBJECT":
        this.#object = newObject();
        this.objects.push(this.#object);
        break;
      case "NODE_NAME":
        this.#object.name ||= unquoted(rest);
        break;
      case "MATERIAL_REF":
        this.#object.material = numberOf(values[0]);
        break;
      case "MESH_VERTEX":
        requireNext(this.#object.positions.length / 3, values[0], "vertex");
        this.#object.positions.push(...numbersOf(values, 1, 3));
        break;
      case "MESH_TVERT": {
        requireNext(this.#object.points.length, values[0], "image point");
        const [u = 0, v = 0] = numbersOf(values, 1, 2);
        this.#object.points.push([u, v]);
        break;
      }
      case "MESH_FACE":
        requireNext(this.#object.faces.length, values[0]?.replace(":", ""), "face");
        this.#object.faces.push({
          positions: [2, 4, 6].map((index) => numberOf(values[index])),
          smoothing: /\*MESH_SMOOTHING\s+([\d,]+)/.exec(rest)?.[1] ?? "",
          part: numberOf(/\*MESH_MTLID\s+(\d+)/.exec(rest)?.[1] ?? "0"),
        });
        break;
      case "MESH_TFACE":
        requireNext(this.#object.pointFaces.length, values[0], "face of image points");
        this.#object.pointFaces.push(numbersOf(values, 1, 3));
        break;
      default:
        if (keyword.startsWith("MAP_") && rest.endsWith("{")) this.#isDiffuse = keyword === "MAP_DIFFUSE";
    }
  }
}

function requireNext(count: number, index: string | undefined, what: string): void {
  if (Number(index) !== count) throw new MediaError(`${what} ${count} is missing, or not in order`);
}

/** Returns a function that gives the position of texture coordinates on the image. */
function placement({ offset, tiling, angle }: Material): (point: readonly [number, number]) => [number, number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return ([s, t]) => {
    const [u, v] = [s * tiling[0] - offset[0], (1 - t) * tiling[1] + offset[1]];
    return [u * cos + v * sin, u * -sin + v * cos];
  };
}

function meshesOf(object: SceneObject, materials: readonly Material[]): Mesh[] {
  const { faces, points, pointFaces } = object;
  const whole = materials[object.material] ?? newMaterial();
  const byMaterial = new Map<Material, { mesh: FaceMesh; place: ReturnType<typeof placement> }>();
  for (const [index, { positions, smoothing, part }] of faces.entries()) {
    const material = whole.parts[part % whole.parts.length] ?? whole;
    let found = byMaterial.get(material);
    if (!found) {
      found = { mesh: new FaceMesh(object.name, material.bitmap), place: placement(material) };
      byMaterial.set(material, found);
    }
    const { mesh, place } = found;
    const corners = positions.map((position, corner) => {
      const point = pointFaces[index]?.[corner];
      const given = point === undefined ? [0, 0] as const : points[point];
      if (!given) throw new MediaError(`a face has image point ${point}, but the last is ${points.length - 1}`);
      return { position, point: place(given) };
    });
    // Without a group, or in group 0, a face is flat.
    mesh.add(corners, /[1-9]/.test(smoothing) ? smoothing : `face ${index}`);
  }
  return Array.from(byMaterial.values(), ({ mesh }) => mesh.mesh(object.positions));
}

/**
 * Reads a scene as a model.
 * @throws {MediaError} if it does not begin like one, or is damaged.
 */
export function readAse(bytes: Uint8Array): Geometry {
  const scene = new Scene();
  const text = latin.decode(bytes);
  if (!/^\s*\*3DSMAX_ASCIIEXPORT/.test(text)) throw new MediaError("it does not begin like an ASE", { offset: 0 });
  for (const [, keyword = "", rest = ""] of text.matchAll(/\*(\w+)([^\n]*)/g)) scene.line(keyword, rest.trim());
  const meshes = scene.objects.flatMap((object) => meshesOf(object, scene.materials));
  return { meshes, frameNames: [], clips: [] };
}
