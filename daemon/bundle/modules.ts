/**
 * Reading the modules of a program: the modules that each imports, and its code as a function of theirs.
 * @module
 */
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "@std/path";
import { isTooNew, stampOf } from "./stamps.ts";

/** A module that cannot be bundled: it uses a form that the bundler does not know. */
export class BundleError extends Error {
  override readonly name = "BundleError";
}

/** A module, ready to be written into a bundle. */
export interface Module {
  /** Path below the root of the program. */
  readonly path: string;
  /** Paths of the modules that are evaluated before it. */
  readonly imports: readonly string[];
  /** Paths of the modules that it may load while it runs. */
  readonly laterImports: readonly string[];
  /** Body of a function of `$of`, `$load` and `$meta`, that returns the exports. */
  readonly code: string;
  /** Whether that function is asynchronous. */
  readonly isAsync: boolean;
}

const importStatement = /^import(?:\s+([\w$]+|\* as [\w$]+|\{[^}]*\})\s+from)?\s+"([^"]+)"(?:\s+with\s+\{[^}]*\})?;/gm;
const exportFrom = /^export\s+(\*|\{[^}]*\})\s+from\s+"([^"]+)";/gm;
const exportList = /^export\s+\{([^}]*)\};/gm;
const exportDeclaration = /^export\s+((?:async\s+)?function\s*\*?|class|const)\s+([\w$]+)(?![\w$])/gm;
const laterImport = /\bimport\(\s*("[^"]+")\s*\)/g;
/** Neither its module nor a package is known before it runs. */
const statementLeft = /^(?:import|export)\b.*|\bimport\((?!["\s)]).*/m;
/** A worker that is bundled too is started from its bundle. */
const workerAddress = /new URL\("(\.[^"]+_worker)\.ts", import\.meta\.url\)/g;

/** Returns the names of `{ a, b as c }`, each with the name that it gets. */
function namesIn(list: string): [string, string][] {
  const names = list.replaceAll(/[{}]/g, "").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").split(",");
  return names.map((name) => name.trim()).filter((name) => name !== "").map((name) => {
    const [from = "", to = from] = name.split(/\s+as\s+/);
    return [from, to];
  });
}

/** Returns the name of a program's bundle: its path with dots for slashes. */
export function bundleName(entry: string): string {
  return entry.replace(/\.ts$/, "").replaceAll("/", ".");
}

/** Reads modules of a program whose files are below `root`. */
export class ModuleReader {
  readonly #root: string;
  /** Packages of the program's tree: the path of the module that each name leads to. */
  readonly packages: Map<string, string> = new Map();
  readonly #bundled: ReadonlySet<string>;
  readonly #stamps = new Map<string, string>();

  /** @param bundled Paths of the programs and workers that have bundles of their own. */
  constructor(root: string, bundled: Iterable<string>) {
    this.#root = root;
    this.#bundled = new Set(bundled);
  }

  /** Stamps of all files that were read, from before they were read. */
  get stamps(): readonly string[] {
    return Array.from(this.#stamps.values());
  }

  /** Returns the text of a file, and notes its stamp. */
  readText(path: string): string {
    const stamp = stampOf(this.#root, path);
    if (isTooNew(stamp)) throw new Error(`${path}: not bundled: it was written just now; try again`);
    this.#stamps.set(path, this.#stamps.get(path) ?? stamp);
    return Deno.readTextFileSync(join(this.#root, path));
  }

  /** @throws {BundleError} if the module uses a form that is not known. */
  read(path: string): Module {
    const text = this.readText(path);
    if (path.endsWith(".json")) {
      return { path, imports: [], laterImports: [], code: `return { default: ${text} };`, isAsync: false };
    }
    const imports: string[] = [];
    const laterImports: string[] = [];
    const exported: string[] = [];
    let isAsync = this.#bundled.has(path);
    const use = (specifier: string): string => {
      const local = this.#resolve(path, specifier);
      if (local === undefined) isAsync = true;
      else imports.push(local);
      return local === undefined ? `await import(${JSON.stringify(specifier)})` : `$of[${JSON.stringify(local)}]`;
    };
    const code = stripTypeScriptTypes(text)
      .replaceAll(importStatement, (_, clause: string | undefined, specifier: string) => {
        if (clause === undefined) return `${use(specifier)};`;
        if (!clause.startsWith("{")) {
          return clause.startsWith("*")
            ? `const ${clause.slice(5)} = ${use(specifier)};`
            : `const { default: ${clause} } = ${use(specifier)};`;
        }
        const names = namesIn(clause);
        // Only types were imported.
        if (names.length === 0) return "";
        return `const { ${names.map(([from, to]) => `${from}: ${to}`).join(", ")} } = ${use(specifier)};`;
      })
      .replaceAll(exportFrom, (_, list: string, specifier: string) => {
        const names = namesIn(list);
        if (list !== "*" && names.length === 0) return "";
        const all = use(specifier);
        exported.push(...(list === "*" ? [`...${all}`] : names.map(([from, to]) => `${to}: ${all}.${from}`)));
        return "";
      })
      .replaceAll(exportList, (_, list: string) => {
        exported.push(...namesIn(list).map(([from, to]) => `${to}: ${from}`));
        return "";
      })
      .replaceAll(exportDeclaration, (_, kind: string, name: string) => {
        exported.push(name);
        return `${kind} ${name}`;
      })
      .replaceAll(laterImport, (_, quoted: string) => {
        const specifier: string = JSON.parse(quoted);
        const local = this.#resolve(path, specifier);
        if (local === undefined) return `import(${quoted})`;
        laterImports.push(local);
        return `$load(${JSON.stringify(local)})`;
      })
      .replaceAll(workerAddress, (address, name: string) => {
        const worker = join(dirname(path), `${name}.ts`);
        return this.#bundled.has(worker) ? `$worker(${JSON.stringify(bundleName(worker))}, ${address})` : address;
      })
      .replaceAll("import.meta", "$meta");
    const left = statementLeft.exec(code);
    if (left) throw new BundleError(`${path}: not bundled: unknown form of ${left[0]}`);
    const meta = code.includes("$meta") ? `const $meta = $metaOf(${JSON.stringify(path)});\n` : "";
    return { path, imports, laterImports, code: `${meta}${code}\nreturn { ${exported.join(", ")} };`, isAsync };
  }

  /** Returns the path of a module of the program, `undefined` for those of Deno and of packages. */
  #resolve(from: string, specifier: string): string | undefined {
    if (!specifier.startsWith(".")) return this.packages.get(specifier);
    return join(dirname(from), specifier);
  }
}
