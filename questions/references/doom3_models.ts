/**
 * Materials in Doom 3's models: LWO, ASE and MD5. Sources: id-Software/DOOM-3 neo/renderer/Model_lwo.cpp,
 * Model_ase.cpp, Model_md5.cpp.
 *
 * LWO: `FORM`, u32 length (the whole file is big-endian), `LWO2` or `LWOB`, then chunks of a name of 4, u32 length and
 * content, padded to even lengths; `SURF` begins with the material's name, which ends in NUL.
 * @module
 */
import { asePath, MediaError } from "../../media/mod.ts";
import { needed, type Reference } from "./reference.ts";

const latin = new TextDecoder("windows-1252");

/**
 * Returns the materials of an LWO.
 * @throws {MediaError} if it is none, or truncated.
 */
export function readLwo(bytes: Uint8Array): Reference[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const nameAt = (offset: number) => latin.decode(bytes.subarray(offset, offset + 4));
  if (nameAt(0) !== "FORM" || !nameAt(8).startsWith("LWO")) {
    throw new MediaError("it does not begin like an LWO", { offset: 0 });
  }
  const found: Reference[] = [];
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const length = view.getUint32(offset + 4);
    const start = offset + 8;
    if (start + length > bytes.length) throw new MediaError("a part of it ends after the file", { offset });
    if (nameAt(offset) === "SURF") {
      const content = bytes.subarray(start, start + length);
      const end = content.indexOf(0);
      found.push(needed("texture", latin.decode(end < 0 ? content : content.subarray(0, end)), "surface"));
    }
    offset = start + length + length % 2;
  }
  return found;
}

/** Returns the materials of an ASE: paths of bitmaps below the game directory, on any disk. */
export function readAse(bytes: Uint8Array): Reference[] {
  return Array.from(latin.decode(bytes).matchAll(/\*BITMAP\s+"([^"\n]*)"/g), ([, path = ""]) => {
    return needed("texture", asePath(path), "surface");
  });
}

/** Returns the materials of an MD5 mesh. */
export function readMd5Mesh(bytes: Uint8Array): Reference[] {
  return Array.from(
    latin.decode(bytes).matchAll(/^[ \t]*shader[ \t]+"([^"\n]*)"/gm),
    ([, name = ""]) => needed("texture", name, "surface"),
  );
}
