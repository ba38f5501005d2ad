/**
 * Tests that mostly wait for other programs.
 * @module
 */

/**
 * Registers a test whose steps run at the same time, and returns a function that adds a step.
 *
 * @param options Whether the test is ignored, as `needs` of `programs.ts` returns it.
 * @param atOnce Maximum number of steps at a time.
 */
export function together(
  name: string,
  options: { ignore?: boolean } = {},
  atOnce = 3,
): (step: string, run: () => Promise<void>) => void {
  const steps: { name: string; fn: () => Promise<void> }[] = [];
  Deno.test(name, options, async (context) => {
    const waiting = steps.values();
    const work = async () => {
      for (const step of waiting) {
        // Each would see what the others have open: the test around them checks that all is closed.
        // deno-lint-ignore no-await-in-loop -- as many at a time as requested
        await context.step({ ...step, sanitizeOps: false, sanitizeResources: false, sanitizeExit: false });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  });
  return (step, run) => void steps.push({ name: step, fn: run });
}
