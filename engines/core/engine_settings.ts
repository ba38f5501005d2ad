/**
 * Profiles with settings of their engines.
 * @module
 */
import type { EngineSetting, Profile } from "./profile.ts";

/** Returns the rules of an engine with the settings among `words`; the profile itself if there are none. */
export function withSettings(profile: Profile, words: readonly string[]): Profile {
  return profile.settings.filter(({ name }) => words.includes(name)).reduce(changed, profile);
}

function changed(profile: Profile, { name: _name, note: _note, legacy, ...changes }: EngineSetting): Profile {
  const { dependencies } = profile;
  const isOther = dependencies !== null && legacy !== undefined;
  return { ...profile, ...changes, dependencies: isOther ? { ...dependencies, legacy } : dependencies };
}
