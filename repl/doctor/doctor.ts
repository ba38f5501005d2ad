/**
 * Looks at everything that pakfs depends on, and says what to do where something is not as it should be.
 * @module
 */
import type { Finding } from "./finding.ts";
import { type Machine, thisMachine } from "./machine.ts";
import { checkConfig, checkIndexCache, checkMounts, checkSockets } from "./own_checks.ts";
import {
  checkAllowOther,
  checkDeno,
  checkDevice,
  checkFusermount,
  checkInotify,
  checkLibdeflate,
  checkLibfuse,
} from "./system_checks.ts";

/** What is looked at where something else than usual is wanted. */
export interface DoctorOptions {
  /** What `--config` says. */
  readonly config?: string | undefined;
  /** What `--socket` says. */
  readonly socket?: string | undefined;
}

/** Looks at everything, in the order in which things are needed. Changes nothing. */
export async function examine(options: DoctorOptions = {}, machine: Machine = thisMachine()): Promise<Finding[]> {
  return [
    checkDeno(),
    checkLibfuse(machine),
    await checkFusermount(machine),
    await checkDevice(machine),
    checkAllowOther(machine),
    checkLibdeflate(machine),
    await checkInotify(machine),
    ...await checkMounts(machine),
    ...await checkSockets(machine, options.socket),
    ...await checkConfig(options.config),
    ...checkIndexCache(),
  ];
}
