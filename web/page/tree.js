/**
 * The directories and packs of a view, at the side.
 * @module
 */
import { pathOf } from "./address.js";
import { baseName, directoryOf, make } from "./elements.js";
import { call, pages } from "./server.js";

/** Maximum directories that are listed in one. */
const maxDirectories = 1000;

/** The tree of one view. */
export class Tree {
  #controller = new AbortController();
  /** Lists of directories by path. @type {Map<string, HTMLElement>} */
  #items = new Map();
  /** @type {Map<string, Promise<void>>} */
  #opened = new Map();

  /** @param {string} view */
  constructor(view) {
    this.view = view;
    this.directories = make("ul", {});
    this.packs = make("ul", {});
    this.element = make(
      "nav",
      { class: "tree", "aria-label": "directories and packs" },
      make("a", { href: pathOf({ view }), class: "root" }, view),
      this.directories,
      make("h2", {}, "Packs"),
      this.packs,
    );
    this.#open("").catch(() => {});
    this.#listPacks().catch(() => {});
  }

  /** Stops loading. */
  end() {
    this.#controller.abort();
  }

  /** Opens the way to a directory, and marks it. @param {{ qpath: string, pack: string }} address */
  async show({ qpath, pack }) {
    for (const marked of this.element.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
    const parts = qpath === "" ? [] : qpath.split("/");
    for (let depth = 0; depth < parts.length; depth++) {
      // deno-lint-ignore no-await-in-loop -- each is in the one before it
      await this.#open(parts.slice(0, depth).join("/"));
      const item = this.#items.get(parts.slice(0, depth + 1).join("/"));
      if (item && depth < parts.length - 1) item.querySelector("button")?.setAttribute("aria-expanded", "true");
    }
    const link = pack === ""
      ? this.#items.get(qpath)?.querySelector("a")
      : [...this.packs.querySelectorAll("a")].find(({ title }) => title === pack);
    link?.setAttribute("aria-current", "page");
    link?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} path */
  #open(path) {
    const known = this.#opened.get(path) ?? this.#list(path);
    this.#opened.set(path, known);
    return known;
  }

  /** @param {string} path */
  async #list(path) {
    const list = path === "" ? this.directories : this.#items.get(path)?.querySelector("ul");
    if (!list) return;
    const { signal } = this.#controller;
    const { rows } = await call("usage", { view: this.view, path, depth: 2, limit: maxDirectories }, signal);
    const below = rows.filter(({ depth }) => depth === 2).map(({ qpath }) => directoryOf(qpath));
    const names = rows.filter(({ depth }) => depth === 1).map(({ qpath }) => qpath).sort();
    list.append(...names.map((qpath) => this.#item(qpath, below.includes(qpath))));
  }

  /** @param {string} qpath @param {boolean} hasDirectories */
  #item(qpath, hasDirectories) {
    const link = make("a", { href: pathOf({ view: this.view, qpath }), title: qpath }, baseName(qpath));
    const toggle = make("button", {
      type: "button",
      "aria-expanded": "false",
      "aria-label": `directories in ${qpath}`,
    });
    toggle.addEventListener("click", () => {
      const isOpen = toggle.getAttribute("aria-expanded") === "true";
      toggle.setAttribute("aria-expanded", String(!isOpen));
      if (!isOpen) this.#open(qpath).catch(() => {});
    });
    const item = make("li", {}, hasDirectories && toggle, link, hasDirectories && make("ul", {}));
    this.#items.set(qpath, item);
    return item;
  }

  async #listPacks() {
    const { signal } = this.#controller;
    for await (const rows of pages("path", { view: this.view }, signal)) {
      for (const { source, kind, files } of rows) {
        if (files === 0) continue;
        const name = baseName(source) + (kind === "loose" ? "/" : "");
        this.packs.append(
          make("li", {}, make("a", { href: pathOf({ view: this.view, pack: source }), title: source }, name)),
        );
      }
    }
  }
}
