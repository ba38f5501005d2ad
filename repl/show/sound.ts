/**
 * Shows a sound: its facts, and its waveform.
 * @module
 */
import type { Input, Results } from "../command/command.ts";
import { readCompressedSound, readWav, type Sound } from "../../media/mod.ts";
import { grouped } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { oneRow } from "../output/results.ts";
import type { SoundRow } from "../rows/show_rows.ts";
import type { ShownFile } from "./file.ts";
import { refusePictureOptions } from "./picture.ts";

/** Format of a sound: DMX is Doom's. */
export type SoundFormat = "WAV" | "DMX" | "Ogg" | "FLAC" | "MP3";

/** Number of lines of a waveform; each is two steps high. */
const waveformLines = 8;
/** Number of parts of a waveform for programs. */
const partsForPrograms = 64;
/** Number of columns of a waveform without a terminal. */
const defaultColumns = 72;

/**
 * Returns a waveform as lines of text: in each column a bar from the lowest to the highest amplitude.
 * @param lines Height; silence is a line in the middle.
 */
export function drawnWaveform(waveform: Sound["waveform"], lines: number): string[] {
  const steps = lines * 2;
  const stepOf = (amplitude: number) => Math.max(0, Math.min(steps - 1, Math.floor((1 - amplitude) / 2 * steps)));
  const bars = waveform.map(([low, high]) => ({ first: stepOf(high), last: stepOf(low) }));
  return Array.from({ length: lines }, (_, line) =>
    bars.map(({ first, last }) => {
      const upper = first <= line * 2 && line * 2 <= last;
      const lower = first <= line * 2 + 1 && line * 2 + 1 <= last;
      return upper ? lower ? "█" : "▀" : lower ? "▄" : " ";
    }).join("").trimEnd());
}

function secondsOf(length: number): string {
  if (length < 60) return `${length.toFixed(length < 10 ? 2 : 1)} s`;
  return `${Math.floor(length / 60)} min ${(length % 60).toFixed(0)} s`;
}

function channelsOf(channels: number): string {
  return channels === 1 ? "mono" : channels === 2 ? "stereo" : `${channels} channels`;
}

function printSound(page: Page, file: ShownFile, sound: Sound, format: SoundFormat): void {
  const bits = sound.bits === null ? "" : ` of ${sound.bits} bits`;
  const encoding = sound.encoding === format ? "" : `, ${sound.encoding}`;
  page.line(
    { text: file.qpath, style: "heading" },
    `  ${format}${encoding}${bits}, ${channelsOf(sound.channels)}, ${grouped(sound.rate)} Hz, ` +
      secondsOf(sound.length),
  );
  const loop: [string, string][] = sound.loop === null
    ? []
    : [["repeats", `from frame ${grouped(sound.loop)}, ${secondsOf(sound.loop / Math.max(1, sound.rate))}`]];
  page.fields([
    ["frames", sound.frames === null ? "unknown" : grouped(sound.frames)],
    sound.bits === null
      ? ["bit rate", `${grouped(Math.round(file.bytes.length / 125 / Math.max(sound.length, 0.001)))} kbit/s`]
      : ["loudest", sound.peak === null ? "its samples are not read" : `${Math.round(sound.peak * 100)}%`],
    ...loop,
    ...Object.entries(sound.tags ?? {}).map(([name, value]): [string, string] => [name.toLowerCase(), value]),
  ]);
  if (sound.waveform.length === 0) return;
  for (const line of drawnWaveform(sound.waveform, waveformLines)) page.line(line);
}

function soundRow(file: ShownFile, { waveform, ...facts }: Sound, format: SoundFormat): SoundRow {
  const rounded = waveform.map(([low, high]) => [Number(low.toFixed(3)), Number(high.toFixed(3))] as const);
  return {
    qpath: file.qpath,
    view: file.view,
    type: "sound",
    format: format.toLowerCase(),
    ...facts,
    waveform: rounded,
  };
}

/**
 * Shows a sound.
 * @param format Format of the file; a sound of Doom was converted to WAV.
 * @throws {MediaError} if it is damaged.
 */
export async function* showSound(input: Input, file: ShownFile, format: SoundFormat): Results<SoundRow> {
  refusePictureOptions(input, file, "a sound", false);
  const width = input.options.count("width") ?? Infinity;
  const read = (parts: number) =>
    format === "WAV" || format === "DMX" ? readWav(file.bytes, parts) : readCompressedSound(file.bytes);
  yield oneRow(() => soundRow(file, read(partsForPrograms), format), (page) => {
    const columns = Math.min(width, page.screen.terminal ? page.screen.columns : defaultColumns);
    printSound(page, file, read(Math.max(1, columns)), format);
  });
}
