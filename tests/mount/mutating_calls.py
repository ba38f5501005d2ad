"""Tries every call by which a program changes a file system, and prints what each has come to: an error's name, or "done".

Arguments: a directory with the file `file.txt` and the directory `directory`, which is not empty, and the number of the
user who is to do it. Prints a JSON object.
"""
import ctypes, errno, fcntl, json, mmap, os, socket, struct, sys

root, user = sys.argv[1], int(sys.argv[2])
os.chdir(root)
if user != os.getuid():
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
libc = ctypes.CDLL(None, use_errno=True)
FILE, DIRECTORY, INNER, NEW = "file.txt", "directory", "directory/inner.txt", "new"
FD = os.open(FILE, os.O_RDONLY)
FS_IOC_SETFLAGS, FICLONE = 0x40086602, 0x40049409
RENAME_NOREPLACE, RENAME_EXCHANGE, RENAME_WHITEOUT = 1, 2, 4


def c(name, *words):
    """A function of the C library that Python lacks."""
    if getattr(libc, name)(*[word.encode() if isinstance(word, str) else word for word in words]) == -1:
        raise OSError(ctypes.get_errno(), name)


def rename2(source, target, flags):
    return lambda: c("renameat2", -100, source, -100, target, flags)


def fallocate(mode):
    return lambda: c("fallocate", FD, mode, ctypes.c_long(0), ctypes.c_long(4096))


def write_to(flags):
    file = os.open(FILE, flags)
    try:
        os.write(file, b"changed")
        os.fsync(file)
    finally:
        os.close(file)


def opened(path, flags, mode=0o666):
    return lambda: os.close(os.open(path, flags, mode))


def through_pipe():
    read, write = os.pipe()
    os.write(write, b"x")
    os.splice(read, FD, 1)


def write_protected_map():
    with mmap.mmap(FD, 1, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ) as view:
        address = ctypes.addressof(ctypes.c_char.from_buffer_copy(b"x"))
        libc.mmap.restype = ctypes.c_void_p
        address = libc.mmap(None, ctypes.c_size_t(4096), mmap.PROT_READ, mmap.MAP_SHARED, FD, ctypes.c_long(0))
        try:
            c("mprotect", ctypes.c_void_p(address), ctypes.c_size_t(4096), mmap.PROT_READ | mmap.PROT_WRITE)
        finally:
            libc.munmap(ctypes.c_void_p(address), ctypes.c_size_t(4096))


calls = {
    "open to write": opened(FILE, os.O_WRONLY),
    "open to read and write": opened(FILE, os.O_RDWR),
    "open to append": opened(FILE, os.O_WRONLY | os.O_APPEND),
    "open and truncate": opened(FILE, os.O_WRONLY | os.O_TRUNC),
    "open to read and truncate": opened(FILE, os.O_RDONLY | os.O_TRUNC),
    "open or create what is there, to read": opened(FILE, os.O_RDONLY | os.O_CREAT),
    "open or create what is there, to write": opened(FILE, os.O_WRONLY | os.O_CREAT),
    "create what is there": opened(FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL),
    "create": opened(NEW, os.O_WRONLY | os.O_CREAT),
    "create to read": opened(NEW, os.O_RDONLY | os.O_CREAT),
    "create exclusively": opened(NEW, os.O_WRONLY | os.O_CREAT | os.O_EXCL),
    "create in a directory": opened("directory/new", os.O_WRONLY | os.O_CREAT),
    "create in no directory": opened("none/new", os.O_WRONLY | os.O_CREAT),
    "create below a file": opened("file.txt/new", os.O_WRONLY | os.O_CREAT),
    "open a directory to write": opened(DIRECTORY, os.O_WRONLY),
    "make a file without a name": opened(DIRECTORY, os.O_TMPFILE | os.O_RDWR),
    "access to write": lambda: c("access", FILE, os.W_OK),
    "access to write a directory": lambda: c("access", DIRECTORY, os.W_OK),
    "open and write": lambda: write_to(os.O_WRONLY),
    "open and append": lambda: write_to(os.O_RDWR | os.O_APPEND),
    "write": lambda: os.write(FD, b"x"),
    "pwrite": lambda: os.pwrite(FD, b"x", 0),
    "pwritev": lambda: os.pwritev(FD, [b"x"], 0),
    "sendfile into it": lambda: os.sendfile(FD, FD, 0, 1),
    "splice into it": through_pipe,
    "copy_file_range into it": lambda: os.copy_file_range(FD, FD, 1, 0, 100),
    "reflink into it": lambda: fcntl.ioctl(FD, FICLONE, FD),
    "truncate": lambda: os.truncate(FILE, 0),
    "truncate to be longer": lambda: os.truncate(FILE, 1 << 40),
    "truncate a directory": lambda: os.truncate(DIRECTORY, 0),
    "truncate nothing": lambda: os.truncate(NEW, 0),
    "ftruncate": lambda: os.ftruncate(FD, 0),
    "fallocate": fallocate(0),
    "fallocate: keep the size": fallocate(1),
    "fallocate: punch a hole": fallocate(3),
    "fallocate: collapse": fallocate(8),
    "fallocate: zeros": fallocate(16),
    "posix_fallocate": lambda: os.posix_fallocate(FD, 0, 1),
    "map to write": lambda: mmap.mmap(FD, 1, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ | mmap.PROT_WRITE).close(),
    "map to write for oneself": lambda: mmap.mmap(FD, 1, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE).close(),
    "make a map writable": write_protected_map,
    "mkdir": lambda: os.mkdir(NEW),
    "mkdir what is there": lambda: os.mkdir(DIRECTORY),
    "mkdir in no directory": lambda: os.mkdir("none/new"),
    "rmdir": lambda: os.rmdir(DIRECTORY),
    "rmdir a file": lambda: os.rmdir(FILE),
    "rmdir nothing": lambda: os.rmdir(NEW),
    "unlink": lambda: os.unlink(FILE),
    "unlink in a directory": lambda: os.unlink(INNER),
    "unlink a directory": lambda: os.unlink(DIRECTORY),
    "unlink nothing": lambda: os.unlink(NEW),
    "rename": lambda: os.rename(FILE, NEW),
    "rename to another directory": lambda: os.rename(FILE, "directory/new"),
    "rename over a file": lambda: os.rename(FILE, INNER),
    "rename to itself": lambda: os.rename(FILE, FILE),
    "rename a directory": lambda: os.rename(DIRECTORY, NEW),
    "rename a directory into itself": lambda: os.rename(DIRECTORY, "directory/new"),
    "rename nothing": lambda: os.rename(NEW, "newer"),
    "rename out of the file system": lambda: os.rename(FILE, "/" + NEW),
    "renameat2: no replacing": rename2(FILE, NEW, RENAME_NOREPLACE),
    "renameat2: no replacing, but there is": rename2(FILE, INNER, RENAME_NOREPLACE),
    "renameat2: exchange": rename2(FILE, INNER, RENAME_EXCHANGE),
    "renameat2: whiteout": rename2(FILE, NEW, RENAME_WHITEOUT),
    "link": lambda: os.link(FILE, NEW),
    "link over a file": lambda: os.link(FILE, INNER),
    "link a directory": lambda: os.link(DIRECTORY, NEW),
    "link out of the file system": lambda: os.link(FILE, "/" + NEW),
    "symlink": lambda: os.symlink("target", NEW),
    "symlink over a file": lambda: os.symlink("target", FILE),
    "mknod a file": lambda: os.mknod(NEW, 0o100644),
    "mknod a pipe": lambda: os.mkfifo(NEW),
    "mknod a device": lambda: os.mknod(NEW, 0o020644, os.makedev(1, 3)),
    "mknod what is there": lambda: os.mknod(FILE, 0o100644),
    "bind a socket": lambda: socket.socket(socket.AF_UNIX).bind(NEW),
    "chmod": lambda: os.chmod(FILE, 0o777),
    "chmod to what it is": lambda: os.chmod(FILE, 0o444),
    "chmod a directory": lambda: os.chmod(DIRECTORY, 0o777),
    "fchmod": lambda: os.fchmod(FD, 0o777),
    "chmod nothing": lambda: os.chmod(NEW, 0o777),
    "chown": lambda: os.chown(FILE, 1, 1),
    "chown to nobody else": lambda: os.chown(FILE, -1, -1),
    "fchown": lambda: os.fchown(FD, 1, 1),
    "lchown": lambda: os.lchown(FILE, 1, 1),
    "utimensat": lambda: os.utime(FILE, (1, 1)),
    "utimensat: now": lambda: os.utime(FILE),
    "utimensat a directory": lambda: os.utime(DIRECTORY, (1, 1)),
    "utimensat of the link": lambda: os.utime(FILE, (1, 1), follow_symlinks=False),
    "futimens": lambda: os.utime(FD, (1, 1)),
    "utimensat nothing": lambda: os.utime(NEW, (1, 1)),
    "setxattr": lambda: os.setxattr(FILE, "user.new", b"x"),
    "setxattr: replace": lambda: os.setxattr(FILE, "user.pakfs.view", b"x", os.XATTR_REPLACE),
    "setxattr of the system": lambda: os.setxattr(FILE, "trusted.new", b"x"),
    "setxattr: capabilities": lambda: os.setxattr(FILE, "security.capability", struct.pack("<5I", 0x2000000, 1, 0, 0, 0)),
    "setxattr: access control": lambda: os.setxattr(FILE, "system.posix_acl_access", struct.pack("<I4HI", 2, 1, 7, 0xFFFF, 0xFFFF, 0)),
    "setxattr a directory": lambda: os.setxattr(DIRECTORY, "user.new", b"x"),
    "fsetxattr": lambda: os.setxattr(FD, "user.new", b"x"),
    "lsetxattr": lambda: os.setxattr(FILE, "user.new", b"x", follow_symlinks=False),
    "removexattr": lambda: os.removexattr(FILE, "user.pakfs.view"),
    "removexattr of nothing": lambda: os.removexattr(FILE, "user.none"),
    "fremovexattr": lambda: os.removexattr(FD, "user.pakfs.view"),
    "set flags": lambda: fcntl.ioctl(FD, FS_IOC_SETFLAGS, struct.pack("l", 0x10)),
    "lock to write": lambda: fcntl.lockf(FD, fcntl.LOCK_EX | fcntl.LOCK_NB),
}

results = {}
for name, call in calls.items():
    try:
        call()
        results[name] = "done"
    except OSError as error:
        results[name] = errno.errorcode[error.errno]
print(json.dumps(results))
