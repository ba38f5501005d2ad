/**
 * Contents of an archive in a file of the cache: unpacked once, by a process of its own (`unpack_worker.ts`), which a
 * damaged archive may crash without harm to this one. The list of an archive that is unpacked already needs no process.
 * @module
 */
import { resolve } from "@std/path";
import type { Buffer } from "node:buffer";
import type { SpawnSyncReturns } from "node:child_process";
import { childProcess, crypto, fs } from "../core/builtins.ts";
import { type ByteReader, FileByteReader, readError } from "../core/byte_reader.ts";
import type { FormatName } from "../core/entry_table.ts";
import { type ArchiveError, CorruptArchiveError, LimitError, ReadError } from "../core/errors.ts";
import { grouped } from "../core/grouped.ts";
import { maxNestedArchive, maxTableBytes } from "../core/limits.ts";
import {
  identityOf,
  type SpooledList,
  spoolEnd,
  spoolMagic,
  type UnpackFailure,
  type UnpackOrder,
} from "./spool_file.ts";

const program = new URL("./unpack_worker.ts", import.meta.url).href;
/** Milliseconds that unpacking may take. */
const timeout = 30 * 60 * 1000;

/** Unpacked archive. */
export interface Unpacked {
  /** Path of the file with the contents. */
  readonly path: string;
  readonly list: SpooledList;
}

/** Returns the directory of unpacked archives. */
function spoolDirectory(path: string): string {
  const [cache, home] = [Deno.env.get("XDG_CACHE_HOME"), Deno.env.get("HOME")];
  const directory = cache || (home && `${home}/.cache`);
  // Deno confines a process to a directory only if its name has no comma.
  if (directory && !directory.includes(",")) return resolve(directory, "pakfs/unpacked");
  throw new ReadError(
    "is unpacked into a cache to be read, and HOME names no directory for it (one without a comma); set XDG_CACHE_HOME",
    { path },
  );
}

/** Returns what is to be unpacked, and its bytes if they are in no file of their own. */
function sourceOf(reader: ByteReader): Pick<UnpackOrder, "path" | "identity"> & { readonly input?: Uint8Array } {
  const { path, size, mtime } = reader;
  if (reader.beside) {
    const information = fs().statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!information || Number(information.size) !== size || information.mtimeMs !== BigInt(Math.floor(mtime))) {
      throw new ReadError("changed while it was read", { path });
    }
    return { path: resolve(path), identity: identityOf(information) };
  }
  if (size > maxNestedArchive) {
    throw new LimitError(`has ${grouped(size)} bytes, too many to be unpacked from within an archive; extract it`, {
      path,
      expected: maxNestedArchive,
      actual: size,
    });
  }
  const input = reader.read(0, size);
  return { path: null, identity: crypto().createHash("sha256").update(input).digest("hex"), input };
}

/**
 * Returns what an archive unpacks to.
 * @throws {ArchiveError} if it cannot be unpacked.
 */
export function unpacked(reader: ByteReader, format: FormatName): Unpacked {
  const { input, ...source } = sourceOf(reader);
  const { directory, name, path } = spoolOf(reader, format, source.identity);
  const known = readList(path);
  if (known) return { path, list: known };
  run({ format, directory, name, ...source }, input, reader.path);
  const list = readList(path);
  if (list) return { path, list };
  throw new ReadError(`${path}, which it was unpacked to, cannot be read; try again`, { path: reader.path });
}

/** Returns whether the list of an archive in a file of its own is known, so that it is returned at once. */
export function isUnpacked(reader: FileByteReader, format: FormatName): boolean {
  return readList(spoolOf(reader, format, sourceOf(reader).identity).path) !== undefined;
}

/** Returns the file for what an archive unpacks to. */
function spoolOf(reader: ByteReader, format: FormatName, identity: string) {
  const directory = spoolDirectory(reader.path);
  const name = crypto().createHash("sha256").update(`${format} ${identity}`).digest("hex").slice(0, 32);
  return { directory, name, path: `${directory}/${name}` };
}

/** Returns the list of a spool file; undefined if it is missing or not whole. */
function readList(path: string): SpooledList | undefined {
  if (!fs().statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  using file = new FileByteReader(path);
  if (file.size < spoolEnd) return undefined;
  const end = file.read(file.size - spoolEnd, spoolEnd);
  const length = new DataView(end.buffer, end.byteOffset).getFloat64(spoolMagic.length, true);
  if (new TextDecoder().decode(end.subarray(0, spoolMagic.length)) !== spoolMagic) return undefined;
  if (!(length >= 0 && length <= Math.min(file.size - spoolEnd, 2 * maxTableBytes))) return undefined;
  try {
    const list = JSON.parse(new TextDecoder().decode(file.read(file.size - spoolEnd - length, length)));
    return list.dataSize + length + spoolEnd === file.size ? list : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function spawn(command: string, parameters: readonly string[], input: Uint8Array): Partial<SpawnSyncReturns<Buffer>> {
  try {
    return childProcess().spawnSync(command, parameters, { stdio: ["pipe", "pipe", "ignore"], input, timeout });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return {};
    throw error;
  }
}

/** Runs the process that unpacks. */
function run(order: UnpackOrder, input: Uint8Array | undefined, path: string): void {
  const parameters = [program, order.directory, JSON.stringify(order)];
  const hasAll = Deno.permissions.querySync({ name: "run" }).state === "granted";
  const script = hasAll ? undefined : Deno.env.get("PAKFS_UNPACKER");
  const options = [
    "run",
    "--quiet",
    "--no-prompt",
    "--cached-only",
    "--no-config",
    "--allow-read",
    "--allow-ffi",
    "--allow-sys=statfs",
  ];
  const [command, parts] = script === undefined
    ? [Deno.execPath(), [...options, `--allow-write=${order.directory}`, ...parameters]]
    : [script, parameters];
  const { status, signal, stdout, error } = spawn(command, parts, input ?? new Uint8Array(0));
  if (status === 0) return;
  if (error) {
    if ("code" in error && error.code === "ETIMEDOUT") throw new LimitError("takes too long to be unpacked", { path });
    throw readError(path, error);
  }
  // This is how Deno refuses to start a process.
  if (status === undefined) {
    throw new ReadError("is unpacked by a process of its own, which needs --allow-run and --allow-env", { path });
  }
  const answer = stdout?.toString() ?? "";
  if (answer === "") {
    const how = !signal ? `ended with status ${status}` : `ended with ${signal}`;
    throw new CorruptArchiveError(`cannot be read: libarchive, which reads it in a process of its own, ${how}`, {
      path,
    });
  }
  throw failureError(JSON.parse(answer), order.format, path);
}

function failureError({ kind, message }: UnpackFailure, format: string, path: string): ArchiveError {
  switch (kind) {
    case "missing-library":
      return new ReadError(`${format} archives are read by libarchive, which is not installed: install libarchive13`, {
        path,
      });
    case "changed":
      return new ReadError(message, { path });
    case "disk":
      return new ReadError(`cannot be unpacked: ${message}`, { path });
    case "limit":
      return new LimitError(message, { path });
    case "corrupt":
      return new CorruptArchiveError(message, { path });
  }
}
