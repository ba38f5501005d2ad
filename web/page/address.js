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
 * @property {"" | "map" | "diff" | "shadowed"} page
 * @property {string} to The other view of a comparison.
 * @property {number} candidate
 * @property {number} compare Number of the candidate next to it; 0 without one.
 */

/** @type {Address} */
const nowhere = { view: "", qpath: "", find: "", isFlat: false, page: "", to: "", candidate: 1, compare: 0 };

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
  const page = params.get("page");
  return {
    view: parts.slice(0, 2).join("/"),
    qpath: parts.slice(2).join("/"),
    find: params.get("find") ?? "",
    isFlat: params.has("flat"),
    page: page === "map" || page === "diff" || page === "shadowed" ? page : "",
    to: params.get("to") ?? "",
    candidate: numberOf(params.get("candidate")) || 1,
    compare: numberOf(params.get("compare")),
  };
}

/**
 * Returns the address of something, as a path for links.
 * @param {Partial<Address>} address
 */
export function pathOf(address) {
  const { view, qpath, find, isFlat, page, to, candidate, compare } = { ...nowhere, ...address };
  const path = [...view.split("/"), ...qpath.split("/")].filter((part) => part !== "").map(encodeURIComponent);
  const params = new URLSearchParams();
  if (find) params.set("find", find);
  if (isFlat) params.set("flat", "");
  if (page) params.set("page", page);
  if (to) params.set("to", to);
  if (candidate > 1) params.set("candidate", String(candidate));
  if (compare > 0) params.set("compare", String(compare));
  const query = params.size > 0 ? `?${params.toString().replace("flat=&", "flat&").replace(/flat=$/, "flat")}` : "";
  return `/${path.join("/")}${path.length > 0 && qpath === "" ? "/" : ""}${query}`;
}

/** Event of an address that the page itself changed. */
const moved = "pakfs-moved";

/**
 * Shows another address.
 * @param {string} path
 * @param {{ replace?: boolean }} [options]
 */
export function go(path, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  dispatchEvent(new Event(moved));
}

/**
 * Calls a function whenever another address is to be shown: by a link, the page or the browser's buttons.
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
