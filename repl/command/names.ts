/**
 * Names for completion without a daemon: profiles, and mount points of pakfs.
 * @module
 */
import { isOwnMount, type MountRecord, parseMountInfo } from "../../system/mod.ts";

/** Kinds of names that the client finds without a daemon. */
export const localKinds = ["profile", "mount"] as const;

/** Returns the names of a kind that begin with `prefix`, sorted. */
export async function localNames(kind: typeof localKinds[number], prefix: string): Promise<string[]> {
  const names = kind === "profile" ? await profileNames() : await mountPoints();
  return names.filter((name) => name.startsWith(prefix)).sort();
}

async function profileNames(): Promise<string[]> {
  const [{ allProfiles }, { configPath }] = await Promise.all([
    import("../../daemon/config/profiles.ts"),
    import("../../daemon/config/paths.ts"),
  ]);
  return (await allProfiles(configPath(undefined))).map(({ profile }) => profile.name);
}

async function mountPoints(): Promise<string[]> {
  return (await mountTable()).filter(isOwnMount).map(({ mountPoint }) => mountPoint);
}

/** Returns the kernel's table of mounts. */
export async function mountTable(): Promise<MountRecord[]> {
  return parseMountInfo(await mountTableText());
}

/**
 * Reads the kernel's table of mounts through another program: Deno allows `/proc` only to programs with all
 * permissions.
 */
async function mountTableText(): Promise<string> {
  const { stdout } = await new Deno.Command("cat", {
    args: ["/proc/self/mountinfo"],
    stdin: "null",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}
