/**
 * Deep equality as `@std/assert` documents it: by structure, with constructors compared, `NaN` equal to itself,
 * `0` equal to `-0`, and an object without a prototype equal to a plain one.
 *
 * `node:util` `isDeepStrictEqual` differs in exactly the last two points, which is why it is not used.
 * @module
 */

type Pairs = WeakMap<object, WeakSet<object>>;

/**
 * Whether `a` and `b` are deeply equal.
 */
export function equal(a: unknown, b: unknown): boolean {
  return sameStructure(a, b, new WeakMap());
}

function sameStructure(
  a: unknown,
  b: unknown,
  underComparison: Pairs,
): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (
    typeof a !== "object" || typeof b !== "object" || a === null || b === null
  ) return false;
  if (!sameKind(a, b)) return false;

  // A pair met again inside itself is a cycle: it is equal if everything else about the two is.
  const partners = underComparison.get(a) ?? new WeakSet();
  if (partners.has(b)) return true;
  underComparison.set(a, partners.add(b));

  if (a instanceof Date && b instanceof Date) {
    return sameStructure(a.getTime(), b.getTime(), underComparison);
  }
  if (a instanceof RegExp || a instanceof URL) return String(a) === String(b);
  // What these hold cannot be seen, so only the very same object would be equal.
  if (
    a instanceof WeakMap || a instanceof WeakSet || a instanceof WeakRef ||
    a instanceof Promise
  ) return false;
  if (
    a instanceof Error && b instanceof Error &&
    (a.message !== b.message || a.name !== b.name)
  ) return false;
  if (isBuffer(a) && isBuffer(b)) {
    return sameBytes(new Uint8Array(a), new Uint8Array(b));
  }
  if (a instanceof DataView && b instanceof DataView) {
    return sameBytes(bytesOf(a), bytesOf(b));
  }
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    return sameElements(
      a as unknown as ArrayLike<unknown>,
      b as unknown as ArrayLike<unknown>,
    );
  }
  if (a instanceof Map && b instanceof Map) {
    return sameMaps(a, b, underComparison);
  }
  if (a instanceof Set && b instanceof Set) {
    return sameSets(a, b, underComparison);
  }
  if (a instanceof Number || a instanceof String || a instanceof Boolean) {
    if (!Object.is(a.valueOf(), b.valueOf())) return false;
  }
  return sameProperties(a, b, underComparison);
}

function sameKind(a: object, b: object): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const kind = (value: object): unknown => value.constructor ?? Object;
  return kind(a) === kind(b);
}

function isBuffer(value: object): value is ArrayBuffer | SharedArrayBuffer {
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return sameElements(a, b);
}

function sameElements(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  return firstDifference(a, b) === -1;
}

/** Index of the first element in which two arrays of primitives differ, the shorter's length if it is a prefix, or -1. */
export function firstDifference(
  a: ArrayLike<unknown>,
  b: ArrayLike<unknown>,
): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    if (
      a[index] !== b[index] &&
      !(Number.isNaN(a[index]) && Number.isNaN(b[index]))
    ) return index;
  }
  return a.length === b.length ? -1 : shorter;
}

function sameMaps(
  a: Map<unknown, unknown>,
  b: Map<unknown, unknown>,
  underComparison: Pairs,
): boolean {
  if (a.size !== b.size) return false;
  const unmatched = new Map(b);
  for (const [key, value] of a) {
    if (!isObject(key)) {
      if (
        !unmatched.has(key) ||
        !sameStructure(value, unmatched.get(key), underComparison)
      ) return false;
      unmatched.delete(key);
      continue;
    }
    const partner = [...unmatched].find(([otherKey, otherValue]) =>
      sameStructure(key, otherKey, underComparison) &&
      sameStructure(value, otherValue, underComparison)
    );
    if (partner === undefined) return false;
    unmatched.delete(partner[0]);
  }
  return true;
}

function sameSets(
  a: Set<unknown>,
  b: Set<unknown>,
  underComparison: Pairs,
): boolean {
  if (a.size !== b.size) return false;
  const unmatched = new Set(b);
  for (const value of a) {
    if (unmatched.delete(value)) continue;
    if (!isObject(value)) return false;
    const partner = [...unmatched].find((other) => isObject(other) && sameStructure(value, other, underComparison));
    if (partner === undefined) return false;
    unmatched.delete(partner);
  }
  return true;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function sameProperties(a: object, b: object, underComparison: Pairs): boolean {
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) {
    return false;
  }
  const keys = enumerableKeys(a);
  if (keys.length !== enumerableKeys(b).length) return false;
  return keys.every((key) =>
    Object.hasOwn(b, key) &&
    sameStructure(Reflect.get(a, key), Reflect.get(b, key), underComparison)
  );
}

function enumerableKeys(value: object): PropertyKey[] {
  return Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
}
