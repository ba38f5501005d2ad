/**
 * Whether a profile can work: whether its rules decide everything, and none of them in vain.
 * @module
 */
import type { PackRule } from "../profiles/pack_order.ts";
import type { Profile, RuleName } from "../profiles/profile.ts";
import { type Place, SettingError } from "./fields.ts";
import { ruleNames, ruleNotes, type RuleQuestion } from "./rule_notes.ts";

/**
 * Checks a profile that did not come with pakfs.
 * @param place Where it stands in a configuration.
 * @throws {SettingError} that names the key and what is wrong with it.
 */
export function checkProfile(profile: Profile, place: Place = []): void {
  checkNames(profile, place);
  for (const [index, step] of profile.packs.entries()) checkStep(step, [...place, "packs", index]);
  checkRules(profile, [...place, "rules"]);
}

function checkNames(profile: Profile, place: Place): void {
  if (!/^[a-z0-9][\w-]*$/i.test(profile.name)) {
    throw new SettingError(
      `"name" must be of letters, digits, "-" and "_", not "${profile.name}"`,
      [...place, "name"],
    );
  }
  if (profile.engine === "") throw new SettingError(`"engine" must not be empty`, [...place, "engine"]);
  for (const key of ["bases", "missionPacks"] as const) {
    for (const [index, name] of profile[key].entries()) checkComponent(name, [...place, key, index]);
  }
  for (const [index, folder] of profile.packFolders.entries()) {
    checkComponent(folder.name, [...place, "packFolders", index, "name"]);
  }
  if (profile.overrideDirectory !== null) checkComponent(profile.overrideDirectory, [...place, "overrideDirectory"]);
  if (profile.enginePack) checkComponent(profile.enginePack.name, [...place, "enginePack", "name"]);
  const both = profile.missionPacks.findIndex((name) => profile.bases.includes(name));
  if (both >= 0) {
    throw new SettingError(
      `"${profile.missionPacks[both]}" cannot be a mission pack and a base game directory`,
      [...place, "missionPacks", both],
    );
  }
  if (!profile.ignoreCase && profile.looseCase !== "own") {
    throw new SettingError(
      `"looseCase" can only be "own" where case is not ignored; set ignoreCase = true`,
      [...place, "looseCase"],
    );
  }
}

/** A name of one directory or file: anything else would lead out of the game. */
function checkComponent(name: string, place: Place): void {
  if (name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name)) return;
  throw new SettingError(`"${name}" is not the name of one directory or file`, place);
}

function checkStep(step: PackRule, place: Place): void {
  if (step.kind === "numbered") {
    if (/[/\0]/.test(step.prefix + step.suffix)) {
      throw new SettingError("a pack's name has no slash", [...place, "prefix"]);
    }
    return;
  }
  for (const key of ["suffixes", "directories"] as const) {
    for (const [index, ending] of step[key].entries()) {
      if (/^\.[^./A-Z\0]+$/.test(ending)) continue;
      throw new SettingError(
        `"${ending}" is not an ending: a dot, and what follows it in small letters`,
        [...place, key, index],
      );
    }
  }
}

function checkRules(profile: Profile, place: Place): void {
  const { rules } = profile;
  const unknown = rules.findIndex((rule) => !ruleNames.includes(rule));
  if (unknown >= 0) throw new SettingError(`there is no rule "${rules[unknown]}"`, [...place, unknown]);
  for (const [index, rule] of rules.entries()) checkRule(profile, rule, index, place);
  for (const [question, meaning] of required(profile)) {
    if (!rules.some((rule) => ruleNotes[rule].question === question)) {
      const choices = ruleNames.filter((rule) => ruleNotes[rule].question === question).join(", ");
      throw new SettingError(`no rule decides ${meaning}: add one of ${choices}`, place);
    }
  }
  const type = rules.indexOf("pack-type");
  const order = rules.findIndex((rule) => ruleNotes[rule].question === "order of packs");
  if (type >= 0 && order >= 0 && order < type) {
    throw new SettingError(`"pack-type" must stand before "${rules[order]}"`, [...place, type]);
  }
  const last = rules.findLastIndex((rule) => rule !== "case-match");
  const note = ruleNotes[rules[last] ?? "case-match"];
  if (note.question !== "duplicates in a pack") {
    throw new SettingError(
      `the last rule must decide between equal names in one pack; "${rules[last]}" does not`,
      [...place, Math.max(last, 0)],
    );
  }
  if (note.duplicates !== profile.duplicates) {
    throw new SettingError(
      `"${rules[last]}" takes another one of equal names than duplicates = "${profile.duplicates}"`,
      [...place, last],
    );
  }
}

function checkRule(profile: Profile, rule: RuleName, index: number, place: Place): void {
  const { question, needs } = ruleNotes[rule];
  const before = profile.rules.slice(0, index);
  if (before.includes(rule)) throw new SettingError(`"${rule}" stands here twice`, [...place, index]);
  const settled = before.find((other) => question !== "other" && ruleNotes[other].question === question);
  if (settled !== undefined) {
    throw new SettingError(`"${rule}" never decides: "${settled}" in front of it does`, [...place, index]);
  }
  if (needs !== undefined && isNothing(profile[needs])) {
    throw new SettingError(`"${rule}" never decides: "${needs}" says that there is none`, [...place, index]);
  }
}

function isNothing(value: Profile[keyof Profile]): boolean {
  return value === null || value === false || (Array.isArray(value) && value.length === 0);
}

/** What has to be decided, lest the order of reading does. */
function required({ packs }: Profile): (readonly [RuleQuestion, string])[] {
  return [
    ["game directory", "between game directories"],
    ["base directory", "between base directories"],
    ["packs and loose files", "between packs and loose files"],
    ...packs.length > 0 ? [["order of packs", "between packs"] as const] : [],
    ...packs.length > 1 ? [["type of pack", "between packs of different steps"] as const] : [],
  ];
}
