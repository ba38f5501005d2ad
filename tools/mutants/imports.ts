/**
 * Finds the tests that load a file: by imports, by workers they start, and by the launcher if they run it.
 * @module
 */
import { basename, dirname, join } from "node:path";

/** Modules by names that are no paths. */
const packages: Readonly<Record<string, string>> = {
  "@pakfs/pakfs": "mod.ts",
  "@pakfs/pakfs/formats": "formats/mod.ts",
  "deno-fuse-ffi": "deno-fuse-ffi/mod.ts",
};

/** Programs that the launcher starts. */
const programs = ["daemon/main.ts", "repl/main.ts"];

const references = /(?:from|import)\s*\(?\s*"([^"]+)"|new URL\(\s*"(\.[^"]+)"/g;

/** Reads each module once. */
export class ImportGraph {
  readonly #root: string;
  readonly #known = new Map<string, readonly string[]>();

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Returns the tests that load a file, or all of them if none seems to. The test of the file's name comes first, then
   * those that are near and fast: one import weighs as much as one second.
   */
  testsOf(file: string, tests: readonly string[], seconds: ReadonlyMap<string, number> = new Map()): string[] {
    const name = basename(file, ".ts");
    const costs = tests.map((test) => {
      const distance = this.#distance(test, file);
      const isNamesake = distance < Infinity && basename(test, "_test.ts") === name;
      return { test, distance, cost: isNamesake ? -1 : distance + (seconds.get(test) ?? 0) };
    });
    const reaching = costs.filter(({ distance }) => distance < Infinity);
    return (reaching.length > 0 ? reaching : costs).sort((a, b) => a.cost - b.cost).map(({ test }) => test);
  }

  /** Returns the number of imports from one module to another; `Infinity` if none leads there. */
  #distance(from: string, to: string): number {
    let layer = [from];
    const seen = new Set(layer);
    for (let distance = 0; layer.length > 0; distance++) {
      if (layer.includes(to)) return distance;
      layer = layer.flatMap((path) => this.#importsOf(path)).filter((path) => !seen.has(path));
      layer.forEach((path) => seen.add(path));
    }
    return Infinity;
  }

  #importsOf(path: string): readonly string[] {
    const known = this.#known.get(path) ?? this.#read(path);
    this.#known.set(path, known);
    return known;
  }

  #read(path: string): string[] {
    if (path === "pakfs") return programs;
    let text: string;
    try {
      text = Deno.readTextFileSync(`${this.#root}/${path}`);
    } catch {
      return []; // a directory, or a file that a test makes
    }
    return Array.from(text.matchAll(references), ([, imported = "", url = ""]) => imported || url)
      .map((name) => name.startsWith(".") ? join(dirname(path), name) : packages[name])
      .filter((name) => name !== undefined);
  }
}
