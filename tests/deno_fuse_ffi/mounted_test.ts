// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openNotifier, openPageStore, unmount } from "deno-fuse-ffi";
import { needs } from "../support/programs.ts";
import { python, run, withSample } from "./mounted_sample.ts";
import { DETACHED_TEXT, HUGE_BYTES, MANY, MANY_HIGH, MODIFIED_SECONDS, SHARED_TEXT } from "./sample_file_system.ts";

const rootNames = [
  "changing",
  "detached",
  "folder",
  "forgets",
  "hello.txt",
  "huge",
  "link",
  "many",
  "private",
  "shared",
  "throws",
  "too-long",
  "twice",
  "waits",
];

for (const plainListing of [false, true]) {
  const kind = plainListing ? "readdir" : "readdirplus";
  Deno.test(`a mounted tree is listed with ${kind}, found, read and described as served`, async () => {
    const ended = await withSample({ sample: { plainListing } }, async ({ path }) => {
      assertEquals((await run("ls", path)).stdout.trim().split("\n").toSorted(), rootNames);
      assertEquals((await run("cat", `${path}/hello.txt`)).stdout, "Hello, world\n");
      const found = await run("find", path, "-type", "f", "-path", "*/folder/*", "-printf", "%P %s %l\n");
      assertEquals(found.stdout, "folder/네 파일.txt 5 \n");
      const stat = await run("stat", "-c", "%i %s %b %h %u %g %a %Y %F", `${path}/hello.txt`);
      assertEquals(stat.stdout, `2 13 1 3 1234 5678 444 ${MODIFIED_SECONDS} regular file\n`);
    });
    assertEquals(ended.errors, []);
    assertEquals(ended.counts.destroy, 1);
    assert((ended.counts[kind] ?? 0) > 0);
    assertEquals(ended.counts[plainListing ? "readdirplus" : "readdir"], undefined);
    assertEquals(ended.wanted.includes("READDIRPLUS"), !plainListing);
  });

  Deno.test(
    `a directory of many entries comes in several buffers of ${kind}, each entry once`,
    needs("python3"),
    async () => {
      const ended = await withSample({ sample: { plainListing } }, async ({ path }) => {
        const listed = await python(
          `
entries = list(os.scandir(sys.argv[1] + '/many'))
names = [entry.name for entry in entries]
assert len(names) == len(set(names))
print(len(names), sorted(entry.inode() for entry in entries)[-1], sum(entry.stat().st_size for entry in entries))`,
          path,
        );
        const lastInode = (BigInt(MANY_HIGH) << 32n) | BigInt(MANY - 1);
        assertEquals(listed, `${MANY} ${lastInode} ${MANY * (MANY - 1) / 2}\n`);
      });
      assert((ended.counts[kind] ?? 0) > 2);
    },
  );
}

Deno.test("both halves of node ids come back unsigned", async () => {
  await withSample({ sample: {} }, async ({ path }) => {
    const { stdout } = await run("stat", "-c", "%i %s", `${path}/many/entry 4711`);
    assertEquals(stdout, `${(BigInt(MANY_HIGH) << 32n) | 4711n} 4711\n`);
    assertEquals((await run("wc", "-c", `${path}/many/entry 4711`)).stdout.split(" ")[0], "4711");
  });
});

Deno.test(
  "symbolic links, extended attributes and statistics are what the handlers say",
  needs("python3"),
  async () => {
    await withSample({ sample: {} }, async ({ path }) => {
      assertEquals((await run("readlink", `${path}/link`)).stdout, "folder/네 파일.txt\n");
      assertEquals((await run("cat", `${path}/link`)).stdout, "deep\n");
      const attributes = await python(
        `
file = sys.argv[1] + '/hello.txt'
print(os.listxattr(file), os.getxattr(file, 'user.sample.kind'), os.listxattr(sys.argv[1] + '/huge'))
try: os.getxattr(file, 'user.sample.absent')
except OSError as error: print(errno.errorcode[error.errno])
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4)
print(libc.getxattr(file.encode(), b'user.sample.kind', None, 0), libc.listxattr(file.encode(), None, 0))
print(libc.getxattr(file.encode(), b'user.sample.kind', buffer, 4), errno.errorcode[ctypes.get_errno()])`,
        path,
      );
      assertEquals(
        attributes,
        "['user.sample.kind', 'user.sample.other'] b'greeting' []\nENODATA\n8 35\n-1 ERANGE\n",
      );
      const statistics = await python(
        "print(list(os.statvfs(sys.argv[1]))[:7], os.statvfs(sys.argv[1]).f_namemax)",
        path,
      );
      assertEquals(statistics, `[4096, 4096, ${2 ** 33}, 3, 3, 42, 0] 200\n`);
      assertMatch((await run("df", path)).stdout, /^sample, with comma +34359738368 /m);
    });
  },
);

Deno.test("what is not there is ENOENT, and writing of any kind is EROFS", needs("python3"), async () => {
  await withSample({ sample: {} }, async ({ path }) => {
    const printed = await python(
      `
def attempt(action, *args):
    try: action(*args); return 'done'
    except OSError as error: return errno.errorcode[error.errno]
base = sys.argv[1]
print(attempt(os.stat, base + '/absent'), attempt(os.stat, base + '/folder/absent'), attempt(os.stat, base + '/hello.txt/x'))
print(attempt(open, base + '/new', 'w'), attempt(open, base + '/hello.txt', 'r+'), attempt(os.unlink, base + '/hello.txt'),
  attempt(os.mkdir, base + '/new'), attempt(os.rename, base + '/hello.txt', base + '/b'),
  attempt(os.setxattr, base + '/hello.txt', 'user.a', b'1'), attempt(os.chmod, base + '/hello.txt', 0o777))`,
      path,
    );
    assertEquals(printed, "ENOENT ENOENT ENOTDIR\nEROFS EROFS EROFS EROFS EROFS EROFS EROFS\n");
  });
});

Deno.test("a handler that throws, forgets or answers wrongly costs only its caller an EIO", async () => {
  const ended = await withSample({ sample: {} }, async ({ path }) => {
    for (const name of ["throws", "forgets", "too-long", "lookup-throws"]) {
      const { code, stderr } = await run("cat", `${path}/${name}`);
      assertEquals(code, 1, name);
      assertMatch(stderr, /Input\/output error/, name);
    }
    assertEquals((await run("cat", `${path}/twice`)).stdout, "answered.\n");
    assertEquals((await run("cat", `${path}/hello.txt`)).stdout, "Hello, world\n");
  });
  const kinds = new Set(ended.errors);
  assert(kinds.has("read: on purpose"), ended.errors.join());
  assert(kinds.has("lookup: on purpose"), ended.errors.join());
  assert(kinds.has('read: The handler of "read" returned without answering or detaching'), ended.errors.join());
  assert(kinds.has('read: Cannot answer "read": it has been answered or detached already'), ended.errors.join());
  assert(ended.errors.some((error) => error.startsWith("read: Cannot reply with ")), ended.errors.join());
});

Deno.test(
  "replies from a descriptor reach beyond 2 GiB and 4 GiB, and end with the file",
  needs("python3"),
  async () => {
    await withSample({ sample: { timeout: 10 } }, async ({ path }) => {
      const printed = await python(
        `
with open(sys.argv[1] + '/huge', 'rb', buffering=0) as file:
    for position, size in ((0, 6), (2**31 + 5, 13), (2**32 + 5, 13), (${HUGE_BYTES} - 2, 5), (${HUGE_BYTES}, 5)):
        file.seek(position)
        print(file.read(size))`,
        path,
      );
      assertEquals(
        printed,
        "b'start\\x00'\nb'beyond 2 GiB\\x00'\nb'beyond 4 GiB\\x00'\nb'\\x00\\x00'\nb''\n",
      );
    });
  },
);

Deno.test("a detached request is answered by another Worker, also from shared memory", async () => {
  const ended = await withSample({ sample: {} }, async ({ path }) => {
    assertEquals((await run("cat", `${path}/detached`)).stdout, DETACHED_TEXT);
    assertEquals((await run("cat", `${path}/shared`)).stdout, SHARED_TEXT);
  });
  assertEquals(ended.errors, []);
});

Deno.test(
  "a reader of a detached request that is interrupted gets EINTR when the filesystem says so",
  needs("python3"),
  async () => {
    const ended = await withSample({ sample: {} }, async ({ path }) => {
      const program = `
import mmap, signal
def stop(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
file = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    print(os.readv(file, [mmap.mmap(-1, 4096)]))
except KeyboardInterrupt:
    print("interrupted")`;
      assertEquals(await python(program, `${path}/waits`), "interrupted\n");
    });
    assertEquals(ended.errors, []);
    assertEquals(ended.counts.interrupt, 1);
  },
);

Deno.test("without open handlers the kernel asks once at most, and never to release", async () => {
  const ended = await withSample({ sample: { timeout: 10 } }, async ({ path }) => {
    await run("sh", "-c", `for i in 1 2 3; do cat "${path}/hello.txt"; ls "${path}"; done`);
  });
  assertEquals(ended.counts.read, 1);
  assert(ended.wanted.includes("NO_OPEN_SUPPORT"));
});

Deno.test(
  "open handlers give out handles, which come back for reading and are all released",
  needs("python3"),
  async () => {
    const ended = await withSample({ sample: { withHandles: true }, mountOptions: [] }, async ({ path }) => {
      await run("sh", "-c", `for i in 1 2 3; do cat "${path}/hello.txt"; ls "${path}"; done`);
      assertEquals((await run("cat", `${path}/hello.txt`)).stdout, "Hello, world\n");
      const granted = await python(
        "print([os.access(sys.argv[1] + n, os.R_OK) for n in ('/private', '/hello.txt')])",
        path,
      );
      assertEquals(granted, "[False, True]\n");
    });
    assertEquals(ended.errors, []);
    assertEquals(ended.openHandles, 0);
    assertEquals(ended.counts.open, 4);
    assertEquals(ended.counts.opendir, 3);
  },
);

Deno.test("default_permissions lets the kernel check modes", needs("python3"), async () => {
  await withSample({ sample: {}, mountOptions: ["default_permissions", "allow_other"] }, async ({ path }) => {
    const printed = await python(
      `
os.setuid(1)
for name in ('/private', '/hello.txt'):
    try: print(open(sys.argv[1] + name).read())
    except OSError as error: print(errno.errorcode[error.errno])`,
      path,
    ).catch((error) => String(error));
    assertEquals(printed, "EACCES\nHello, world\n\n");
  });
});

Deno.test("capabilities that are not requested are not used", async () => {
  const ended = await withSample({ sample: {}, capabilities: ["ASYNC_READ", "AUTO_INVAL_DATA"] }, async ({ path }) => {
    await run("ls", "-l", path);
    await run("cat", `${path}/hello.txt`);
  });
  assertEquals([...ended.wanted], ["ASYNC_READ", "AUTO_INVAL_DATA"]);
  assertEquals(ended.counts.readdirplus, undefined);
  assertEquals(ended.errors, []);
});

Deno.test("a waker calls the session back to its messages, any number of times", async () => {
  // AUTO_INVAL_DATA: the kernel notices by the size that the file has changed, and needs no notification.
  await withSample({ sample: {}, capabilities: ["AUTO_INVAL_DATA"] }, async ({ path, change }) => {
    for (const text of ["second\n", "third\n", "fourth\n"]) {
      await change({ text, appears: false });
      assertEquals((await run("cat", `${path}/changing`)).stdout, text);
    }
  });
});

Deno.test("what the kernel remembers shows its change only after a notification", async () => {
  await withSample({ sample: { timeout: 3600 } }, async ({ path, mounted, change }) => {
    const see = () =>
      run("sh", "-c", `cat "${path}/changing"; stat -c %s "${path}/changing"; ls "${path}/appearing" 2>&1`);
    const before = await see();
    assertMatch(before.stdout, /^first\n6\nls: .*No such file/);
    await change({ text: "a longer second\n", appears: true });
    assertEquals((await see()).stdout, before.stdout);
    using notifier = openNotifier(mounted.address);
    await notifier.invalidateInode(0, 12);
    await notifier.invalidateEntry(0, 1, new TextEncoder().encode("appearing"));
    assertEquals((await see()).stdout, `a longer second\n16\n${path}/appearing\n`);
    // The kernel does not know these nodes and names.
    await notifier.invalidateInode(7, 7);
    await notifier.invalidateEntry(0, 3, new TextEncoder().encode("never seen"));
  });
});

Deno.test("what is stored in a known node is read without a request; an unknown node is reported", async () => {
  const stored = new TextEncoder().encode("Hello, STORE\n");
  const ended = await withSample({ sample: { timeout: 1000 } }, async ({ path, mounted }) => {
    using store = openPageStore(mounted.address);
    await run("stat", path);
    assertEquals(store.store(0, 2, 0, stored), false);
    await run("stat", `${path}/hello.txt`);
    assertEquals(store.store(0, 2, 0, stored), true);
    assertEquals((await run("cat", `${path}/hello.txt`)).stdout, "Hello, STORE\n");
    assertEquals(store.store(7, 7, 0, stored), false);
  });
  assertEquals(ended.counts.read, undefined);
});

Deno.test("unmounting from outside ends the session, and lazily only when the last user is gone", async () => {
  await withSample({ sample: {} }, async ({ path, ended }) => {
    const refusal = await run("sh", "-c", `exec 3< "${path}/hello.txt"; umount "${path}"; cat <&3`);
    assertMatch(refusal.stderr, /busy/);
    assertEquals(refusal.stdout, "Hello, world\n");
    const lazily = await run("sh", "-c", `exec 3< "${path}/hello.txt"; umount -l "${path}"; cat <&3`);
    assertEquals(lazily.stdout, "Hello, world\n");
    await ended;
  });
  await withSample({ sample: {} }, async ({ path, ended }) => {
    await unmount(path);
    await ended;
  });
});

Deno.test("forgotten nodes are reported with their number of lookups", needs("python3"), async () => {
  const ended = await withSample({ sample: { timeout: 10 } }, async ({ path }) => {
    await run("stat", `${path}/hello.txt`);
    await run("ls", "-l", `${path}/many`);
    await python("open('/proc/sys/vm/drop_caches', 'w').write('2')");
    await run("stat", `${path}/hello.txt`);
  });
  const forgotten = Object.keys(ended.counts).filter((key) => key.startsWith("forget "));
  assert(forgotten.length > MANY / 2, `only ${forgotten.length} nodes were forgotten`);
  for (const key of forgotten) {
    const known = ended.counts[key.replace("forget", "known")] ?? 0;
    assert((ended.counts[key] ?? 0) <= known, `${key}: ${ended.counts[key]} lookups of ${known}`);
  }
});
