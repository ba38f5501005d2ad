/**
 * Deno's own cache, for children that run with other directories.
 * @module
 */

/** Returns the path of Deno's cache as the program in `root` uses it. */
export async function denoDirectory(root: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"], cwd: root }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout)) as { denoDir: string };
  return denoDir;
}
