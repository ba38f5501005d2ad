import { assertEquals } from "@std/assert";
import { FileCalls } from "../../system/file_calls.ts";
import { isDying } from "../../system/process_signals.ts";

/** Returns the text of a status file with sets of signal numbers. */
function statusOf(sets: Readonly<Record<string, readonly number[]>>): string {
  const line = (name: string) => {
    const bits = (sets[name] ?? []).reduce((sum, signal) => sum | 1n << BigInt(signal - 1), 0n);
    return `${name}:\t${bits.toString(16).padStart(16, "0")}\n`;
  };
  const others = "Name:\tSigPnd: ffffffffffffffff\nThreads:\t1\n";
  return others + ["SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt"].map(line).join("");
}

Deno.test("a process is dying if a signal that it cannot handle waits for it", () => {
  const [interrupt, kill, alarm, child, realTime] = [2, 9, 14, 17, 64];
  const cases: readonly [Parameters<typeof statusOf>[0], boolean][] = [
    [{}, false],
    [{ SigPnd: [kill] }, true],
    [{ ShdPnd: [interrupt] }, true],
    [{ SigPnd: [realTime] }, true],
    [{ ShdPnd: [interrupt], SigCgt: [interrupt] }, false],
    [{ ShdPnd: [interrupt], SigIgn: [interrupt] }, false],
    [{ SigPnd: [interrupt], SigBlk: [interrupt] }, false],
    [{ SigPnd: [child], ShdPnd: [child] }, false],
    [{ SigPnd: [kill], ShdPnd: [alarm], SigCgt: [alarm, interrupt] }, true],
  ];
  for (const [sets, expected] of cases) {
    const readText = (path: string) => path === "/proc/71/status" ? statusOf(sets) : "";
    assertEquals(isDying({ readText }, 71), expected, JSON.stringify(sets));
    assertEquals([isDying({ readText }, 72), isDying({ readText }, 0)], [true, true], "it is unknown");
  }
  using files = new FileCalls();
  assertEquals(isDying(files, Deno.pid), false);
});
