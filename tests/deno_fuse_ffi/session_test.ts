import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  capabilityBits,
  type CapabilityName,
  capabilityNamesOf,
  type Connection,
  defaultCapabilities,
  Errno,
  type FileSystem,
  FuseMountError,
  FuseProtocolError,
  type FuseRequest,
  type FuseSession,
  FuseStateError,
  FuseUnsupportedError,
  isInUse,
  isMountPoint,
  libraryVersion,
  openReplier,
  openSession,
  openWaker,
  releaseDeadMount,
  unmount,
  type Waker,
} from "deno-fuse-ffi";
import { isEnd } from "../../deno-fuse-ffi/src/session.ts";
import { assertSupportedVersion } from "../../deno-fuse-ffi/src/raw/library.ts";
import { parseMountInformation } from "../../deno-fuse-ffi/src/mount_point.ts";
import { FileDescriptorVector } from "../../deno-fuse-ffi/src/raw/data_vectors.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { patiently, python, run, withDirectory } from "./mounted_sample.ts";

const emptyFileSystem: FileSystem = {
  lookup: (request) => request.replyError(Errno.ENOENT),
  getattr: (request) => request.replyError(Errno.EIO),
};

/** A program that mounts the sample at its first argument and prints a line once it is mounted. */
const daemon = `
import { openSession, Errno } from "deno-fuse-ffi";
const session = openSession({
  lookup: (request) => request.replyError(Errno.ENOENT),
  getattr: (request) => request.replyError(Errno.EIO),
});
session.mount(Deno.args[0]);
await Deno.stdout.write(new TextEncoder().encode("mounted\\n"));
session.run();
`;

async function withDaemon(mountPoint: string, body: (child: Deno.ChildProcess) => Promise<void>): Promise<void> {
  const script = new URL(`./.daemon_${crypto.randomUUID()}.ts`, import.meta.url);
  await Deno.writeTextFile(script, daemon);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-ffi", script.pathname, mountPoint],
    stdout: "piped",
    stdin: "null",
  }).spawn();
  try {
    const reader = child.stdout.getReader();
    const { value } = await patiently(reader.read(), "mounting in another process");
    assertEquals(new TextDecoder().decode(value), "mounted\n");
    await reader.cancel();
    await body(child);
  } finally {
    try {
      child.kill("SIGKILL");
    } catch {
      // The process has already ended.
    }
    await child.status;
    await Deno.remove(script);
  }
}

Deno.test("a session that is never mounted leaves nothing behind", () => {
  const session = openSession(emptyFileSystem);
  assertThrows(() => session.run(), FuseStateError, "the session is new");
  session.destroy();
  session.destroy();
  assertThrows(() => session.run(), FuseStateError, "the session is destroyed");
  assertThrows(() => session.mount("/"), FuseStateError, "the session is destroyed");
});

Deno.test("sessions, wakers and repliers leave no descriptor open", async () => {
  const openFiles = async () => Number((await run("sh", "-c", `ls /proc/${Deno.pid}/fd | wc -l`)).stdout);
  const rounds = 20;
  await withDirectory(async (path) => {
    const before = await openFiles();
    for (let round = 0; round < rounds; round++) {
      using session = openSession(emptyFileSystem);
      using _waker = openWaker(session.wakeFileDescriptor);
      using _replier = openReplier();
      session.mount(path);
    }
    // The runtime also opens and closes a few files meanwhile.
    const after = await openFiles();
    assert(after < before + rounds / 2, `${before} files were open, now ${after}`);
  });
});

Deno.test("a session that is mounted and never run is unmounted by destroy", async () => {
  await withDirectory((path) => {
    using session = openSession(emptyFileSystem);
    session.mount(path);
    assert(isMountPoint(path));
    assertThrows(() => session.mount(path), FuseStateError, "the session is mounted");
    session.destroy();
    assert(!isMountPoint(path));
    return Promise.resolve();
  });
});

Deno.test("a wake-up before run makes it return at once, also before the session has started", async () => {
  await withDirectory((path) => {
    using session = openSession(emptyFileSystem);
    session.mount(path);
    using waker = openWaker(session.wakeFileDescriptor);
    waker.wake();
    waker.wake();
    assertEquals(session.run(), "woken");
    session.unmount();
    assertEquals(session.run(), "ended");
    waker.close();
    assertThrows(() => waker.wake(), FuseStateError, "closed");
    return Promise.resolve();
  });
});

/** Serves `fileSystem` at `path` on this thread until its first request. */
async function serveOnce(session: FuseSession, path: string): Promise<void> {
  session.mount(path);
  const asking = new Deno.Command("stat", { args: [path], stdout: "null", stderr: "null" }).spawn();
  assertEquals(session.run(), "woken");
  await asking.status;
}

/** A file system that wakes its own session on a request, and counts its starts and ends. */
function wakingFileSystem() {
  const seen = { inits: 0, destroys: 0, connection: undefined as Connection | undefined };
  let waker: Waker | undefined;
  return {
    seen,
    wakeBy: (made: Waker) => waker = made,
    fileSystem: {
      ...emptyFileSystem,
      getattr: (request: FuseRequest) => {
        request.replyError(Errno.EIO);
        waker?.wake();
      },
      init: (connection: Connection) => {
        seen.inits++;
        seen.connection = connection;
      },
      destroy: () => {
        seen.destroys++;
      },
    },
  };
}

/** Flags of this process's open FUSE devices, as the kernel reports them. */
async function deviceFlags(): Promise<number[]> {
  const flags: number[] = [];
  for await (const { name } of Deno.readDir("/proc/self/fd")) {
    const target = await Deno.readLink(`/proc/self/fd/${name}`).catch(() => "");
    if (target !== "/dev/fuse") continue;
    const text = await Deno.readTextFile(`/proc/self/fdinfo/${name}`);
    flags.push(Number.parseInt(/^flags:\s*(\d+)/m.exec(text)?.[1] ?? "", 8));
  }
  return flags;
}

Deno.test("reading the device never blocks: a request may be withdrawn after it was announced", async () => {
  await withDirectory(async (path) => {
    using session = openSession(emptyFileSystem);
    assertEquals(await deviceFlags(), []);
    session.mount(path);
    const flags = await deviceFlags();
    assertEquals(flags.map((bits) => (bits & 0o4000) !== 0), [true]);
  });
});

Deno.test("a filesystem is destroyed once if it was started, and not at all if it was not", async () => {
  const ends: ((session: FuseSession, path: string) => Promise<unknown> | void)[] = [
    (session) => session.destroy(),
    (session) => session.unmount(),
    async (session, path) => {
      await unmount(path, { lazy: true });
      assertEquals(session.run(), "ended");
    },
  ];
  for (const isStarted of [false, true]) {
    for (const end of ends) {
      // deno-lint-ignore no-await-in-loop -- one mount after the other
      await withDirectory(async (path) => {
        const { fileSystem, seen, wakeBy } = wakingFileSystem();
        {
          using session = openSession(fileSystem);
          using waker = openWaker(session.wakeFileDescriptor);
          wakeBy(waker);
          if (isStarted) await serveOnce(session, path);
          else session.mount(path);
          await end(session, path);
          waker.close();
          session.destroy();
        }
        assertEquals([seen.inits, seen.destroys], isStarted ? [1, 1] : [0, 0]);
      });
    }
  }
});

Deno.test("the kernel is asked for listings with attributes only as far as there are handlers for them", async () => {
  const list = (request: FuseRequest) => request.replyDirectory();
  const asked: CapabilityName[] = ["ASYNC_READ", "READDIRPLUS", "READDIRPLUS_AUTO"];
  for (
    const [handlers, wanted] of [
      [{}, ["ASYNC_READ"]],
      [{ readdir: list }, ["ASYNC_READ"]],
      [{ readdirplus: list }, ["ASYNC_READ", "READDIRPLUS"]],
      [{ readdir: list, readdirplus: list }, asked],
    ] as const
  ) {
    for (const capabilities of [asked, ["ASYNC_READ"], ["READDIRPLUS"], []] as const) {
      // deno-lint-ignore no-await-in-loop -- one mount after the other
      await withDirectory(async (path) => {
        const { fileSystem, seen, wakeBy } = wakingFileSystem();
        using session = openSession({ ...fileSystem, ...handlers }, { capabilities });
        using waker = openWaker(session.wakeFileDescriptor);
        wakeBy(waker);
        await serveOnce(session, path);
        const expected = wanted.filter((name) => capabilities.some((other) => other === name));
        assertEquals(seen.connection?.wanted.toSorted(), expected.toSorted(), Object.keys(handlers).join());
        session.unmount();
      });
    }
  }
});

Deno.test({
  name: "a session whose connection an administrator aborts has ended",
  ...needs("root"),
  fn: async () => {
    await using control = await temporaryDirectory();
    if ((await run("mount", "-t", "fusectl", "fusectl", control.path)).code !== 0) return; // in a container
    try {
      await withDirectory(async (path) => {
        const { fileSystem, wakeBy } = wakingFileSystem();
        using session = openSession(fileSystem);
        using waker = openWaker(session.wakeFileDescriptor);
        wakeBy(waker);
        await serveOnce(session, path);
        const table = await Deno.readTextFile("/proc/self/mountinfo");
        const device = table.split("\n").find((line) => line.includes(path.replaceAll(" ", "\\040")))?.split(" ")[2];
        await Deno.writeTextFile(`${control.path}/${device?.replace("0:", "")}/abort`, "1");
        assertEquals(session.run(), "ended");
        assertEquals(session.run(), "ended");
        waker.close();
      });
    } finally {
      await run("umount", control.path);
    }
  },
});

Deno.test("without a message a session ends, continues or has failed, as the error number says", () => {
  const outcomes = new Map<number, string>();
  for (let errno = 0; errno <= 133; errno++) {
    try {
      outcomes.set(errno, isEnd(-errno) ? "ends" : "continues");
    } catch (error) {
      assert(error instanceof FuseProtocolError);
      assertEquals(error.errno, errno);
      outcomes.set(errno, "has failed");
    }
  }
  const those = (outcome: string) =>
    Array.from(outcomes).filter(([, other]) => other === outcome).map(([errno]) => errno);
  // ECONNABORTED; EINTR, EAGAIN (errno(3))
  assertEquals([those("ends"), those("continues"), those("has failed").length], [[0, 103], [4, 11], 130]);
});

Deno.test("mount points that cannot work are refused with the reason", async () => {
  await withDirectory(async (path) => {
    const file = `${path}/file`;
    await Deno.writeTextFile(file, "");
    using session = openSession(emptyFileSystem);
    assertThrows(() => session.mount("relative"), FuseMountError, "relative: Cannot mount: the mount point must be");
    assertThrows(() => session.mount(`${path}/absent`), FuseMountError, "no such directory");
    assertThrows(() => session.mount(file), FuseMountError, "it is not a directory");
    session.mount(path);
  });
});

Deno.test("an option that libfuse does not know is refused, and leaves nothing behind", () => {
  assertThrows(
    () => openSession(emptyFileSystem, { mountOptions: ["no_such_option"] }),
    FuseProtocolError,
    "Cannot create a FUSE session: fuse: unknown option(s): `-o no_such_option'; its options were",
  );
});

Deno.test("a mount whose server was killed is recognized, refused and released", async () => {
  await withDirectory(async (path) => {
    assertEquals(releaseDeadMount(path), false);
    await withDaemon(path, async (child) => {
      assert(isMountPoint(path));
      child.kill("SIGKILL");
      await child.status;
    });
    assert(isMountPoint(path));
    assertStringIncludes((await run("ls", path)).stderr, "Transport endpoint is not connected");
    using session = openSession(emptyFileSystem);
    const error = assertThrows(() => session.mount(path), FuseMountError, "a dead mount is in the way");
    assertEquals(error.errno, Errno.ENOTCONN);
    assertEquals(releaseDeadMount(path), true);
    assertEquals(isMountPoint(path), false);
    assertEquals(releaseDeadMount(path), false);
    session.mount(path);
  });
});

Deno.test({
  name: "a mount that is a working directory is in use, and asking about it changes nothing",
  ...needs("root"),
  fn: async () => {
    await withDirectory(async (path) => {
      assertEquals(isInUse(path), undefined);
      await withDaemon(path, () => {
        assertEquals([isInUse(path), isInUse(path), isMountPoint(path)], [false, false, true]);
        return Promise.resolve();
      });
    });
  },
});

Deno.test("a living mount is not released", async () => {
  await withDirectory(async (path) => {
    await withDaemon(path, async (child) => {
      assertEquals(releaseDeadMount(path), false);
      assert(isMountPoint(path));
      await run("umount", path);
      const { code } = await patiently(child.status, "ending after umount");
      assertEquals(code, 0);
    });
  });
});

/** Runs a program with the variables of `environment`; returns its output. */
async function printedBy(program: string, environment: Record<string, string>, ...command: string[]): Promise<string> {
  const script = new URL(`./.program_${crypto.randomUUID()}.ts`, import.meta.url).pathname;
  await Deno.writeTextFile(script, program);
  try {
    const permissions = ["--no-check", "--allow-ffi", "--allow-env=DENO_FUSE_LIBRARY"];
    const [first = "", ...others] = [...command, Deno.execPath(), "run", ...permissions, script];
    const { stdout } = await new Deno.Command(first, { args: others, env: environment, stderr: "inherit" }).output();
    return new TextDecoder().decode(stdout);
  } finally {
    await Deno.remove(script);
  }
}

const reportingProgram = `
import { openSession } from "deno-fuse-ffi";
try {
  using session = openSession({ lookup() {}, getattr() {} });
  session.mount("/");
} catch (error) {
  await Deno.stdout.write(new TextEncoder().encode(error.name + ": " + error.message));
}`;

Deno.test("a missing or wrong library is reported with what to do", async () => {
  const absent = await printedBy(reportingProgram, { DENO_FUSE_LIBRARY: "/no/such/libfuse.so" });
  assertStringIncludes(absent, "FuseLibraryError: Cannot load /no/such/libfuse.so");
  assertStringIncludes(absent, "DENO_FUSE_LIBRARY names that library: correct or unset it");
  const wrong = await printedBy(reportingProgram, { DENO_FUSE_LIBRARY: "libc.so.6" });
  assertStringIncludes(wrong, "FuseLibraryError: Cannot load libc.so.6");
  assertStringIncludes(wrong, "undefined symbol: fuse_");
});

Deno.test("a machine without /dev/fuse is reported with what to do", needs("root"), async () => {
  const hideDevices = 'touch "$0/null"; mount --bind /dev/null "$0/null"; mount --rbind "$0" /dev; exec "$@"';
  await using devices = await temporaryDirectory();
  const text = await printedBy(reportingProgram, {}, "unshare", "-m", "sh", "-ec", hideDevices, devices.path);
  assertStringIncludes(text, "FuseUnsupportedError: Cannot open /dev/fuse: it does not exist: load the kernel module");
});

Deno.test("versions of libfuse from 3.10 on are accepted", () => {
  for (const version of ["3.10.5", "3.14.0", "3.16.2", "3.17.4", "3.18.2", "3.19.0-rc0", "3.10"]) {
    assertSupportedVersion(version);
  }
  for (const version of ["2.9.9", "3.9.4", "3.2", "4.0.0", "", "unknown"]) {
    assertThrows(() => assertSupportedVersion(version), FuseUnsupportedError, "3.10 or later");
  }
  assertSupportedVersion(libraryVersion());
});

Deno.test("the mount table is read with its escapes and optional fields", () => {
  assertEquals(
    parseMountInformation(
      "36 35 98:0 /mnt1 /mnt/a\\040b\\134c\\011d rw,noatime master:1 shared:7 - fuse.sample sam\\040ple rw\n" +
        "37 35 0:5 / /proc rw - proc proc rw\n",
    ),
    [{ mountPoint: "/mnt/a b\\c\td", type: "fuse.sample" }, { mountPoint: "/proc", type: "proc" }],
  );
});

Deno.test("capability bits and names are each other's inverse", () => {
  assertEquals(capabilityBits(["ASYNC_READ", "READDIRPLUS", "EXPLICIT_INVAL_DATA"]), 0x0200_2001);
  assertEquals(capabilityNamesOf(capabilityBits(defaultCapabilities)).toSorted(), [...defaultCapabilities].toSorted());
  assertEquals(capabilityNamesOf(1 << 31), []);
});

Deno.test("a descriptor reply is a fuse_bufvec of one buffer, the same for both layouts", () => {
  const vector = new FileDescriptorVector();
  const bytes = vector.set(7, 2 ** 40 + 2 ** 31 + 3, 4096);
  const words = new Uint32Array(bytes.buffer);
  assertEquals([...words], [1, 0, 0, 0, 0, 0, 4096, 0, 6, 0, 0, 0, 7, 0, 0x8000_0003, 0x100, 0, 0]);
  for (const [file, position, size] of [[-1, 0, 1], [1, -1, 1], [1, 2 ** 53, 1], [1, 0, -1], [1, 0.5, 1]] as const) {
    assertThrows(() => vector.set(file, position, size), RangeError);
  }
});

Deno.test("a closed replier refuses to answer", () => {
  const replier = openReplier();
  replier.close();
  replier.close();
  assertThrows(() => replier.error(0n, Errno.EIO), FuseStateError, "closed");
});

Deno.test("the example is a working filesystem and ends when unmounted", needs("python3"), async () => {
  await withDirectory(async (path) => {
    const example = new URL("../../deno-fuse-ffi/example/hello.ts", import.meta.url);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--allow-ffi", example.pathname, path],
      stdin: "null",
    }).spawn();
    try {
      const waitAndRead = `
import time
for _ in range(600):
    if os.path.ismount(sys.argv[1]): break
    time.sleep(0.05)
for name in sorted(os.listdir(sys.argv[1])): print(name, len(open(os.path.join(sys.argv[1], name)).read()))`;
      assertEquals(await python(waitAndRead, path), "hello.txt 13\nnumbers.txt 3890\n");
      await run("umount", path);
      assertEquals((await patiently(child.status, "ending")).code, 0);
    } finally {
      try {
        child.kill("SIGKILL");
      } catch {
        // The process has already ended.
      }
      await child.status;
    }
  });
});
