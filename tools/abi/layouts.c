/*
 * Says how the C structures lie in memory that this package writes and reads without C: a name and a value per line,
 * numbers in decimal and bytes in hexadecimal. Compiled against the headers of each libfuse and for each processor; see
 * layouts.ts, which makes the same in TypeScript and compares.
 */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 310
#include <fcntl.h>
#include <fuse_lowlevel.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static void bytes(const char *name, const void *start, size_t count)
{
	printf("%s ", name);
	for (size_t at = 0; at < count; at++)
		printf("%02x", ((const unsigned char *) start)[at]);
	printf("\n");
}

#define NUMBER(name, value) printf("%s %lld\n", name, (long long) (value))
#define SIZE(type) NUMBER("sizeof " #type, sizeof(type))
#define OFFSET(type, member) NUMBER(#type " " #member, offsetof(type, member))
#define CONSTANT(name) NUMBER(#name, name)

static struct fuse_attr attributes(void)
{
	struct fuse_attr attr;
	memset(&attr, 0, sizeof attr);
	attr.ino = 0x87654321fedcba98;
	attr.size = 0x100000201;
	attr.blocks = 0x800002;
	attr.atime = 0x200000001;
	attr.mtime = -1;
	attr.ctime = 0x200000002;
	attr.atimensec = 999999999;
	attr.mtimensec = 5;
	attr.ctimensec = 6;
	attr.mode = S_IFREG | 0444;
	attr.nlink = 3;
	attr.uid = 1000;
	attr.gid = 1001;
	attr.blksize = 8192;
	return attr;
}

int main(void)
{
	/* Structures sent to the kernel. */
	struct fuse_attr_out attr_out = { .attr_valid = 7, .attr_valid_nsec = 250000000, .attr = attributes() };
	bytes("fuse_attr_out", &attr_out, sizeof attr_out);
	struct fuse_entry_out entry_out = { .nodeid = 0x87654321fedcba98, .generation = 9, .entry_valid = 1,
		.attr_valid = 7, .entry_valid_nsec = 500000000, .attr_valid_nsec = 250000000, .attr = attributes() };
	bytes("fuse_entry_out", &entry_out, sizeof entry_out);
	struct fuse_open_out open_out = { .fh = 0x10000000007, .open_flags = FOPEN_KEEP_CACHE | FOPEN_CACHE_DIR };
	bytes("fuse_open_out", &open_out, sizeof open_out);
	struct fuse_statfs_out statfs_out = { .st = { .blocks = 0x200000000, .bfree = 5, .bavail = 5, .files = 6,
		.bsize = 512, .namelen = 200, .frsize = 1024 } };
	bytes("fuse_statfs_out", &statfs_out, sizeof statfs_out);
	SIZE(struct fuse_getxattr_out);
	char dirent[FUSE_NAME_OFFSET + 8] = { 0 };
	*(struct fuse_dirent *) dirent = (struct fuse_dirent){ .ino = 0x87654321fedcba98, .off = 0x300000004,
		.namelen = 5, .type = S_IFREG >> 12 };
	memcpy(dirent + FUSE_NAME_OFFSET, "hello", 5);
	bytes("fuse_dirent", dirent, sizeof dirent);

	/* Structures the kernel sends. */
	struct { struct fuse_in_header header; char name[8]; } lookup = { .header = { .len = sizeof(struct fuse_in_header) + 6,
		.opcode = FUSE_LOOKUP, .unique = 1, .nodeid = 0x8000000190000002, .uid = 1000, .gid = 1001, .pid = 1002 },
		.name = "hello" };
	bytes("fuse_in_header", &lookup, sizeof lookup);
	OFFSET(struct fuse_read_in, fh);
	OFFSET(struct fuse_read_in, offset);
	OFFSET(struct fuse_read_in, size);
	OFFSET(struct fuse_open_in, flags);
	OFFSET(struct fuse_release_in, fh);
	OFFSET(struct fuse_getxattr_in, size);
	SIZE(struct fuse_getxattr_in);
	OFFSET(struct fuse_access_in, mask);
	OFFSET(struct fuse_forget_in, nlookup);
	OFFSET(struct fuse_batch_forget_in, count);
	SIZE(struct fuse_batch_forget_in);
	OFFSET(struct fuse_forget_one, nodeid);
	OFFSET(struct fuse_forget_one, nlookup);
	SIZE(struct fuse_forget_one);

	/* Structures libfuse reads. */
	/* Newer ones have more operations, which are not needed. */
	NUMBER("struct fuse_lowlevel_ops has 352 bytes or more", sizeof(struct fuse_lowlevel_ops) >= 352);
	OFFSET(struct fuse_lowlevel_ops, init);
	OFFSET(struct fuse_lowlevel_ops, lookup);
	OFFSET(struct fuse_lowlevel_ops, forget);
	OFFSET(struct fuse_lowlevel_ops, getattr);
	OFFSET(struct fuse_lowlevel_ops, readlink);
	OFFSET(struct fuse_lowlevel_ops, open);
	OFFSET(struct fuse_lowlevel_ops, read);
	OFFSET(struct fuse_lowlevel_ops, release);
	OFFSET(struct fuse_lowlevel_ops, opendir);
	OFFSET(struct fuse_lowlevel_ops, readdir);
	OFFSET(struct fuse_lowlevel_ops, releasedir);
	OFFSET(struct fuse_lowlevel_ops, statfs);
	OFFSET(struct fuse_lowlevel_ops, getxattr);
	OFFSET(struct fuse_lowlevel_ops, listxattr);
	OFFSET(struct fuse_lowlevel_ops, access);
	OFFSET(struct fuse_lowlevel_ops, forget_multi);
	OFFSET(struct fuse_lowlevel_ops, readdirplus);
	SIZE(struct fuse_args);
	/* Grew from 40 to 48 bytes with 3.17. */
	NUMBER("struct fuse_buf has 48 bytes or less", sizeof(struct fuse_buf) <= 48);
	OFFSET(struct fuse_buf, mem);
	/* Static, so that the padding between its fields is zero. */
	static struct fuse_bufvec vector = FUSE_BUFVEC_INIT(4096);
	vector.buf[0].flags = FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK;
	vector.buf[0].fd = 7;
	vector.buf[0].pos = 0x10080000003;
	bytes("fuse_bufvec", &vector, offsetof(struct fuse_bufvec, buf) + offsetof(struct fuse_buf, pos) + sizeof vector.buf[0].pos);
	NUMBER("struct fuse_bufvec has 72 bytes or less", sizeof vector <= 72);
	SIZE(struct fuse_conn_info);
	OFFSET(struct fuse_conn_info, proto_major);
	OFFSET(struct fuse_conn_info, proto_minor);
	OFFSET(struct fuse_conn_info, max_readahead);
	OFFSET(struct fuse_conn_info, capable);
	OFFSET(struct fuse_conn_info, want);
	OFFSET(struct fuse_conn_info, max_background);
	OFFSET(struct fuse_conn_info, congestion_threshold);
	CONSTANT(FUSE_CAP_ASYNC_READ);
	CONSTANT(FUSE_CAP_EXPORT_SUPPORT);
	CONSTANT(FUSE_CAP_SPLICE_WRITE);
	CONSTANT(FUSE_CAP_SPLICE_MOVE);
	CONSTANT(FUSE_CAP_AUTO_INVAL_DATA);
	CONSTANT(FUSE_CAP_READDIRPLUS);
	CONSTANT(FUSE_CAP_READDIRPLUS_AUTO);
	CONSTANT(FUSE_CAP_ASYNC_DIO);
	CONSTANT(FUSE_CAP_NO_OPEN_SUPPORT);
	CONSTANT(FUSE_CAP_PARALLEL_DIROPS);
	CONSTANT(FUSE_CAP_CACHE_SYMLINKS);
	CONSTANT(FUSE_CAP_NO_OPENDIR_SUPPORT);
	CONSTANT(FUSE_CAP_EXPLICIT_INVAL_DATA);

	/* Structures of the C library. */
	struct pollfd files[2] = { { .fd = 0x11223344, .events = POLLIN, .revents = 0x0203 }, { .fd = 5, .events = POLLIN } };
	bytes("pollfd", files, sizeof files);
	OFFSET(struct statx, stx_mode);
	OFFSET(struct statx, stx_ino);
	OFFSET(struct statx, stx_size);
	OFFSET(struct statx, stx_mtime.tv_sec);
	OFFSET(struct statx, stx_mtime.tv_nsec);
	SIZE(struct statx);
	OFFSET(struct sockaddr_un, sun_path);
	SIZE(struct sockaddr_un);
	CONSTANT(O_CLOEXEC);
	CONSTANT(O_NONBLOCK);
	CONSTANT(O_PATH);
	CONSTANT(O_TMPFILE);
	CONSTANT(EFD_CLOEXEC | EFD_NONBLOCK);
	CONSTANT(F_GETFL);
	CONSTANT(F_SETFL);
	CONSTANT(MNT_DETACH);
	CONSTANT(AT_FDCWD);
	CONSTANT(AT_EMPTY_PATH);
	CONSTANT(AT_STATX_FORCE_SYNC);
	CONSTANT(STATX_TYPE);
	CONSTANT(STATX_INO | STATX_SIZE | STATX_MTIME);
	CONSTANT(SOCK_DGRAM | SOCK_CLOEXEC);
	CONSTANT(MSG_NOSIGNAL);
	CONSTANT(PROT_READ | PROT_WRITE);
	CONSTANT(MAP_SHARED);
	CONSTANT(MAP_PRIVATE | MAP_ANONYMOUS);
	SIZE(off_t);
	SIZE(nfds_t);
	return 0;
}
