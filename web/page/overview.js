/**
 * Pages about whole views: the list of views, the map of files by source, and shadowed files.
 * @module
 */
import { pathOf } from "./address.js";
import { fault } from "./content.js";
import { baseName, counted, directoryOf, humanSize, make } from "./elements.js";
import { get, pages } from "./server.js";

/**
 * @typedef {import("./server.js").SourceShare} SourceShare
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 */

/** Maximum rows of a list on these pages. */
const maxRows = 5000;

/** Shows the views of all games. @param {AbortSignal} signal */
export async function viewsPage(signal) {
  /** @type {Map<string, import("../../protocol/rows.ts").ViewRow[]>} */
  const games = new Map();
  for await (const rows of pages("views", {}, signal)) {
    for (const row of rows) games.set(row.game, [...games.get(row.game) ?? [], row]);
  }
  const cards = Array.from(games, ([game, views]) =>
    make(
      "section",
      { class: "game" },
      make("h2", {}, game, make("small", {}, views[0]?.profile ?? "")),
      make(
        "ul",
        {},
        ...views.map(({ view, gameDirectories, packs, base }) =>
          make(
            "li",
            {},
            make("a", { href: pathOf({ view }), class: "view" }, view.slice(game.length + 1)),
            make(
              "span",
              { class: "facts" },
              base ? "base game" : gameDirectories.join(" › "),
              ` · ${counted(packs, "pack")}`,
            ),
            make("a", { href: pathOf({ view, page: "map" }), class: "button" }, "packs"),
          )
        ),
      ),
    ));
  const none = cards.length === 0 && make("p", { class: "note" }, "No games are mounted or indexed.");
  return make("div", { class: "page views" }, make("h1", {}, "Games"), ...cards, none);
}

/**
 * Divides a box into nearly square parts in proportion to values, the largest first.
 * @param {readonly number[]} values
 * @param {Box} box
 * @returns {Box[]}
 */
export function squares(values, box) {
  /** @type {Box[]} */
  const boxes = [];
  let { x, y, width, height } = box;
  let left = values.reduce((sum, value) => sum + value, 0);
  let first = 0;
  while (first < values.length) {
    const side = Math.max(1e-9, Math.min(width, height));
    const scale = width * height / Math.max(left, 1e-9);
    const worst = (/** @type {number} */ end, /** @type {number} */ sum) => {
      const breadth = sum * scale / side;
      const ratio = (/** @type {number} */ value) => {
        const length = Math.max(value * scale / Math.max(breadth, 1e-9), 1e-9);
        return Math.max(length / breadth, breadth / length);
      };
      return Math.max(ratio(values[first] ?? 0), ratio(values[end] ?? 0));
    };
    let end = first;
    let sum = values[first] ?? 0;
    while (end + 1 < values.length && worst(end + 1, sum + (values[end + 1] ?? 0)) <= worst(end, sum)) {
      sum += values[++end] ?? 0;
    }
    const breadth = sum * scale / side;
    let along = 0;
    for (let index = first; index <= end; index++) {
      const length = (values[index] ?? 0) * scale / Math.max(breadth, 1e-9);
      boxes.push(
        width >= height
          ? { x, y: y + along, width: breadth, height: length }
          : { x: x + along, y, width: length, height: breadth },
      );
      along += length;
    }
    if (width >= height) [x, width] = [x + breadth, width - breadth];
    else [y, height] = [y + breadth, height - breadth];
    left -= sum;
    first = end + 1;
  }
  return boxes;
}

/** @param {HTMLElement} element @param {Box} box */
function put(element, { x, y, width, height }) {
  element.style.left = `${x}%`;
  element.style.top = `${y}%`;
  element.style.width = `${width}%`;
  element.style.height = `${height}%`;
}

/** Colour of a source: the golden angle keeps neighbours apart. @param {number} index */
function hueOf(index) {
  return Math.round(index * 137.5) % 360;
}

/**
 * Draws the map of a view: an area per source, divided by directory, in proportion to the visible files.
 * @param {string} view
 * @param {readonly SourceShare[]} shares
 */
function treemap(view, shares) {
  const map = make("div", { class: "treemap", role: "group", "aria-label": "size of what each source provides" });
  const shown = shares.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size);
  const boxes = squares(shown.map(({ size }) => size), { x: 0, y: 0, width: 100, height: 62 });
  shown.forEach((share, index) => {
    const box = boxes[index];
    if (!box) return;
    const { directories, source, size, files, rank } = share;
    const area = make("div", { class: "area", title: `${source}\n${counted(files, "file")}, ${humanSize(size)}` });
    area.style.setProperty("--hue", String(hueOf(rank)));
    put(area, { x: box.x, y: box.y / 0.62, width: box.width, height: box.height / 0.62 });
    const inner = squares(directories.map((directory) => Math.max(directory.size, 1)), {
      x: 0,
      y: 0,
      width: Math.max(box.width, 0.01),
      height: Math.max(box.height, 0.01),
    });
    const parts = make("div", { class: "parts" });
    directories.forEach((directory, number) => {
      const part = inner[number];
      if (!part) return;
      const isFile = directory.name === "" || /\.\w+$/.test(directory.name);
      const tile = make(
        "a",
        {
          class: "part",
          href: pathOf({ view, qpath: isFile ? "" : directory.name }),
          title: `${directory.name || "files at the top"}\n${counted(directory.files, "file")}, ${
            humanSize(directory.size)
          }\n${source}`,
        },
        make("span", {}, directory.name || "files at the top"),
      );
      put(tile, {
        x: part.x / box.width * 100,
        y: part.y / box.height * 100,
        width: part.width / box.width * 100,
        height: part.height / box.height * 100,
      });
      parts.append(tile);
    });
    area.append(make("span", { class: "label" }, baseName(source)), parts);
    map.append(area);
  });
  return map;
}

/** @param {string} view @param {AbortSignal} signal */
export async function mapPage(view, signal) {
  /** @type {SourceShare[]} */
  const shares = await (await get(`/.pakfs/shares?${new URLSearchParams({ view })}`, signal)).json();
  const rows = shares.map(({ rank, source, kind, gameDirectory, files, size, shadowed }) => {
    const swatch = make("span", { class: "swatch" });
    swatch.style.setProperty("--hue", String(hueOf(rank)));
    const bar = make("span", { class: "bar-lost" });
    bar.style.setProperty("--lost", `${Math.round(100 * shadowed / Math.max(1, shadowed + files))}%`);
    return make(
      "tr",
      {},
      make("td", {}, swatch, String(rank)),
      make(
        "td",
        { title: source },
        make("b", {}, baseName(source) + (kind === "loose" ? "/" : "")),
        make("div", { class: "facts" }, directoryOf(source)),
      ),
      make("td", {}, gameDirectory),
      make("td", { class: "number" }, files.toLocaleString("en")),
      make("td", { class: "number" }, humanSize(size)),
      make(
        "td",
        { class: "number" },
        shadowed > 0 ? make("a", { href: pathOf({ view, page: "shadowed" }) }, shadowed.toLocaleString("en")) : "0",
        bar,
      ),
    );
  });
  const heads = ["rank", "pack, searched first on top", "game directory", "files", "size", "replaced"];
  return make(
    "div",
    { class: "page" },
    make("h1", {}, view, make("small", {}, "packs, and what each provides")),
    treemap(view, shares),
    make(
      "div",
      { class: "scroll" },
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", {}, head)))),
        make("tbody", {}, ...rows),
      ),
    ),
  );
}

/**
 * Makes a table whose rows arrive page by page.
 * @param {readonly string[] | HTMLTableRowElement} heads
 * @param {AbortSignal} signal
 * @param {AsyncIterable<readonly Node[]>} rows
 * @param {string} noun
 */
export function longTable(heads, signal, rows, noun = "file") {
  const body = make("tbody");
  const note = make("p", { class: "note", role: "status" }, "Loading…");
  const load = async () => {
    for await (const page of rows) {
      body.append(...page);
      if (body.childElementCount >= maxRows) break;
    }
    const count = body.childElementCount;
    note.textContent = count === 0
      ? "Nothing."
      : count >= maxRows
      ? `The first ${count.toLocaleString("en")}.`
      : counted(count, noun);
  };
  load().catch((error) => signal.aborted || note.replaceWith(fault(error)));
  const line = heads instanceof Element ? heads : make("tr", {}, ...heads.map((text) => make("th", {}, text)));
  return make("div", { class: "scroll", tabindex: "0" }, make("table", {}, make("thead", {}, line), body), note);
}

/** @param {string} view @param {AbortSignal} signal */
export function shadowedPage(view, signal) {
  const rows = (async function* () {
    for await (const page of pages("shadowed", { view, limit: 500 }, signal)) {
      yield page.map(({ qpath, source, winner, because, decidedBy, identical }) =>
        make(
          "tr",
          {},
          make("td", {}, make("a", { href: pathOf({ view, qpath, compare: 2 }) }, qpath)),
          make("td", { title: source }, baseName(source)),
          make("td", { title: winner.source }, baseName(winner.source)),
          make("td", {}, because ?? "", decidedBy && make("code", { class: "rule" }, decidedBy)),
          make("td", {}, identical === null ? "" : identical ? "same bytes" : make("b", {}, "differs")),
        )
      );
    }
  })();
  const heads = ["file", "in", "loses to", "because", "content"];
  return make(
    "div",
    { class: "page" },
    make("h1", {}, view, make("small", {}, "files that the game never loads, because others replace them")),
    longTable(heads, signal, rows),
  );
}
