/**
 * Functions of libfuse 3 and of the C library that are used here, each with its C declaration. `fuse_req_t` is
 * `"pointer"` when passed by the callback and `"u64"` when passed from another thread.
 * @module
 */

/** Functions of every set: the version of libfuse. */
export const versionSymbols = {
  // int fuse_version(void)
  fuse_version: { parameters: [], result: "i32" },
  // const char *fuse_pkgversion(void)
  fuse_pkgversion: { parameters: [], result: "pointer", optional: true },
} as const satisfies Deno.ForeignLibraryInterface;

/** Functions of libfuse 3 (fuse_lowlevel.h, fuse_opt.h, fuse_common.h) that a session needs. */
export const sessionSymbols = {
  ...versionSymbols,
  // int fuse_opt_add_arg(struct fuse_args *args, const char *arg)
  fuse_opt_add_arg: { parameters: ["buffer", "buffer"], result: "i32" },
  // void fuse_opt_free_args(struct fuse_args *args)
  fuse_opt_free_args: { parameters: ["buffer"], result: "void" },
  // struct fuse_session *fuse_session_new(struct fuse_args *args, const struct fuse_lowlevel_ops *op,
  //   size_t op_size, void *userdata)
  fuse_session_new: { parameters: ["buffer", "buffer", "usize", "pointer"], result: "pointer" },
  // int fuse_session_mount(struct fuse_session *se, const char *mountpoint)
  fuse_session_mount: { parameters: ["pointer", "buffer"], result: "i32" },
  // int fuse_session_fd(struct fuse_session *se)
  fuse_session_fd: { parameters: ["pointer"], result: "i32" },
  // int fuse_session_receive_buf(struct fuse_session *se, struct fuse_buf *buf)
  fuse_session_receive_buf: { parameters: ["pointer", "buffer"], result: "i32" },
  // void fuse_session_process_buf(struct fuse_session *se, const struct fuse_buf *buf)
  fuse_session_process_buf: { parameters: ["pointer", "buffer"], result: "void" },
  // int fuse_session_exited(struct fuse_session *se)
  fuse_session_exited: { parameters: ["pointer"], result: "i32" },
  // void fuse_session_unmount(struct fuse_session *se)
  fuse_session_unmount: { parameters: ["pointer"], result: "void" },
  // void fuse_session_destroy(struct fuse_session *se)
  fuse_session_destroy: { parameters: ["pointer"], result: "void" },
  // int fuse_reply_err(fuse_req_t req, int err)
  fuse_reply_err: { parameters: ["pointer", "i32"], result: "i32" },
  // void fuse_reply_none(fuse_req_t req)
  fuse_reply_none: { parameters: ["pointer"], result: "void" },
  // int fuse_reply_buf(fuse_req_t req, const char *buf, size_t size)
  fuse_reply_buf: { parameters: ["pointer", "buffer", "usize"], result: "i32" },
  // int fuse_reply_data(fuse_req_t req, struct fuse_bufvec *bufv, enum fuse_buf_copy_flags flags)
  fuse_reply_data: { parameters: ["pointer", "buffer", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** Functions of libfuse 3 for replying to a detached request from another thread. */
export const replierSymbols = {
  ...versionSymbols,
  // int fuse_reply_err(fuse_req_t req, int err)
  fuse_reply_err: { parameters: ["u64", "i32"], result: "i32" },
  // int fuse_reply_buf(fuse_req_t req, const char *buf, size_t size)
  fuse_reply_buf: { parameters: ["u64", "buffer", "usize"], result: "i32" },
  // int fuse_reply_data(fuse_req_t req, struct fuse_bufvec *bufv, enum fuse_buf_copy_flags flags)
  fuse_reply_data: { parameters: ["u64", "buffer", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/**
 * Functions of libfuse 3 that make the kernel forget. They may wait for the session's thread: never call them there.
 */
export const notifierSymbols = {
  ...versionSymbols,
  // int fuse_lowlevel_notify_inval_inode(struct fuse_session *se, fuse_ino_t ino, off_t off, off_t len)
  fuse_lowlevel_notify_inval_inode: { parameters: ["u64", "u64", "i64", "i64"], result: "i32", nonblocking: true },
  // int fuse_lowlevel_notify_inval_entry(struct fuse_session *se, fuse_ino_t parent, const char *name,
  //   size_t namelen)
  fuse_lowlevel_notify_inval_entry: { parameters: ["u64", "u64", "buffer", "usize"], result: "i32", nonblocking: true },
} as const satisfies Deno.ForeignLibraryInterface;

/**
 * The function of libfuse 3 that stores data in the kernel. It may wait for the session: never call it on its thread.
 */
export const pageStoreSymbols = {
  ...versionSymbols,
  // int fuse_lowlevel_notify_store(struct fuse_session *se, fuse_ino_t ino, off_t offset, struct fuse_bufvec *bufv,
  //   enum fuse_buf_copy_flags flags)
  fuse_lowlevel_notify_store: { parameters: ["u64", "u64", "i64", "buffer", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/** Functions of the C library for reading the table of mounts: loading each takes a tenth of a millisecond. */
export const tableSymbols = {
  // int *__errno_location(void)
  __errno_location: { parameters: [], result: "pointer" },
  // int open(const char *pathname, int flags)
  open: { parameters: ["buffer", "i32"], result: "i32" },
  // ssize_t read(int fd, void *buf, size_t count)
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // int close(int fd)
  close: { parameters: ["i32"], result: "i32" },
  // ssize_t readlink(const char *path, char *buf, size_t bufsiz)
  readlink: { parameters: ["buffer", "buffer", "usize"], result: "isize" },
} as const satisfies Deno.ForeignLibraryInterface;

/**
 * Functions of the C library. `open` and `fcntl` are variadic, with integers only: passed like others on both
 * processors.
 */
export const systemSymbols = {
  ...tableSymbols,
  // int sched_yield(void)
  sched_yield: { parameters: [], result: "i32" },
  // uid_t geteuid(void)
  geteuid: { parameters: [], result: "u32" },
  // ssize_t write(int fd, const void *buf, size_t count)
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // int fcntl(int fd, int cmd, int arg)
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // int dup2(int oldfd, int newfd)
  dup2: { parameters: ["i32", "i32"], result: "i32" },
  // int memfd_create(const char *name, unsigned int flags)
  memfd_create: { parameters: ["buffer", "u32"], result: "i32" },
  // ssize_t pread(int fd, void *buf, size_t count, off_t offset)
  pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "isize" },
  // int eventfd(unsigned int initval, int flags)
  eventfd: { parameters: ["u32", "i32"], result: "i32" },
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout)
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  // void free(void *ptr)
  free: { parameters: ["pointer"], result: "void" },
  // int statx(int dirfd, const char *pathname, int flags, unsigned int mask, struct statx *statxbuf)
  statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
  // int umount2(const char *target, int flags)
  umount2: { parameters: ["buffer", "i32"], result: "i32" },
  umount2_elsewhere: { parameters: ["buffer", "i32"], result: "i32", name: "umount2", nonblocking: true },
} as const satisfies Deno.ForeignLibraryInterface;
