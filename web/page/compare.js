/**
 * Compares a view with another, or a pack of the view with another.
 * @module
 */
import { go, pathOf } from "./address.js";
import { fault } from "./content.js";
import { baseName, counted, humanSize, make } from "./elements.js";
import { longTable } from "./overview.js";
import { call, pages, sqlPages } from "./server.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {"added" | "removed" | "replaced"} Change */

/** @type {Readonly<Record<Change, string>>} */
const signs = { added: "+", removed: "−", replaced: "~" };

/**
 * Makes a list to choose from.
 * @param {string} label
 * @param {(value: string) => string} pathTo Returns the path of the page for a choice.
 * @param {readonly Element[]} options
 */
function choice(label, pathTo, options) {
  const select = make("select", { "aria-label": label }, ...options);
  select.addEventListener("change", () => go(pathTo(select.value)));
  return select;
}

/** @param {string} value @param {string} chosen @param {string} [text] */
function option(value, chosen, text = value) {
  return make("option", { value, title: value, selected: value === chosen }, text);
}

/** Returns the packs and directories of a view, as choices. @param {string} view @param {string} chosen @param {AbortSignal} signal */
async function packOptions(view, chosen, signal) {
  const options = [];
  for await (const rows of pages("path", { view }, signal)) {
    for (const { source, kind } of rows) {
      options.push(option(source, chosen, baseName(source) + (kind === "loose" ? "/" : "")));
    }
  }
  return options;
}

/**
 * Makes a row of the table.
 * @param {Change} change
 * @param {Node} file
 * @param {string | Node} before
 * @param {string | Node} after
 * @param {string} content
 */
function row(change, file, before, after, content) {
  const cells = [file, before, after, content].map((cell) => make("td", {}, cell));
  return make("tr", { class: change }, make("td", { title: change }, signs[change]), ...cells);
}

/** @param {number} added @param {number} removed @param {number} replaced @param {number} unchanged */
function totals(added, removed, replaced, unchanged) {
  return `${counted(added, "file")} added, ${removed.toLocaleString("en")} removed, ` +
    `${replaced.toLocaleString("en")} replaced, ${unchanged.toLocaleString("en")} the same`;
}

/** @param {boolean | null} identical @param {boolean} isBoth */
function contentOf(identical, isBoth) {
  return !isBoth || identical === null ? "" : identical ? "same bytes" : "differs";
}

/** Compares two views. @param {string} view @param {string} to @param {AbortSignal} signal */
function betweenViews(view, to, signal) {
  const named = (/** @type {{ source: string } | null} */ file) =>
    make("span", { title: file?.source ?? "" }, file ? baseName(file.source) : "");
  const rows = (async function* () {
    for await (const page of pages("diff", { from: view, to, limit: 500 }, signal)) {
      yield page.map(({ qpath, change, before, after, identical }) => {
        const file = make("a", { href: pathOf({ view: after ? to : view, qpath }) }, qpath);
        return row(change, file, named(before), named(after), contentOf(identical, before !== null && after !== null));
      });
    }
  })();
  const summary = call("diffstat", { from: view, to }, signal)
    .then(({ added, removed, replaced, unchanged }) => totals(added, removed, replaced, unchanged));
  return { rows, summary };
}

/** Compares two packs. @param {string} view @param {string} from @param {string} to @param {AbortSignal} signal */
function betweenPacks(view, from, to, signal) {
  const of = (/** @type {string} */ source) =>
    `(SELECT path, size, crc32 FROM members WHERE source = '${source.replaceAll("'", "''")}')`;
  const both = `${of(from)} a FULL JOIN ${of(to)} b USING (path)`;
  // Directories have no CRC-32: then only sizes are known.
  const isSame = "CASE WHEN a.size = b.size THEN a.crc32 = b.crc32 ELSE 0 END";
  const rows = (async function* () {
    const statement = `SELECT path, a.size, b.size, ${isSame} FROM ${both} WHERE ${isSame} IS NOT 1 ORDER BY path`;
    for await (const page of sqlPages(statement, signal)) {
      yield page.rows.map(([path, before, after, identical]) => {
        const [first, second] = [before, after].map((size) => size === null ? "" : humanSize(Number(size)));
        const change = before === null ? "added" : after === null ? "removed" : "replaced";
        const file = make("a", { href: pathOf({ view, qpath: String(path) }) }, String(path));
        const isBoth = before !== null && after !== null;
        const content = isBoth && identical === null ? "same size" : contentOf(identical === 1, isBoth);
        return row(change, file, first ?? "", second ?? "", content);
      });
    }
  })();
  const counts =
    `SELECT sum(a.size IS NULL), sum(b.size IS NULL), sum(a.size + b.size IS NOT NULL AND ${isSame} IS NOT 1), ` +
    `sum(${isSame} IS 1) FROM ${both}`;
  const summary = sqlPages(counts, signal).next().then(({ value }) => {
    const [added = 0, removed = 0, replaced = 0, unchanged = 0] = (value ? value.rows[0] ?? [] : []).map(Number);
    return totals(added, removed, replaced, unchanged);
  });
  return { rows, summary };
}

/**
 * @param {Address} address
 * @param {readonly string[]} views
 * @param {AbortSignal} signal
 */
export function diffPage({ view, to, pack }, views, signal) {
  const isPacks = pack !== "";
  const first = choice("what is compared", (value) => pathOf({ view, page: "diff", pack: value }), [
    option("", pack, view),
  ]);
  const second = choice("with what", (value) => pathOf({ view, page: "diff", pack, to: value }), [
    option("", to, "compare with…"),
    ...isPacks ? [] : views.filter((name) => name !== view).map((name) => option(name, to)),
  ]);
  const fill = async () => {
    first.append(...await packOptions(view, pack, signal));
    if (isPacks) second.append(...(await packOptions(view, to, signal)).filter(({ value }) => value !== pack));
  };
  fill().catch(() => {});
  const title = make("h1", {}, first, " → ", second);
  if (to === "") {
    const hint = "Choose another game directory, or on the left a pack to compare with another pack or directory.";
    return make("div", { class: "page" }, title, make("p", { class: "note" }, hint));
  }
  const { rows, summary } = isPacks ? betweenPacks(view, pack, to, signal) : betweenViews(view, to, signal);
  const line = make("p", { class: "summary", role: "status" }, "Comparing…");
  summary.then((text) => {
    line.textContent = text;
  }, (error) => signal.aborted || line.replaceWith(fault(error)));
  const heads = isPacks ? [pack, to].map(baseName) : [view, to];
  return make("div", { class: "page" }, title, line, longTable(["change", "file", ...heads, "content"], signal, rows));
}
