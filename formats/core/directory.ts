/**
 * Lists a loose directory or a `.pk3dir` in the same table as an archive. Files are not opened; contents are read by
 * path.
 * @module
 */
import { damageCode, type EntryFields, entryIsDirectory, EntryTable, methodCode } from "./entry_table.ts";
import { LimitError, messageOf } from "./errors.ts";
import { maxEntryCount } from "./limits.ts";
import { MemberNames } from "./names.ts";

/** Rule for symbolic links in a directory that is part of something larger. */
export interface LinkRule {
  /** Real paths of further directories that links may point into. */
  readonly within: readonly string[];
  /**
   * Returns whether a file outside, to which a link points, is reported to `onItem` without listing or warning.
   * @param relativePath Path below the directory that is read, as it is on disk.
   */
  readonly isReportedOnly?: (relativePath: string) => boolean;
  /** Advice for the warning about omitted files. */
  readonly advice: string;
}

/** Options of {@linkcode readDirectory}. */
export interface DirectoryOptions {
  /**
   * Returns whether to omit a file, or a directory with its content. Called before its metadata are read.
   * @param relativePath Path below the directory that is read, as it is on disk.
   */
  readonly skip?: (relativePath: string, isDirectory: boolean) => boolean;
  /**
   * Symbolic links to follow: links that stay `inside` the directory (default), links that a rule allows, or `all`;
   * links to an ancestor directory are never followed.
   */
  readonly links?: "inside" | "all" | LinkRule;
  /**
   * Called with every listed file and directory and its metadata; for a link, its target's.
   * @param relativePath Path below the directory that is read, as it is on disk.
   */
  readonly onItem?: (relativePath: string, information: Deno.FileInfo) => void;
}

/**
 * Returns the number of a directory, which the directory and its files have instead of a checksum: its inode in 32
 * bits. Another directory at the same path may hold files with the same names, sizes and times.
 */
export function directoryNumber(inode: number | null): number {
  const number = inode ?? 0;
  return (number ^ Math.floor(number / 2 ** 32)) >>> 0;
}

const maxWarnings = 100;
const encoder = new TextEncoder();

const surrogate = /[\ud800-\udfff]/;

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Orders by UTF-8 bytes. Comparing UTF-16 units does the same, except that surrogates sort after U+E000 to U+FFFF. */
function compareAsBytes(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit === rightUnit) continue;
    const leftIsSurrogate = leftUnit >= 0xd800 && leftUnit < 0xe000;
    const rightIsSurrogate = rightUnit >= 0xd800 && rightUnit < 0xe000;
    if (leftIsSurrogate !== rightIsSurrogate && leftUnit >= 0xd800 && rightUnit >= 0xd800) {
      return leftIsSurrogate ? 1 : -1;
    }
    return leftUnit - rightUnit;
  }
  return left.length - right.length;
}

/** File or directory found by name. */
interface Found {
  readonly name: string;
  readonly information: Deno.FileInfo;
  /** Real path, if a symbolic link was followed. */
  readonly target: string | undefined;
}

/** Returns whether a path is `directory` or below it; both absolute and normalized. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : directory + "/");
}

class DirectoryWalker {
  readonly table: EntryTable = new EntryTable();
  readonly #root: string;
  readonly #realRoot: string;
  readonly #skip: (relativePath: string, isDirectory: boolean) => boolean;
  readonly #links: "inside" | "all" | LinkRule;
  readonly #onItem: (relativePath: string, information: Deno.FileInfo) => void;
  readonly #names: MemberNames;
  /** Real paths of the directories that are being read, outermost first. */
  readonly #ancestors: string[];
  #suppressed = 0;
  /** Links that point outside: the first, and their number. */
  #linksOut = { first: "", count: 0 };
  readonly #fields: EntryFields = {
    offset: 0,
    packedSize: 0,
    size: 0,
    mtime: 0,
    crc32: 0,
    method: methodCode.store,
    flags: 0,
    damage: damageCode.none,
  };

  constructor(root: string, options: DirectoryOptions) {
    this.#root = root;
    this.#realRoot = Deno.realPathSync(root);
    this.#ancestors = [this.#realRoot];
    this.#skip = options.skip ?? (() => false);
    this.#links = options.links ?? "inside";
    this.#onItem = options.onItem ?? (() => {});
    this.#names = new MemberNames(this.table);
  }

  run(): EntryTable {
    this.#read("", [...Deno.readDirSync(this.#root)], directoryNumber(Deno.statSync(this.#root).ino));
    this.#names.finish();
    this.#warnOfLinksOut();
    if (this.#suppressed > 0) this.table.warnings.push(`${this.#suppressed} more warnings are left out`);
    return this.table;
  }

  #warn(sentence: string): void {
    if (this.table.warnings.length < maxWarnings) this.table.warnings.push(sentence);
    else this.#suppressed++;
  }

  /**
   * Adds `entries` in the order of the bytes of their whole paths, and everything below them.
   * @param directory Number of their directory.
   */
  #read(prefix: string, entries: readonly Deno.DirEntry[], directory: number): void {
    const found: { key: string; item: Found }[] = [];
    for (const entry of entries) {
      const item = this.#look(prefix, entry);
      if (item) found.push({ key: item.information.isDirectory ? item.name + "/" : item.name, item });
    }
    // Most names have no surrogates; comparing strings then gives the same order much faster.
    const compare = found.some(({ key }) => surrogate.test(key)) ? compareAsBytes : compareText;
    found.sort((left, right) => compare(left.key, right.key));
    for (const { item } of found) {
      this.#add(prefix + item.name, item.information, directory);
      if (item.information.isDirectory) this.#enter(prefix + item.name, item);
    }
  }

  #look(prefix: string, { name, isDirectory, isSymlink }: Deno.DirEntry): Found | undefined {
    const relativePath = prefix + name;
    try {
      if (isSymlink) return this.#follow(relativePath, name);
      if (this.#skip(relativePath, isDirectory)) return undefined;
      const information = Deno.lstatSync(`${this.#root}/${relativePath}`);
      if (information.isFile || information.isDirectory) return { name, information, target: undefined };
      this.#warn(`${relativePath} is neither a file nor a directory; left out`);
    } catch (error) {
      const target = isSymlink && error instanceof Deno.errors.NotFound ? this.#targetOf(relativePath) : undefined;
      this.#warn(
        target !== undefined
          ? `${relativePath} is a symbolic link to ${target}, which does not exist; left out`
          : name.includes("\ufffd")
          ? `${relativePath} has a name that is not UTF-8, so it cannot be opened; rename it`
          : `${relativePath} cannot be read (${messageOf(error)}); left out`,
      );
    }
    return undefined;
  }

  /** Returns the target of a link as written; undefined if it cannot be read. */
  #targetOf(relativePath: string): string | undefined {
    try {
      return Deno.readLinkSync(`${this.#root}/${relativePath}`);
    } catch {
      return undefined;
    }
  }

  #follow(relativePath: string, name: string): Found | undefined {
    const path = `${this.#root}/${relativePath}`;
    const target = Deno.realPathSync(path);
    const information = Deno.statSync(path);
    if (this.#skip(relativePath, information.isDirectory)) return undefined;
    if (this.#leadsOut(target)) {
      this.#leaveOut(relativePath, information);
      return undefined;
    }
    if (information.isDirectory && (this.#ancestors.includes(target) || isInside(this.#realRoot, target))) {
      this.#warn(`${relativePath} is a symbolic link to a directory that contains it; left out`);
      return undefined;
    }
    if (information.isFile || information.isDirectory) return { name, information, target };
    this.#warn(`${relativePath} is neither a file nor a directory; left out`);
    return undefined;
  }

  #leadsOut(target: string): boolean {
    if (this.#links === "all" || isInside(target, this.#realRoot)) return false;
    return this.#links === "inside" || !this.#links.within.some((directory) => isInside(target, directory));
  }

  #leaveOut(relativePath: string, information: Deno.FileInfo): void {
    if (typeof this.#links === "object" && information.isFile && this.#links.isReportedOnly?.(relativePath)) {
      this.#onItem(relativePath, information);
      return;
    }
    this.#linksOut.first ||= relativePath;
    this.#linksOut.count++;
  }

  /** Adds one warning for all of them: a directory may be full of such links. */
  #warnOfLinksOut(): void {
    const { first, count } = this.#linksOut;
    if (count === 0) return;
    const advice = typeof this.#links === "object" ? `; ${this.#links.advice}` : "";
    const what = count === 1 ? "is a symbolic link that leads" : `and ${count - 1} more are symbolic links that lead`;
    this.#warn(`${first} ${what} out of ${this.#root}; left out${advice}`);
  }

  #add(relativePath: string, information: Deno.FileInfo, directory: number): void {
    if (this.table.length >= maxEntryCount) {
      throw new LimitError(`more than ${maxEntryCount} files and directories are not read`, { path: this.#root });
    }
    this.#onItem(relativePath, information);
    const fields = this.#fields;
    fields.flags = information.isDirectory ? entryIsDirectory : 0;
    fields.size = information.isDirectory ? 0 : information.size;
    fields.packedSize = information.isDirectory ? 0 : information.ctime?.getTime() ?? 0;
    fields.crc32 = information.isDirectory ? directoryNumber(information.ino) : directory;
    fields.mtime = information.mtime?.getTime() ?? 0;
    // The file system gives names as UTF-8.
    this.#names.add(encoder.encode(relativePath), fields, (raw) => ({ utf8: raw, guessed: false }));
  }

  #enter(relativePath: string, { name, information, target }: Found): void {
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(`${this.#root}/${relativePath}`)];
    } catch (error) {
      this.#warn(`the directory ${relativePath} cannot be read (${messageOf(error)}); its content is left out`);
      return;
    }
    this.#ancestors.push(target ?? `${this.#ancestors.at(-1)}/${name}`);
    this.#read(relativePath + "/", entries, directoryNumber(information.ino));
    this.#ancestors.pop();
  }
}

/**
 * Lists every file and directory below `path`, sorted by the bytes of their paths. The table's `offsets` are zero, its
 * `compressedSizes` are the ctimes of files, and its `rawNames` hold paths on disk that differ from the display path.
 *
 * Symbolic links are followed if they stay inside `path`, unless the options differ. Other links, loops, unreadable
 * directories, sockets and devices are omitted with a warning; one warning counts all links that point outside.
 * @param path The directory. Requires `--allow-read`.
 * @throws {Error} the operating system's error if `path` itself cannot be read.
 * @throws {LimitError} if it has more than a million entries.
 */
export function readDirectory(path: string, options: DirectoryOptions = {}): EntryTable {
  return new DirectoryWalker(path, options).run();
}
