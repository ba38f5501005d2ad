/**
 * Loading functions of the C library, glibc or musl.
 * @module
 */

const names = ["libc.so.6", `libc.musl-${Deno.build.arch}.so.1`];

/**
 * Loads functions of the C library.
 * @throws {Error} if it cannot be loaded.
 */
export function openCLibrary<const Symbols extends Deno.ForeignLibraryInterface>(
  wanted: Symbols,
): Deno.DynamicLibrary<Symbols> {
  let failure: unknown;
  for (const name of names) {
    try {
      return Deno.dlopen(name, wanted);
    } catch (error) {
      failure ??= error;
    }
  }
  throw new Error(`Cannot load the C library (${names.join(" or ")})`, { cause: failure });
}
