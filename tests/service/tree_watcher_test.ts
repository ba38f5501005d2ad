// deno-lint-ignore-file no-await-in-loop -- one change after another is the point of these tests
import { assert, assertEquals, assertThrows } from "@std/assert";
import { changeKinds, DirectoryWatches } from "../../system/directory_watches.ts";
import { TargetWatcher } from "../../service/watch/target_watcher.ts";
import type { WatchTarget } from "../../service/watch/targets.ts";
import { TreeWatcher } from "../../service/watch/tree_watcher.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { directoriesBelow, kernelWatches } from "../support/kernel_watches.ts";
import { stoppable } from "../mount/stoppable.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Counts calls, and waits for more. */
class Counted {
  count = 0;
  #waiting: (() => void) | undefined;

  readonly add = (): void => {
    this.count++;
    this.#waiting?.();
  };

  /** Resolved when `condition` holds after some call. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!await condition()) {
      const called = Promise.withResolvers<void>();
      this.#waiting = called.resolve;
      const timer = setTimeout(called.resolve, 20);
      await called.promise;
      clearTimeout(timer);
    }
  }
}

async function shell(directory: string, script: string): Promise<void> {
  await new Deno.Command("sh", { args: ["-c", script], cwd: directory, stdout: "null", stderr: "null" }).output();
}

/** Counts unexpected calls. */
function unexpected(what: string): () => void {
  return () => {
    throw new Error(`${what} is not expected`);
  };
}

function watchedTree(
  watches: DirectoryWatches,
  path: string,
  onChange: () => void,
  onLost = unexpected("a lost root"),
): TreeWatcher {
  return new TreeWatcher(watches, path, { isRecursive: true, onChange, onLost, onFailure: unexpected("a failure") });
}

Deno.test("each directory of a tree is watched, and no other, however they are made, moved and removed", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "mkdir -p tree/a/b outside/c/d");
  const random = numbersFrom(seed);
  const changes = new Counted();
  await using watches = new DirectoryWatches();
  const tree = watchedTree(watches, `${root.path}/tree`, changes.add);
  const parts = ["a", "b", "c", "d"];
  const path = () => Array.from({ length: 1 + random(3) }, () => parts[random(parts.length)]).join("/");
  // The kernel ends the watch of a removed directory when the last program has closed it.
  const held: Deno.FsFile[] = [];
  for (let round = 0; round < 60; round++) {
    const [one, other] = [path(), path()];
    for (const name of [one, other]) {
      const file = await Deno.open(`${root.path}/tree/${name}`).catch(() => undefined);
      if (file) held.push(file);
    }
    while (held.length > random(8)) held.shift()?.close();
    const steps = [
      `mkdir -p tree/${one}`,
      `mkdir -p tree/${one}/x/y/z; rm -r tree/${one}/x/y`,
      `mv -T tree/${one} tree/${other}`,
      `mv -T tree/${one} outside/${other}`,
      `mv -T outside/${one} tree/${other}`,
      `rm -r tree/${one}`,
      `rm -r tree/${one}; mkdir -p tree/${one}/${other}`,
      // None of these paths is a directory, and opening the first would block a thread.
      `mkfifo tree/${one}/pipe; ln -s pipe tree/${one}/link; ln -s ../../outside tree/${one}/far`,
      `cp -r outside tree/${one}; chmod 0700 tree/${one}`,
      `touch tree/${one}/file; mkdir -p outside/${one}/${other}`,
    ];
    const chosen = Array.from({ length: 1 + random(4) }, () => steps[random(steps.length)]).join("\n");
    await shell(root.path, chosen);
    await changes.until(async () => {
      const [watched, there] = await Promise.all([kernelWatches(), directoriesBelow(`${root.path}/tree`)]);
      // Held directories may still be watched after their removal.
      return there.every((inode) => watched.has(inode)) && (held.length > 0 || watched.size === there.length);
    });
    // Changes in the directory are reported, whatever its path was when it was added.
    const before = changes.count;
    await shell(root.path, `date >"$(find tree -type d | tail -n ${1 + random(9)} | head -n 1)/new"`);
    await changes.until(() => changes.count > before);
  }
  for (const file of held) file.close();
  tree.close();
  await tree.ready;
  assertEquals((await kernelWatches()).size, 0);
});

Deno.test("a tree that is moved in is reported when all of its directories are watched", async () => {
  await using root = await temporaryDirectory();
  const names = Array.from({ length: 60 }, (_, number) => `${number % 7}/${number}`);
  await shell(root.path, `mkdir tree; mkdir -p ${names.map((name) => `outside/${name}`).join(" ")}`);
  const count = (await directoriesBelow(`${root.path}/outside`)).length;
  await using watches = new DirectoryWatches();
  const watched: number[] = [];
  const changes = new Counted();
  const tree = new TreeWatcher(watches, `${root.path}/tree`, {
    isRecursive: true,
    onChange: () => {
      const files = Array.from(Deno.readDirSync("/proc/self/fdinfo"), ({ name }) => name);
      const text = files.map((name) => {
        try {
          return Deno.readTextFileSync(`/proc/self/fdinfo/${name}`);
        } catch {
          return ""; // the descriptor of the listing
        }
      }).join("");
      watched.push(Array.from(text.matchAll(/^inotify wd:/gm)).length);
      changes.add();
    },
    onLost: unexpected("a lost root"),
    onFailure: unexpected("a failure"),
  });
  await tree.ready;
  await Deno.rename(`${root.path}/outside`, `${root.path}/tree/inside`);
  await changes.until(() => watched.length > 0);
  assertEquals(watched[0], 1 + count);
  tree.close();
  await tree.ready;
});

Deno.test("directories that listeners share are watched as long as one of them needs it, in any order", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "mkdir a b");
  await using watches = new DirectoryWatches();
  const random = numbersFrom(seed);
  const listeners = ["a", "b", "a", "b"].map((name) => ({ path: `${root.path}/${name}`, hear: () => {}, watch: -1 }));
  const instant = new Int32Array(new SharedArrayBuffer(4));
  for (let round = 0; round < 300; round++) {
    const begun: Promise<void>[] = [];
    const changing = listeners.filter(() => random(2) === 0).sort(() => random(3) - 1);
    for (const listener of changing) {
      if (listener.watch < 0) {
        begun.push(watches.add(listener.path, listener.hear).then((watch) => void (listener.watch = watch)));
        // The kernel may have answered before this thread receives it.
        Atomics.wait(instant, 0, 0, random(3));
      } else {
        watches.remove(listener.watch, listener.hear);
        listener.watch = -1;
      }
    }
    await Promise.all(begun);
    const needed = new Set(listeners.filter(({ watch }) => watch >= 0).map(({ path }) => path));
    assertEquals((await kernelWatches()).size, needed.size, `round ${round}, PAKFS_SEED=${seed}`);
  }
});

Deno.test("two trees share watches of one kernel object, and the end of one does not end the other", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "mkdir -p tree/a/b");
  await using watches = new DirectoryWatches();
  const trees = ["tree", "tree/a"].map((name) => {
    const changes = new Counted();
    const tree = watchedTree(watches, `${root.path}/${name}`, changes.add, changes.add);
    return { changes, tree };
  });
  await Promise.all(trees.map(({ tree }) => tree.ready));
  assertEquals((await kernelWatches()).size, 3);
  const [outer, inner] = trees;
  if (!outer || !inner) throw new Error("there are two");
  inner.tree.close();
  assertEquals((await kernelWatches()).size, 3);
  await Deno.writeTextFile(`${root.path}/tree/a/b/x`, "x");
  await outer.changes.until(() => outer.changes.count > 0);
  assertEquals(inner.changes.count, 0);
  outer.tree.close();
  assertEquals((await kernelWatches()).size, 0);
});

Deno.test("a listener hears of its own directories only, until it is removed or the watches are closed", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "mkdir a b");
  const watches = new DirectoryWatches();
  const heard: string[] = [];
  const changes = new Counted();
  const listener = (own: string) => ({ name }: { readonly name: string }) => {
    heard.push(`${own}/${name}`);
    changes.add();
  };
  const listeners = { a: listener("a"), b: listener("b") };
  const a = await watches.add(`${root.path}/a`, listeners.a);
  const b = await watches.add(`${root.path}/b`, listeners.b);
  assertEquals(await watches.add(`${root.path}/missing`, listeners.a), -1);
  await shell(root.path, "mkfifo a/one; mkfifo b/two");
  await changes.until(() => heard.length >= 2);
  watches.remove(a, listeners.a);
  await shell(root.path, "mkfifo a/three; mkfifo b/four");
  await changes.until(() => heard.includes("b/four"));
  assertEquals(heard, ["a/one", "b/two", "b/four"]);
  const late = watches.add(`${root.path}/a`, listeners.a);
  await watches[Symbol.asyncDispose]();
  assertEquals([await late, await watches.add(`${root.path}/a`, listeners.a)], [-1, -1]);
  watches.remove(b, listeners.b);
  await watches[Symbol.asyncDispose](); // a second time changes nothing
  assertEquals((await kernelWatches()).size, 0);
});

Deno.test("watches that have ended leave no descriptor open, and none is opened where the kernel gives no more", async () => {
  const openFiles = () => Array.from(Deno.readDirSync("/proc/self/fd")).length;
  await using root = await temporaryDirectory();
  // The runtime opens some files once, before the count.
  await new DirectoryWatches()[Symbol.asyncDispose]();
  const before = openFiles();
  for (let round = 0; round < 10; round++) {
    await using watches = new DirectoryWatches();
    await watches.add(root.path, unexpected("a change"));
    assert(openFiles() > before);
  }
  assertEquals(openFiles(), before);
  const { dlopen } = Deno;
  let closed = 0;
  const symbols = { inotify_init1: () => -1, eventfd: unexpected("another descriptor") };
  Deno.dlopen = (() => ({ symbols, close: () => void closed++ })) as unknown as typeof Deno.dlopen;
  try {
    assertThrows(() => new DirectoryWatches(), Error, "max_user_instances");
  } finally {
    Deno.dlopen = dlopen;
  }
  assertEquals(closed, 1);
});

Deno.test("a root that is removed is reported as lost", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "mkdir -p tree/a");
  await using watches = new DirectoryWatches();
  const [lost, changes] = [new Counted(), new Counted()];
  const tree = watchedTree(watches, `${root.path}/tree`, changes.add, lost.add);
  await tree.ready;
  // Changes of a directory itself are reported without a name, by its own watch.
  await shell(root.path, "chmod 0700 tree; touch tree; chmod 0755 tree/a tree");
  await changes.until(() => changes.count > 0);
  await Deno.remove(`${root.path}/tree`, { recursive: true });
  await lost.until(() => lost.count === 1);
  assertEquals((await kernelWatches()).size, 0);
});

/** Watches of a user who may not read some directories. */
class BlindWatches extends DirectoryWatches {
  readonly hidden = new Set<string>();

  override add(...[path, listener]: Parameters<DirectoryWatches["add"]>): Promise<number> {
    return this.hidden.has(path) ? Promise.resolve(-1) : super.add(path, listener);
  }
}

Deno.test("a directory that may be read only later is watched then, though one at its path was watched before", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "mkdir -p tree/a");
  await using watches = new BlindWatches();
  const changes = new Counted();
  const tree = watchedTree(watches, `${root.path}/tree`, changes.add);
  await tree.ready;
  const { readDir } = Deno;
  Deno.readDir = (path) => {
    if (watches.hidden.has(String(path))) throw new Deno.errors.PermissionDenied();
    return readDir(path);
  };
  try {
    for (let round = 0; round < 3; round++) {
      const before = changes.count;
      watches.hidden.add(`${root.path}/tree/a`);
      await shell(root.path, "rmdir tree/a; mkdir tree/a");
      await changes.until(async () => changes.count > before && (await kernelWatches()).size === 1);
      watches.hidden.clear();
      await shell(root.path, "chmod 0700 tree/a");
      await changes.until(async () => (await kernelWatches()).size === 2);
    }
  } finally {
    Deno.readDir = readDir;
    tree.close();
    await tree.ready;
  }
});

Deno.test({
  name: "watches end when the kernel has answered all calls, those about a file system that hangs too",
  ...needs("root"),
  fn: async () => {
    await using root = await temporaryDirectory();
    await shell(root.path, "mkdir -p copied/a mnt");
    await using remote = await stoppable(`${root.path}/copied`, `${root.path}/mnt`);
    const watches = new DirectoryWatches();
    remote.stop();
    const asked = watches.add(`${root.path}/mnt/a`, unexpected("a change"));
    let hasEnded = false;
    const ending = watches[Symbol.asyncDispose]().then(() => hasEnded = true);
    // Enough turns for all to end that does not wait for the file system.
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
    assertEquals(hasEnded, false);
    remote.go();
    await ending;
    assertEquals(await asked, -1);
  },
});

const readLimit = async () => Number(await Deno.readTextFile("/proc/sys/fs/inotify/max_queued_events"));

Deno.test("a listener whose directory was removed hears of nothing more, not even of changes that were lost", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "mkdir -p tree/a gone; : >tree/x; : >tree/y");
  await using watches = new DirectoryWatches();
  const heard = { tree: new Counted(), gone: new Counted() };
  let isLost = false;
  await watches.add(`${root.path}/tree`, ({ watch }) => {
    isLost ||= watch === -1;
    heard.tree.add();
  });
  let hasEnded = false;
  await watches.add(`${root.path}/gone`, ({ kinds }) => {
    hasEnded ||= (kinds & changeKinds.ignored) !== 0;
    heard.gone.add();
  });
  await Deno.remove(`${root.path}/gone`);
  await heard.gone.until(() => hasEnded);
  const before = heard.gone.count;
  loseChanges(`${root.path}/tree`, await readLimit());
  await heard.tree.until(() => isLost);
  assertEquals(heard.gone.count, before);
});

/** Changes more than the kernel remembers, while this thread reads none of it, and then moves directories. */
function loseChanges(directory: string, limit: number): void {
  // Equal consecutive reports would be merged.
  for (let change = 0; change <= limit; change++) Deno.utimeSync(`${directory}/${"xy"[change % 2]}`, change, change);
  Deno.mkdirSync(`${directory}/a/b/c`, { recursive: true });
  Deno.renameSync(`${directory}/a`, `${directory}/d`);
}

Deno.test("directories that came while the kernel lost changes are watched too", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "mkdir -p tree/a; : >tree/x; : >tree/y");
  await using watches = new DirectoryWatches();
  const changes = new Counted();
  const tree = watchedTree(watches, `${root.path}/tree`, changes.add);
  await tree.ready;
  loseChanges(`${root.path}/tree`, await readLimit());
  await changes.until(async () => {
    const [watched, there] = await Promise.all([kernelWatches(), directoriesBelow(`${root.path}/tree`)]);
    return Array.from(watched.keys()).sort().join() === there.sort().join();
  });
  const before = changes.count;
  await Deno.mkdir(`${root.path}/tree/d/b/c/e`);
  await changes.until(async () => changes.count > before && (await kernelWatches()).size === 5);
  tree.close();
  await tree.ready;
});

/** Changes of the file `pack_dir.vpk` and of what is next to it; most keep size and time of the file. */
const fileSteps: readonly [script: string, isNoticed: boolean][] = [
  ["touch -r pack_dir.vpk ref; printf %05d $RANDOM >pack_dir.vpk; touch -r ref pack_dir.vpk; rm ref", true],
  ["cp -p pack_dir.vpk copy; mv copy pack_dir.vpk", true],
  ["printf more >>pack_dir.vpk", true],
  ["touch -d @$NUMBER pack_dir.vpk", true],
  ["chmod 0600 pack_dir.vpk", true],
  ["printf $NUMBER >pack_000.vpk", true],
  ["mv pack_000.vpk pack_001.vpk", true],
  ["printf $NUMBER >other.vpk", false],
  ["mkdir directory; rmdir directory; mkfifo pipe; rm pipe", false],
  ["cp -p pack_dir.vpk copy; rm copy", false],
];

Deno.test("of a file that is watched by name, each change is noticed and nothing else", async () => {
  await using root = await temporaryDirectory();
  await shell(root.path, "printf 12345 >pack_dir.vpk; printf x >pack_000.vpk");
  const random = numbersFrom(seed);
  await using watches = new DirectoryWatches();
  const noticed = new Counted();
  // Called for every event by the same watch, and after the target.
  const everything = new Counted();
  const host = { watches, touch: noticed.add, explain: unexpected("an explanation") };
  const target: WatchTarget = {
    path: `${root.path}/pack_dir.vpk`,
    matches: (name) => name.startsWith("pack"),
  };
  const place = new TargetWatcher(target, host);
  await place.check();
  let marker = "";
  let isMarked = false;
  let settlings = 0;
  await watches.add(root.path, ({ name }) => {
    if (name === marker) isMarked = true;
    everything.add();
  });
  /** Resolved when all changes until now have been reported. */
  const settled = async () => {
    isMarked = false;
    marker = `marker${++settlings}`;
    await Deno.writeTextFile(`${root.path}/${marker}`, "");
    await everything.until(() => isMarked);
  };
  for (let round = 0; round < 80; round++) {
    const [script, isNoticed] = fileSteps[random(fileSteps.length)] ?? ["", false];
    const before = noticed.count;
    const exists = await Deno.stat(`${root.path}/pack_000.vpk`).then(() => true, () => false);
    await shell(root.path, `NUMBER=${1_000_000 + round}; ${script.replaceAll("$RANDOM", String(round))}`);
    await settled();
    const isExpected = isNoticed && (exists || !script.startsWith("mv pack_000"));
    assertEquals(noticed.count > before, isExpected, `${script}; PAKFS_SEED=${seed}`);
  }
  place.close();
});
