/**
 * Commands that show one file: `stat`, `cat`, `head`, `hexdump`.
 * @module
 */
import type { DirectoryRow, StatRow } from "../../protocol/rows.ts";
import { looksBinary, textDecoder } from "../../formats/parts.ts";
import { ask, command, type Context, firstWord, inView } from "../command/command.ts";
import { content } from "../command/content.ts";
import { UsageError } from "../../system/mod.ts";
import { CommandError } from "../output/failure.ts";
import { counted, grouped, humanSize, humanTime } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { eachRow, fileContent, oneRow } from "../output/results.ts";
import { resolveQpath } from "../command/session.ts";
import type { Part } from "../output/text.ts";
import type { DumpLine } from "../rows/client_rows.ts";

type Fields = readonly (readonly [name: string, value: Part])[];

function directoryFields(row: DirectoryRow): Fields {
  return [
    ["directory", { text: `${row.qpath}/`, style: "directory" }],
    ["view", row.view],
    ["entries", grouped(row.entries)],
  ];
}

function fileFields(row: StatRow): Fields {
  const compressed = row.method === "store" ? "" : `, ${grouped(row.packedSize)} compressed`;
  return [
    ["file", row.qpath],
    ["view", row.view],
    ["size", `${counted(row.size, "byte")} (${humanSize(row.size)})`],
    ["modified", humanTime(row.mtime)],
    ["source", row.source],
    ["member", row.member],
    ["format", row.format],
    ["method", `${row.method}${compressed}`],
    ["record at", `byte ${row.offset}`],
    ["data at", row.dataOffset === null ? "unknown" : `byte ${row.dataOffset}`],
    ["CRC-32", row.crc32 ?? "not stored"],
    ["shadows", row.shadows === 0 ? "nothing" : `${counted(row.shadows, "other file")}; see which`],
    ...row.damaged === undefined ? [] : [["damaged", { text: row.damaged, style: "unusable" }] as const],
  ];
}

export const stat = command({
  name: "stat",
  aliases: ["info"],
  group: "Browse",
  scope: "anywhere",
  rows: ["StatRow", "DirectoryRow"],
  summary: "show everything about one file or directory",
  arguments: [{ name: "QPATH", kind: "qpath" }],
  options: [],
  examples: [{ line: "stat gfx/palette.lmp", does: "size, source, offset, checksum" }],
  async *run(context, { words }) {
    const qpath = resolveQpath(context.directory, firstWord(words));
    const row = await ask(context, "stat", { ...inView(context), qpath });
    yield oneRow(row, (page) => page.fields(row.type === "directory" ? directoryFields(row) : fileFields(row)));
  },
});

async function* shownText(context: Context, qpath: string, force: boolean): AsyncGenerator<string> {
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
    yield text;
    endsLine = text.endsWith("\n");
  }
  if (!endsLine) yield "\n";
}

export const cat = command({
  name: "cat",
  aliases: ["type"],
  group: "Browse",
  scope: "anywhere",
  summary: "print a file's content",
  arguments: [{ name: "QPATH", kind: "qpath", repeated: true }],
  options: [{ name: "force", summary: "on a terminal, show binary files too" }],
  details: [
    "When redirected, bytes are written unchanged, even with --json. On a terminal only text is shown, with its control " +
    "characters made visible.",
  ],
  examples: [
    { line: "cat default.cfg", does: "read a text" },
    { line: "cat progs.dat > progs.dat", does: "copy one file out (in a shell)" },
  ],
  async *run(context, { words, options }) {
    for (const word of words) {
      const qpath = resolveQpath(context.directory, word);
      if (context.output.terminal) {
        for await (const text of shownText(context, qpath, options.flag("force"))) {
          yield fileContent((page) => page.text(text));
        }
      } else {
        for await (const bytes of content(context, qpath)) yield fileContent((page) => page.bytes(bytes));
      }
    }
  },
});

/** Returns the beginning of a file as text, up to a number of lines or bytes. */
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

/** Limit of `head`: bytes if given, else lines. */
interface HeadLimit {
  readonly lines: number;
  readonly bytes?: number;
}

export const head = command({
  name: "head",
  group: "Browse",
  scope: "anywhere",
  rows: ["HeadRow"],
  summary: "print the first lines of a text file",
  arguments: [{ name: "QPATH", kind: "qpath", repeated: true }],
  options: [
    { name: "lines", short: "n", value: "N", summary: "print N lines (default 10)" },
    { name: "bytes", short: "c", value: "BYTES", summary: "print N bytes instead" },
  ],
  details: ["-N is short for -n N."],
  examples: [{ line: "head default.cfg -n 3", does: "the first three lines" }],
  async *run(context, { words: typed, options }) {
    const bytes = options.count("bytes");
    const short = typed.find((word) => /^-\d+$/.test(word));
    const words = typed.filter((word) => word !== short);
    if (words.length === 0) throw new UsageError("head needs QPATH; usage: head QPATH... [options]");
    const lines = options.count("lines") ?? (short === undefined ? 10 : Number(short.slice(1)));
    const limit: HeadLimit = { lines, ...(bytes === undefined ? {} : { bytes }) };
    for (const [index, word] of words.entries()) {
      const qpath = resolveQpath(context.directory, word);
      // deno-lint-ignore no-await-in-loop -- files are shown one after another
      const text = await headText(context, qpath, limit);
      yield oneRow({ qpath, text }, (page) => {
        if (words.length > 1 && index > 0) page.line();
        if (words.length > 1) page.line({ text: `==> ${qpath} <==`, style: "heading" });
        const shown = text.replaceAll("\r\n", "\n");
        page.text(shown.endsWith("\n") || shown === "" ? shown : `${shown}\n`);
      });
    }
  },
});

function dumpLine(offset: number, bytes: Uint8Array): DumpLine {
  const text = Array.from(bytes, (byte) => byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".").join("");
  return { offset, hex: bytes.toHex(), text };
}

function printDumpLine(page: Page, { offset, hex, text }: DumpLine): void {
  const pairs = hex.match(/../g) ?? [];
  const half = (start: number) => pairs.slice(start, start + 8).join(" ").padEnd(23);
  const shownOffset = offset.toString(16).padStart(8, "0");
  page.line({ text: shownOffset, style: "dim" }, `  ${half(0)}  ${half(8)}  |${text}|`);
}

async function* dumpLines(pieces: AsyncIterable<Uint8Array>, start: number): AsyncGenerator<DumpLine> {
  let offset = start;
  let held = new Uint8Array(0);
  for await (const bytes of pieces) {
    const joined = new Uint8Array(held.length + bytes.length);
    joined.set(held);
    joined.set(bytes, held.length);
    const whole = joined.length - joined.length % 16;
    for (let position = 0; position < whole; position += 16) {
      yield dumpLine(offset + position, joined.subarray(position, position + 16));
    }
    offset += whole;
    held = joined.slice(whole);
  }
  if (held.length > 0) yield dumpLine(offset, held);
}

export const hexdump = command({
  name: "hexdump",
  aliases: ["hd"],
  group: "Browse",
  scope: "anywhere",
  rows: ["DumpLine"],
  summary: "show a file's bytes in hexadecimal",
  arguments: [{ name: "QPATH", kind: "qpath" }],
  options: [
    { name: "offset", short: "s", value: "BYTE", summary: "start here; 0x10 is 16" },
    { name: "length", short: "n", value: "BYTES", summary: "show N bytes" },
  ],
  examples: [{ line: "hexdump maps/e1m1.bsp --length 64", does: "a map's header" }],
  async *run(context, { words, options }) {
    const qpath = resolveQpath(context.directory, firstWord(words));
    const offset = options.count("offset") ?? 0;
    const length = options.count("length");
    if (length === 0) throw new UsageError("--length takes a number from 1 up");
    const pieces = content(context, qpath, { offset, ...(length === undefined ? {} : { length }) });
    yield eachRow(dumpLines(pieces, offset), printDumpLine);
  },
});
