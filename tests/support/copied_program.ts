/**
 * Copies of the program, for tests that change it.
 * @module
 */
import { assertEquals } from "@std/assert";

const root = new URL("../../", import.meta.url).pathname;

/** Copies the program without its tests and documents. */
export async function copyProgram(to: string): Promise<void> {
  const items = await Array.fromAsync(Deno.readDir(root));
  const names = items.map(({ name }) => name).filter((name) =>
    !name.startsWith(".") && !["docs", "node_modules", "tests", "tools"].includes(name)
  );
  await Deno.mkdir(to);
  const { success } = await new Deno.Command("cp", { args: ["-r", ...names, to], cwd: root }).output();
  assertEquals(success, true);
}
