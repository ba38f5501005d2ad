/**
 * Programs that use a mount, from `/proc`, as far as this user may read it.
 * @module
 */

/** Links of a process that keep a mount busy. */
const links = ["cwd", "root", "exe"];

/** Maximum programs in a message. */
const maxNamed = 8;

/**
 * Runs a program that may fail for some of its arguments, as processes come and go; returns what it printed. Deno
 * allows `/proc` only with all permissions.
 */
async function printed(program: "ls" | "cat", args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command(program, {
    args: [...args],
    env: { LC_ALL: "C" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

/** Returns the processes in a listing of `ls -l` whose links lead into a directory. */
export function processesUsing(path: string, listing: string): number[] {
  const isInside = (target: string) => target === path || target.startsWith(`${path}/`);
  const found = new Set<number>();
  let listed: string | undefined;
  for (const line of listing.split("\n")) {
    listed = /^\/proc\/(\d+)\/fd\/?:$/.exec(line)?.[1] ?? listed;
    const [, name = "", target] = / (\S+) -> (.*)$/.exec(line) ?? [];
    if (target === undefined || !isInside(target)) continue;
    const process = /^\/proc\/(\d+)\//.exec(name)?.[1] ?? listed;
    if (process !== undefined) found.add(Number(process));
  }
  return Array.from(found).sort((a, b) => a - b);
}

/** Returns the programs that use a mount, as `bash (1234)`; other users' programs are only visible to root. */
export async function mountUsers(path: string): Promise<string[]> {
  const processes = (await printed("ls", ["/proc"])).split("\n").filter((name) => /^\d+$/.test(name));
  const paths = processes.flatMap((id) => [...links.map((link) => `/proc/${id}/${link}`), `/proc/${id}/fd/`]);
  const users = processesUsing(path, await printed("ls", ["-l", ...paths])).filter((id) => id !== Deno.pid);
  const named = await Promise.all(
    users.slice(0, maxNamed).map(async (id) => {
      const name = (await printed("cat", [`/proc/${id}/comm`])).trim();
      return `${name || "process"} (${id})`;
    }),
  );
  return users.length > maxNamed ? [...named, `${users.length - maxNamed} more`] : named;
}
