/**
 * Formats numbers, sizes and times for people.
 * @module
 */
import { grouped } from "../../formats/parts.ts";
import type { ChangeCounts } from "../../protocol/rows.ts";

/** Blocks that fill 0 to 8 eighths of a character from the left. */
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/** Returns a bar of up to `width` characters for a fraction; a fraction above zero is always visible. */
export function bar(part: number, whole: number, width: number): string {
  if (!(part > 0) || !(whole > 0)) return "";
  const steps = Math.max(1, Math.round(Math.min(1, part / whole) * width * 8));
  return "█".repeat(Math.floor(steps / 8)) + (eighths[steps % 8] ?? "");
}

const sizeUnits = ["", "K", "M", "G", "T", "P"];

/** Formats a size: `512`, `1.5K`, `12M`; units of 1024. */
export function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < sizeUnits.length - 1) {
    value /= 1024;
    unit++;
  }
  if (unit === 0) return String(bytes);
  const text = value < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return text === "1024" && unit < sizeUnits.length - 1 ? `1.0${sizeUnits[unit + 1]}` : `${text}${sizeUnits[unit]}`;
}

export { grouped };

/** Returns `12 %` for a fraction; 0 of 0 is 100 %. */
export function percentage(part: number, whole: number): string {
  return `${whole > 0 ? Math.floor(100 * Math.min(1, part / whole)) : 100} %`;
}

/** Returns `1 file`, `2 files`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** Formats a time as `2024-05-01 12:30`, in the local time zone. */
export function humanTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return "?";
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Formats a time of day as `12:30:05`, in the local time zone. */
export function humanClock(milliseconds: number): string {
  const date = new Date(milliseconds);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

/** Returns `1 added, 2 changed`; null for none. */
export function changesText({ added, removed, changed }: ChangeCounts): string | null {
  const parts = [[added, "added"], [removed, "removed"], [changed, "changed"]] as const;
  return parts.filter(([count]) => count > 0).map(([count, what]) => `${grouped(count)} ${what}`).join(", ") || null;
}

/** Formats a duration: `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Wraps a shell command into lines of at most `width` columns that can be pasted together. */
export function continuedCommand(command: string, width: number): string[] {
  const lines = wrapped(command.match(/(?:'[^']*'|\\.|[^ '])+/g) ?? [], width - 4);
  return lines.map((line, index) => `${index === 0 ? "" : "  "}${line}${index + 1 < lines.length ? " \\" : ""}`);
}

/** Wraps a string, or words, into lines of at most `width` columns; longer words get a separate line. */
export function wrapped(text: string | readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of typeof text === "string" ? text.split(" ") : text) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
