/**
 * Addresses of the page: `/quake/lanterns/gfx/x.lmp?compare=2`. All of them can be shared.
 * @module
 */

/**
 * A parsed address.
 * @typedef {object} Address
 * @property {string} view Empty for the list of views.
 * @property {string} qpath Path of a file or directory; empty for the view itself.
 * @property {string} find Patterns of a search, separated by spaces; empty without one.
 * @property {boolean} isFlat Whether the files of all directories below are listed.
 * @property {"" | "size" | "time" | "pack"} sort Order of the files; empty for names.
 * @property {string} kind Kind of the files that are listed; empty for all.
 * @property {string} pack Path of the pack or directory whose files are listed; empty for all.
 * @property {"" | "map" | "diff" | "shadowed" | "questions"} page
 * @property {string} ask Question that is shown.
 * @property {string} to The other view of a comparison.
 * @property {number} candidate
 * @property {number} compare Number of the candidate next to it; 0 without one.
 */

/** @type {Address} */
const nowhere = {
  view: "",
  qpath: "",
  find: "",
  isFlat: false,
  sort: "",
  kind: "",
  pack: "",
  page: "",
  ask: "",
  to: "",
  candidate: 1,
  compare: 0,
};

/**
 * Returns one of several words, or an empty one.
 * @template {string} Word
 * @param {string | null} word
 * @param {readonly Word[]} words
 * @returns {Word | ""}
 */
function oneOf(word, words) {
  return words.find((known) => known === word) ?? "";
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {string | null} text */
function numberOf(text) {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
}

/**
 * Parses a location.
 * @param {Pick<URL, "pathname" | "search">} location
 * @returns {Address}
 */
export function parse({ pathname, search }) {
  const parts = pathname.split("/").filter((part) => part !== "").map(decoded);
  const params = new URLSearchParams(search);
  return {
    view: parts.slice(0, 2).join("/"),
    qpath: parts.slice(2).join("/"),
    find: params.get("find") ?? "",
    isFlat: params.has("flat"),
    sort: oneOf(params.get("sort"), ["size", "time", "pack"]),
    kind: params.get("kind") ?? "",
    pack: params.get("pack") ?? "",
    page: oneOf(params.get("page"), ["map", "diff", "shadowed", "questions"]),
    ask: params.get("ask") ?? "",
    to: params.get("to") ?? "",
    candidate: numberOf(params.get("candidate")) || 1,
    compare: numberOf(params.get("compare")),
  };
}

/**
 * Returns an address as a path for links.
 * @param {Partial<Address>} address
 */
export function pathOf(address) {
  const { view, qpath, find, isFlat, sort, kind, pack, page, ask, to, candidate, compare } = { ...nowhere, ...address };
  const path = [...view.split("/"), ...qpath.split("/")].filter((part) => part !== "").map(encodeURIComponent);
  const params = new URLSearchParams();
  if (find) params.set("find", find);
  if (isFlat) params.set("flat", "");
  for (const [name, value] of Object.entries({ sort, kind, pack, page, ask })) if (value) params.set(name, value);
  if (to) params.set("to", to);
  if (candidate > 1) params.set("candidate", String(candidate));
  if (compare > 0) params.set("compare", String(compare));
  const query = params.size > 0 ? `?${params.toString().replace("flat=&", "flat&").replace(/flat=$/, "flat")}` : "";
  return `/${path.join("/")}${path.length > 0 && qpath === "" ? "/" : ""}${query}`;
}

/** Name of the event when the page itself changes its address. */
const moved = "pakfs-moved";

/**
 * Navigates to another address.
 * @param {string} path
 * @param {{ replace?: boolean }} [options]
 */
export function go(path, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  dispatchEvent(new Event(moved));
}

/**
 * Calls a function after every navigation: by a link, the page or the browser's buttons.
 * @param {() => void} show
 */
export function onMove(show) {
  addEventListener(moved, show);
  addEventListener("popstate", show);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target || link.download || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/.pakfs/")) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

/**
 * Returns what of an address stays while files of the same list are opened.
 * @param {Address} address
 */
export function listed({ view, find, isFlat, sort, kind, pack }) {
  return { view, find, isFlat, sort, kind, pack };
}
