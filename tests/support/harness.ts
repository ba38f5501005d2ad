/**
 * Helpers that fault runs, benchmarks and mutants share: output, lines, waiting, memory of a process.
 * @module
 */

/** Writes a line, to the end of its last byte. */
export function print(line: string, stream: typeof Deno.stdout | typeof Deno.stderr = Deno.stdout): void {
  const bytes = new TextEncoder().encode(`${line}\n`);
  for (let written = 0; written < bytes.length;) written += stream.writeSync(bytes.subarray(written));
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Returns the bytes of a process that are in memory, or `undefined` if it has ended. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/** Cuts text into lines; what follows the last newline is dropped. */
export class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(chunk, controller) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) controller.enqueue(line);
      },
    });
  }
}
