/**
 * Checks that the rules of a profile decide every case, and that none of them is useless.
 * @module
 */
import { withSettings } from "../core/engine_settings.ts";
import type { PackRule } from "../core/pack_steps.ts";
import type { EngineSetting, LeftOut, Profile } from "../core/profile.ts";
import type { RuleName } from "../core/rule_names.ts";
import { type KeyPath, SettingError } from "./fields.ts";
import { ruleNames, ruleNotes, type RuleQuestion } from "./rule_notes.ts";

/**
 * Checks a profile that did not come with pakfs.
 * @param keyPath Its key path in the configuration.
 * @throws {SettingError} with the key and the error.
 */
export function checkProfile(profile: Profile, keyPath: KeyPath = []): void {
  checkNames(profile, keyPath);
  for (const [index, step] of profile.packs.entries()) checkStep(step, [...keyPath, "packs", index]);
  const { nestedPacks } = profile;
  if (nestedPacks) checkEndings(nestedPacks.suffixes, [...keyPath, "nestedPacks", "suffixes"]);
  for (const [index, rule] of profile.leftOut.entries()) checkLeftOut(rule, [...keyPath, "leftOut", index]);
  checkRules(profile, [...keyPath, "rules"]);
  for (const [index, setting] of profile.settings.entries()) {
    checkSetting(profile, setting, [...keyPath, "settings", index]);
  }
}

function checkSetting(profile: Profile, { name }: EngineSetting, keyPath: KeyPath): void {
  if (!/^[\w.+=-]+$/.test(name)) {
    throw new SettingError(`"name" must be of letters, digits and "_.+=-", not "${name}"`, [...keyPath, "name"]);
  }
  checkProfile({ ...withSettings(profile, [name]), settings: [] }, keyPath);
}

function checkNames(profile: Profile, keyPath: KeyPath): void {
  if (!/^[a-z0-9][\w-]*$/i.test(profile.name)) {
    throw new SettingError(
      `"name" must be of letters, digits, "-" and "_", not "${profile.name}"`,
      [...keyPath, "name"],
    );
  }
  if (profile.engine === "") throw new SettingError(`"engine" must not be empty`, [...keyPath, "engine"]);
  const lists: readonly [readonly string[] | undefined, ...KeyPath][] = [
    [profile.bases, "bases"],
    [profile.missionPacks, "missionPacks"],
    [profile.loadList?.own, "loadList", "own"],
    [profile.loadList?.autoload, "loadList", "autoload"],
    [profile.chain?.files, "chain", "files"],
  ];
  for (const [names = [], ...keys] of lists) {
    for (const [index, name] of names.entries()) checkComponent(name, [...keyPath, ...keys, index]);
  }
  for (const [index, { name }] of profile.companions.entries()) {
    for (const part of name.split("/")) checkComponent(part, [...keyPath, "companions", index, "name"]);
  }
  for (const [index, folder] of profile.packFolders.entries()) {
    checkComponent(folder.name, [...keyPath, "packFolders", index, "name"]);
  }
  if (profile.sourceList !== null) checkComponent(profile.sourceList, [...keyPath, "sourceList"]);
  for (const [key, value] of Object.entries(profile.dependencies ?? {})) {
    if (typeof value === "string") checkComponent(value, [...keyPath, "dependencies", key]);
  }
  for (const [index, prefix] of (profile.dependencies?.prefixes ?? []).entries()) {
    for (const part of prefix.split("/")) checkComponent(part, [...keyPath, "dependencies", "prefixes", index]);
  }
  if (profile.overrideDirectory !== null) checkComponent(profile.overrideDirectory, [...keyPath, "overrideDirectory"]);
  if (profile.enginePack) checkComponent(profile.enginePack.name, [...keyPath, "enginePack", "name"]);
  const both = profile.missionPacks.findIndex((name) => profile.bases.includes(name));
  if (both >= 0) {
    throw new SettingError(
      `"${profile.missionPacks[both]}" cannot be a mission pack and a base game directory`,
      [...keyPath, "missionPacks", both],
    );
  }
  if (!profile.ignoreCase && profile.looseCase !== "own") {
    throw new SettingError(
      `"looseCase" can only be "own" where case is not ignored; set ignoreCase = true`,
      [...keyPath, "looseCase"],
    );
  }
}

/** Name of one directory or file: a path could lead out of the game. */
function checkComponent(name: string, keyPath: KeyPath): void {
  if (name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name)) return;
  throw new SettingError(`"${name}" is not the name of one directory or file`, keyPath);
}

function checkLeftOut({ member, prefix, except, choice, needs }: LeftOut, keyPath: KeyPath): void {
  if (needs !== null && (member === null || !choice)) {
    throw new SettingError(`"needs" is of packs with a "member" that a view can choose`, [...keyPath, "needs"]);
  }
  if (member !== null) checkComponent(member, [...keyPath, "member"]);
  if (member !== null || prefix !== null || except.length > 0) return;
  throw new SettingError(`it would leave out every pack; set "member", "prefix" or "except"`, keyPath);
}

function checkStep(step: PackRule, keyPath: KeyPath): void {
  if (step.kind === "numbered") {
    if (/[/\0]/.test(step.prefix + step.suffix + step.otherSuffixes.join(""))) {
      throw new SettingError("a pack's name has no slash", [...keyPath, "prefix"]);
    }
    return;
  }
  if (step.kind === "listed") checkComponent(step.file, [...keyPath, "file"]);
  checkEndings(step.suffixes, [...keyPath, "suffixes"], step.kind === "sorted");
  if (step.kind === "sorted") checkEndings(step.directories, [...keyPath, "directories"]);
}

function checkEndings(endings: readonly string[], keyPath: KeyPath, mayBeNames = false): void {
  const valid = mayBeNames ? /^[^./A-Z\0]*\.[^./A-Z\0]+$/ : /^\.[^./A-Z\0]+$/;
  for (const [index, ending] of endings.entries()) {
    if (valid.test(ending)) continue;
    throw new SettingError(
      `"${ending}" is not an ending: write its dot and lower case, such as .pk3`,
      [...keyPath, index],
    );
  }
}

function checkRules(profile: Profile, keyPath: KeyPath): void {
  const { rules } = profile;
  const unknown = rules.findIndex((rule) => !ruleNames.includes(rule));
  if (unknown >= 0) throw new SettingError(`unknown rule ${rules[unknown]}`, [...keyPath, unknown]);
  for (const [index, rule] of rules.entries()) checkRule(profile, rule, index, keyPath);
  for (const [question, meaning] of required(profile)) {
    if (!rules.some((rule) => ruleNotes[rule].question === question)) {
      const choices = ruleNames.filter((rule) => ruleNotes[rule].question === question).join(", ");
      throw new SettingError(`no rule decides ${meaning}: add one of ${choices}`, keyPath);
    }
  }
  const type = rules.indexOf("pack-type");
  const order = rules.findIndex((rule) => ruleNotes[rule].question === "order of packs");
  if (type >= 0 && order >= 0 && order < type) {
    throw new SettingError(`"pack-type" must come before "${rules[order]}"`, [...keyPath, type]);
  }
  const last = rules.findLastIndex((rule) => rule !== "case-match");
  const note = ruleNotes[rules[last] ?? "case-match"];
  if (note.question !== "duplicates in a pack") {
    throw new SettingError(
      `the last rule must decide between equal names in one pack; "${rules[last]}" does not`,
      [...keyPath, Math.max(last, 0)],
    );
  }
  if (note.duplicates !== profile.duplicates) {
    throw new SettingError(
      `"${rules[last]}" takes another one of equal names than duplicates = "${profile.duplicates}"`,
      [...keyPath, last],
    );
  }
}

function checkRule(profile: Profile, rule: RuleName, index: number, keyPath: KeyPath): void {
  const { question, needs } = ruleNotes[rule];
  const before = profile.rules.slice(0, index);
  if (before.includes(rule)) throw new SettingError(`"${rule}" is listed twice`, [...keyPath, index]);
  const settled = before.find((other) => question !== "other" && ruleNotes[other].question === question);
  if (settled !== undefined) {
    throw new SettingError(`"${rule}" never decides: "${settled}" before it does`, [...keyPath, index]);
  }
  if (needs !== undefined && isNothing(profile[needs])) {
    throw new SettingError(`"${rule}" never decides: "${needs}" is empty or false`, [...keyPath, index]);
  }
}

function isNothing(value: Profile[keyof Profile]): boolean {
  return value === null || value === false || (Array.isArray(value) && value.length === 0);
}

/** Returns the questions that rules must decide, so that the result never depends on the order of reading. */
function required({ packs, nestedPacks, rules }: Profile): (readonly [RuleQuestion, string])[] {
  // With a list of sources, only equal names in one pack remain to be decided.
  if (rules.some((rule) => ruleNotes[rule].question === "sources")) return [];
  return [
    ["game directory", "between game directories"],
    ["base directory", "between base directories"],
    ["packs and loose files", "between packs and loose files"],
    ...packs.length > 0 ? [["order of packs", "between packs"] as const] : [],
    ...packs.length > 1 ? [["type of pack", "between packs of different steps"] as const] : [],
    ...nestedPacks ? [["packs in packs", "between a pack and the packs in it"] as const] : [],
  ];
}
