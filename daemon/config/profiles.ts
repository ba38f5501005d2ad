/**
 * Profiles by name: built-in and custom ones.
 * @module
 */
import { type Profile, profileNamed, profiles } from "../../engines/mod.ts";
export { profileToml } from "../../engines/mod.ts";
import { didYouMean, UsageError } from "../../system/mod.ts";
import { readConfigIfThere } from "./config_file.ts";

/** A profile and its origin. */
export interface ProfileOrigin {
  readonly profile: Profile;
  /** Path of the configuration that defines it; null for a built-in one. */
  readonly source: string | null;
}

/**
 * Returns all profiles, custom ones last.
 * @param path Path of the configuration, which need not exist.
 * @throws {ConfigError} if the configuration is not valid.
 */
export async function allProfiles(path: string): Promise<ProfileOrigin[]> {
  const own = (await readConfigIfThere(path))?.profiles ?? [];
  return [
    ...profiles.map((profile) => ({ profile, source: null })),
    ...own.map((profile) => ({ profile, source: path })),
  ];
}

/**
 * Returns the profile of a name. Reads the configuration only for names that are not built in.
 * @param path Path of the configuration, which need not exist.
 * @throws {UsageError} if the profile is unknown.
 * @throws {ConfigError} if the configuration is not valid.
 */
export async function profileCalled(name: string, path: string): Promise<Profile> {
  const builtIn = profileNamed(name);
  if (builtIn) return builtIn;
  const all = (await allProfiles(path)).map(({ profile }) => profile);
  const own = all.find((profile) => profile.name === name);
  if (own) return own;
  const names = all.map((profile) => profile.name);
  const hint = didYouMean(name, names) || `; known: ${names.join(", ")}`;
  throw new UsageError(`unknown profile ${name}${hint}`);
}
