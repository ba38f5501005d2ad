/**
 * Where the program is. A build of the program (`system/build/`) has another module in the place of this one.
 * @module
 */
import { resolve } from "@std/path";

/** Path of the program's directory, in which the launcher is. */
export const programRoot: string = resolve(import.meta.dirname ?? ".", "..");
