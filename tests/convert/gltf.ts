/**
 * Reads glTF binary files for tests, and has them judged by Khronos's validator.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { validateBytes } from "gltf-validator";
import type { NamedFile, Surroundings } from "../../convert/converter.ts";
import { converterOf } from "../../convert/table.ts";

/** An object of the JSON of a file. */
// deno-lint-ignore no-explicit-any -- tests look at JSON of every shape
export type Plain = any;

/** A file: its JSON, and its numbers. */
export interface Glb {
  readonly json: Plain;
  /** Returns the numbers of an accessor. */
  numbers(accessor: number): number[];
  /** Returns the bytes of an image. */
  image(index: number): Uint8Array;
}

const widths: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Reads a file. */
export function readGlb(bytes: Uint8Array): Glb {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  assertEquals([view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)], [
    0x46546c67,
    2,
    bytes.length,
  ]);
  const length = view.getUint32(12, true);
  const json: Plain = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const buffer = 28 + length;
  return {
    json,
    numbers(accessor) {
      const { bufferView, componentType, count, type } = json.accessors[accessor];
      const start = buffer + json.bufferViews[bufferView].byteOffset;
      return Array.from({ length: count * (widths[type] ?? 0) }, (_, index) => {
        if (componentType === 5126) return view.getFloat32(start + index * 4, true);
        if (componentType === 5125) return view.getUint32(start + index * 4, true);
        return componentType === 5123 ? view.getUint16(start + index * 2, true) : view.getUint8(start + index);
      });
    },
    image(index) {
      const { byteOffset, byteLength } = json.bufferViews[json.images[index].bufferView];
      return bytes.subarray(buffer + byteOffset, buffer + byteOffset + byteLength);
    },
  };
}

/** Returns the messages of the validator that are errors or warnings. */
export async function faultsOf(bytes: Uint8Array): Promise<string[]> {
  const { issues } = await validateBytes(bytes, { maxIssues: 20 });
  const messages: Plain[] = issues.messages;
  return messages.filter(({ severity }) => severity < 2).map(({ code, message, pointer }) =>
    `${code} ${pointer}: ${message}`
  );
}

/** Answers from a few files; shaders by name. */
export function fromFiles(
  files: Readonly<Record<string, Uint8Array>>,
  shaders: Readonly<Record<string, string>> = {},
): Surroundings {
  const file = (qpath: string): Promise<NamedFile | undefined> => {
    const bytes = files[qpath];
    return Promise.resolve(bytes && { qpath, bytes });
  };
  return { file, image: file, shader: (name) => Promise.resolve(shaders[name]) };
}

/** Converts a file to glTF, as the table says. */
export async function toGltf(qpath: string, bytes: Uint8Array, surroundings = fromFiles({})): Promise<Uint8Array> {
  const converter = converterOf(qpath, "glb");
  assert(converter, `${qpath} has a converter`);
  return await converter.convert({ qpath, bytes }, surroundings);
}
