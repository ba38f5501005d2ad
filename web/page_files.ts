/**
 * Files of the page, and of the package three, which it loads when a model is opened.
 * @module
 */
import { programRoot } from "../system/mod.ts";
import { answer, refusal } from "./guard.ts";

const types: ReadonlyMap<string, string> = new Map([
  ["html", "text/html; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["svg", "image/svg+xml"],
]);

const page = new URL(`file://${encodeURI(programRoot)}/web/page/`);
/** Names below the page and the package: letters, digits, and no `..`. */
const plainName = /^(?:[a-z][\w-]*\/)*[\w-]+(?:\.[\w-]+)*\.(?:js|css|html|svg)$/i;
/** Imports of the package by name; a browser needs a path. */
const byName = /(\bfrom\s*)(['"])three(?:\/addons\/([\w./-]+))?\2/g;

/** Replaces the names of the package three with paths on this server. */
function withPaths(text: string): string {
  return text.replace(byName, (_all, from: string, quote: string, addon: string | undefined) => {
    const path = addon === undefined ? "build/three.module.js" : `examples/jsm/${addon}`;
    return `${from}${quote}/.pakfs/three/${path}${quote}`;
  });
}

/** Returns a file of the page. */
export async function pageFile(name: string): Promise<Response> {
  return await fileAt(page, name);
}

/** Returns a file of the package three. */
export async function threeFile(name: string): Promise<Response> {
  const main = import.meta.resolve("three");
  if (!main.startsWith("file:")) {
    return refusal(404, "the package three, which draws models, is missing; run: deno cache web/page/three.js");
  }
  return await fileAt(new URL("../", main), name);
}

async function fileAt(directory: URL, name: string): Promise<Response> {
  const type = types.get(name.slice(name.lastIndexOf(".") + 1));
  if (!plainName.test(name) || type === undefined) return refusal(404, "unknown file of the page");
  try {
    const text = await Deno.readTextFile(new URL(name, directory));
    return answer(name.endsWith(".js") ? withPaths(text) : text, type, {
      isPage: true,
      headers: { "cache-control": "private, no-cache" },
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return refusal(404, "unknown file of the page");
    throw error;
  }
}
