/**
 * Panel next to a file: the reason why it wins, the files that it needs, and the files that need it.
 * @module
 */
import { go, listed, pathOf } from "./address.js";
import { fault } from "./content.js";
import { baseName, counted, directoryOf, fill, humanSize, make } from "./elements.js";
import { call, fileUrl, pages, ServerError, showingOf } from "./server.js";

/**
 * @typedef {import("./address.js").Address} Address
 * @typedef {import("../../protocol/rows.ts").CandidateRow} CandidateRow
 * @typedef {import("../../protocol/rows.ts").WhichResult} WhichResult
 */

/** Maximum rows of each list of references. */
const maxReferences = 400;

/** Returns the last components of a path, which distinguish sources. @param {string} path */
function shortPath(path) {
  const parts = path.split("/");
  return parts.length > 4 ? `…/${parts.slice(-3).join("/")}` : path;
}

/** @param {CandidateRow} candidate */
function sentence({ rank, usable, reason, because, decidedBy }) {
  if (!usable) return [make("span", { class: "bad" }, "not usable: "), reason ?? "no reason given"];
  if (rank === 1) return ["the game loads this one"];
  return [because ?? "ranks below the one above", decidedBy && make("code", { class: "rule" }, decidedBy)];
}

/**
 * Shows the candidates of a file, the winner first.
 * @param {Address} address
 * @param {WhichResult} which
 */
export function candidatesView(address, { candidates, profile }) {
  const { qpath, candidate, compare } = address;
  const here = { ...listed(address), qpath };
  const items = candidates.map((row) => {
    const isShown = row.rank === candidate;
    const isBeside = row.rank === compare;
    const source = row.kind === "loose" ? `${row.source}/${row.member}` : row.source;
    const open = isShown
      ? make("span", { class: "now" }, "shown")
      : make("a", { href: pathOf({ ...here, candidate: row.rank }), class: "button" }, "open");
    const beside = isBeside
      ? make("a", { href: pathOf({ ...here, candidate }), class: "button" }, "close")
      : !isShown && make("a", { href: pathOf({ ...here, candidate, compare: row.rank }), class: "button" }, "compare");
    return make(
      "li",
      { class: `candidate${isShown || isBeside ? " shown" : ""}${row.usable ? "" : " unusable"}` },
      make("span", { class: `rank${row.rank === 1 && row.usable ? " winner" : ""}` }, String(row.rank)),
      make(
        "div",
        { class: "about" },
        make(
          "div",
          { class: "source", title: source },
          make("b", {}, row.kind === "loose" ? baseName(row.source) + "/" : baseName(row.source)),
          row.kind === "loose" && " loose file",
        ),
        make(
          "div",
          { class: "facts" },
          `${row.gameDirectory} · ${humanSize(row.size)} · ${shortPath(directoryOf(row.source))}`,
        ),
        row.kind === "pack" && row.member !== qpath && make("div", { class: "facts" }, `as ${row.member}`),
        make("div", { class: "because" }, ...sentence(row)),
        make("div", { class: "actions" }, open, beside),
      ),
    );
  });
  return make(
    "section",
    { class: "why" },
    make(
      "h2",
      {},
      "Why this file",
      make("small", {}, `rules of ${profile}, ${counted(candidates.length, "candidate")}`),
    ),
    make("ol", {}, ...items),
  );
}

/**
 * Shows the facts of a file from `stat`, or of a losing file from `which`.
 * @param {Address} address
 * @param {Extract<import("../../protocol/rows.ts").StatRow, { type: "file" }>} row
 * @param {CandidateRow} [loser]
 */
export function factsView(address, row, loser) {
  const { view, qpath, candidate } = address;
  const fact = (/** @type {string} */ name, /** @type {string | null} */ value, title = value) =>
    value === null ? [] : [make("dt", {}, name), make("dd", { title: title ?? "" }, value)];
  const { source, member } = loser ?? row;
  const exact = (/** @type {number} */ size) => `${humanSize(size)} (${size.toLocaleString("en")} bytes)`;
  const packed = row.method === "store" ? "" : `, ${humanSize(row.packedSize)} as ${row.method}`;
  const save = make("a", {
    href: `${fileUrl({ view, qpath, candidate }, "raw")}&save`,
    download: baseName(qpath),
    class: "button",
  }, "save");
  const copy = make("button", {
    type: "button",
    onclick: () => {
      navigator.clipboard?.writeText(qpath).then(() => {
        copy.textContent = "copied";
      }, () => {});
    },
  }, "copy path");
  const actions = make("div", { class: "actions" }, save, copy);
  showingOf({ view, qpath, candidate }, new AbortController().signal).then(({ targets }) => {
    const links = targets.filter((to) => to !== "txt").map((to) =>
      make(
        "a",
        { href: `${fileUrl({ view, qpath, candidate }, `as/${to}`)}&save`, download: "", class: "button" },
        `save as ${to.toUpperCase()}`,
      )
    );
    save.after(...links);
  }, () => {});
  return make(
    "section",
    { class: "facts-list" },
    make("h1", { class: "path" }, qpath),
    !loser && row.damaged && make("p", { class: "fault" }, row.damaged),
    make(
      "dl",
      {},
      ...fact("size", loser ? exact(loser.size) : `${exact(row.size)}${packed}`),
      ...fact("from", shortPath(source), source),
      ...fact("member", member === qpath ? null : member),
      ...loser ? [] : [
        ...fact("format", row.format),
        ...fact("changed", new Date(row.mtime).toLocaleString()),
        ...fact("crc32", row.crc32),
      ],
    ),
    actions,
  );
}

/**
 * Shows definitions of a shader, if there are any.
 * @param {Address} address
 * @param {AbortSignal} signal
 */
export async function shaderView({ view, qpath }, signal) {
  const name = qpath.replace(/\.[^./]+$/, "");
  const section = make("section", { class: "shader", hidden: true });
  try {
    const { definitions, warnings, because } = await call("shader", { view, name }, signal);
    if (definitions.length === 0) return section;
    const items = definitions.map((row) =>
      make(
        "li",
        { class: row.usable ? "" : "unusable" },
        make("a", { href: `${pathOf({ view, qpath: row.qpath })}#L${row.line}` }, `${row.qpath}, line ${row.line}`),
        make("div", { class: "because" }, row.usable ? row.because ?? "the engine uses this one" : row.reason ?? ""),
      )
    );
    fill(
      section,
      make("h2", {}, "Shader", make("small", {}, name)),
      because && make("p", { class: "because" }, because),
      make("ol", {}, ...items),
      ...warnings.map((warning) => make("p", { class: "fault" }, warning)),
    );
    section.hidden = false;
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
  }
  return section;
}

/**
 * Shows references, which are requested only when the section is opened, since the server reads files for them.
 * @param {string} title
 * @param {AbortSignal} signal
 * @param {(add: (row: Node) => boolean) => Promise<void>} list
 */
function referencesView(title, signal, list) {
  const items = make("ul", { class: "references" });
  const note = make("p", { class: "note", role: "status" });
  const details = make("details", {}, make("summary", {}, title), items, note);
  let isAsked = false;
  details.addEventListener("toggle", () => {
    if (!details.open || isAsked) return;
    isAsked = true;
    note.textContent = "Reading files…";
    const add = (/** @type {Node} */ row) => {
      items.append(row);
      return items.childElementCount < maxReferences;
    };
    list(add).then(
      () => {
        const isCut = items.childElementCount >= maxReferences;
        note.textContent = isCut ? `The first ${maxReferences}.` : items.childElementCount === 0 ? "Nothing." : "";
      },
      (error) => signal.aborted || note.replaceWith(fault(error)),
    );
  });
  return details;
}

/**
 * Shows the files that a file needs, and the files that need it.
 * @param {Address} address
 * @param {AbortSignal} signal
 */
export function needsView({ view, qpath }, signal) {
  const link = (/** @type {string} */ to, /** @type {string} */ text) =>
    make("a", { href: pathOf({ view, qpath: to }), title: to }, text);
  const needs = referencesView("What it needs", signal, async (add) => {
    for await (const rows of pages("needs", { view, files: [qpath] }, signal)) {
      for (const row of rows) {
        if (row.depth === 0) continue;
        const isMissing = row.qpath === null;
        const name = row.qpath === null
          ? make("span", { class: row.optional ? "dim" : "bad", title: row.tried.join("\n") }, `${row.name} (missing)`)
          : link(row.qpath, row.name);
        const from = row.source === null ? "" : ` · ${baseName(row.source)}`;
        const item = make(
          "li",
          { class: isMissing ? "missing" : "" },
          name,
          make("span", { class: "facts" }, ` ${row.kind}, ${row.why}${from}`),
        );
        if (!add(item)) return;
      }
    }
  });
  const users = referencesView("What uses it", signal, async (add) => {
    for await (const rows of pages("users", { view, name: qpath }, signal)) {
      for (const row of rows) {
        const through = row.through === null ? "" : ` through ${row.through}`;
        const item = make(
          "li",
          {},
          link(row.qpath, row.name),
          make("span", { class: "facts" }, ` ${row.kind}, ${row.why}${through}`),
        );
        if (!add(item)) return;
      }
    }
  });
  return make("section", { class: "needs" }, needs, users);
}

/** Shows the next candidate next to the shown one. @param {Address} address @param {number} count */
export function compareNext(address, count) {
  if (count < 2) return;
  const next = address.compare === 0 ? 1 : address.compare + 1;
  const compare = next === address.candidate ? next + 1 : next;
  go(pathOf({ ...address, compare: compare > count ? 0 : compare }), { replace: true });
}
