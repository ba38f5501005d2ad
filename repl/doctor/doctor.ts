/**
 * Checks everything that pakfs depends on, and suggests remedies.
 * @module
 */
import type { Finding } from "./finding.ts";
import { type Machine, thisMachine } from "./machine.ts";
import { checkCodeCache, checkConfig, checkIndexCache, checkMounts, checkSockets } from "./own_checks.ts";
import {
  checkAllowOther,
  checkDeno,
  checkDevice,
  checkFusermount,
  checkInotify,
  checkLibarchive,
  checkLibdeflate,
  checkLibfuse,
} from "./system_checks.ts";

/** Paths to check instead of the default ones. */
export interface DoctorOptions {
  /** Value of `--config`. */
  readonly config?: string | undefined;
  /** Value of `--socket`. */
  readonly socket?: string | undefined;
}

/** Runs all checks, in the order of their dependencies. Changes nothing. */
export async function examine(options: DoctorOptions = {}, machine: Machine = thisMachine()): Promise<Finding[]> {
  const findings = [
    checkDeno(),
    checkLibfuse(machine),
    await checkFusermount(machine),
    await checkDevice(machine),
    checkAllowOther(machine),
    checkLibdeflate(machine),
    checkLibarchive(machine),
    await checkInotify(machine),
    ...await checkMounts(machine),
    ...await checkSockets(machine, options.socket),
    ...await checkConfig(options.config),
    ...checkIndexCache(),
    ...await checkCodeCache(),
  ];
  // Root often has no sudo.
  const ownAdvice = (advice: string | null) => machine.user === 0 ? advice?.replace(/^sudo /, "") ?? null : advice;
  return findings.map((finding) => ({ ...finding, advice: ownAdvice(finding.advice) }));
}
