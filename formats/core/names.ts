/**
 * Policy for member names of all formats: converts the bytes in an archive to a display path that any Linux file system
 * can show. The bytes remain the member's identity and are stored next to the path.
 *
 * Steps, in this order:
 *
 * 1. Encoding. A name is UTF-8 if it is valid UTF-8, else code page 437, the character set of DOS, which maps every
 *    byte to a different character. (Zip can be more specific; see {@linkcode decodeZipName}.)
 * 2. The name ends at its first NUL.
 * 3. `\` becomes `/`. Leading `/` and a drive letter (`C:`) are dropped; empty and `.` components are removed.
 * 4. A name with a `..` component is shown below `_unsafe/`, each `..` written `__`, so that it stays visible inside
 *    the mount: `../CREDITS` is `_unsafe/__/CREDITS`. A name that is empty after these steps is `_unsafe/unnamed`.
 * 5. Control characters (C0, DEL, C1) are written as `%` and two upper-case hex digits per UTF-8 byte, `%01`. A `%` in
 *    the name is unchanged, unless the two characters after it would make it look like such an escape (`%00`-`%1F`,
 *    `%25`, `%7F`-`%9F`, `%C2`): then it is written `%25`. So `100%.txt` is unchanged, and the conversion is
 *    reversible.
 * 6. A component longer than 255 bytes, the limit of Linux, keeps its beginning and its extension and gets `~` and the
 *    CRC-32 of the whole component between them. A path longer than 2,048 bytes (half of Linux's limit; the other half
 *    is for the mount point) is shown as `_unsafe/` and its last component, shortened in the same way.
 *
 * In formats whose names are single words (lumps of WADs), `/` and `\` are letters of the name: there steps 3 and 4 do
 * not apply, and these two, the dots of `.` and `..`, and the characters of step 5 are written as escapes: `VILE\1` is
 * `VILE%5C1`. The reader chooses the directory.
 *
 * Case is never changed, and a file and a directory with the same name are both kept.
 * @module
 */
import { crc32 } from "./crc32.ts";
import { byteAt, elementAt, viewOf } from "./cursor.ts";
import type { EntryFields, EntryTable } from "./entry_table.ts";

/** Directory for members whose names are empty or contain `..`. */
const unsafeDirectory = "_unsafe";
/** Maximum bytes of a path component on Linux (`NAME_MAX`). */
const maxComponentBytes = 255;
/** Maximum bytes of a display path. */
export const maxPathBytes = 2048;

const slash = 0x2f;
const backslash = 0x5c;
const dot = 0x2e;
const percent = 0x25;
const colon = 0x3a;

const encoder = new TextEncoder();
const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The upper half of code page 437 (IBM PC, DOS), bytes 0x80 to 0xFF. */
const codePage437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧" +
  "╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/**
 * Returns whether `bytes` are valid UTF-8. An error of a strict decoder takes ten times as long, and an archive may have
 * millions of old names.
 */
export function isUtf8(bytes: Uint8Array): boolean {
  return equalBytes(encoder.encode(lenientDecoder.decode(bytes)), bytes);
}

/** Decodes code page 437. Bytes below 0x80 are ASCII. */
export function decodeCodePage437(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : codePage437.charAt(byte - 0x80);
  return text;
}

/** Name in UTF-8, and whether its encoding was guessed. */
export interface DecodedName {
  /** Name in UTF-8: the same array if it already was UTF-8. */
  readonly utf8: Uint8Array;
  /** Whether the archive does not state the encoding, or states a wrong one. */
  readonly guessed: boolean;
}

/** Converts a name of unstated encoding to UTF-8: valid UTF-8 is unchanged, otherwise code page 437 is assumed. */
export function decodeName(raw: Uint8Array): DecodedName {
  if (isUtf8(raw)) return { utf8: raw, guessed: raw.some((byte) => byte >= 0x80) };
  return { utf8: encoder.encode(decodeCodePage437(raw)), guessed: true };
}

/**
 * Converts a zip member's name to UTF-8. General-purpose bit 11 marks UTF-8; otherwise the Info-ZIP Unicode Path extra
 * field holds it, if the field's checksum matches this name; otherwise it is guessed by {@linkcode decodeName}.
 * @param unicodePath Data of the extra field 0x7075, if the member has one: version, CRC-32 of `stored`, UTF-8 name.
 * @param stored The name with a directory's trailing separator, which `raw` lacks.
 */
export function decodeZipName(
  raw: Uint8Array,
  declaredUtf8: boolean,
  unicodePath?: Uint8Array,
  stored: Uint8Array = raw,
): DecodedName {
  if (declaredUtf8 && isUtf8(raw)) return { utf8: raw, guessed: false };
  if (unicodePath && unicodePath.length > 5 && unicodePath[0] === 1) {
    const name = unicodePath.subarray(5);
    if (viewOf(unicodePath).getUint32(1, true) === crc32(stored) && isUtf8(name)) return { utf8: name, guessed: false };
  }
  return decodeName(raw);
}

/**
 * Returns whether the policy would not change `name`, checked without allocation: printable ASCII without `\` and `%`,
 * no empty, `.` or `..` component, no drive letter, not long. `false` only means that the full policy has to be
 * applied.
 */
export function isPlainName(name: Uint8Array): boolean {
  const length = name.length;
  if (length === 0 || length > maxComponentBytes) return false;
  if (name[1] === colon) return false;
  let previous = slash;
  for (let index = 0; index < length; index++) {
    const byte = byteAt(name, index);
    if (byte < 0x20 || byte > 0x7e || byte === backslash || byte === percent) return false;
    if (previous === slash) {
      if (byte === slash) return false;
      if (byte === dot) {
        const next = name[index + 1];
        if (next === undefined || next === slash || next === dot) return false;
      }
    }
    previous = byte;
  }
  return previous !== slash;
}

/** Result of the policy. */
export interface DisplayName {
  /** Display path in UTF-8: the same array if nothing changed. */
  readonly path: Uint8Array;
  /** Whether the name is empty or contains `..`, and is shown below `_unsafe`. */
  readonly unsafe: boolean;
  /** Whether the name was too long for a file system and was shortened. */
  readonly shortened: boolean;
}

/** `%` before two hex digits that could be an escape. */
const looksEscaped = /%(?=[01][0-9A-F]|25|7F|[89][0-9A-F]|C2)/g;

function escaped(character: string): string {
  let text = "";
  for (const byte of encoder.encode(character)) text += "%" + byte.toString(16).toUpperCase().padStart(2, "0");
  return text;
}

function escapeComponent(component: string): string {
  return component.replace(looksEscaped, "%25").replace(/\p{Cc}/gu, escaped);
}

/** Same pattern for names in which `.`, `/` and `\` can be escaped too. */
const lumpLooksEscaped = /%(?=[01][0-9A-F]|2[5EF]|5C|7F|[89][0-9A-F]|C2)/g;

/**
 * Returns the path component for a name without separators, such as a lump's. The name ends at the first NUL; `unnamed`
 * if it is empty.
 * @param raw The name's bytes in the archive, of unstated encoding.
 */
export function lumpName(raw: Uint8Array): string {
  if (isPlainName(raw) && !raw.includes(slash)) return String.fromCharCode(...raw);
  const nul = raw.indexOf(0);
  const name = lenientDecoder.decode(decodeName(nul < 0 ? raw : raw.subarray(0, nul)).utf8);
  if (name === "") return "unnamed";
  if (name === "." || name === "..") return name.replaceAll(".", escaped);
  return name.replace(lumpLooksEscaped, "%25").replace(/[\p{Cc}/\\]/gu, escaped);
}

/** Maximum length of an extension, with its dot, that survives shortening. */
const maxExtension = 16;

function shortenComponent(component: string, identity: string): string {
  const checksum = "~" + crc32(identity).toString(16).padStart(8, "0");
  const lastDot = component.lastIndexOf(".");
  const extension = lastDot > 0 && component.length - lastDot <= maxExtension ? component.slice(lastDot) : "";
  const room = maxComponentBytes - checksum.length - encoder.encode(extension).length;
  const head = encoder.encodeInto(component.slice(0, component.length - extension.length), new Uint8Array(room)).read;
  return component.slice(0, head) + checksum + extension;
}

/**
 * Applies the policy to a name in UTF-8.
 * @param utf8 The name, already decoded; a directory's trailing `/` is removed like any empty component.
 */
export function displayName(utf8: Uint8Array): DisplayName {
  if (isPlainName(utf8)) return { path: utf8, unsafe: false, shortened: false };
  const nul = utf8.indexOf(0);
  const text = lenientDecoder.decode(nul < 0 ? utf8 : utf8.subarray(0, nul)).replaceAll("\\", "/");
  const relative = text.replace(/^\/*[A-Za-z]:/, "");
  let unsafe = false;
  let shortened = false;
  const components: string[] = [];
  for (const component of relative.split("/")) {
    if (component === "" || component === ".") continue;
    if (component === "..") {
      unsafe = true;
      components.push("__");
      continue;
    }
    const escaped = escapeComponent(component);
    if (encoder.encode(escaped).length <= maxComponentBytes) {
      components.push(escaped);
    } else {
      shortened = true;
      components.push(shortenComponent(escaped, escaped));
    }
  }
  if (components.length === 0) {
    unsafe = true;
    components.push("unnamed");
  }
  if (unsafe) components.unshift(unsafeDirectory);
  let path = encoder.encode(components.join("/"));
  if (path.length > maxPathBytes) {
    shortened = true;
    unsafe = true;
    path = encoder.encode(
      unsafeDirectory + "/" + shortenComponent(elementAt(components, components.length - 1), components.join("/")),
    );
  }
  return { path: equalBytes(path, utf8) ? utf8 : path, unsafe, shortened };
}

/** Returns whether two arrays hold the same bytes. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/**
 * Returns a member's name for people, as spelled in the archive: decoded, not cleaned.
 * @param decode Converts it to UTF-8, if the archive's format requires it.
 */
export function spelledName(raw: Uint8Array, decode: (raw: Uint8Array) => DecodedName = decodeName): string {
  return lenientDecoder.decode(decode(raw).utf8);
}

/** Number of changed names, and the first of them as an example. */
class NameCount {
  count = 0;
  #example = "";

  add(raw: Uint8Array): void {
    if (this.count++ === 0) this.#example = JSON.stringify(spelledName(raw.subarray(0, 200)));
  }

  warning(one: string, many: string, consequence: string): string {
    const subject = this.count === 1 ? `the name ${this.#example} ${one}` : `${this.count} names ${many}`;
    const example = this.count === 1 ? "" : ` (the first is ${this.#example})`;
    return `${subject}${example}; ${consequence}`;
  }
}

/** Name with its display path. */
interface ShownName {
  readonly raw: Uint8Array;
  readonly decoded: DecodedName;
  readonly display: DisplayName;
}

/**
 * Adds members to a table with their display paths, and summarizes changed names in one warning per kind. Used for one
 * archive.
 */
export class MemberNames {
  readonly #table: EntryTable;
  readonly #unsafe = new NameCount();
  readonly #shortened = new NameCount();
  readonly #guessed = new NameCount();
  /** Last name that needed the full policy: a table may repeat it a million times. */
  #last: ShownName | undefined;
  /** Buffer for a path of usual length, which the table copies. */
  readonly #scratch = new Uint8Array(512);

  /** Adds members to `table`. */
  constructor(table: EntryTable) {
    this.#table = table;
  }

  /**
   * Adds a member.
   * @param raw The name's bytes in the archive, without a directory's trailing `/`.
   * @param decode Converts them to UTF-8; not called if they are plain ASCII and the member's only name.
   * @param hasOtherName Whether the archive has another name of the member, which `decode` returns.
   * @returns The member's number.
   */
  add(
    raw: Uint8Array,
    fields: EntryFields,
    decode: (raw: Uint8Array) => DecodedName = decodeName,
    hasOtherName = false,
  ): number {
    if (!hasOtherName && isPlainName(raw)) return this.#table.add(raw, fields);
    const { raw: equal, decoded, display } = this.#shown(raw, decode);
    if (decoded.guessed) this.#guessed.add(raw);
    if (display.unsafe) this.#unsafe.add(raw);
    if (display.shortened) this.#shortened.add(raw);
    return this.#table.add(display.path, fields, display.path === equal ? undefined : raw);
  }

  #shown(raw: Uint8Array, decode: (raw: Uint8Array) => DecodedName): ShownName {
    // Other decoders may use more than the bytes.
    const isRepeatable = decode === decodeName;
    if (isRepeatable && this.#last && equalBytes(this.#last.raw, raw)) return this.#last;
    const decoded = decode(raw);
    const shown = { raw, decoded, display: displayName(decoded.utf8) };
    if (isRepeatable) this.#last = shown;
    return shown;
  }

  /**
   * Adds a member of a format without directories.
   * @param path Display path, with the name from {@linkcode lumpName}.
   * @param raw The name's bytes in the archive.
   * @returns The member's number.
   */
  addLump(path: string, raw: Uint8Array, fields: EntryFields): number {
    if (raw.some((byte) => byte >= 0x80)) this.#guessed.add(raw);
    const { read, written } = encoder.encodeInto(path, this.#scratch);
    const bytes = read === path.length ? this.#scratch.subarray(0, written) : encoder.encode(path);
    return this.#table.add(bytes, fields, raw);
  }

  /** Writes the warnings to the table. */
  finish(): void {
    const warnings = this.#table.warnings;
    if (this.#unsafe.count > 0) {
      warnings.push(this.#unsafe.warning(
        "leads out of the archive, is empty or far too long",
        "lead out of the archive, are empty or far too long",
        `shown under ${unsafeDirectory}/`,
      ));
    }
    if (this.#shortened.count > 0) {
      warnings.push(this.#shortened.warning(
        `is longer than ${maxComponentBytes} bytes`,
        `are longer than ${maxComponentBytes} bytes`,
        "shown shortened, with a checksum to keep them apart",
      ));
    }
    if (this.#guessed.count > 0) {
      warnings.push(this.#guessed.warning(
        "does not say how its letters are encoded",
        "do not say how their letters are encoded",
        "read as UTF-8 where that fits, else as code page 437",
      ));
    }
  }
}

/** Suffix of a file whose path is a directory for other members: `sound` next to `sound/x.wav`. */
export const clashSuffix = "~file";
