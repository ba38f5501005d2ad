/**
 * Filesystems in user space for Deno: the low-level session interface of libfuse 3, complete for read-only filesystems.
 *
 * Nothing native is loaded by importing this module. Mounting needs `--allow-ffi` without a list of paths, since
 * libfuse calls back into JavaScript.
 *
 * @example A filesystem with one file
 * ```ts
 * import { Errno, type FileSystem, NodeAttributes, openSession, S_IFDIR, S_IFREG } from "deno-fuse-ffi";
 *
 * const content = new TextEncoder().encode("Hello, world\n");
 * const name = new TextEncoder().encode("hello");
 * const attributes = new NodeAttributes();
 *
 * function describe(node: number): NodeAttributes {
 *   attributes.setNode(0, node);
 *   attributes.mode = node === 1 ? S_IFDIR | 0o555 : S_IFREG | 0o444;
 *   attributes.size = node === 1 ? 0 : content.length;
 *   return attributes;
 * }
 *
 * const fileSystem: FileSystem = {
 *   lookup(request, _parentHigh, _parentLow, wanted) {
 *     const found = wanted.length === name.length && wanted.every((byte, index) => byte === name[index]);
 *     if (found) request.replyEntry(describe(2));
 *     else request.replyError(Errno.ENOENT);
 *   },
 *   getattr(request, _nodeHigh, node) {
 *     request.replyAttributes(describe(node));
 *   },
 *   readdir(request, _nodeHigh, _node, offset) {
 *     if (offset === 0) request.directory.add(name, 1, describe(2));
 *     request.replyDirectory();
 *   },
 *   read(request, _nodeHigh, _node, offset, size) {
 *     request.replyData(content.subarray(offset, offset + size));
 *   },
 * };
 *
 * // Blocks until the filesystem is unmounted: call it in a separate Worker.
 * export function serve(mountPoint: string): void {
 *   using session = openSession(fileSystem, { name: "hello" });
 *   session.mount(mountPoint);
 *   session.run();
 * }
 * ```
 * @module
 */
export { Capability, capabilityBits, type CapabilityName, capabilityNamesOf } from "./src/raw/capabilities.ts";
export { DirectoryBuffer } from "./src/raw/directory_buffer.ts";
export { Errno, errnoName } from "./src/raw/errno.ts";
export {
  FuseError,
  FuseLibraryError,
  FuseMountError,
  FuseProtocolError,
  FuseStateError,
  FuseUnsupportedError,
} from "./src/raw/errors.ts";
export type { Connection, FileSystem } from "./src/file_system.ts";
export {
  type FileSystemStatistics,
  NodeAttributes,
  OpenFlag,
  S_IFDIR,
  S_IFLNK,
  S_IFMT,
  S_IFREG,
} from "./src/raw/kernel_abi.ts";
export { libraryVersion } from "./src/raw/library.ts";
export { isInUse, isMountPoint, releaseDeadMount, unmount, type UnmountOptions } from "./src/mount_point.ts";
export { type Notifier, openNotifier } from "./src/notifier.ts";
export { openPageStore, type PageStore } from "./src/page_store.ts";
export { openReplier, type Replier } from "./src/replier.ts";
export type { FuseRequest } from "./src/request.ts";
export { defaultCapabilities, type FuseSession, openSession, type SessionOptions } from "./src/session.ts";
export { openWaker, type Waker } from "./src/waker.ts";
