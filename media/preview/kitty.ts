/**
 * Encodes pictures in the protocol of the terminal Kitty, which Ghostty, WezTerm and Konsole understand too.
 *
 * `ESC _ G keys ; base64 ESC \`, at most 4096 characters of data at a time, `m=1` on all but the last. `a=T` shows it
 * at once, `f=100` means PNG, `q=2` suppresses replies. (sw.kovidgoyal.net/kitty/graphics-protocol)
 * @module
 */

/** Maximum characters of data in one part. */
const partLength = 4096;

/** Returns the sequence that shows a PNG and begins a new line below it. */
export function kittyPicture(png: Uint8Array): string {
  const data = png.toBase64();
  let text = "";
  for (let offset = 0; offset < data.length; offset += partLength) {
    const more = offset + partLength < data.length ? 1 : 0;
    const keys = offset === 0 ? `a=T,f=100,q=2,m=${more}` : `q=2,m=${more}`;
    text += `\x1b_G${keys};${data.slice(offset, offset + partLength)}\x1b\\`;
  }
  return `${text}\n`;
}
