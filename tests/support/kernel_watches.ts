/**
 * Watches of this process as the kernel reports them, for comparison with the directories on disk.
 * @module
 */

/** Numbers of the inotify watches of this process, by inode of the directory, as the kernel has them. */
export async function kernelWatches(): Promise<Map<number, string>> {
  const watches = new Map<number, string>();
  for await (const { name } of Deno.readDir("/proc/self/fdinfo")) {
    const text = await Deno.readTextFile(`/proc/self/fdinfo/${name}`).catch(() => "");
    for (const [, watch, inode] of text.matchAll(/^inotify wd:(\S+) ino:(\S+)/gm)) {
      watches.set(Number.parseInt(inode ?? "", 16), `${name}:${watch}`);
    }
  }
  return watches;
}

/** Inodes of a directory and all below it, none if it does not exist. */
export async function directoriesBelow(path: string): Promise<number[]> {
  const information = await Deno.lstat(path).catch(() => null);
  if (!information?.isDirectory) return [];
  const below: number[] = [];
  for await (const { name } of Deno.readDir(path)) below.push(...await directoriesBelow(`${path}/${name}`));
  return [information.ino ?? 0, ...below];
}
