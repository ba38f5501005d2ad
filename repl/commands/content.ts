/**
 * Looking into one file: `stat`, `cat`, `head`, `hexdump`.
 * @module
 */
import { ask, type Context, inView, type RunnableCommand } from "../command/command.ts";
import { content } from "../command/content.ts";
import { UsageError } from "../../command_line/usage.ts";
import { CommandError } from "../output/failure.ts";
import { counted, grouped, humanSize, humanTime, printFields } from "../output/render.ts";
import { resolveQpath } from "../command/session.ts";
import type { Part } from "../output/text.ts";

const stat: RunnableCommand = {
  name: "stat",
  aliases: ["info"],
  group: "Browse",
  scope: "anywhere",
  rows: ["StatRow", "DirectoryRow"],
  summary: "show everything the index knows of one file or directory",
  arguments: [{ name: "QPATH", kind: "qpath" }],
  options: [],
  examples: [{ line: "stat gfx/palette.lmp", does: "size, source, offset, checksum" }],
  run: async (context, { words }) => {
    const { output } = context;
    const qpath = resolveQpath(context.directory, words[0] ?? "");
    const row = await ask(context, "stat", { ...inView(context), qpath });
    if (output.json) return output.row(row);
    if (row.type === "directory") {
      return printFields(output, [
        ["directory", { text: `${row.qpath}/`, style: "directory" }],
        ["view", row.view],
        ["entries", grouped(row.entries)],
      ]);
    }
    const compressed = row.method === "store" ? "" : `, ${grouped(row.packedSize)} packed`;
    const damaged: [string, Part][] = row.damaged === undefined
      ? []
      : [["damaged", { text: row.damaged, style: "unusable" }]];
    printFields(output, [
      ["file", row.qpath],
      ["view", row.view],
      ["size", `${counted(row.size, "byte")} (${humanSize(row.size)})`],
      ["modified", humanTime(row.mtime)],
      ["source", row.source],
      ["member", row.member],
      ["format", row.format],
      ["packing", `${row.method}${compressed}`],
      ["record at", `byte ${row.offset}`],
      ["data at", row.dataOffset === null ? "unknown" : `byte ${row.dataOffset}`],
      ["CRC-32", row.crc32 ?? "none kept"],
      ["shadows", row.shadows === 0 ? "nothing" : `${counted(row.shadows, "other file")}; see which`],
      ...damaged,
    ]);
  },
};

/** Bytes of a file's beginning that decide whether it is text. */
const judgedBytes = 8 * 1024;

/** Whether bytes are no text that a person could read: a NUL, or many control characters. */
export function looksBinary(bytes: Uint8Array): boolean {
  const judged = bytes.subarray(0, judgedBytes);
  if (judged.includes(0)) return true;
  let controls = 0;
  for (const byte of judged) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls++;
  }
  return controls * 10 > judged.length;
}

/** UTF-8 where the beginning is valid UTF-8, else the Latin letters that old game texts are written in. */
function textDecoder(beginning: Uint8Array): TextDecoder {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return new TextDecoder();
  } catch {
    return new TextDecoder("windows-1252");
  }
}

async function printText(context: Context, qpath: string, force: boolean): Promise<void> {
  const { output } = context;
  let decoder: TextDecoder | undefined;
  let endsLine = true;
  for await (const bytes of content(context, qpath)) {
    if (!decoder) {
      if (!force && looksBinary(bytes)) {
        throw new CommandError(`${qpath} is not text; use hexdump, extract, a pipe, or cat --force`);
      }
      decoder = textDecoder(bytes);
    }
    const text = decoder.decode(bytes, { stream: true }).replaceAll("\r\n", "\n");
    output.text(text);
    endsLine = text.endsWith("\n");
  }
  if (!endsLine) output.text("\n");
}

const cat: RunnableCommand = {
  name: "cat",
  aliases: ["type"],
  group: "Browse",
  scope: "anywhere",
  summary: "write a file's content",
  arguments: [{ name: "QPATH", kind: "qpath", repeated: true }],
  options: [{ name: "force", summary: "on a terminal, show what is not text too" }],
  details: [
    "Into a file or a pipe the bytes go as they are, --json or not. On a terminal only text is shown, with its control " +
    "characters made visible.",
  ],
  examples: [
    { line: "cat default.cfg", does: "read a text" },
    { line: "cat progs.dat > progs.dat", does: "copy one file out (in a shell)" },
  ],
  run: async (context, { words, options }) => {
    const { output } = context;
    for (const word of words) {
      const qpath = resolveQpath(context.directory, word);
      // deno-lint-ignore no-await-in-loop -- files are written one after another
      if (output.terminal) await printText(context, qpath, options.flag("force"));
      else for await (const bytes of content(context, qpath)) output.bytes(bytes);
    }
  },
};

/** The beginning of a file as text: up to so many lines or bytes, whichever is asked for. */
async function headText(context: Context, qpath: string, limit: HeadLimit): Promise<string> {
  let decoder: TextDecoder | undefined;
  let text = "";
  let lines = 0;
  for await (const bytes of content(context, qpath, limit.bytes === undefined ? {} : { length: limit.bytes })) {
    if (!decoder) {
      if (looksBinary(bytes)) throw new CommandError(`${qpath} is not text; use hexdump`);
      decoder = textDecoder(bytes);
    }
    for (const line of decoder.decode(bytes, { stream: true }).split(/(?<=\n)/)) {
      if (limit.bytes === undefined && lines >= limit.lines) return text;
      text += line;
      if (line.endsWith("\n")) lines++;
    }
    if (limit.bytes === undefined && lines >= limit.lines) return text;
  }
  return text;
}

/** How much `head` shows: bytes where they are given, else lines. */
interface HeadLimit {
  readonly lines: number;
  readonly bytes?: number;
}

const head: RunnableCommand = {
  name: "head",
  group: "Browse",
  scope: "anywhere",
  rows: ["HeadRow"],
  summary: "show the first lines of a text",
  arguments: [{ name: "QPATH", kind: "qpath", repeated: true }],
  options: [
    { name: "lines", short: "n", value: "N", summary: "so many lines (default 10)" },
    { name: "bytes", short: "c", value: "BYTES", summary: "so many bytes instead" },
  ],
  examples: [{ line: "head default.cfg -n 3", does: "the first three lines" }],
  run: async (context, { words, options }) => {
    const { output } = context;
    const bytes = options.count("bytes");
    const limit: HeadLimit = { lines: options.count("lines") ?? 10, ...(bytes === undefined ? {} : { bytes }) };
    for (const [index, word] of words.entries()) {
      const qpath = resolveQpath(context.directory, word);
      // deno-lint-ignore no-await-in-loop -- files are shown one after another
      const text = await headText(context, qpath, limit);
      if (output.json) {
        output.row({ qpath, text });
        continue;
      }
      if (words.length > 1 && index > 0) output.line();
      if (words.length > 1) output.line({ text: `==> ${qpath} <==`, style: "heading" });
      const shown = text.replaceAll("\r\n", "\n");
      output.text(shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`);
    }
  },
};

/** One line of a dump: up to 16 bytes. */
export interface DumpLine {
  /** Of its first byte. */
  offset: number;
  /** Two digits for each byte. */
  hex: string;
  /** The same as text, with dots for what is no letter. */
  text: string;
}

function dumpLine(offset: number, bytes: Uint8Array): DumpLine {
  const text = Array.from(bytes, (byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".").join("");
  return { offset, hex: bytes.toHex(), text };
}

function printDumpLine({ output }: Context, line: DumpLine): void {
  if (output.json) return output.row(line);
  const pairs = line.hex.match(/../g) ?? [];
  const half = (start: number) => pairs.slice(start, start + 8).join(" ").padEnd(23);
  const offset = line.offset.toString(16).padStart(8, "0");
  output.line({ text: offset, style: "dim" }, `  ${half(0)}  ${half(8)}  |${line.text}|`);
}

const hexdump: RunnableCommand = {
  name: "hexdump",
  aliases: ["hd"],
  group: "Browse",
  scope: "anywhere",
  rows: ["DumpLine"],
  summary: "show a file's bytes in hexadecimal",
  arguments: [{ name: "QPATH", kind: "qpath" }],
  options: [
    { name: "offset", short: "s", value: "BYTE", summary: "start here; 0x10 is 16" },
    { name: "length", short: "n", value: "BYTES", summary: "show so many bytes" },
  ],
  examples: [{ line: "hexdump maps/e1m1.bsp --length 64", does: "a map's header" }],
  run: async (context, { words, options }) => {
    const qpath = resolveQpath(context.directory, words[0] ?? "");
    const start = options.count("offset") ?? 0;
    const length = options.count("length");
    if (length === 0) throw new UsageError("--length takes a number from 1 up");
    let offset = start;
    let held = new Uint8Array(0);
    for await (const bytes of content(context, qpath, { offset: start, ...(length === undefined ? {} : { length }) })) {
      const joined = new Uint8Array(held.length + bytes.length);
      joined.set(held);
      joined.set(bytes, held.length);
      const whole = joined.length - joined.length % 16;
      for (let position = 0; position < whole; position += 16) {
        printDumpLine(context, dumpLine(offset + position, joined.subarray(position, position + 16)));
      }
      offset += whole;
      held = joined.slice(whole);
    }
    if (held.length > 0) printDumpLine(context, dumpLine(offset, held));
  },
};

/** Commands of this file. */
export const contentCommands: readonly RunnableCommand[] = [stat, cat, head, hexdump];
