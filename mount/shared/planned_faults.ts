/**
 * Deliberate faults, for tests of failing threads. Only tests set `PAKFS_FAULT`.
 * @module
 */

/** Planned failures of threads; 0: none. */
export interface PlannedFaults {
  /** A decoder ends with an uncaught error after dequeueing this number of members. */
  readonly decoder: number;
  /** The session thread ends in the same way, without unwinding, when it shows an index for the nth time. */
  readonly session: number;
  /** The main thread hangs at the nth refresh by a client. */
  readonly main: number;
}

/**
 * Reads `$PAKFS_FAULT`: `decoder:5`, `session:1`, `main:1`, or several, comma-separated. Anything else is ignored.
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

  /**
   * @param thread Name of the failing thread.
   */
  constructor(thread: string) {
    super(`the ${thread} was to break here, as PAKFS_FAULT says`);
  }
}

/** Hangs this thread. */
export function hang(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
