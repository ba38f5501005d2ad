/**
 * Functions of the C library, glibc or musl.
 * @module
 */

const names = ["libc.so.6", `libc.musl-${Deno.build.arch}.so.1`];

/** Declarations of the functions; those that may wait for a device or a server run on a separate thread. */
const functions = {
  // int open(const char *path, int flags, mode_t mode)
  open: { parameters: ["buffer", "i32", "u32"], result: "i32" },
  // int openat(int dirfd, const char *path, int flags, mode_t mode)
  openat: { parameters: ["i32", "buffer", "i32", "u32"], result: "i32" },
  // int *__errno_location(void)
  __errno_location: { parameters: [], result: "pointer" },
  // int close(int fd)
  close: { parameters: ["i32"], result: "i32" },
  // ssize_t pread(int fd, void *buf, size_t count, off_t offset)
  pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "isize" },
  // ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset)
  pwrite: { parameters: ["i32", "buffer", "usize", "i64"], result: "isize" },
  // void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
  mmap: { parameters: ["pointer", "usize", "i32", "i32", "i32", "i64"], result: "pointer" },
  // int madvise(void *addr, size_t length, int advice)
  madvise: { parameters: ["pointer", "usize", "i32"], result: "i32" },
  // void *mremap(void *old_address, size_t old_size, size_t new_size, int flags, void *new_address)
  mremap: { parameters: ["pointer", "usize", "usize", "i32", "pointer"], result: "pointer" },
  // int munmap(void *addr, size_t length)
  munmap: { parameters: ["pointer", "usize"], result: "i32" },
  // int statx(int dirfd, const char *pathname, int flags, unsigned int mask, struct statx *statxbuf)
  statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
  // int unlink(const char *pathname)
  unlink: { parameters: ["buffer"], result: "i32" },
  // ssize_t write(int fd, const void *buf, size_t count)
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout)
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32" },
  poll_elsewhere: { parameters: ["buffer", "usize", "i32"], result: "i32", name: "poll", nonblocking: true },
  // int clock_gettime(clockid_t clockid, struct timespec *tp)
  clock_gettime: { parameters: ["i32", "buffer"], result: "i32" },
  // int malloc_trim(size_t pad), of glibc alone
  malloc_trim: { parameters: ["usize"], result: "i32", optional: true },
  // int socket(int domain, int type, int protocol)
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  // int getsockopt(int sockfd, int level, int optname, void *optval, socklen_t *optlen)
  getsockopt: { parameters: ["i32", "i32", "i32", "buffer", "buffer"], result: "i32" },
  // int getsockname(int sockfd, struct sockaddr *addr, socklen_t *addrlen)
  getsockname: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  // int shutdown(int sockfd, int how)
  shutdown: { parameters: ["i32", "i32"], result: "i32" },
  // ssize_t sendto(int sockfd, const void *buf, size_t len, int flags, const struct sockaddr *dest_addr,
  //   socklen_t addrlen)
  sendto: { parameters: ["i32", "buffer", "usize", "i32", "buffer", "u32"], result: "isize" },
  // int fcntl(int fd, int op)
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
  // int ioctl(int fd, unsigned long op, void *argument)
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
  // long syscall(long number, long argument)
  syscall: { parameters: ["i64", "i64"], result: "i64" },
  // int inotify_init1(int flags)
  inotify_init1: { parameters: ["i32"], result: "i32" },
  // int inotify_add_watch(int fd, const char *pathname, uint32_t mask)
  inotify_add_watch: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  // Resolving a path may never return if a server does not reply.
  inotify_add_watch_elsewhere: {
    parameters: ["i32", "buffer", "u32"],
    result: "i32",
    name: "inotify_add_watch",
    nonblocking: true,
  },
  // int inotify_rm_watch(int fd, int wd)
  inotify_rm_watch: { parameters: ["i32", "i32"], result: "i32" },
  // int eventfd(unsigned int initval, int flags)
  eventfd: { parameters: ["u32", "i32"], result: "i32" },
  // ssize_t read(int fd, void *buf, size_t count)
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // int setpriority(int which, id_t who, int prio)
  setpriority: { parameters: ["i32", "u32", "i32"], result: "i32" },
  // void _exit(int status)
  _exit: { parameters: ["i32"], result: "void" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The C library with the given functions. */
export type CLibrary<Name extends keyof typeof functions> = Deno.DynamicLibrary<Pick<typeof functions, Name>>;

/**
 * Loads functions of the C library.
 * @throws {Error} if it cannot be loaded.
 */
export function openCLibrary<Name extends keyof typeof functions>(...wanted: Name[]): CLibrary<Name> {
  const symbols = Object.fromEntries(wanted.map((name) => [name, functions[name]])) as Pick<typeof functions, Name>;
  let failure: unknown;
  for (const name of names) {
    try {
      return Deno.dlopen(name, symbols);
    } catch (error) {
      failure ??= error;
    }
  }
  throw new Error(`Cannot load the C library (${names.join(" or ")})`, { cause: failure });
}
