/**
 * Text of game files, which may be older than UTF-8.
 * @module
 */

/** Returns a decoder: UTF-8 where the beginning is valid UTF-8, else the Latin letters that old game texts are written in. */
export function textDecoder(beginning: Uint8Array): TextDecoder {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return new TextDecoder();
  } catch {
    return new TextDecoder("windows-1252");
  }
}
