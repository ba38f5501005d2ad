/**
 * All fault runs.
 * @module
 */
import { broken } from "./broken.ts";
import { converted, page } from "./converted.ts";
import { full, pulled } from "./disk.ts";
import { verified } from "./fio.ts";
import { hostile } from "./hostile.ts";
import { hung } from "./hung.ts";
import { kill, terminate } from "./kill.ts";
import { mutants } from "./mutants.ts";
import { randomReads } from "./random_reads.ts";
import { refresh } from "./refresh.ts";
import { replace } from "./replace.ts";
import { returns } from "./returns.ts";
import type { Scenario } from "./scenario.ts";
import { statements } from "./statements.ts";

/** All fault runs, in the order in which they are made. */
export const scenarios: readonly Scenario[] = [
  replace,
  converted,
  page,
  returns,
  refresh,
  kill,
  terminate,
  full,
  pulled,
  hung,
  hostile,
  statements,
  mutants,
  broken,
  randomReads,
  verified,
];
