/**
 * The page of a directory or a search: its files, and above them how they are chosen, ordered and saved.
 * @module
 */
import { go, pathOf } from "./address.js";
import { baseName, counted, fill, make } from "./elements.js";
import { Grid } from "./grid.js";
import { chosenLayout, keepLayout, sizes } from "./layout.js";
import { Listing } from "./listing.js";
import { saveZip } from "./save.js";

/** @typedef {import("./address.js").Address} Address */

const kinds = [
  ["", "all kinds"],
  ["picture", "pictures"],
  ["sound", "sounds"],
  ["music", "music"],
  ["model", "models and maps"],
  ["text", "text"],
  ["data", "other"],
];
const orders = [["", "by name"], ["size", "by size"], ["time", "by time"], ["pack", "by pack"]];

/**
 * @param {string} label
 * @param {readonly (readonly string[])[]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
function choice(label, options, chosen, choose) {
  return make(
    "select",
    {
      "aria-label": label,
      onchange: (/** @type {Event & { target: HTMLSelectElement }} */ { target }) => choose(target.value),
    },
    ...options.map(([value = "", text = ""]) => make("option", { value, selected: value === chosen }, text)),
  );
}

/** One directory or search on the screen. */
export class FolderPage {
  #saving = new AbortController();
  #layout = chosenLayout();

  /**
   * @param {Address} address
   * @param {string} directory
   * @param {(text: string) => void} announce
   */
  constructor(address, directory, announce) {
    this.address = address;
    this.grid = new Grid(new Listing(address, directory), this.#layout);
    this.count = make("output", { class: "count" });
    this.saving = make("span", { class: "tools" });
    this.announce = announce;
    const { find, pack, view } = address;
    const title = find !== "" ? `“${find}”` : pack !== "" ? baseName(pack) : baseName(directory) || view;
    const at = (/** @type {Partial<Address>} */ change) =>
      go(pathOf({ ...address, qpath: directory, ...change }), { replace: true });
    const below = make("input", {
      type: "checkbox",
      checked: this.grid.listing.isDeep,
      disabled: find !== "" || pack !== "",
      onchange: () => at({ isFlat: !address.isFlat }),
    });
    const size = make("input", {
      type: "range",
      min: sizes.least,
      max: sizes.most,
      value: this.#layout.size,
      "aria-label": "size of the pictures",
    });
    size.addEventListener("input", () => this.#arrange({ size: Number(size.value) }));
    const list = make("input", { type: "checkbox", checked: this.#layout.isList });
    list.addEventListener("change", () => this.#arrange({ isList: list.checked }));
    const bar = make(
      "div",
      { class: "toolbar" },
      make("h1", { title: directory }, title),
      this.count,
      choice("kind of files", kinds, address.kind, (kind) => at({ kind })),
      choice("order", orders, address.sort, (sort) => at({ sort: /** @type {Address["sort"]} */ (sort) })),
      make("label", { title: "files of all directories below (f)" }, below, " subfolders"),
      make("label", { title: "a line for each file (v)" }, list, " details"),
      size,
      this.saving,
    );
    this.element = make("div", { class: "listing" }, bar, this.grid.element);
    this.list = list;
    this.grid.onChange(() => this.#show());
    this.#show();
  }

  /** Stops saving, and the grid. */
  end() {
    this.#saving.abort();
    this.grid.end();
  }

  /** Changes between tiles and lines. */
  toggleList() {
    this.list.click();
  }

  /** @param {Partial<import("./layout.js").Layout>} change */
  #arrange(change) {
    this.#layout = { ...this.#layout, ...change };
    keepLayout(this.#layout);
    this.grid.arrange(this.#layout);
  }

  #show() {
    const { listing, chosen } = this.grid;
    const files = listing.rows.filter(({ type }) => type === "file").length;
    const folders = listing.rows.length - files;
    const more = listing.isComplete ? "" : "…";
    const parts = [files > 0 && counted(files, "file"), folders > 0 && counted(folders, "folder")];
    this.count.value = `${parts.filter((part) => part).join(", ")}${more}`;
    const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ onclick) =>
      make("button", { type: "button", title, onclick }, text);
    const what = chosen.size > 0 ? counted(chosen.size, "file") : "all";
    const isEmpty = files + folders === 0;
    fill(
      this.saving,
      !isEmpty && button(`save ${what}`, "as a zip of the files as they are", () => this.#save({})),
      !isEmpty &&
        button("for other programs", "as a zip of PNG, WAV and glTF", () => this.#save({ isConverted: true })),
      chosen.size > 0 &&
        button(
          "with what they need",
          "as a zip with all files that these need",
          () => this.#save({ isWithNeeds: true }),
        ),
    );
  }

  /** Saves the chosen files, or all, with those below. @param {{ isConverted?: boolean, isWithNeeds?: boolean }} how */
  async #save({ isConverted = false, isWithNeeds = false }) {
    this.#saving.abort();
    this.#saving = new AbortController();
    const { signal } = this.#saving;
    const { listing, chosen } = this.grid;
    const { address, directory } = listing;
    const report = (/** @type {string} */ text) => {
      this.count.value = text;
    };
    try {
      let { rows } = listing;
      if (chosen.size === 0 && !listing.isDeep) {
        const whole = new Listing({ ...address, isFlat: true }, directory);
        await whole.done;
        rows = whole.rows;
        whole.end();
      }
      const files = rows.filter(({ type, qpath }) => type === "file" && (chosen.size === 0 || chosen.has(qpath)))
        .map(({ qpath, mtime = 0 }) => ({ qpath, mtime }));
      const name = (baseName(directory) || address.view).replaceAll("/", "-");
      await saveZip({ view: address.view, files, name, isConverted, isWithNeeds, report }, signal);
    } catch (error) {
      if (!signal.aborted) this.announce(error instanceof Error ? error.message : String(error));
    }
  }
}
