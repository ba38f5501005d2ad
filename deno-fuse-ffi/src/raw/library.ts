/**
 * Loads libfuse 3 and the C library, and rejects unsupported systems early.
 * @module
 */
import { FuseLibraryError, FuseStateError, FuseUnsupportedError } from "./errors.ts";
import {
  notifierSymbols,
  pageStoreSymbols,
  replierSymbols,
  sessionSymbols,
  systemSymbols,
  tableSymbols,
  versionSymbols,
} from "./symbols.ts";

/** libfuse 3, loaded for a session. */
export type SessionLibrary = Deno.DynamicLibrary<typeof sessionSymbols>;
/** libfuse 3, loaded for answering detached requests. */
export type ReplierLibrary = Deno.DynamicLibrary<typeof replierSymbols>;
/** libfuse 3, loaded for notifying the kernel. */
export type NotifierLibrary = Deno.DynamicLibrary<typeof notifierSymbols>;
/** libfuse 3, loaded for storing data in the kernel. */
export type PageStoreLibrary = Deno.DynamicLibrary<typeof pageStoreSymbols>;
/** The C library. */
export type SystemLibrary = Deno.DynamicLibrary<typeof systemSymbols>;
/** The part of the C library that reads the table of mounts. */
export type TableLibrary = Pick<Deno.DynamicLibrary<typeof tableSymbols>, "symbols" | "close">;

/** Environment variable with the path of a libfuse to load instead of the system's. */
const LIBRARY_VARIABLE = "DENO_FUSE_LIBRARY";

// The soname changed with libfuse 3.17; everything called here exists under both.
const fuseNames = ["libfuse3.so.3", "libfuse3.so.4"];
const systemNames = ["libc.so.6", `libc.musl-${Deno.build.arch}.so.1`];

const OLDEST_MINOR = 10;

/** Throws {@linkcode FuseUnsupportedError} unless this is Linux on a processor that the bindings were written for. */
function assertSupportedMachine(): void {
  const { os, arch } = Deno.build;
  if (os !== "linux") {
    throw new FuseUnsupportedError(`Cannot use FUSE on "${os}": this package speaks to the Linux kernel only`);
  }
  if (arch !== "x86_64" && arch !== "aarch64") {
    throw new FuseUnsupportedError(
      `Cannot use FUSE on a processor of type "${arch}": x86_64 and aarch64 are supported`,
    );
  }
}

function overriddenName(): string | undefined {
  // Without --allow-env there is no override: prompting for the permission would surprise.
  if (Deno.permissions.querySync({ name: "env", variable: LIBRARY_VARIABLE }).state !== "granted") return undefined;
  return Deno.env.get(LIBRARY_VARIABLE) || undefined;
}

function openFirst<Symbols extends Deno.ForeignLibraryInterface>(
  names: readonly string[],
  symbols: Symbols,
  advice: string,
): Deno.DynamicLibrary<Symbols> {
  let cause: unknown;
  for (const name of names) {
    try {
      return Deno.dlopen(name, symbols);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      // A library that lacks a function explains more than a missing library.
      const isAbsent = error instanceof Error && error.message.includes("No such file or directory");
      if (cause === undefined || !isAbsent) cause = error;
    }
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new FuseLibraryError(`Cannot load ${names.join(" or ")}: ${reason}. ${advice}`, { cause });
}

function versionOf({ symbols }: Deno.DynamicLibrary<typeof versionSymbols>): string {
  const text = symbols.fuse_pkgversion?.() ?? null;
  if (text !== null) return Deno.UnsafePointerView.getCString(text);
  const number = symbols.fuse_version();
  return `${Math.floor(number / 100)}.${number % 100}`;
}

/** Throws {@linkcode FuseUnsupportedError} unless `version`, such as `3.14.0`, can be used. */
export function assertSupportedVersion(version: string): void {
  const [major, minor] = version.split(".").map(Number);
  // Versions after 3.18 are accepted: replies consist of the kernel's structures, which do not change.
  if (major === 3 && minor !== undefined && minor >= OLDEST_MINOR) return;
  throw new FuseUnsupportedError(
    `Cannot use libfuse ${version}: version 3.${OLDEST_MINOR} or later of libfuse 3 is needed (package fuse3)`,
  );
}

function openFuse<Symbols extends Deno.ForeignLibraryInterface>(
  symbols: Symbols,
  version: (library: Deno.DynamicLibrary<Symbols>) => string,
): Deno.DynamicLibrary<Symbols> {
  assertSupportedMachine();
  const name = overriddenName();
  const library = openFirst(
    name === undefined ? fuseNames : [name],
    symbols,
    name === undefined
      ? "Install the package fuse3 (Debian, Ubuntu, Fedora, Alpine, Arch)"
      : `${LIBRARY_VARIABLE} names that library: correct or unset it`,
  );
  try {
    assertSupportedVersion(version(library));
    return library;
  } catch (error) {
    library.close();
    throw error;
  }
}

/** Loads libfuse 3 for a session; fails as {@linkcode libraryVersion} does. */
export const openSessionLibrary = (): SessionLibrary => openFuse(sessionSymbols, versionOf);
/** Loads libfuse 3 for answering detached requests; fails as {@linkcode libraryVersion} does. */
export const openReplierLibrary = (): ReplierLibrary => openFuse(replierSymbols, versionOf);
/** Loads libfuse 3 for notifying the kernel; fails as {@linkcode libraryVersion} does. */
export const openNotifierLibrary = (): NotifierLibrary => openFuse(notifierSymbols, versionOf);
/** Loads libfuse 3 for storing data in the kernel; fails as {@linkcode libraryVersion} does. */
export const openPageStoreLibrary = (): PageStoreLibrary => openFuse(pageStoreSymbols, versionOf);

/**
 * Loads the C library.
 *
 * @throws {FuseLibraryError} If it cannot be loaded.
 */
export const openSystemLibrary = (): SystemLibrary => openC(systemSymbols);
/** Loads the part of the C library for the table of mounts; fails as {@linkcode openSystemLibrary} does. */
export const openTableLibrary = (): TableLibrary => openC(tableSymbols);

function openC<Symbols extends Deno.ForeignLibraryInterface>(symbols: Symbols): Deno.DynamicLibrary<Symbols> {
  assertSupportedMachine();
  return openFirst(systemNames, symbols, "The C libraries known here are glibc and musl");
}

/** Returns the error number of the C call that has just failed on this thread. */
export function lastErrno(library: TableLibrary): number {
  const location = library.symbols.__errno_location();
  return location === null ? 0 : new Deno.UnsafePointerView(location).getInt32();
}

/**
 * Returns the version of the libfuse that would be used, such as `3.14.0`. Loads and unloads it.
 *
 * @throws {FuseLibraryError} If it is not installed or incomplete.
 * @throws {FuseUnsupportedError} If machine or version are not supported.
 */
export function libraryVersion(): string {
  const library = openFuse(versionSymbols, versionOf);
  try {
    return versionOf(library);
  } finally {
    library.close();
  }
}

const encoder = new TextEncoder();

/** Returns `text` as a C string. */
export function toCString(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${text}\0`);
}

/** A library that is used until {@linkcode close}, which may be called again. */
export class LibraryUser<Symbols extends Deno.ForeignLibraryInterface> implements Disposable {
  readonly #purpose: string;
  #library: Deno.DynamicLibrary<Symbols> | undefined;

  /** @param purpose Completes "Cannot … is closed", such as "answer a request: the replier". */
  constructor(library: Deno.DynamicLibrary<Symbols>, purpose: string) {
    this.#library = library;
    this.#purpose = purpose;
  }

  /** @throws {FuseStateError} If it is closed. */
  protected get library(): Deno.DynamicLibrary<Symbols> {
    if (this.#library === undefined) throw new FuseStateError(`Cannot ${this.#purpose} is closed`);
    return this.#library;
  }

  close(): void {
    this.#library?.close();
    this.#library = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
