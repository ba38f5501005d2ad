/**
 * Shows the content of a file by its kind.
 * @module
 */
import { humanSize, make } from "./elements.js";
import { pictureView } from "./picture.js";
import { fileUrl, get, showingOf } from "./server.js";

/**
 * @typedef {{ element: HTMLElement, end: () => void }} Content
 * @typedef {import("./server.js").Address} Address
 */

/** Maximum bytes of a displayed text, and of other files in the hexadecimal view. */
const maxText = 2 * 1024 * 1024;
const maxDump = 4096;

const nothing = () => {};

/** @param {ArrayBuffer} bytes */
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Shows a text with line numbers.
 * @param {ArrayBuffer} bytes
 * @param {number} line Line to show first.
 * @returns {HTMLElement}
 */
function textView(bytes, line) {
  const lines = decoded(bytes.slice(0, maxText)).replace(/\r\n?/g, "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const numbers = make(
    "pre",
    { class: "numbers", "aria-hidden": "true" },
    lines.map((_, index) => index + 1).join("\n"),
  );
  const text = make("pre", { class: "lines" }, lines.join("\n"));
  const note = bytes.byteLength > maxText &&
    make("p", { class: "note" }, `The first ${humanSize(maxText)} of ${humanSize(bytes.byteLength)}.`);
  const mark = line > 0 && make("div", { class: "mark" });
  const box = make("div", { class: "text", tabindex: "0" }, mark, numbers, text, note);
  if (mark) {
    requestAnimationFrame(() => {
      const height = text.getBoundingClientRect().height / Math.max(1, lines.length);
      mark.style.top = `${text.offsetTop + (line - 1) * height}px`;
      mark.style.height = `${height}px`;
      box.scrollTop = Math.max(0, (line - 4) * height);
    });
  }
  return box;
}

/** Shows the first bytes in hexadecimal and as text. @param {ArrayBuffer} buffer */
function dumpView(buffer) {
  const bytes = new Uint8Array(buffer).subarray(0, maxDump);
  const lines = [];
  for (let offset = 0; offset < bytes.length; offset += 16) {
    const part = bytes.subarray(offset, offset + 16);
    const numbers = Array.from(part, (byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(48);
    const letters = Array.from(part, (byte) => byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".").join("");
    lines.push(`${offset.toString(16).padStart(8, "0")}  ${numbers}  ${letters}`);
  }
  const note = buffer.byteLength > maxDump && make("p", { class: "note" }, `The first ${humanSize(maxDump)}.`);
  return make("div", { class: "text", tabindex: "0" }, make("pre", { class: "lines" }, lines.join("\n")), note);
}

/**
 * Shows a sound and its waveform.
 * @param {string} url
 * @param {AbortSignal} signal
 */
function soundView(url, signal) {
  const player = make("audio", { controls: true, src: url, preload: "auto" });
  const wave = make("canvas", { class: "wave" });
  const readout = make("output", { class: "readout" });
  const element = make("div", { class: "sound" }, wave, player, readout);
  wave.addEventListener("click", (event) => {
    const box = wave.getBoundingClientRect();
    if (Number.isFinite(player.duration)) player.currentTime = (event.clientX - box.left) / box.width * player.duration;
    player.play().catch(nothing);
  });
  const draw = async () => {
    const bytes = await (await get(url, signal)).arrayBuffer();
    const sound = await new OfflineAudioContext(1, 1, 44100).decodeAudioData(bytes);
    const [width, height] = [1200, 240];
    [wave.width, wave.height] = [width, height];
    const context = wave.getContext("2d");
    if (!context) return;
    context.fillStyle = getComputedStyle(wave).color;
    const samples = sound.getChannelData(0);
    for (let x = 0; x < width; x++) {
      let [low, high] = [0, 0];
      const end = Math.max(Math.floor(x * samples.length / width) + 1, Math.floor((x + 1) * samples.length / width));
      for (let index = Math.floor(x * samples.length / width); index < Math.min(end, samples.length); index++) {
        const sample = samples[index] ?? 0;
        if (sample < low) low = sample;
        if (sample > high) high = sample;
      }
      context.fillRect(x, (1 - high) * height / 2, 1, Math.max(1, (high - low) * height / 2));
    }
    const channels = sound.numberOfChannels === 1 ? "mono" : `${sound.numberOfChannels} channels`;
    readout.value = `${sound.duration.toFixed(2)} s · ${channels}`;
  };
  draw().catch((error) => {
    if (!signal.aborted) element.replaceChildren(fault(error));
  });
  return element;
}

/** @param {unknown} error */
export function fault(error) {
  return make("p", { class: "fault", role: "alert" }, error instanceof Error ? error.message : String(error));
}

/**
 * Shows music that no browser plays: only programs with instruments do.
 * @param {Address} address
 */
function musicView(address) {
  const save = make("a", { href: `${fileUrl(address, "as/mid")}&save`, download: "", class: "button" }, "save as MIDI");
  return make(
    "div",
    { class: "sound" },
    make("p", { class: "note" }, "Music of notes, which a browser does not play."),
    save,
  );
}

/**
 * Makes the content of a file by how it is shown.
 * @param {Address} address
 * @param {import("./server.js").Showing} showing
 * @param {{ zoom: import("./picture.js").Zoom, line: number, signal: AbortSignal }} options
 * @returns {Promise<Content>}
 */
async function shownContent(address, { kind, to }, { zoom, line, signal }) {
  const { qpath } = address;
  const url = fileUrl(address, to === null ? "raw" : `as/${to}`);
  if (kind === "picture") return pictureView(url, zoom, qpath);
  if (kind === "sound") return { element: soundView(url, signal), end: nothing };
  if (kind === "music") return { element: musicView(address), end: nothing };
  const bytes = await (await get(url, signal)).arrayBuffer();
  if (kind === "model") {
    const { modelView } = await import("./model.js");
    return await modelView(bytes, qpath);
  }
  return { element: kind === "text" ? textView(bytes, line) : dumpView(bytes), end: nothing };
}

/**
 * Shows a file.
 * @param {Address} address
 * @param {{ zoom: import("./picture.js").Zoom, line: number }} options
 * @returns {Content}
 */
export function contentView(address, options) {
  const controller = new AbortController();
  const { signal } = controller;
  const element = make("div", { class: "content" }, make("p", { class: "note", role: "status" }, "Loading…"));
  /** @type {Content | undefined} */
  let content;
  const load = async () => {
    const shown = await shownContent(address, await showingOf(address, signal), { ...options, signal });
    if (signal.aborted) return shown.end();
    content = shown;
    element.replaceChildren(shown.element);
  };
  load().catch((error) => signal.aborted || element.replaceChildren(fault(error)));
  return {
    element,
    end: () => {
      controller.abort();
      content?.end();
    },
  };
}
