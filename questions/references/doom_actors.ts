/**
 * Classes of things in `DECORATE` and ZScript, as far as their names are literal.
 *
 * `actor NAME : PARENT replaces OTHER NUMBER { ... states { Spawn: TROO AB 10 A_Look ... } }`, `class NAME : PARENT
 * replaces OTHER { Default { ... } States { ... } ... }`, `#include "PATH"`. (GZDoom
 * src/scripting/decorate/thingdef_parse.cpp, wadsrc/static/zscript.) A state names a sprite of four letters and its
 * frames, one letter each. Other strings may be names of classes, sounds, textures or pictures, or none; names that
 * code builds are unknown.
 * @module
 */
import type { DoomDefinition } from "./doom_textures.ts";
import { actorName, namedBy } from "./doom_names.ts";
import { DoomText, type DoomWord } from "../../media/mod.ts";
import { needed, optional, type Reference } from "./reference.ts";

/** Classes of a file. */
export interface Actors {
  readonly definitions: readonly DoomDefinition[];
  /** Numbers of things with their classes. */
  readonly things: ReadonlyMap<number, string>;
  readonly includes: readonly string[];
  /** Names of classes that replace classes of the engine or of other files. */
  readonly replacing: readonly string[];
}

const openers = new Set(["actor", "class", "struct", "enum", "mixin", "extend"]);

/**
 * Reads `DECORATE` or `ZSCRIPT`.
 * @throws {MediaError} if it has too many words.
 */
export function readActors(bytes: Uint8Array): Actors {
  const text = new DoomText(bytes);
  const definitions: DoomDefinition[] = [];
  const things = new Map<number, string>();
  const includes: string[] = [];
  const replacing: string[] = [];
  while (!text.isAtEnd) {
    const word = text.next();
    if (word?.kind !== "word") continue;
    const key = word.text.toLowerCase();
    if (key === "#include") includes.push(text.next()?.text ?? "");
    if (!openers.has(key)) continue;
    while (openers.has(text.peek()?.text.toLowerCase() ?? "")) text.next();
    const name = text.next()?.text.toLowerCase() ?? "";
    const head: DoomWord[] = [];
    for (let next = text.peek(); next && next.text !== "{" && next.text !== ";"; next = text.peek()) {
      head.push(next);
      text.next();
    }
    const number = head.find((one) => one.kind === "word" && /^\d+$/.test(one.text));
    if (number) things.set(Number(number.text), name);
    if (head.some((one) => /^replaces$/i.test(one.text))) replacing.push(name);
    const references = [...headReferences(head), ...bodyReferences(text.block() ?? [])];
    definitions.push({ type: "actor", name, offset: word.offset, line: word.line, references: distinct(references) });
  }
  return { definitions, things, includes, replacing };
}

function distinct(references: readonly Reference[]): Reference[] {
  return [...new Map(references.map((one) => [`${one.kind} ${one.names.join(" ")}`, one])).values()];
}

function headReferences(head: readonly DoomWord[]): Reference[] {
  const parent = head[0]?.text === ":" ? head[1]?.text ?? "" : "";
  return parent === "" ? [] : [optional("definition", "parent class", actorName(parent))];
}

/** Name of a sprite; `####` and `----` repeat the previous state's. */
const spriteName = /^[\w^\\[\]]{4}$/;
const frameLetters = /^[A-Z[\\\]^]+$/i;
/** Sprites without a picture. */
const noSprite = new Set(["TNT1", "####", "----"]);

/** Properties whose value may be a name without quotes. */
const namingProperty = /(?:sound|dropitem|icon|ammotype\d?|missiletype|bloodtype|puff|skin)$/i;

/** Returns the references in the body of a class: the frames of its states, and its strings. */
function bodyReferences(body: readonly DoomWord[]): Reference[] {
  const found: Reference[] = [];
  const lines = new Map<number, DoomWord[]>();
  const statesFrom = body.findIndex(({ kind, text }, index) =>
    kind === "word" && /^states$/i.test(text) && /^[{(]$/.test(body[index + 1]?.text ?? "")
  );
  for (const [index, word] of body.entries()) {
    const isName = word.kind === "string" || word.text.includes("/") ||
      namingProperty.test(body[index - 1]?.text ?? "");
    if (isName && word.kind !== "symbol") found.push(...namedBy(word.text, "name in a class"));
    if (statesFrom < 0 || index < statesFrom) continue;
    lines.getOrInsert(word.line, []).push(word);
  }
  for (const line of lines.values()) found.push(...stateReferences(line));
  return found;
}

/** Returns the frames of a line of states: `Spawn: TROO ABCD 3 Bright A_Chase`. */
function stateReferences(line: readonly DoomWord[]): Reference[] {
  return line.flatMap(({ text }, at) => {
    const [frames, length] = [line[at + 1]?.text ?? "", line[at + 2]?.text ?? ""];
    const isStart = at === 0 || /^[:{;}]$/.test(line[at - 1]?.text ?? "");
    const isState = isStart && spriteName.test(text) && frameLetters.test(frames) &&
      /^(?:-?\d+|-|random)$/i.test(length);
    if (!isState || noSprite.has(text.toUpperCase())) return [];
    return Array.from(
      new Set(frames.toUpperCase()),
      (frame) => needed("image", `sprites/${text.toUpperCase()}${frame === "\\" ? "^" : frame}`, "frame of a state"),
    );
  });
}
