/**
 * A grid or list of files that holds only the tiles on the screen, whatever the number of files.
 * @module
 */
import { listed, pathOf } from "./address.js";
import { baseName, counted, directoryOf, humanSize, make } from "./elements.js";
import { fileUrl, hasThumbnail, showingOf, targetsOf } from "./server.js";

/**
 * @typedef {import("./listing.js").Row} Row
 * @typedef {import("./server.js").Kind} Kind
 */

/** Rows of tiles that are kept above and below the visible area. */
const spareLines = 3;
/** Maximum bytes of a picture that the browser scales itself: a thumbnail has half as many. */
const maxPlain = 128 * 1024;
/** Height of a line of the list, and what a tile has below its picture. */
const heights = { line: 36, text: 42 };

/**
 * Creates the preview of a tile: a picture, a waveform or a model, or else letters.
 * @param {Row} row
 * @param {string} view
 * @param {Kind | undefined} kind
 * @param {Row} shown File whose picture is shown.
 */
function face(row, view, kind, shown) {
  const isFolder = row.type === "directory";
  const isOther = shown !== row;
  if (isFolder && !isOther) return make("span", { class: "face folder" });
  const extension = /[^/]\.([^./]+)$/.exec(row.qpath)?.[1] ?? kind ?? "";
  const letters = () => make("span", { class: `face letters kind-${kind}` }, extension.slice(0, 7));
  if (!isOther && (kind === undefined || !hasThumbnail(row.qpath, kind))) return letters();
  const box = make("span", { class: isFolder ? "face folder" : "face" });
  const image = make("img", { alt: "", decoding: "async", draggable: "false" });
  image.addEventListener("load", () => {
    // Small pictures of old games are shown pixelated.
    box.classList.toggle(
      "small",
      !isFolder && kind === "picture" && image.naturalWidth <= 64 && image.naturalHeight <= 64,
    );
    box.classList.add("loaded");
  });
  image.addEventListener("error", () => isFolder ? image.remove() : box.replaceWith(letters()));
  const isPlain = /\.(?:png|jpe?g)$/i.test(shown.qpath) && (shown.size ?? maxPlain + 1) <= maxPlain;
  const how = isPlain ? "raw" : targetsOf(shown.qpath).includes("svg") ? "as/svg" : "as/thumbnail";
  image.src = fileUrl({ view, qpath: shown.qpath }, how);
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
  /** @type {import("./layout.js").Layout} */
  #layout;
  /** Paths of the files that are chosen. @type {Set<string>} */
  chosen = new Set();
  /** @type {Set<() => void>} */
  #readers = new Set();
  #player = make("audio");

  /**
   * @param {import("./listing.js").Listing} listing
   * @param {import("./layout.js").Layout} layout
   */
  constructor(listing, layout) {
    this.listing = listing;
    this.#layout = layout;
    this.space = make("ul", { class: "space", "aria-label": "files" });
    this.note = make("p", { class: "note", role: "status" });
    this.element = make(
      "div",
      { class: "grid", tabindex: "-1", onscroll: () => this.#schedule() },
      this.space,
      this.note,
    );
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.resizing = new ResizeObserver(() => this.#measure());
    this.resizing.observe(this.element);
    listing.onRows(() => this.#onRows());
    this.#onRows();
  }

  /** Calls a function when rows have arrived or others are chosen. @param {() => void} reader */
  onChange(reader) {
    this.#readers.add(reader);
  }

  /** Stops watching. */
  end() {
    this.listing.end();
    this.resizing.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#player.pause();
  }

  /**
   * Replaces the listing of the same directory after a change, and keeps the position. @param
   * {import("./listing.js").Listing} listing
   */
  exchange(listing) {
    const before = this.listing;
    const known = new Map(before.rows.map((row) => [row.qpath, row]));
    // The tiles are kept until all rows have arrived, so that nothing jumps.
    listing.done.then(() => {
      before.end();
      if (listing.error && listing.rows.length === 0) listing.rows = before.rows;
      this.listing = listing;
      listing.onRows(() => this.#onRows());
      this.#drawAgain();
      for (const tile of this.#tiles.values()) {
        const row = listing.rows.find(({ qpath }) => qpath === tile.dataset.qpath);
        const old = row && known.get(row.qpath);
        if (!old || old.size !== row.size || old.shadows !== row.shadows) tile.classList.add("changed");
      }
    });
  }

  /** Marks tiles whose files have changed. @param {readonly string[]} qpaths */
  mark(qpaths) {
    const changed = new Set(qpaths);
    for (const tile of this.#tiles.values()) {
      if (changed.has(tile.dataset.qpath ?? "")) tile.classList.add("changed");
    }
  }

  /** Draws in another layout. @param {import("./layout.js").Layout} layout */
  arrange(layout) {
    this.#layout = layout;
    const row = this.listing.rows[this.#focused];
    this.#drawAgain();
    if (row) this.#scrollTo(this.#focused, true);
  }

  /** Gives the keyboard to the tile of a file, or the one that had it. @param {string} [qpath] */
  focus(qpath) {
    const index = qpath === undefined ? this.#focused : this.listing.indexOf(qpath);
    if (index >= 0) this.#focusOn(index, true);
  }

  #drawAgain() {
    for (const tile of this.#tiles.values()) tile.remove();
    this.#tiles.clear();
    this.#onRows();
  }

  #onRows() {
    const { listing } = this;
    const { rows, isComplete, error, address } = listing;
    const isWhole = address.find === "" && address.kind === "";
    const none = isWhole ? "This directory is empty." : "No file matches.";
    this.note.textContent = error ? error.message : !isComplete ? "Loading…" : rows.length === 0 ? none : "";
    this.note.hidden = this.note.textContent === "";
    this.#measure();
    for (const reader of this.#readers) reader();
  }

  #measure() {
    const width = this.space.clientWidth;
    if (width === 0) return;
    const { isList, size } = this.#layout;
    this.#columns = isList ? 1 : Math.max(2, Math.floor(width / size));
    this.#tileWidth = width / this.#columns;
    this.#tileHeight = isList ? heights.line : Math.round(this.#tileWidth + heights.text);
    this.space.classList.toggle("list", isList);
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
      // The request of an image that is no longer visible is cancelled.
      tile.querySelector("img")?.removeAttribute("src");
      tile.remove();
      this.#tiles.delete(index);
    }
    /** @type {Row[]} */
    const seen = [];
    for (let index = first; index < end; index++) {
      const row = this.listing.rows[index];
      if (!row) continue;
      seen.push(row);
      let tile = this.#tiles.get(index);
      const kind = this.listing.kindOf(row);
      const shown = `${kind} ${this.listing.faceOf(row).qpath}`;
      if (tile && (tile.dataset.qpath !== row.qpath || tile.dataset.shown !== shown)) {
        const hadFocus = tile.contains(document.activeElement);
        tile.remove();
        tile = undefined;
        if (hadFocus) requestAnimationFrame(() => this.#linkAt(index)?.focus({ preventScroll: true }));
      }
      if (!tile) {
        tile = this.#tile(row, index, kind);
        this.#tiles.set(index, tile);
        this.space.append(tile);
      }
      const x = (index % this.#columns) * this.#tileWidth;
      const y = Math.floor(index / this.#columns) * this.#tileHeight;
      tile.style.transform = `translate(${x}px, ${y}px)`;
      tile.style.width = `${this.#tileWidth}px`;
      tile.style.height = `${this.#tileHeight}px`;
    }
    void this.listing.askKinds(seen);
    void this.listing.askCovers(seen);
  }

  /**
   * @param {Row} row
   * @param {number} index
   * @param {Kind | undefined} kind
   */
  #tile(row, index, kind) {
    const { address, isDeep, directory } = this.listing;
    const { view } = address;
    const isFile = row.type === "file";
    const target = isFile ? { ...listed(address), qpath: row.qpath } : { view, qpath: row.qpath };
    const below = directoryOf(row.qpath).slice(directory === "" ? 0 : directory.length + 1);
    // An empty lump opens a map of Doom.
    const isMap = kind === "model" && row.size === 0;
    const size = isMap
      ? "map"
      : isFile
      ? humanSize(row.size ?? 0)
      : counted(row.entries ?? 0, "entry").replace("entrys", "entries");
    const where = isDeep ? below : "";
    const shadows = row.shadows ?? 0;
    const badge = shadows > 0 &&
      make("span", { class: "badge", title: `replaces ${counted(shadows, "file")}` }, `+${shadows}`);
    const facts = this.#layout.isList
      ? [
        make("span", { class: "facts", title: where }, where),
        make("span", { class: "facts" }, row.type === "directory" ? "folder" : kind ?? ""),
        make("span", { class: "facts number" }, size),
        make("span", { class: "facts" }, row.mtime ? new Date(row.mtime).toISOString().slice(0, 10) : ""),
        make("span", { class: "facts", title: row.source ?? "" }, row.source ? baseName(row.source) : ""),
      ]
      : [make("span", { class: "facts", title: where }, where === "" ? size : `${size} · ${where}`)];
    const link = make(
      "a",
      {
        href: pathOf(target),
        class: "tile",
        tabindex: index === this.#focused ? "0" : "-1",
        title: row.qpath,
      },
      face(row, view, kind, this.listing.faceOf(row)),
      badge,
      make("span", { class: "name" }, baseName(row.qpath)),
      ...facts,
    );
    link.addEventListener("focus", () => {
      this.#focused = index;
    });
    link.addEventListener("click", (event) => {
      if (!isFile || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#choose(index);
    });
    const item = make("li", { class: this.chosen.has(row.qpath) ? "chosen" : "" }, link);
    item.dataset.qpath = row.qpath;
    item.dataset.shown = `${kind} ${this.listing.faceOf(row).qpath}`;
    return item;
  }

  /** Chooses a file, or leaves it out again. @param {number} index */
  #choose(index) {
    const row = this.listing.rows[index];
    if (row?.type !== "file") return;
    if (!this.chosen.delete(row.qpath)) this.chosen.add(row.qpath);
    this.#tiles.get(index)?.classList.toggle("chosen", this.chosen.has(row.qpath));
    for (const reader of this.#readers) reader();
  }

  /** @param {number} index */
  #linkAt(index) {
    return this.#tiles.get(index)?.querySelector("a");
  }

  /**
   * @param {number} index
   * @param {boolean} isCentred
   */
  #scrollTo(index, isCentred) {
    const { clientHeight, scrollTop } = this.element;
    const y = Math.floor(index / this.#columns) * this.#tileHeight;
    if (isCentred && (y < scrollTop || y + this.#tileHeight > scrollTop + clientHeight)) {
      this.element.scrollTop = y - (clientHeight - this.#tileHeight) / 2;
    } else if (y < scrollTop) this.element.scrollTop = y;
    else if (y + this.#tileHeight > scrollTop + clientHeight) {
      this.element.scrollTop = y + this.#tileHeight - clientHeight;
    }
  }

  /**
   * @param {number} index
   * @param {boolean} isCentred
   */
  #focusOn(index, isCentred = false) {
    this.#scrollTo(index, isCentred);
    this.#linkAt(this.#focused)?.setAttribute("tabindex", "-1");
    this.#focused = index;
    this.#draw();
    const link = this.#linkAt(index);
    link?.setAttribute("tabindex", "0");
    link?.focus({ preventScroll: true });
  }

  /** Plays the sound that has the keyboard, or stops it. */
  async #play() {
    const row = this.listing.rows[this.#focused];
    if (!row || this.listing.kindOf(row) !== "sound") return;
    const address = { view: this.listing.address.view, qpath: row.qpath };
    const isSame = this.#player.dataset.qpath === row.qpath;
    if (isSame && !this.#player.paused) return this.#player.pause();
    if (!isSame) {
      const { to } = await showingOf(address, new AbortController().signal);
      this.#player.src = fileUrl(address, to === null ? "raw" : `as/${to}`);
      this.#player.dataset.qpath = row.qpath;
    }
    await this.#player.play();
  }

  /** Moves by a key; returns whether it was one of the grid's. @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
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
    const last = this.listing.rows.length - 1;
    const isIn = this.element.contains(document.activeElement);
    if (event.key === " " && isIn) this.#play().catch(() => {});
    else if (event.key === "x" && isIn) {
      this.#choose(this.#focused);
      this.#focusOn(Math.min(last, this.#focused + 1));
    } else {
      const step = steps.get(event.key);
      if (step === undefined || last < 0) return false;
      // The first arrow gives the keyboard to the file that had it, and moves nothing.
      const isFirst = !isIn && event.key.startsWith("Arrow");
      this.#focusOn(isFirst ? this.#focused : Math.max(0, Math.min(last, this.#focused + step)), !isIn);
    }
    event.preventDefault();
    return true;
  }
}
