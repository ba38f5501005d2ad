/**
 * Path of the daemon's socket, for the daemon and its clients.
 * @module
 */
import { isAbsolute, join } from "@std/path";

function variable(name: string): string | undefined {
  const value = Deno.env.get(name);
  return value === "" ? undefined : value;
}

/**
 * Returns the path of the daemon's socket: `option` (`--socket`), else `$PAKFS_SOCKET`, else
 * `$XDG_RUNTIME_DIR/pakfs/pakfs.sock`, else `/tmp/pakfs-<uid>/pakfs.sock`. An empty variable counts as unset, as does a
 * relative `XDG_RUNTIME_DIR`, which its specification requires.
 *
 * Requires `--allow-env`, and `--allow-sys=uid` when neither variable is set.
 */
export function socketPath(option?: string): string {
  if (option !== undefined && option !== "") return option;
  const named = variable("PAKFS_SOCKET");
  if (named !== undefined) return named;
  const runtimeDirectory = variable("XDG_RUNTIME_DIR");
  if (runtimeDirectory !== undefined && isAbsolute(runtimeDirectory)) {
    return join(runtimeDirectory, "pakfs", "pakfs.sock");
  }
  return `/tmp/pakfs-${Deno.uid() ?? 0}/pakfs.sock`;
}
