/**
 * Profiles by name: those that came with pakfs, and the user's own.
 * @module
 */
import type { Profile } from "../index/profiles/profile.ts";
import { profileNamed, profiles } from "../index/profiles/profiles.ts";
export { profileToml } from "../index/settings/profile_settings.ts";
import { didYouMean } from "../command_line/suggest.ts";
import { UsageError } from "../command_line/usage.ts";
import { readConfigIfThere } from "./config_file.ts";

/** A profile and where it comes from. */
export interface ProfileOrigin {
  readonly profile: Profile;
  /** Path of the configuration that it is written in; null: it came with pakfs. */
  readonly source: string | null;
}

/**
 * All profiles, the user's own last.
 * @param path Path of the configuration, which need not be there.
 * @throws {ConfigError} if the configuration is not understood.
 */
export function allProfiles(path: string): ProfileOrigin[] {
  const own = readConfigIfThere(path)?.profiles ?? [];
  return [
    ...profiles.map((profile) => ({ profile, source: null })),
    ...own.map((profile) => ({ profile, source: path })),
  ];
}

/**
 * The profile of a name. The configuration is read only for names that did not come with pakfs.
 * @param path Path of the configuration, which need not be there.
 * @throws {UsageError} if there is no such profile.
 * @throws {ConfigError} if the configuration is not understood.
 */
export function profileCalled(name: string, path: string): Profile {
  const builtIn = profileNamed(name);
  if (builtIn) return builtIn;
  const all = allProfiles(path).map(({ profile }) => profile);
  const own = all.find((profile) => profile.name === name);
  if (own) return own;
  const names = all.map((profile) => profile.name);
  const hint = didYouMean(name, names) || `; there are ${names.join(", ")}`;
  throw new UsageError(`there is no profile "${name}"${hint}`);
}
