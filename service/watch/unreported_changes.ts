/**
 * File systems on which the kernel does not report every change: another program or machine may make it.
 * @module
 */
import { CLibrary } from "../../system/c_library.ts";
import { FileSystems } from "../../system/file_systems.ts";

/** Returns the file systems that are mounted now; none are known where the table of mounts cannot be read. */
export function mountedFileSystems(): FileSystems {
  try {
    using library = new CLibrary();
    return new FileSystems(library.readText("/proc/self/mountinfo"), null);
  } catch {
    return new FileSystems("", null);
  }
}
