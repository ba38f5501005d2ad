/**
 * Builds a program or worker: its modules in few files, which Deno loads in a fraction of the time.
 *
 * The first file holds what the entry imports. What the program loads later is in further files, each with the modules
 * that no earlier one has, so that a start reads one file whatever the program may load.
 * @module
 */
import { dirname, join } from "@std/path";
import { type OutputChunk, type Plugin, type PluginContext, rolldown } from "rolldown";
import { isTooNew, stampOf } from "./start.ts";

/** A tree of modules. */
export interface Tree {
  /** Path of its directory. */
  readonly root: string;
  /** Paths below `root` of the modules that names of packages lead to; other packages stay imports. */
  readonly packages: ReadonlyMap<string, string>;
}

/** A program or worker that was built. */
export interface Built {
  /** The code of each file by its name; the first file is called {@linkcode builtName}. */
  readonly files: ReadonlyMap<string, string>;
  /** Stamps of the modules that a start loads, from before they were read. */
  readonly atStart: readonly string[];
  /** Stamps of the other modules. */
  readonly later: readonly string[];
  /** Paths of the workers that it starts. */
  readonly workers: ReadonlySet<string>;
}

const rootModule = "system/program_root.ts";
/** Files of a build are three directories below the program's. */
const builtRoot = 'export const programRoot = import.meta.dirname.split("/").slice(0, -3).join("/");';
const workerAddress = /new URL\(\s*"(\.[^"]+_worker)\.ts",\s*import\.meta\.url,?\s*\)/g;
const laterImport = /(?<!typeof )\bimport\(\s*("[^"]+")/g;

/** Returns the name of the file that starts a program or worker. */
export function builtName(entry: string): string {
  return `${entry.replace(/\.ts$/, "").replaceAll("/", ".")}.js`;
}

/** Reads the modules of one program. */
class Modules {
  readonly stamps = new Map<string, string>();
  readonly workers = new Set<string>();
  readonly #tree: Tree;
  readonly #entry: string;
  readonly #looksLater: boolean;

  constructor(tree: Tree, entry: string, looksLater: boolean) {
    this.#tree = tree;
    this.#entry = entry;
    this.#looksLater = looksLater;
  }

  get plugin(): Plugin {
    const { root, packages } = this.#tree;
    return {
      name: "pakfs",
      resolveId: (id) => {
        const path = packages.get(id);
        if (path !== undefined) return join(root, path);
        return /^[./]/.test(id) ? null : { id, external: true };
      },
      load: (id) => {
        const path = id.slice(root.length + 1);
        const text = this.#read(path);
        if (path.endsWith(".json")) return { code: text, moduleType: "json" };
        return { code: path === rootModule ? builtRoot : this.#adapted(path, text), moduleType: "ts" };
      },
    };
  }

  #read(path: string): string {
    const stamp = stampOf(this.#tree.root, path);
    if (isTooNew(stamp)) throw new Error(`${path}: not built: it was written just now; try again`);
    this.stamps.set(path, stamp);
    return Deno.readTextFileSync(join(this.#tree.root, path));
  }

  /** Returns the code of a module with the addresses that it has in a build. */
  #adapted(path: string, text: string): string {
    let code = text.replaceAll(workerAddress, (_, name: string) => {
      const worker = `${join(dirname(path), name)}.ts`;
      this.workers.add(worker);
      return `new URL("./${builtName(worker)}", import.meta.url)`;
    });
    // A release, whose modules are not there, has nothing to look at.
    if (this.#looksLater) {
      code = code.replaceAll(laterImport, "Promise.resolve(globalThis.pakfsLooksLater?.()).then(() => import($1)");
    }
    return path === this.#entry ? code : code.replaceAll("import.meta.main", "false");
  }
}

/** Returns for each module of a program the number of the file that it is in: 0 is loaded at the start. */
function filesOfModules(entry: string, context: Pick<PluginContext, "getModuleInfo">): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  const entries = [entry];
  // It grows meanwhile.
  for (const [file, first] of entries.entries()) {
    const add = (id: string): void => {
      const module = id.startsWith("/") ? context.getModuleInfo(id) : null;
      if (module === null || files.has(id)) return;
      files.set(id, file);
      module.importedIds.forEach(add);
      entries.push(...module.dynamicallyImportedIds);
    };
    add(first);
  }
  return files;
}

/** All that is not ASCII is escaped: V8 keeps a string of other characters in twice the memory, and reads it slowly. */
function ascii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Builds a program or worker.
 * @param entry Its path below the root of the tree.
 * @param looksLater Whether modules that are loaded later are looked at when the first of them is (`start.ts`).
 * @throws {Error} if a module was written within the last second, or cannot be read or parsed.
 */
export async function build(tree: Tree, entry: string, looksLater: boolean): Promise<Built> {
  const { root } = tree;
  const stem = builtName(entry).slice(0, -".js".length);
  const modules = new Modules(tree, entry, looksLater);
  let files: ReadonlyMap<string, number> = new Map();
  const fileOf = (id: string, context: Pick<PluginContext, "getModuleInfo">) => {
    if (files.size === 0) files = filesOfModules(join(root, entry), context);
    return String(files.get(id) ?? "helpers");
  };
  await using bundle = await rolldown({
    input: { [stem]: join(root, entry) },
    platform: "neutral",
    plugins: [modules.plugin],
    preserveEntrySignatures: "allow-extension",
    tsconfig: false,
    onLog: () => {},
  });
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: `${stem}.[name].js`,
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf }] },
  });
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");
  const stamps = (isLater: boolean) =>
    Array.from(modules.stamps).filter(([path]) => (files.get(join(root, path)) !== 0) === isLater)
      .map(([, stamp]) => stamp);
  return {
    files: new Map(chunks.map(({ fileName, code }) => [fileName, ascii(code)])),
    atStart: stamps(false),
    later: stamps(true),
    workers: modules.workers,
  };
}
