/**
 * What a look at the machine finds, in a form for people and programs.
 * @module
 */

/** How a matter stands: as it should be, worth knowing, or something that keeps pakfs from working. */
export type Health = "ok" | "note" | "wrong";

/** One thing that was looked at: the row of `pakfs doctor`. */
export interface Finding {
  /** What was looked at, one or two words. */
  readonly check: string;
  readonly health: Health;
  /** What was found, without a full stop. */
  readonly found: string;
  /** What to do about it, a command where there is one; null where nothing is to be done. */
  readonly advice: string | null;
}

/** A matter that is as it should be. */
export function fine(check: string, found: string): Finding {
  return { check, health: "ok", found, advice: null };
}

/** A matter that somebody may want to change. */
export function note(check: string, found: string, advice: string | null): Finding {
  return { check, health: "note", found, advice };
}

/** A matter that keeps pakfs from working. */
export function wrong(check: string, found: string, advice: string): Finding {
  return { check, health: "wrong", found, advice };
}
