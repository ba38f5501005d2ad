/**
 * The page: shows the content of its address, and follows changes.
 * @module
 */
import { go, listed, onMove, parse, pathOf } from "./address.js";
import { fault } from "./content.js";
import { baseName, counted, directoryOf, fill, make } from "./elements.js";
import { diffPage } from "./compare.js";
import { FilePage } from "./file.js";
import { FolderPage } from "./folder.js";
import { Listing, listingKey } from "./listing.js";
import { mapPage, shadowedPage, viewsPage } from "./overview.js";
import { questionsPage } from "./questions.js";
import { call, pages, refreshState, ServerError, state } from "./server.js";
import { Tree } from "./tree.js";

/** @typedef {import("./address.js").Address} Address */

const content = make("main");
const side = make("div", { class: "trees" });
const crumbs = make("nav", { class: "crumbs", "aria-label": "path" });
const viewChoice = make("select", { "aria-label": "view" });
const search = make("input", {
  type: "search",
  placeholder: "find: *.tga, brick, maps/**",
  "aria-label": "find files by name or pattern",
  spellcheck: "false",
  autocomplete: "off",
});
const tools = make("nav", { class: "tools", "aria-label": "about this game directory" });
const messages = make("div", { class: "messages", role: "status", "aria-live": "polite" });
const file = new FilePage();

/** @type {FolderPage | undefined} */
let folder;
/** @type {Tree | undefined} */
let tree;
/** @type {Address} */
let address = parse(location);
/** Whether the address is a file. */
let isFile = false;
/** @type {string[]} */
let views = [];
let visit = new AbortController();

/** Shows a message for some seconds. @param {...(string | Node)} parts */
function announce(...parts) {
  const message = make("div", { class: "message" }, ...parts);
  messages.append(message);
  setTimeout(() => message.remove(), 8000);
}

async function loadViews() {
  /** @type {string[]} */
  const names = [];
  for await (const rows of pages("views", {}, new AbortController().signal)) {
    names.push(...rows.map(({ view }) => view));
  }
  views = names;
}

function drawHeader() {
  const { view, qpath, find, page } = address;
  const names = view === "" || views.includes(view) ? views : [view, ...views];
  fill(
    viewChoice,
    make("option", { value: "" }, "all games"),
    ...names.map((name) => make("option", { value: name, selected: name === view }, name)),
  );
  const parts = qpath === "" ? [] : qpath.split("/");
  const links = parts.map((part, index) => {
    const path = parts.slice(0, index + 1).join("/");
    const isHere = index === parts.length - 1;
    return make("a", { href: pathOf({ view, qpath: path }), "aria-current": isHere && "page" }, part);
  });
  fill(crumbs, view !== "" && make("a", { href: pathOf({ view }) }, view), ...links);
  if (document.activeElement !== search) search.value = find;
  search.disabled = view === "";
  const tool = (/** @type {Address["page"]} */ name, /** @type {string} */ title) =>
    make("a", { href: pathOf({ view, page: name }), "aria-current": page === name && "page" }, title);
  const pagesOfView = [
    tool("map", "packs"),
    tool("shadowed", "replaced files"),
    tool("diff", "compare"),
    tool("questions", "questions"),
  ];
  fill(tools, ...view === "" ? [] : pagesOfView);
  if (tree?.view !== view) {
    tree?.end();
    tree = view === "" ? undefined : new Tree(view);
    side.replaceChildren(...tree ? [tree.element] : []);
  }
  tree?.show({ qpath: isFile ? directoryOf(qpath) : qpath, pack: address.pack }).catch(() => {});
  document.title = [baseName(qpath), view, "pakfs"].filter((part) => part !== "").join(" · ");
}

/** Replaces what is shown. @param {Node} element */
function showPage(element) {
  file.end();
  file.element.remove();
  folder?.end();
  folder = undefined;
  content.replaceChildren(element);
}

/** Shows a directory or a search. @param {string} directory */
function showFolder(directory) {
  if (folder?.grid.listing.key === listingKey(address, directory)) return;
  folder?.end();
  folder = new FolderPage(address, directory, announce);
  content.replaceChildren(folder.element);
}

/** Shows a page about the whole view. @param {AbortSignal} signal */
async function showOverview(signal) {
  const { view, page } = address;
  const shown = page === "map"
    ? await mapPage(view, signal)
    : page === "shadowed"
    ? shadowedPage(view, signal)
    : page === "diff"
    ? diffPage(address, views, signal)
    : page === "questions"
    ? questionsPage(address, signal)
    : await viewsPage(signal);
  if (!signal.aborted) showPage(shown);
}

/** Shows a file or a directory. @param {AbortSignal} signal */
async function showPath(signal) {
  const { view, qpath } = address;
  const row = await call("stat", { view, qpath }, signal);
  if (signal.aborted) return;
  isFile = row.type === "file";
  if (row.type === "directory") {
    file.end();
    file.element.remove();
    showFolder(row.qpath);
    drawHeader();
    if (folder) {
      folder.element.inert = false;
      content.replaceChildren(folder.element);
    }
    if (last !== undefined) folder?.grid.focus(last);
    last = undefined;
    return;
  }
  drawHeader();
  const isList = address.find !== "" || address.isFlat || address.pack !== "";
  const directory = isList ? folder?.grid.listing.directory ?? "" : directoryOf(row.qpath);
  showFolder(directory);
  last = row.qpath;
  // The directory stays in the document, behind the file, where it keeps its position.
  if (folder) folder.element.inert = true;
  if (!file.element.isConnected) content.append(file.element);
  await file.show(address, row);
}

/** Last displayed file, whose tile in the grid is focused. @type {string | undefined} */
let last;

async function show() {
  visit.abort();
  visit = new AbortController();
  const { signal } = visit;
  address = parse(location);
  isFile = false;
  try {
    if (address.view !== "" && address.page === "") await showPath(signal);
    else {
      drawHeader();
      await showOverview(signal);
    }
  } catch (error) {
    if (signal.aborted) return;
    drawHeader();
    const title = make("h1", {}, baseName(address.qpath) || address.view || "pakfs");
    showPage(make("div", { class: "page" }, title, fault(error), ...suggestionsOf(error)));
  }
}

/** @param {unknown} error */
function suggestionsOf(error) {
  if (!(error instanceof ServerError)) return [];
  return error.suggestions.map((name) =>
    make(
      "p",
      {},
      make("a", { href: views.includes(name) ? pathOf({ view: name }) : pathOf({ ...address, qpath: name }) }, name),
    )
  );
}

/** Shows the previous or next file. @param {number} step */
function turn(step) {
  if (!isFile || !folder) return;
  const { listing } = folder.grid;
  const { rows } = listing;
  for (let index = listing.indexOf(address.qpath) + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (row?.type !== "file") continue;
    return go(pathOf({ ...listed(address), qpath: row.qpath }), { replace: true });
  }
}

function up() {
  const { view, qpath, find, isFlat, pack, page } = address;
  if (isFile) go(pathOf({ ...listed(address), qpath: folder?.grid.listing.directory ?? directoryOf(qpath) }));
  else if (find !== "" || isFlat || pack !== "" || page !== "") go(pathOf({ view, qpath }));
  else if (qpath !== "") {
    last = qpath;
    go(pathOf({ view, qpath: directoryOf(qpath) }));
  } else go("/");
}

const help = make(
  "dialog",
  { class: "help" },
  make("h2", {}, "Keys"),
  make(
    "dl",
    {},
    ...[
      ["/", "find files"],
      ["arrows, Enter", "move among files, open"],
      ["Space", "play or pause"],
      ["x", "choose a file to save, or leave it out"],
      ["v", "tiles or details"],
      ["f", "with subfolders"],
      ["← →", "file before, file after"],
      ["[ ]", "candidate before, candidate after"],
      ["c", "compare with the next candidate"],
      ["Esc, Backspace", "back, up"],
      ["+ − 0 1", "zoom a picture"],
      ["W A S D Q E", "fly through a map"],
      ["?", "this list"],
    ].flatMap(([key = "", does = ""]) => [make("dt", {}, key), make("dd", {}, does)]),
  ),
  make("form", { method: "dialog" }, make("button", {}, "close")),
);

/** @param {KeyboardEvent} event */
function onKey(event) {
  const { target } = event;
  const isTyping = target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type !== "checkbox");
  if (event.key === "Escape" && event.target === search) return search.blur();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || help.open || event.defaultPrevented) return;
  const isCanvas = target instanceof HTMLCanvasElement || target instanceof HTMLMediaElement;
  if (!isFile && folder && folder.grid.onKey(event)) return;
  const keys = new Map([
    ["/", () => search.select()],
    ["?", () => help.showModal()],
    ["Escape", up],
    ["Backspace", up],
    [
      "f",
      () =>
        address.view &&
        go(
          pathOf({
            view: address.view,
            qpath: isFile ? directoryOf(address.qpath) : address.qpath,
            isFlat: !address.isFlat,
          }),
        ),
    ],
    ["c", () => isFile && file.compareNext(address)],
    ...isFile
      ? /** @type {[string, () => void][]} */ ([
        ["[", () => file.turn(address, -1)],
        ["]", () => file.turn(address, 1)],
        ...target instanceof HTMLButtonElement || target instanceof HTMLMediaElement ? [] : [[" ", () => file.play()]],
      ])
      : [],
    ...folder && !isFile ? /** @type {[string, () => void][]} */ ([["v", () => folder?.toggleList()]]) : [],
    ...isFile && !isCanvas
      ? /** @type {[string, () => void][]} */ ([["ArrowLeft", () => turn(-1)], ["ArrowRight", () => turn(1)]])
      : [],
  ]);
  const act = keys.get(event.key);
  if (!act) return;
  event.preventDefault();
  act();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
function onSearch() {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const { view, qpath, find } = address;
    const directory = isFile || find !== "" ? folder?.grid.listing.directory ?? directoryOf(qpath) : qpath;
    const next = search.value.trim();
    if (next === find && !isFile) return;
    go(pathOf({ view, qpath: directory, find: next }), { replace: find !== "" && next !== "" && !isFile });
  }, 200);
}

/** Reloads everything on the page. */
async function again() {
  await Promise.all([refreshState(), loadViews()]);
  if (folder) {
    const { grid } = folder;
    grid.exchange(new Listing(grid.listing.address, grid.listing.directory));
  }
  if (isFile || !folder) await show();
  else drawHeader();
}

/** Shows the changes of a refresh. @param {MessageEvent<string>} event */
async function onRefreshed({ data }) {
  /** @type {{ views: import("../../protocol/rows.ts").ViewChanges[] }} */
  const { views: changed } = JSON.parse(data);
  await again();
  const own = changed.find(({ view }) => view === address.view);
  if (!own) return;
  const { added, removed, changed: other } = own.files;
  const [first] = own.sample;
  folder?.grid.mark(own.sample.map(({ qpath }) => qpath));
  const link = first && first.change !== "removed" &&
    make("a", { href: pathOf({ view: own.view, qpath: first.qpath }) }, first.qpath);
  announce(`${counted(added + removed + other, "file")} of ${own.view} changed`, ...link ? [": ", link] : []);
}

/**
 * Follows changes on disk while the page is visible: a browser has only six connections to a server for all its pages,
 * and each event stream occupies one.
 */
function follow() {
  /** @type {EventSource | undefined} */
  let events;
  const isLost = (/** @type {boolean} */ is) => () => document.body.classList.toggle("lost", is);
  const open = () => {
    events = new EventSource("/.pakfs/events");
    events.addEventListener("refreshed", (event) => void onRefreshed(event));
    events.addEventListener("gap", () => {
      isLost(false)();
      announce("The daemon was restarted.");
      again().catch(isLost(true));
    });
    events.addEventListener("open", isLost(false));
    events.addEventListener("lost", isLost(true));
    events.addEventListener("error", isLost(true));
  };
  const catchUp = async () => {
    const { age } = state;
    await refreshState();
    if (state.age !== age) await again();
  };
  document.addEventListener("visibilitychange", () => {
    events?.close();
    if (document.hidden) return;
    open();
    catchUp().catch(isLost(true));
  });
  if (!document.hidden) open();
}

async function start() {
  const logo = make("a", { href: "/", class: "logo", title: "all games" }, "pakfs");
  const helpButton = make("button", {
    type: "button",
    class: "plain",
    title: "keys (?)",
    "aria-label": "keys",
    onclick: () => help.showModal(),
  }, "?");
  document.body.append(
    make("header", {}, logo, viewChoice, crumbs, search, tools, helpButton),
    make("div", { class: "columns" }, side, content),
    messages,
    make(
      "div",
      { class: "lost-note", role: "status" },
      "No answer from pakfs web: changes are not shown. If it was restarted, open the address that it printed.",
    ),
    help,
  );
  viewChoice.addEventListener("change", () => {
    const { qpath, find, isFlat, page } = address;
    // The same path in the other view, if it exists there.
    const there = { view: viewChoice.value, qpath, find, isFlat, page };
    if (there.view === "") return go("/");
    call("stat", { view: there.view, qpath }).then(() => go(pathOf(there)), () => go(pathOf({ ...there, qpath: "" })));
  });
  search.addEventListener("input", onSearch);
  search.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowDown" || key === "Enter") folder?.grid.focus();
  });
  addEventListener("keydown", onKey);
  onMove(() => void show());
  try {
    await Promise.all([refreshState(), loadViews()]);
  } catch (error) {
    content.replaceChildren(fault(error));
    return;
  }
  document.documentElement.dataset.version = state.version;
  follow();
  await show();
}

await start();
