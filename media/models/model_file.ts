/**
 * Opens models of every binary format, detected by their first bytes.
 * @module
 */
import { openHalfLife } from "./half_life.ts";
import { isIqm, openIqm } from "./iqm.ts";
import { openMd2 } from "./md2.ts";
import { openMd3, openMdc } from "./md3.ts";
import { openMdl } from "./mdl.ts";
import type { Model, ModelFile } from "./model.ts";
import { MediaError, Reader } from "../core/reader.ts";

const openers: ReadonlyMap<string, (reader: Reader) => ModelFile> = new Map([
  ["IDPO", openMdl],
  ["IDP2", openMd2],
  ["IDP3", openMd3],
  ["IDPC", openMdc],
  ["IDST", openHalfLife],
]);

function openerOf(reader: Reader): ((reader: Reader) => ModelFile) | undefined {
  if (isIqm(reader)) return openIqm;
  return reader.length < 4 ? undefined : openers.get(reader.text(0, 4));
}

/** Returns whether a file begins like a model. */
export function isModel(reader: Reader): boolean {
  return openerOf(reader) !== undefined;
}

/**
 * Opens a model.
 * @throws {MediaError} if it is not a model, of an unknown version, or truncated.
 */
export function openModel(bytes: Uint8Array): ModelFile {
  const reader = new Reader(bytes);
  const open = openerOf(reader);
  if (!open) throw new MediaError("it does not begin like a model", { offset: 0 });
  return open(reader);
}

/**
 * Reads the facts of a model.
 * @throws {MediaError} if it is not a model, of an unknown version, or truncated.
 */
export function readModel(bytes: Uint8Array): Model {
  return openModel(bytes).facts();
}
