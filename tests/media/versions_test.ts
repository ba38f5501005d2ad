/** Files of unknown versions are refused, whatever their content. */
import { assertThrows } from "@std/assert";
import { MediaError } from "../../media/core/reader.ts";
import { decodeMdlSkin } from "../../media/models/mdl.ts";
import { readMd5 } from "../../media/models/md5.ts";
import { readModel } from "../../media/models/model_file.ts";
import { decodeM32, decodeM8 } from "../../media/pictures/texture_files.ts";
import { m32, m8 } from "./convert/samples.ts";
import { iqm, md2, md3, mdl, testPalette } from "./handmade.ts";
import { halfLifeModel, md5, mdc } from "./handmade_models.ts";

const palette = { colours: testPalette(), origin: "test" };

interface Versioned {
  readonly bytes: Uint8Array;
  /** Offset of the version, or the text before it. */
  readonly at: number | string;
  readonly read: (bytes: Uint8Array) => unknown;
}

const kinds: Readonly<Record<string, Versioned>> = {
  "MDL": { bytes: mdl(), at: 4, read: readModel },
  "skins of an MDL": { bytes: mdl(), at: 4, read: (bytes) => decodeMdlSkin(bytes, 0, palette) },
  "MD2": { bytes: md2(["a.pcx"]), at: 4, read: readModel },
  "MD3": { bytes: md3("a.tga"), at: 4, read: readModel },
  "MDC": { bytes: mdc(), at: 4, read: readModel },
  "IQM": { bytes: iqm(["a", "b"]), at: 16, read: readModel },
  "MDL of Half-Life": { bytes: halfLifeModel(), at: 4, read: readModel },
  "MD5": { bytes: md5.mesh, at: "MD5Version ", read: (bytes) => readMd5(bytes, []) },
  "M8": { bytes: m8(), at: 0, read: decodeM8 },
  "M32": { bytes: m32(), at: 0, read: decodeM32 },
};

/** Returns a file with a version one higher, one lower, or far away. */
function changed({ bytes, at }: Versioned, by: number): Uint8Array {
  if (typeof at === "number") {
    const copy = bytes.slice();
    const view = new DataView(copy.buffer);
    view.setUint32(at, view.getUint32(at, true) + by, true);
    return copy;
  }
  const text = new TextDecoder("latin1").decode(bytes);
  const start = text.indexOf(at) + at.length;
  const version = /^\d+/.exec(text.slice(start))?.[0] ?? "";
  const other = String(Number(version) + by);
  return new TextEncoder().encode(text.slice(0, start) + other + text.slice(start + version.length));
}

for (const [name, kind] of Object.entries(kinds)) {
  Deno.test(`another version is refused: ${name}`, () => {
    kind.read(kind.bytes);
    kind.read(changed(kind, 0));
    for (const by of [-1, 1, 1000]) assertThrows(() => kind.read(changed(kind, by)), MediaError, "version", `${by}`);
  });
}
