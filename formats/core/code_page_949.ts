/**
 * Code page 949, Korean as Windows writes it (a superset of EUC-KR): bytes below 0x80 are ASCII, others come in pairs.
 * Decoding is the platform's `euc-kr`, which is code page 949 by the WHATWG Encoding Standard; encoding inverts its
 * table.
 * @module
 */

const decoder = new TextDecoder("euc-kr", { fatal: true });
const separator = 0x0a;

/** Decodes code page 949; `undefined` if the bytes are not valid. */
export function decodeCodePage949(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

let pairs: ReadonlyMap<string, readonly [number, number]> | undefined;

/** Returns the pair of bytes of every character beyond ASCII. */
function characterPairs(): ReadonlyMap<string, readonly [number, number]> {
  const codes: [number, number][] = [];
  for (let lead = 0x81; lead <= 0xfe; lead++) for (let trail = 0x41; trail <= 0xfe; trail++) codes.push([lead, trail]);
  const bytes = Uint8Array.from(codes.flatMap(([lead, trail]) => [lead, trail, separator]));
  const found = new Map<string, readonly [number, number]>();
  for (const [index, text] of new TextDecoder("euc-kr").decode(bytes).split("\n").entries()) {
    const code = codes[index];
    const isCharacter = text !== "\ufffd" && [...text].length === 1;
    if (isCharacter && code && !found.has(text)) found.set(text, code);
  }
  return found;
}

/** Encodes text in code page 949; `undefined` if a character is not in it. */
export function encodeCodePage949(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) {
      bytes.push(code);
      continue;
    }
    const pair = (pairs ??= characterPairs()).get(character);
    if (!pair) return undefined;
    bytes.push(...pair);
  }
  return Uint8Array.from(bytes);
}
