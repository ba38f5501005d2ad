/**
 * Names in a map, model or sprite, resolved to files of the view by `needs`.
 * @module
 */
import type { NeedRow } from "../../protocol/rows.ts";
import { type Context, inView, rowsOf } from "../command/command.ts";
import { Progress } from "../output/progress.ts";
import type { FoundKind } from "../rows/show_rows.ts";
import type { ShownFile } from "./file.ts";

/** Result of looking up a name. */
export interface Found {
  /** Kind of item that the engine finds; null if missing. */
  readonly found: FoundKind;
  /** Images of the shader that the view lacks. */
  readonly lacks: readonly string[];
}

/** Names in a file, and in its skins and shaders. */
export class NeededNames {
  readonly #missing = new Set<string>();
  readonly #shaders = new Map<string, NeedRow>();
  /** Skin files that the engine loads with a model. */
  readonly skins: NeedRow[] = [];

  /**
   * Requests the needs of a file.
   * @param depth Number of references that are followed: 1 for its direct references, 2 for those of these.
   */
  static async of(context: Context, { qpath }: ShownFile, depth: number): Promise<NeededNames> {
    const names = new NeededNames();
    const progress = new Progress(context.output);
    let count = 0;
    const rows = rowsOf(context, "needs", { ...inView(context), files: [qpath] });
    search: for await (const page of rows.pages) {
      for (const row of page) {
        // Rows are sorted by depth.
        if (row.depth > depth) break search;
        names.#add(row);
      }
      count += page.length;
      progress.update(() => `${qpath}: ${count} names looked up`);
    }
    progress.end();
    return names;
  }

  #add(row: NeedRow): void {
    const { qpath, kind, name } = row;
    if (qpath === null) this.#missing.add(name.toLowerCase());
    else if (kind === "shader") this.#shaders.set(shaderKey(name), row);
    else if (kind === "skin") this.skins.push(row);
  }

  /**
   * Resolves a name.
   * @param kind Kind of the file if the name belongs to no shader.
   */
  found(name: string, kind: "image" | "file"): Found {
    if (this.#missing.has(name.toLowerCase())) return { found: null, lacks: [] };
    const shader = this.#shaders.get(shaderKey(name));
    if (!shader) return { found: kind, lacks: [] };
    return { found: "shader", lacks: shader.needs.filter((image) => this.#missing.has(image.toLowerCase())) };
  }
}

/** Shaders are found in any case, and without an extension. */
function shaderKey(name: string): string {
  return name.replaceAll("\\", "/").replace(/\.[^./]*$/, "").toLowerCase();
}
