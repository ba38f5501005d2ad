/**
 * The page of a file: its content, with its origin and the reason next to it.
 * @module
 */
import { contentView, fault } from "./content.js";
import { go, pathOf } from "./address.js";
import { make } from "./elements.js";
import { Zoom } from "./picture.js";
import { call } from "./server.js";
import { candidatesView, compareNext, factsView, needsView, shaderView } from "./why.js";

/** @typedef {import("./address.js").Address} Address */

/** One file on the screen. */
export class FilePage {
  #controller = new AbortController();
  /** @type {import("./content.js").Content[]} */
  #contents = [];
  #candidates = 0;
  #zoom = new Zoom();
  #shown = "";

  constructor() {
    this.stage = make("div", { class: "stage" });
    this.side = make("aside", { class: "side", "aria-label": "where it comes from" });
    this.element = make("div", { class: "file" }, this.stage, this.side);
  }

  /** Number of candidates of the file. */
  get candidates() {
    return this.#candidates;
  }

  /**
   * Shows a file.
   * @param {Address} address
   * @param {Extract<import("../../protocol/rows.ts").StatRow, { type: "file" }>} row
   */
  async show(address, row) {
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const { view, qpath } = address;
    if (this.#shown !== `${view}/${qpath}`) this.#zoom = new Zoom();
    this.#shown = `${view}/${qpath}`;
    const line = Number(/^#L(\d{1,7})$/.exec(location.hash)?.[1] ?? 0);
    const numbers = address.compare > 0 ? [address.candidate, address.compare] : [address.candidate];
    const before = this.#contents;
    this.#contents = numbers.map((candidate) => contentView({ view, qpath, candidate }, { zoom: this.#zoom, line }));
    this.stage.replaceChildren(
      ...this.#contents.map(({ element }, index) => {
        const number = numbers[index] ?? 1;
        const caption = (numbers.length > 1 || number > 1) &&
          make("figcaption", {}, number === 1 ? "1 · what the game loads" : `candidate ${number}`);
        return make("figure", {}, ...(caption ? [caption] : []), element);
      }),
    );
    for (const content of before) content.end();
    const facts = factsView(address, row);
    const needs = needsView(address, signal);
    try {
      const [which, shader] = await Promise.all([call("which", { view, qpath }, signal), shaderView(address, signal)]);
      if (signal.aborted) return;
      this.#candidates = which.candidates.length;
      const candidate = address.candidate > 1 ? which.candidates[address.candidate - 1] : undefined;
      const shown = candidate ? factsView(address, row, candidate) : facts;
      this.side.replaceChildren(shown, candidatesView(address, which), shader, needs);
    } catch (error) {
      if (!signal.aborted) this.side.replaceChildren(facts, fault(error), needs);
    }
  }

  /** Shows another candidate next to this one. @param {Address} address */
  compareNext(address) {
    compareNext(address, this.#candidates);
  }

  /** Shows the candidate before or after this one. @param {Address} address @param {number} step */
  turn(address, step) {
    const candidate = address.candidate + step;
    if (candidate < 1 || candidate > this.#candidates) return;
    go(pathOf({ ...address, candidate, compare: 0 }), { replace: true });
  }

  /** Plays a sound, or pauses it. */
  play() {
    const player = this.stage.querySelector("audio");
    if (player?.paused) player.play().catch(() => {});
    else player?.pause();
  }

  /** Stops what is shown. */
  end() {
    this.#controller.abort();
    for (const content of this.#contents) content.end();
    this.#contents = [];
    this.#shown = "";
    this.stage.replaceChildren();
    this.side.replaceChildren();
  }
}
