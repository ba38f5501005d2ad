/**
 * The process that unpacks one archive: `unpack_worker.ts DIRECTORY ORDER`, where the order is a
 * {@linkcode UnpackOrder} in JSON. It writes a spool file, and an {@linkcode UnpackFailure} in JSON if it cannot.
 * @module
 */
import { fs } from "../core/builtins.ts";
import { grouped } from "../core/grouped.ts";
import { maxNestedArchive, maxSpooledTotal, maxUnpackedBytes } from "../core/limits.ts";
import { isUnpackedFormat, Libarchive } from "./libarchive.ts";
import { FileOutput, unpack, UnpackError } from "./unpack.ts";
import {
  identityOf,
  type SpooledList,
  spoolEnd,
  spoolMagic,
  type UnpackFailure,
  type UnpackOrder,
} from "./spool_file.ts";

/** Milliseconds after which an unfinished file belongs to no process. */
const maxAge = 24 * 3600 * 1000;
/** Limits of the process: RLIMIT_CPU, seconds; RLIMIT_DATA, bytes; RLIMIT_CORE: no file is written if it crashes. */
const processLimits = [[0, 900n], [2, 4n * 1024n ** 3n], [4, 0n]] as const;
const ctype = 0; // LC_CTYPE

/** Limits this process, and makes libarchive convert names to UTF-8. */
function prepare(): void {
  for (const name of ["libc.so.6", `libc.musl-${Deno.build.arch}.so.1`]) {
    try {
      const { symbols } = Deno.dlopen(name, {
        // char *setlocale(int category, const char *locale)
        setlocale: { parameters: ["i32", "buffer"], result: "pointer" },
        // int setrlimit(int resource, const struct rlimit *rlim)
        setrlimit: { parameters: ["i32", "buffer"], result: "i32" },
      });
      symbols.setlocale(ctype, new TextEncoder().encode("C.UTF-8\0"));
      for (const [resource, limit] of processLimits) symbols.setrlimit(resource, BigUint64Array.of(limit, limit));
      return;
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
    }
  }
}

/** Reads the standard input to its end. */
function readInput(): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const piece = new Uint8Array(1024 * 1024);
    const count = Deno.stdin.readSync(piece);
    if (count === null) break;
    pieces.push(piece.subarray(0, count));
    size += count;
    if (size > maxNestedArchive) throw new UnpackError("limit", `is larger than ${grouped(maxNestedArchive)} bytes`);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** @throws {UnpackError} if the file at `path` is another than when the order was given. */
function requireSame({ path, identity }: UnpackOrder): void {
  if (path === null || identityOf(fs().statSync(path, { bigint: true })) === identity) return;
  throw new UnpackError("changed", "changed while it was read");
}

/** Removes unfinished files, and the oldest files beyond the maximum of all, except for one. */
function prune(directory: string, kept: string): void {
  const files = Array.from(Deno.readDirSync(directory)).flatMap(({ name, isFile }) => {
    const information = isFile ? fs().statSync(`${directory}/${name}`, { throwIfNoEntry: false }) : undefined;
    if (!information) return [];
    return [{ name, size: information.blocks * 512, used: Math.max(information.atimeMs, information.mtimeMs) }];
  }).sort((a, b) => b.used - a.used);
  let total = 0;
  for (const { name, size, used } of files) {
    total += size;
    const isUnfinished = name.endsWith(".part") && used < Date.now() - maxAge;
    if (name !== kept && (isUnfinished || total > maxSpooledTotal)) {
      fs().rmSync(`${directory}/${name}`, { force: true });
    }
  }
}

function listBytes(list: SpooledList): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(list));
  const bytes = new Uint8Array(json.length + spoolEnd);
  bytes.set(json);
  bytes.set(new TextEncoder().encode(spoolMagic), json.length);
  new DataView(bytes.buffer).setFloat64(json.length + spoolMagic.length, json.length, true);
  return bytes;
}

/** @throws {UnpackError} if it cannot be unpacked. */
function carryOut(order: UnpackOrder): void {
  const { format, directory, name, path } = order;
  if (!isUnpackedFormat(format)) throw new UnpackError("corrupt", `${format} is not unpacked`);
  using library = Libarchive.open();
  if (!library) throw new UnpackError("missing-library", "");
  const from = path ?? readInput();
  fs().mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = fs().statfsSync(directory);
  // Half of a disk stays free for others.
  const maxBytes = Math.min(maxUnpackedBytes, Math.floor(bavail * bsize / 2));
  const partial = `${directory}/${name}.${crypto.randomUUID()}.part`;
  const file = fs().openSync(partial, "wx", 0o600);
  try {
    const output = new FileOutput(file);
    requireSame(order);
    const list = unpack(library, format, from, output, { maxBytes });
    requireSame(order);
    output.write(listBytes(list), list.dataSize);
    fs().renameSync(partial, `${directory}/${name}`);
  } catch (error) {
    fs().rmSync(partial, { force: true });
    throw error;
  } finally {
    fs().closeSync(file);
  }
  prune(directory, name);
}

function failureOf(error: unknown): UnpackFailure {
  if (error instanceof UnpackError) return { kind: error.kind, message: error.message };
  return { kind: "disk", message: error instanceof Error ? error.message : String(error) };
}

try {
  prepare();
  carryOut(JSON.parse(Deno.args[1] ?? ""));
} catch (error) {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(failureOf(error))));
  Deno.exit(1);
}
