/** What is loaded before a mount answers: each module costs a quarter of a millisecond, Node's own ones twenty. */
import { assert, assertEquals } from "@std/assert";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly { readonly code?: { readonly specifier?: string }; readonly isDynamic?: boolean }[];
}

/** Returns the modules that a program loads at its start. */
async function modulesOf(program: string): Promise<Set<string>> {
  const path = new URL(`../../${program}`, import.meta.url).pathname;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", path] }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { readonly modules: readonly Module[] };
  const known = new Map(modules.map((module) => [module.specifier, module]));
  const found = new Set<string>();
  for (let left = [`file://${path}`]; left.length > 0;) {
    const specifier = left.pop() ?? "";
    if (found.has(specifier)) continue;
    found.add(specifier);
    const needed = known.get(specifier)?.dependencies?.filter(({ isDynamic }) => isDynamic !== true) ?? [];
    left = left.concat(needed.flatMap(({ code }) => code?.specifier ?? []));
  }
  return found;
}

Deno.test("no thread that a mount waits for loads modules of Node, or more of our own than today", async () => {
  const limits = { "daemon/program.ts": 345, "mount/session/session_worker.ts": 220 };
  for (const [program, limit] of Object.entries(limits)) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its program
    const modules = Array.from(await modulesOf(program));
    assert(modules.length > 100, "the modules were found");
    assertEquals(modules.filter((specifier) => specifier.startsWith("node:")), [], program);
    assertEquals(modules.filter((specifier) => /\/(service\/service|daemon\/demo_command)\.ts$/.test(specifier)), []);
    assert(modules.length <= limit, `${program} loads ${modules.length} modules`);
  }
});
