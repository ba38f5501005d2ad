/**
 * Faults on purpose, for tests of what happens when a thread breaks. Only tests set `PAKFS_FAULT`.
 * @module
 */

/** When threads break; 0: never. */
export interface PlannedFaults {
  /** A decoder ends with an uncaught error after taking this number of members off the queue. */
  readonly decoder: number;
  /** The session thread ends in the same way, without unwinding, when it is to show an index for the nth time. */
  readonly session: number;
  /** The main thread hangs when a client asks for the nth refresh. */
  readonly main: number;
}

/**
 * Reads `$PAKFS_FAULT`: `decoder:5`, `session:1`, `main:1`, or several with commas between them. Anything else plans
 * nothing.
 * @param text The variable's value.
 */
export function plannedFaults(text: string | undefined): PlannedFaults {
  const numberOf = (thread: string) =>
    Number(new RegExp(`(?:^|,)${thread}:(\\d{1,9})(?:,|$)`).exec(text ?? "")?.[1] ?? 0);
  return { decoder: numberOf("decoder"), session: numberOf("session"), main: numberOf("main") };
}

/** The error of a planned fault. */
export class PlannedFault extends Error {
  /** Name of the class. */
  override readonly name = "PlannedFault";

  /** @param thread What breaks. */
  constructor(thread: string) {
    super(`the ${thread} was to break here, as PAKFS_FAULT says`);
  }
}

/** Hangs this thread. */
export function hang(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
