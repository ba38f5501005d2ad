/**
 * Environment variables that are restored when a test ends.
 * @module
 */

/** Sets variables, or deletes those that are undefined, until the scope that the result is bound to ends. */
export function environment(values: Readonly<Record<string, string | undefined>>): Disposable {
  const set = (name: string, value: string | undefined) =>
    value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  const before = Object.keys(values).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(values)) set(name, value);
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) set(name, value);
    },
  };
}
