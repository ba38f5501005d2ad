/**
 * Interface of the mount for the daemon: a mounted index, its layout, and the reports of a mount.
 * @module
 */
export type { LayoutOptions } from "./layout/mount_layout.ts";
export { Mount, MountError, type MountOptions } from "./mount.ts";
export { PrestartedSession } from "./prestarted_session.ts";
export {
  defaultMountOptions,
  type HungMode,
  hungModes,
  type HungOptions,
  MountOptionError,
  type ParsedMountOptions,
  parseMountOptions,
} from "./shared/mount_options.ts";
export { hang, plannedFaults } from "./shared/planned_faults.ts";
export type { MemberCache } from "./seek_point_cache.ts";
