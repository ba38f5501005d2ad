/**
 * The kernel's table of mounts, and detection of mounting and unmounting, which watches of directories do not report.
 * @module
 */
import type { FileCalls } from "./file_calls.ts";
import type { SystemCalls } from "./system_calls.ts";

/** Path of the table. */
export const mountTablePath = "/proc/self/mountinfo";

/** A line of the kernel's table of mounts. */
export interface MountRecord {
  /** Number of the mount, which is reused after unmounting. */
  id: string;
  /** Directory of its file system that is the root of the mount. */
  root: string;
  mountPoint: string;
  type: string;
  source: string;
  /** Device number of the file system, `major:minor`. */
  device: string;
  /** Directories of an overlay; empty for all other types. */
  layers: readonly string[];
}

/** Parses the text of {@linkcode mountTablePath}. */
export function parseMountInfo(text: string): MountRecord[] {
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [id, , device, root, mountPoint] = before.split(" ");
    const [type, source, options = ""] = after.split(" ");
    if (!id || !device || !root || !mountPoint || !type || source === undefined) return [];
    const layers = type === "overlay" ? layersOf(options) : [];
    const names = { root: unescaped(root), mountPoint: unescaped(mountPoint), source: unescaped(source) };
    return [{ id, device, type, layers, ...names }];
  });
}

/** Decodes a name, whose spaces, commas and backslashes are octal escapes. */
function unescaped(name: string): string {
  return name.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** Returns the directories in the options of an overlay, separated by colons, with escaped colons in names. */
function layersOf(options: string): string[] {
  return options.split(",").flatMap((option) => {
    const [, key, value = ""] = /^(lowerdir|lowerdir\+|datadir\+|upperdir)=(.*)$/.exec(option) ?? [];
    if (key === undefined) return [];
    const paths = key === "lowerdir" ? unescaped(value).split(/(?<!\\):+/) : [unescaped(value)];
    return paths.map((path) => path.replaceAll(/\\([\\:])/g, "$1"));
  });
}

/** Returns the text of the table; empty if unreadable. */
export function readMountTable(files: Pick<FileCalls, "readText">): string {
  return files.readText(mountTablePath);
}

/** Returns whether a mount was made by pakfs. */
export function isOwnMount({ type, source }: MountRecord): boolean {
  return type === "fuse.pakfs" || source === "pakfs";
}

/** System calls of a {@linkcode MountTableWatch}. */
export interface MountTableCalls {
  readonly files: Pick<SystemCalls["files"], "openForReading" | "readText" | "close">;
  readonly process: Pick<SystemCalls["process"], "hasPriorityEvent">;
}

/** Reports mounting and unmounting in the namespace of this process. */
export class MountTableWatch implements Disposable {
  readonly #system: MountTableCalls;
  /** Negative if the table cannot be opened; then no change is noticed. */
  readonly #fileDescriptor: number;
  /** Mount point of each line. */
  #lines: ReadonlyMap<string, string>;

  constructor(system: MountTableCalls) {
    this.#system = system;
    this.#fileDescriptor = system.files.openForReading(mountTablePath);
    this.#lines = this.#read();
  }

  /** Returns the paths of mounts and unmounts since the last call, or since the beginning. */
  changes(): readonly string[] {
    if (this.#fileDescriptor < 0 || !this.#system.process.hasPriorityEvent(this.#fileDescriptor)) return [];
    const before = this.#lines;
    this.#lines = this.#read();
    return [...missingIn(this.#lines, before), ...missingIn(before, this.#lines)];
  }

  [Symbol.dispose](): void {
    if (this.#fileDescriptor >= 0) this.#system.files.close(this.#fileDescriptor);
  }

  #read(): Map<string, string> {
    const records = parseMountInfo(readMountTable(this.#system.files));
    return new Map(records.map((record) => [JSON.stringify(record), record.mountPoint]));
  }
}

function missingIn(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): string[] {
  return Array.from(others).filter(([line]) => !some.has(line)).map(([, mountPoint]) => mountPoint);
}
