/**
 * Reads the entities of a map: `{ "key" "value" ... }`, repeated; `//` begins a comment.
 * @module
 */
import { MediaError } from "../core/reader.ts";

/** One entity: its keys and values, in order; the last value of a repeated key. */
export type Entity = ReadonlyMap<string, string>;

const token = /\/\/[^\n]*|"([^"]*)"|([{}])|[^\s"{}]+/g;

/**
 * Reads the entities of a map.
 * @throws {MediaError} if braces and quotes do not match.
 */
export function parseEntities(text: string): Entity[] {
  const entities: Entity[] = [];
  let entity: Map<string, string> | undefined;
  let key: string | undefined;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, brace] = match;
    if (whole.startsWith("//")) continue;
    if (brace === "{") {
      if (entity) throw new MediaError(`entity ${entities.length} is not closed before the next begins`);
      entity = new Map();
      continue;
    }
    if (!entity) {
      if (whole === "\0") continue;
      throw new MediaError(`"${whole.slice(0, 40)}" is outside the braces of an entity`);
    }
    if (brace === "}") {
      entities.push(entity);
      entity = undefined;
      key = undefined;
    } else if (key === undefined) key = quoted ?? whole;
    else {
      entity.set(key, quoted ?? whole);
      key = undefined;
    }
  }
  if (entity) throw new MediaError(`entity ${entities.length} is not closed`);
  return entities;
}

/** Counts the entities of each class, most frequent first. */
export function countClasses(entities: readonly Entity[]): { classname: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const entity of entities) {
    const classname = entity.get("classname") ?? "";
    counts.set(classname, (counts.get(classname) ?? 0) + 1);
  }
  return Array.from(counts, ([classname, count]) => ({ classname, count }))
    .sort((a, b) => b.count - a.count || (a.classname < b.classname ? -1 : 1));
}
