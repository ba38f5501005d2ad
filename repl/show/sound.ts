/**
 * Showing a sound: what it says of itself, and how loud it is where.
 * @module
 */
import type { Context, Input } from "../command/command.ts";
import { readWav, type Sound } from "../../preview/wav.ts";
import { grouped, printFields } from "../output/render.ts";
import type { ShownFile } from "./file.ts";
import { refusePictureOptions } from "./picture.ts";

/** Lines of a waveform; each is two steps high. */
const waveformLines = 8;
/** Parts of a waveform for programs. */
const partsForPrograms = 64;
/** Columns of a waveform where no terminal says how many there are. */
const defaultColumns = 72;

/**
 * A waveform as lines of text: in each column a bar from the lowest to the highest amplitude.
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

/**
 * Shows a WAV.
 * @throws {PreviewError} if it is damaged.
 */
export function showSound(context: Context, input: Input, file: ShownFile): void {
  refusePictureOptions(input, file, "a sound", false);
  const { output } = context;
  const columns = Math.max(
    1,
    Math.min(input.options.count("width") ?? Infinity, output.terminal ? output.columns : defaultColumns),
  );
  const sound = readWav(file.bytes, output.json ? partsForPrograms : columns);
  const { waveform, ...facts } = sound;
  if (output.json) {
    const rounded = waveform.map((part) => part.map((amplitude) => Number(amplitude.toFixed(3))));
    return output.row({
      qpath: file.qpath,
      view: file.view,
      type: "sound",
      format: "wav",
      ...facts,
      waveform: rounded,
    });
  }
  output.line(
    { text: file.qpath, style: "heading" },
    `  WAV, ${sound.encoding} of ${sound.bits} bits, ${channelsOf(sound.channels)}, ${grouped(sound.rate)} Hz, ` +
      secondsOf(sound.length),
  );
  const loop: [string, string][] = sound.loop === null
    ? []
    : [["repeats", `from frame ${grouped(sound.loop)}, ${secondsOf(sound.loop / Math.max(1, sound.rate))}`]];
  printFields(output, [
    ["frames", sound.frames === null ? "unknown" : grouped(sound.frames)],
    ["loudest", sound.peak === null ? "its samples are not read" : `${Math.round(sound.peak * 100)}%`],
    ...loop,
  ]);
  for (const line of drawnWaveform(waveform, waveformLines)) output.line(line);
}
