/**
 * The functions used of libfuse 3 and of the C library, one line per parameter with its C declaration.
 * `fuse_req_t` is `"pointer"` where the callback hands it over and `"u64"` where it came from another thread.
 * @module
 */

/** Functions of libfuse 3 (fuse_lowlevel.h, fuse_opt.h, fuse_common.h) that a session needs. */
export const sessionSymbols = {
  fuse_version: { parameters: [], result: "i32" },
  fuse_pkgversion: { parameters: [], result: "pointer", optional: true },
  fuse_opt_add_arg: {
    parameters: [
      "buffer", // struct fuse_args *args
      "buffer", // const char *arg
    ],
    result: "i32",
  },
  fuse_opt_free_args: {
    parameters: [
      "buffer", // struct fuse_args *args
    ],
    result: "void",
  },
  fuse_session_new: {
    parameters: [
      "buffer", // struct fuse_args *args
      "buffer", // const struct fuse_lowlevel_ops *op
      "usize", // size_t op_size
      "pointer", // void *userdata
    ],
    result: "pointer", // struct fuse_session *
  },
  fuse_session_mount: {
    parameters: [
      "pointer", // struct fuse_session *se
      "buffer", // const char *mountpoint
    ],
    result: "i32",
  },
  fuse_session_fd: {
    parameters: [
      "pointer", // struct fuse_session *se
    ],
    result: "i32",
  },
  fuse_session_receive_buf: {
    parameters: [
      "pointer", // struct fuse_session *se
      "buffer", // struct fuse_buf *buf
    ],
    result: "i32",
  },
  fuse_session_process_buf: {
    parameters: [
      "pointer", // struct fuse_session *se
      "buffer", // const struct fuse_buf *buf
    ],
    result: "void",
  },
  fuse_session_exited: {
    parameters: [
      "pointer", // struct fuse_session *se
    ],
    result: "i32",
  },
  fuse_session_unmount: {
    parameters: [
      "pointer", // struct fuse_session *se
    ],
    result: "void",
  },
  fuse_session_destroy: {
    parameters: [
      "pointer", // struct fuse_session *se
    ],
    result: "void",
  },
  fuse_reply_err: {
    parameters: [
      "pointer", // fuse_req_t req
      "i32", // int err
    ],
    result: "i32",
  },
  fuse_reply_none: {
    parameters: [
      "pointer", // fuse_req_t req
    ],
    result: "void",
  },
  fuse_reply_buf: {
    parameters: [
      "pointer", // fuse_req_t req
      "buffer", // const char *buf
      "usize", // size_t size
    ],
    result: "i32",
  },
  fuse_reply_data: {
    parameters: [
      "pointer", // fuse_req_t req
      "buffer", // struct fuse_bufvec *bufv
      "i32", // enum fuse_buf_copy_flags flags
    ],
    result: "i32",
  },
} as const satisfies Deno.ForeignLibraryInterface;

/** Functions of libfuse 3 with which another thread answers a detached request. */
export const replierSymbols = {
  fuse_version: { parameters: [], result: "i32" },
  fuse_pkgversion: { parameters: [], result: "pointer", optional: true },
  fuse_reply_err: {
    parameters: [
      "u64", // fuse_req_t req
      "i32", // int err
    ],
    result: "i32",
  },
  fuse_reply_buf: {
    parameters: [
      "u64", // fuse_req_t req
      "buffer", // const char *buf
      "usize", // size_t size
    ],
    result: "i32",
  },
  fuse_reply_data: {
    parameters: [
      "u64", // fuse_req_t req
      "buffer", // struct fuse_bufvec *bufv
      "i32", // enum fuse_buf_copy_flags flags
    ],
    result: "i32",
  },
} as const satisfies Deno.ForeignLibraryInterface;

/** Functions of libfuse 3 that make the kernel forget. They may wait for the session's thread: never on it. */
export const notifierSymbols = {
  fuse_version: { parameters: [], result: "i32" },
  fuse_pkgversion: { parameters: [], result: "pointer", optional: true },
  fuse_lowlevel_notify_inval_inode: {
    parameters: [
      "u64", // struct fuse_session *se
      "u64", // fuse_ino_t ino
      "i64", // off_t off
      "i64", // off_t len
    ],
    result: "i32",
    nonblocking: true,
  },
  fuse_lowlevel_notify_inval_entry: {
    parameters: [
      "u64", // struct fuse_session *se
      "u64", // fuse_ino_t parent
      "buffer", // const char *name
      "usize", // size_t namelen
    ],
    result: "i32",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

/**
 * The function of libfuse 3 that gives the kernel data. It may wait for an answer of the session: never on its thread.
 */
export const pageStoreSymbols = {
  fuse_version: { parameters: [], result: "i32" },
  fuse_pkgversion: { parameters: [], result: "pointer", optional: true },
  fuse_lowlevel_notify_store: {
    parameters: [
      "u64", // struct fuse_session *se
      "u64", // fuse_ino_t ino
      "i64", // off_t offset
      "buffer", // struct fuse_bufvec *bufv
      "i32", // enum fuse_buf_copy_flags flags
    ],
    result: "i32",
  },
} as const satisfies Deno.ForeignLibraryInterface;

/**
 * Functions of the C library. `open` and `fcntl` are variadic, with integers only: passed like others on both
 * processors.
 */
export const systemSymbols = {
  __errno_location: { parameters: [], result: "pointer" },
  sched_yield: { parameters: [], result: "i32" },
  geteuid: { parameters: [], result: "u32" },
  open: {
    parameters: [
      "buffer", // const char *pathname
      "i32", // int flags
    ],
    result: "i32",
  },
  read: {
    parameters: [
      "i32", // int fd
      "buffer", // void *buf
      "usize", // size_t count
    ],
    result: "isize",
  },
  write: {
    parameters: [
      "i32", // int fd
      "buffer", // const void *buf
      "usize", // size_t count
    ],
    result: "isize",
  },
  close: {
    parameters: [
      "i32", // int fd
    ],
    result: "i32",
  },
  fcntl: {
    parameters: [
      "i32", // int fd
      "i32", // int cmd
      "i32", // int arg
    ],
    result: "i32",
  },
  dup2: {
    parameters: [
      "i32", // int oldfd
      "i32", // int newfd
    ],
    result: "i32",
  },
  memfd_create: {
    parameters: [
      "buffer", // const char *name
      "u32", // unsigned int flags
    ],
    result: "i32",
  },
  pread: {
    parameters: [
      "i32", // int fd
      "buffer", // void *buf
      "usize", // size_t count
      "i64", // off_t offset
    ],
    result: "isize",
  },
  eventfd: {
    parameters: [
      "u32", // unsigned int initval
      "i32", // int flags
    ],
    result: "i32",
  },
  poll: {
    parameters: [
      "buffer", // struct pollfd *fds
      "usize", // nfds_t nfds
      "i32", // int timeout
    ],
    result: "i32",
  },
  readlink: {
    parameters: [
      "buffer", // const char *path
      "buffer", // char *buf
      "usize", // size_t bufsiz
    ],
    result: "isize",
  },
  free: {
    parameters: [
      "pointer", // void *ptr
    ],
    result: "void",
  },
  statx: {
    parameters: [
      "i32", // int dirfd
      "buffer", // const char *pathname
      "i32", // int flags
      "u32", // unsigned int mask
      "buffer", // struct statx *statxbuf
    ],
    result: "i32",
  },
  umount2: {
    parameters: [
      "buffer", // const char *target
      "i32", // int flags
    ],
    result: "i32",
  },
  umount2_elsewhere: {
    name: "umount2",
    parameters: [
      "buffer", // const char *target
      "i32", // int flags
    ],
    result: "i32",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;
