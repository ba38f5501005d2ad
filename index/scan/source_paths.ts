/**
 * Search paths in a file of the game: `gameinfo.txt` of the Source engine (`FileSystem_LoadSearchPaths` of
 * source-sdk-2013's public/filesystem_init.cpp). The first line is searched first.
 * @module
 */
import { basename, dirname, join } from "@std/path";
import { compileGlob, messageOf } from "../../formats/parts.ts";
import { isDirectory, lookInto, parseValvePairs, type ValvePair } from "../../games/mod.ts";
import { itemAt } from "./game_settings.ts";
import type { ListedSource } from "./plan.ts";

/** Maximum bytes of a file with search paths. */
const maxBytes = 1024 * 1024;
/** FILESYSTEM_MAX_SEARCH_PATHS of public/filesystem.h. */
const maxPaths = 128;
/** MAX_PATH of the engine, whose buffers hold no longer path. */
const maxPath = 260;
/** Folders of content, which the engine rejects directly below a wildcard. */
const contentFolders = ["materials", "maps", "resource", "scripts", "sound", "models"];

/** A location in a line: a directory or a VPK. */
interface Named {
  /** Absolute path. */
  readonly path: string;
  readonly choice: string | null;
}

/** Reads the search paths of one game directory. */
export class SourcePaths {
  readonly #root: string;
  readonly #rootIndex: number;
  readonly #directory: string;
  readonly #file: string;
  readonly #problems: string[];

  /**
   * @param root Base directory of relative paths, which must not leave it.
   * @param directory Name of the game directory.
   * @param file Name of the file in it.
   * @param problems Receives a message for each unusable line.
   */
  constructor(root: string, rootIndex: number, directory: string, file: string, problems: string[]) {
    this.#root = root;
    this.#rootIndex = rootIndex;
    this.#directory = join(root, directory);
    this.#file = join(root, directory, file);
    this.#problems = problems;
  }

  /** Returns the sources, the first searched first; null if the file is missing or has none. */
  read(): ListedSource[] | null {
    const lines = this.#lines();
    if (lines === null) return null;
    const named = lines.flatMap((line) => this.#line(line));
    if (named.length > maxPaths) {
      this.#problem(`it names ${named.length} search paths; the engine reads ${maxPaths}`);
    }
    const seen = new Set<string>();
    return named.slice(0, maxPaths).flatMap(({ path, choice }): ListedSource[] => {
      const key = `${choice ?? ""}\0${path}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const isPack = path.toLowerCase().endsWith(".vpk");
      const directory = (isPack ? dirname(path) : path).slice(this.#root.length + 1);
      return [{ directory, rootIndex: this.#rootIndex, pack: isPack ? basename(path) : null, choice }];
    });
  }

  #problem(sentence: string): void {
    this.#problems.push(`${this.#file}: ${sentence}`);
  }

  /** Returns the lines of `SearchPaths`, or null. */
  #lines(): readonly ValvePair[] | null {
    const information = itemAt(this.#file);
    if (!information?.isFile) return null;
    if (information.size > maxBytes) {
      this.#problem(`not read: ${information.size} bytes; at most ${maxBytes}`);
      return null;
    }
    try {
      const pairs = parseValvePairs(Deno.readTextFileSync(this.#file));
      if (pairs.some(({ key }) => key === "#include" || key === "#base")) {
        this.#problem("#include and #base are not read; lines of other files are missing");
      }
      const found = ["gameinfo", "filesystem", "searchpaths"].reduce<readonly ValvePair[]>(
        (block, name) => block.flatMap(({ key, value }) => key === name && typeof value !== "string" ? value : []),
        pairs,
      );
      return found.length > 0 ? found : null;
    } catch (error) {
      this.#problem(messageOf(error));
      return null;
    }
  }

  /** Returns the sources of one line, the first searched first. */
  #line({ key, value }: ValvePair): Named[] {
    if (typeof value !== "string" || value.includes("WebDavRedirector")) return [];
    if (value.length > maxPath) {
      this.#problem(`a search path of ${value.length} characters; at most ${maxPath}; left out`);
      return [];
    }
    const choice = choiceOf(key.split("+").map((id) => id.trim()));
    if (choice === undefined) return [];
    if (/^\|appid_\d+\|/i.test(value)) {
      this.#problem(`"${value}" is another game of Steam, which is not searched`);
      return [];
    }
    const own = /^\|gameinfo_path\|/i.exec(value)?.[0];
    const base = own === undefined ? this.#root : this.#directory;
    const rest = value.slice(own?.length ?? 0).replace(/^\|all_source_engine_paths\|/i, "").replaceAll("\\", "/");
    const path = join(base, rest.replace(/\/+$/, "") || ".");
    if (path !== this.#root && !path.startsWith(`${this.#root}/`)) {
      this.#problem(`"${value}" leads out of ${this.#root}; left out`);
      return [];
    }
    const paths = /[?*]/.test(rest) ? this.#wildcard(path) : [path];
    return paths.flatMap((one) => [...beside(one, choice), ...existing(one).map((found) => ({ path: found, choice }))]);
  }

  /**
   * Returns the directories and VPKs that match a wildcard in the last component of a path, sorted like `V_stricmp`.
   */
  #wildcard(pattern: string): string[] {
    const directory = dirname(pattern);
    if (/[?*]/.test(directory)) {
      this.#problem(`"${pattern}" has a wildcard before its last part; left out`);
      return [];
    }
    const matches = compileGlob(basename(pattern).replaceAll(/[[\]{}]/g, "\\$&"), { ignoreCase: true });
    const { directories, files } = lookInto(directory);
    const content = directories.find((name) => contentFolders.includes(name.toLowerCase()));
    if (content !== undefined) {
      this.#problem(
        `${join(directory, content)} lies directly below a wildcard, which the engine refuses to start with`,
      );
    }
    const names = [...directories, ...files.filter((name) => name.toLowerCase().includes(".vpk"))]
      .filter((name) => !name.startsWith(".") && matches(name));
    const sorted = names.map((name) => ({ name, key: name.toLowerCase() }))
      .sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : a.name < b.name ? -1 : 1).map(({ name }) => name);
    return withoutParts(sorted).map((name) => join(directory, name));
  }
}

/**
 * Returns the word that adds a line to a view, null if it always counts; undefined for a line that is not used for
 * lookups.
 */
function choiceOf(ids: readonly string[]): string | null | undefined {
  if (ids.includes("game") || ids.includes("platform")) return null;
  if (ids.includes("game_lv")) return "lv";
  return ids.includes("game_hd") ? "hd" : undefined;
}

/**
 * Removes sources that a multi-file VPK makes redundant: everything right before `x_dir.vpk` that begins with `x`, as
 * the engine does, so `x2.vpk` too.
 */
function withoutParts(names: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = names.length - 1; index >= 0; index--) {
    const name = names[index] ?? "";
    kept.push(name);
    const end = name.toLowerCase().indexOf("_dir.vpk");
    if (end < 0) continue;
    const prefix = name.slice(0, end).toLowerCase();
    while (index > 0 && names[index - 1]?.toLowerCase().startsWith(prefix)) index--;
  }
  return kept.reverse();
}

/** Returns the source at a path: a directory, a VPK, or a multi-file VPK that is named without `_dir`. */
function existing(path: string): string[] {
  if (!path.toLowerCase().includes(".vpk")) return isDirectory(path) ? [path] : [];
  const several = path.replace(/\.vpk$/i, "_dir.vpk");
  const found = [several, path].find((candidate) => itemAt(candidate)?.isFile);
  return found !== undefined && /\.vpk$/i.test(found) ? [found] : [];
}

/**
 * Returns the paths searched just before a path if a view chooses them: another language, or content that is not yet
 * packed.
 */
function beside(path: string, choice: string | null): Named[] {
  if (choice !== null) return [];
  const temporary = path.toLowerCase().includes(".vpk") ? [] : existing(`${path}_tempcontent`);
  const languages = path.includes("_english") ? otherLanguages(path) : [];
  return [...temporary.map((found) => ({ path: found, choice: "tempcontent" })), ...languages];
}

function otherLanguages(path: string): Named[] {
  const [before = "", after = ""] = basename(path).split("_english");
  const { directories, files } = lookInto(dirname(path));
  const words = [...directories, ...files].flatMap((name) => {
    const end = after.replace(/\.vpk$/i, "");
    const word = name.startsWith(`${before}_`) ? name.slice(before.length + 1).replace(/(_dir)?\.vpk$/i, "") : "";
    const language = end !== "" && word.endsWith(end) ? word.slice(0, -end.length) : word;
    return /^[a-z]+$/.test(language) && language !== "english" ? [language] : [];
  });
  return Array.from(new Set(words)).flatMap((language) =>
    existing(path.replaceAll("_english", `_${language}`)).map((found) => ({ path: found, choice: language }))
  );
}
