/**
 * A grid of thumbnails that holds only the tiles on the screen, whatever the number of files.
 * @module
 */
import { pathOf } from "./address.js";
import { baseName, counted, directoryOf, humanSize, make } from "./elements.js";
import { fileUrl, hasThumbnail, kindOf } from "./server.js";

/** @typedef {import("./listing.js").Row} Row */

/** Rows of tiles that are kept above and below the screen. */
const spareLines = 3;
/** Bytes up to which a browser scales a picture itself: a thumbnail has half as many. */
const maxPlain = 128 * 1024;

/**
 * Makes the face of a tile: a picture, a waveform or a model, or letters where none is possible.
 * @param {Row} row
 * @param {string} view
 */
function face(row, view) {
  if (row.type === "directory") return make("span", { class: "face folder" });
  const extension = /\.([^./]+)$/.exec(row.qpath)?.[1] ?? "file";
  const kind = kindOf(row.qpath);
  const letters = () => make("span", { class: `face letters kind-${kind}` }, extension.slice(0, 6));
  if (!hasThumbnail(row.qpath)) return letters();
  const box = make("span", { class: "face" });
  const image = make("img", { alt: "", decoding: "async", draggable: "false" });
  image.addEventListener("load", () => {
    // Small pictures of old games are shown pixel by pixel.
    box.classList.toggle("small", kind === "picture" && image.naturalWidth <= 64 && image.naturalHeight <= 64);
    box.classList.add("loaded");
  });
  image.addEventListener("error", () => box.replaceWith(letters()));
  const isPlain = /\.(?:png|jpe?g)$/i.test(row.qpath) && (row.size ?? 0) <= maxPlain;
  image.src = fileUrl({ view, qpath: row.qpath }, isPlain ? "raw" : "as/thumbnail");
  box.append(image);
  return box;
}

/** The grid of one listing. */
export class Grid {
  /** @type {Map<number, HTMLElement>} */
  #tiles = new Map();
  #columns = 1;
  #tileWidth = 1;
  #tileHeight = 1;
  #focused = 0;
  #frame = 0;

  /** @param {import("./listing.js").Listing} listing */
  constructor(listing) {
    this.listing = listing;
    this.space = make("div", { class: "space", role: "list" });
    this.note = make("p", { class: "note", role: "status" });
    this.element = make(
      "div",
      { class: "grid", tabindex: "-1", onscroll: () => this.#schedule() },
      this.space,
      this.note,
    );
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.resizing = new ResizeObserver(() => this.#measure());
    this.resizing.observe(this.element);
    listing.onRows(() => this.#onRows());
    this.#onRows();
  }

  /** Stops watching. */
  end() {
    this.listing.end();
    this.resizing.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** Shows the listing of the same directory after a change, where it was. @param {import("./listing.js").Listing} listing */
  exchange(listing) {
    const before = this.listing;
    const known = new Map(before.rows.map((row) => [row.qpath, row]));
    // The tiles stay until all rows have arrived, so that nothing jumps.
    listing.done.then(() => {
      before.end();
      if (listing.error && listing.rows.length === 0) listing.rows = before.rows;
      this.listing = listing;
      for (const tile of this.#tiles.values()) tile.remove();
      this.#tiles.clear();
      this.#onRows();
      for (const tile of this.#tiles.values()) {
        const row = listing.rows.find(({ qpath }) => qpath === tile.dataset.qpath);
        const old = row && known.get(row.qpath);
        if (!old || old.size !== row.size || old.shadows !== row.shadows) tile.classList.add("changed");
      }
    });
  }

  /** Marks tiles whose files have other bytes. @param {readonly string[]} qpaths */
  mark(qpaths) {
    const changed = new Set(qpaths);
    for (const tile of this.#tiles.values()) {
      if (changed.has(tile.dataset.qpath ?? "")) tile.classList.add("changed");
    }
  }

  /** Gives the keyboard to the tile of a file, or the one that had it. @param {string} [qpath] */
  focus(qpath) {
    const index = qpath === undefined ? this.#focused : this.listing.indexOf(qpath);
    if (index >= 0) this.#focusOn(index, true);
  }

  #onRows() {
    const { listing } = this;
    const { rows, isComplete, error } = listing;
    const none = listing.address.find === "" ? "This directory is empty." : "No file matches.";
    this.note.textContent = error ? error.message : !isComplete ? "Loading…" : rows.length === 0 ? none : "";
    this.note.hidden = this.note.textContent === "";
    this.#measure();
  }

  #measure() {
    const style = getComputedStyle(this.element);
    const wanted = Number.parseFloat(style.getPropertyValue("--tile")) || 148;
    const width = this.space.clientWidth;
    if (width === 0) return;
    this.#columns = Math.max(2, Math.floor(width / wanted));
    this.#tileWidth = width / this.#columns;
    this.#tileHeight = Math.round(this.#tileWidth + 42);
    this.space.style.height = `${Math.ceil(this.listing.rows.length / this.#columns) * this.#tileHeight}px`;
    this.#draw();
  }

  #schedule() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const { scrollTop, clientHeight } = this.element;
    const top = Math.max(0, Math.floor(scrollTop / this.#tileHeight) - spareLines);
    const bottom = Math.ceil((scrollTop + clientHeight) / this.#tileHeight) + spareLines;
    const first = top * this.#columns;
    const end = Math.min(this.listing.rows.length, bottom * this.#columns);
    for (const [index, tile] of this.#tiles) {
      if (index >= first && index < end) continue;
      // An image that is not shown any more is not requested any more.
      tile.querySelector("img")?.removeAttribute("src");
      tile.remove();
      this.#tiles.delete(index);
    }
    for (let index = first; index < end; index++) {
      const row = this.listing.rows[index];
      if (!row) continue;
      let tile = this.#tiles.get(index);
      if (tile && tile.dataset.qpath !== row.qpath) {
        tile.remove();
        tile = undefined;
      }
      if (!tile) {
        tile = this.#tile(row, index);
        this.#tiles.set(index, tile);
        this.space.append(tile);
      }
      const x = (index % this.#columns) * this.#tileWidth;
      const y = Math.floor(index / this.#columns) * this.#tileHeight;
      tile.style.transform = `translate(${x}px, ${y}px)`;
      tile.style.width = `${this.#tileWidth}px`;
      tile.style.height = `${this.#tileHeight}px`;
    }
  }

  /**
   * @param {Row} row
   * @param {number} index
   */
  #tile(row, index) {
    const { address, isDeep, directory } = this.listing;
    const { view } = address;
    const isFile = row.type === "file";
    const target = isFile ? { view, qpath: row.qpath, find: address.find, isFlat: address.isFlat } : {
      view,
      qpath: row.qpath,
    };
    const below = directoryOf(row.qpath).slice(directory === "" ? 0 : directory.length + 1);
    const size = isFile ? humanSize(row.size ?? 0) : counted(row.entries ?? 0, "entry").replace("entrys", "entries");
    const facts = isDeep && below !== "" ? `${size} · ${below}` : size;
    const shadows = row.shadows ?? 0;
    const badge = shadows > 0 &&
      make("span", { class: "badge", title: `replaces ${counted(shadows, "file")}` }, `+${shadows}`);
    const link = make(
      "a",
      {
        href: pathOf(target),
        class: "tile",
        role: "listitem",
        tabindex: index === this.#focused ? "0" : "-1",
        title: row.qpath,
      },
      face(row, view),
      badge,
      make("span", { class: "name" }, baseName(row.qpath)),
      make("span", { class: "facts" }, facts),
    );
    link.dataset.qpath = row.qpath;
    link.addEventListener("focus", () => {
      this.#focused = index;
    });
    return link;
  }

  /**
   * @param {number} index
   * @param {boolean} isCentred
   */
  #focusOn(index, isCentred = false) {
    const { clientHeight, scrollTop } = this.element;
    const y = Math.floor(index / this.#columns) * this.#tileHeight;
    if (isCentred && (y < scrollTop || y + this.#tileHeight > scrollTop + clientHeight)) {
      this.element.scrollTop = y - (clientHeight - this.#tileHeight) / 2;
    } else if (y < scrollTop) this.element.scrollTop = y;
    else if (y + this.#tileHeight > scrollTop + clientHeight) {
      this.element.scrollTop = y + this.#tileHeight - clientHeight;
    }
    this.#tiles.get(this.#focused)?.setAttribute("tabindex", "-1");
    this.#focused = index;
    this.#draw();
    const tile = this.#tiles.get(index);
    tile?.setAttribute("tabindex", "0");
    tile?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const lines = Math.max(1, Math.floor(this.element.clientHeight / this.#tileHeight));
    const steps = new Map([
      ["ArrowLeft", -1],
      ["ArrowRight", 1],
      ["ArrowUp", -this.#columns],
      ["ArrowDown", this.#columns],
      ["PageUp", -lines * this.#columns],
      ["PageDown", lines * this.#columns],
      ["Home", -this.#focused],
      ["End", this.listing.rows.length],
    ]);
    const step = steps.get(event.key);
    if (step === undefined || this.listing.rows.length === 0) return;
    event.preventDefault();
    this.#focusOn(Math.max(0, Math.min(this.listing.rows.length - 1, this.#focused + step)));
  }
}
