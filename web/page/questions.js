/**
 * Questions about a whole view, whose answers link to files.
 * @module
 */
import { go, pathOf } from "./address.js";
import { baseName, counted, humanSize, make } from "./elements.js";
import { longTable } from "./overview.js";
import { pages, sqlPages } from "./server.js";

/** @typedef {import("./address.js").Address} Address */

/** @param {readonly (Node | string | null)[]} cells */
function row(cells) {
  return make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
}

/**
 * A question: what it says, the heads of its columns, and its rows.
 * @typedef {object} Question
 * @property {string} title
 * @property {readonly string[]} heads
 * @property {(view: string, signal: AbortSignal) => AsyncGenerator<readonly Node[], void, void>} rows
 */

/** @type {Readonly<Record<string, Question>>} */
const questions = {
  missing: {
    title: "What is missing?",
    heads: ["file", "names", "for"],
    rows: async function* (view, signal) {
      for await (const page of pages("missing", { view }, signal)) {
        yield page.flatMap(({ qpath, name, missing, problem }) => {
          const link = () => make("a", { href: pathOf({ view, qpath }) }, name);
          return problem === null
            ? missing.map((lack) => row([link(), lack.name, lack.why]))
            : [row([link(), "cannot be read", problem])];
        });
      }
    },
  },
  conflicts: {
    title: "Which packs have the same files?",
    heads: ["file", "the game loads", "not", "content"],
    rows: async function* (view, signal) {
      for await (const page of pages("conflicts", { view }, signal)) {
        yield page.map(({ qpath, winner, losers, identical }) =>
          row([
            make("a", { href: pathOf({ view, qpath, compare: 2 }) }, qpath),
            baseName(winner.source),
            losers.map(({ source }) => baseName(source)).join(", "),
            identical === null ? "" : identical ? "same bytes" : "differs",
          ])
        );
      }
    },
  },
  unused: {
    title: "Which files does nothing use?",
    heads: ["file", "size", "pack"],
    rows: async function* (view, signal) {
      for await (const page of pages("unused", { view }, signal)) {
        yield page.map(({ qpath, size, source }) =>
          row([make("a", { href: pathOf({ view, qpath }) }, qpath), humanSize(size), baseName(source)])
        );
      }
      for await (const page of pages("undecided", { view }, signal)) {
        yield page.map(({ reason, name, files, size }) =>
          row([
            `not known: ${counted(files, "file")} (${[reason, name].filter((part) => part !== "").join(" ")})`,
            humanSize(size),
            "",
          ])
        );
      }
    },
  },
  duplicates: {
    title: "Which files have the same bytes?",
    heads: ["files", "size of each", "wasted"],
    rows: async function* (view, signal) {
      for await (const page of pages("duplicates", { view }, signal)) {
        yield page.map(({ files, size, wasted }) => {
          const list = files.slice(0, 20).flatMap((one) => [
            make("a", { href: pathOf({ view, qpath: one.member }) }, one.member),
            make("span", { class: "facts" }, ` ${baseName(one.source)}`),
            make("br"),
          ]);
          return row([make("div", {}, ...list), humanSize(size), humanSize(wasted)]);
        });
      }
    },
  },
};

/** Returns a statement to begin with. @param {string} view */
function exampleOf(view) {
  return `SELECT path, size FROM files WHERE view = '${view.replaceAll("'", "''")}' ORDER BY size DESC LIMIT 50`;
}

/** @param {Address} address @param {AbortSignal} signal */
function sqlView({ view, to }, signal) {
  const statement = to === "" ? exampleOf(view) : to;
  const text = make("textarea", { rows: 3, "aria-label": "statement of SQL", spellcheck: "false" }, statement);
  const ask = () => go(pathOf({ view, page: "questions", ask: "sql", to: text.value }));
  const button = make("button", { type: "button", onclick: ask }, "ask");
  const form = make("div", { class: "sql" }, text, button, make("span", { class: "facts" }, "Ctrl+Enter asks"));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask();
  });
  if (to === "") return form;
  const heads = make("tr");
  const rows = (async function* () {
    for await (const page of sqlPages(statement, signal)) {
      heads.replaceChildren(...page.columns.map((name) => make("th", {}, name)));
      const path = page.columns.findIndex((name) => /^q?path$/.test(name));
      const source = page.columns.indexOf("view");
      yield page.rows.map((values) =>
        row(values.map((value, index) => {
          const shown = value === null ? "" : String(value);
          const of = source < 0 ? view : String(values[source]);
          return index === path && shown !== ""
            ? make("a", { href: pathOf({ view: of, qpath: shown }) }, shown)
            : shown;
        }))
      );
    }
  })();
  return make("div", {}, form, longTable(heads, signal, rows, "row"));
}

/** Shows a question and its answer. @param {Address} address @param {AbortSignal} signal */
export function questionsPage(address, signal) {
  const { view, ask } = address;
  const link = (/** @type {string} */ name, /** @type {string} */ title) =>
    make(
      "a",
      { href: pathOf({ view, page: "questions", ask: name }), class: "button", "aria-current": ask === name && "page" },
      title,
    );
  const links = make(
    "nav",
    { class: "asked", "aria-label": "questions" },
    ...Object.entries(questions).map(([name, { title }]) => link(name, title)),
    link("sql", "Ask in SQL"),
  );
  const question = questions[ask];
  const answer = ask === "sql"
    ? sqlView(address, signal)
    : question && longTable(question.heads, signal, question.rows(view, signal), "row");
  return make("div", { class: "page" }, make("h1", {}, "Questions", make("small", {}, view)), links, answer);
}
