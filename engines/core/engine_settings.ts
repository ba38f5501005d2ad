/**
 * Profiles under settings of their engines.
 * @module
 */
import type { EngineSetting, Profile } from "./profile.ts";

/** Returns the rules of an engine under the settings that are among some words; the profile itself if none is. */
export function withSettings(profile: Profile, words: readonly string[]): Profile {
  return profile.settings.filter(({ name }) => words.includes(name)).reduce(changed, profile);
}

function changed(profile: Profile, { name: _name, note: _note, legacy, ...changes }: EngineSetting): Profile {
  const { dependencies } = profile;
  const isOther = dependencies !== null && legacy !== undefined;
  return { ...profile, ...changes, dependencies: isOther ? { ...dependencies, legacy } : dependencies };
}
