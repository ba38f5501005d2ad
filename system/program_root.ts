/**
 * Location of the program. A build of the program (`system/build/`) replaces this module.
 * @module
 */
import { resolve } from "@std/path";

/** Path of the program's directory, which contains the launcher. */
export const programRoot: string = resolve(import.meta.dirname ?? ".", "..");
