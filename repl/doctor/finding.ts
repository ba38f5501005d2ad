/**
 * Findings of the doctor, for people and programs.
 * @module
 */

/** State of the subject: fine, notable, or an obstacle to pakfs. */
export type Health = "ok" | "note" | "wrong";

/** Result of one check: a row of `pakfs doctor`. */
export interface Finding {
  /** Subject of the check, in one or two words. */
  readonly check: string;
  readonly health: Health;
  /** Finding, without a full stop. */
  readonly found: string;
  /** Remedy, a command if possible; null if none is needed. */
  readonly advice: string | null;
}

/** Returns a finding that is fine. */
export function fine(check: string, found: string): Finding {
  return { check, health: "ok", found, advice: null };
}

/** Returns a notable finding. */
export function note(check: string, found: string, advice: string | null): Finding {
  return { check, health: "note", found, advice };
}

/** Returns a finding that keeps pakfs from working. */
export function wrong(check: string, found: string, advice: string): Finding {
  return { check, health: "wrong", found, advice };
}
