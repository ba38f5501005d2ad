/**
 * How files are laid out; a browser keeps it.
 * @module
 */

/** @typedef {{ isList: boolean, size: number }} Layout */

const key = "pakfs-layout";
/** Widths of tiles in pixels. */
export const sizes = { least: 84, most: 320 };

/** Returns the layout that was chosen last. @returns {Layout} */
export function chosenLayout() {
  try {
    const { isList, size } = JSON.parse(localStorage.getItem(key) ?? "{}");
    const width = Number(size) || (innerWidth <= 760 ? 108 : 148);
    return { isList: isList === true, size: Math.max(sizes.least, Math.min(sizes.most, width)) };
  } catch {
    return { isList: false, size: 148 };
  }
}

/** Keeps a layout for the next visit. @param {Layout} layout */
export function keepLayout(layout) {
  try {
    localStorage.setItem(key, JSON.stringify(layout));
  } catch {
    // A browser that keeps nothing shows it until it is closed.
  }
}
