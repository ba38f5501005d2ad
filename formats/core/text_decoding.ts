/**
 * Text of game files, which may be older than UTF-8.
 * @module
 */

/** Returns a decoder: UTF-8 if the beginning is valid UTF-8, else the Latin encoding of old game texts. */
export function textDecoder(beginning: Uint8Array): TextDecoder {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return new TextDecoder();
  } catch {
    return new TextDecoder("windows-1252");
  }
}

/** Returns a whole text, decoded in the same way. */
export function decodeText(bytes: Uint8Array): string {
  // Without checking for errors, decoding takes a tenth of the time.
  const text = new TextDecoder().decode(bytes);
  return text.includes("\ufffd") ? textDecoder(bytes).decode(bytes) : text;
}

/** Number of bytes that are checked for text. */
const judgedBytes = 8 * 1024;

/** Returns whether bytes are not readable text: they hold a NUL or many control characters. */
export function looksBinary(bytes: Uint8Array): boolean {
  const judged = bytes.subarray(0, judgedBytes);
  if (judged.includes(0)) return true;
  let controls = 0;
  for (const byte of judged) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls++;
  }
  return controls * 10 > judged.length;
}
