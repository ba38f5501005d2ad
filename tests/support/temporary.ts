/**
 * Temporary directories that are removed when a test ends, however it ends.
 * @module
 */

/** A directory that is removed, with everything in it, when the scope it is bound to ends. */
export interface TemporaryDirectory extends AsyncDisposable {
  /** Absolute path, links resolved. */
  readonly path: string;
}

/**
 * Makes an empty directory for one test.
 *
 * ```ts ignore
 * await using directory = await temporaryDirectory();
 * await Deno.writeTextFile(`${directory.path}/autoexec.cfg`, "");
 * ```
 */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "pakfs-test-" }));
  return {
    path,
    async [Symbol.asyncDispose](): Promise<void> {
      await Deno.remove(path, { recursive: true });
    },
  };
}
