/**
 * All fault runs.
 * @module
 */
import { full, pulled } from "./disk.ts";
import { verified } from "./fio.ts";
import { hostile } from "./hostile.ts";
import { kill, terminate } from "./kill.ts";
import { randomReads } from "./random_reads.ts";
import { replace } from "./replace.ts";
import type { Scenario } from "./scenario.ts";

/** All fault runs, in the order in which they are made. */
export const scenarios: readonly Scenario[] = [replace, kill, terminate, full, pulled, hostile, randomReads, verified];
