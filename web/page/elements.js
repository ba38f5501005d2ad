/**
 * Creates elements. Strings become text nodes, never markup.
 * @module
 */

/**
 * @typedef {string | Node | null | undefined | false} Child
 * @typedef {Readonly<Record<string, string | number | boolean | ((event: never) => void) | undefined>>} Attributes
 */

/**
 * Creates an element. An attribute `onclick` is a listener; a false or undefined attribute is omitted.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, ...children);
  return element;
}

/**
 * Appends children that are not null, undefined or false.
 * @param {Element} element
 * @param {...Child} children
 */
export function append(element, ...children) {
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
}

/**
 * Replaces the content of an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, ...children);
}

/** @type {readonly string[]} */
const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/**
 * Formats a size for people.
 * @param {number} bytes
 */
export function humanSize(bytes) {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

const grouping = new Intl.NumberFormat("en");

/**
 * Returns a number and its noun: `1 file`, `2,000 files`.
 * @param {number} number
 * @param {string} noun
 */
export function counted(number, noun) {
  return `${grouping.format(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * Returns the last component of a path.
 * @param {string} path
 */
export function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Returns the directory of a path.
 * @param {string} path
 */
export function directoryOf(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
