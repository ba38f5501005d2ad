/** Writes to open files, as the kernel reports them. */
import { assertEquals } from "@std/assert";
import { ContentWatches } from "../../system/content_watches.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("a write to an open file is known at once, whatever its times are, and nothing else is a write", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/file`;
  await Deno.writeTextFile(path, "first");
  using calls = new FileCalls();
  using watches = new ContentWatches();
  const descriptor = calls.openForReading(path);
  const watch = watches.add(descriptor);
  const steps: [string, () => void][] = [
    ["read", () => void Deno.readTextFileSync(path)],
    ["mode", () => Deno.chmodSync(path, 0o600)],
    ["time", () => Deno.utimeSync(path, 1000, 1000)],
    ["second name", () => Deno.linkSync(path, `${path}.second`)],
    ["renamed", () => Deno.renameSync(path, `${path}.away`)],
    ["another at its path", () => Deno.writeTextFileSync(path, "other")],
    ["deleted", () => Deno.removeSync(`${path}.second`)],
  ];
  for (const [step, act] of steps) {
    act();
    assertEquals(watch?.mayBeWritten, false, step);
  }
  await Deno.writeTextFile(`${path}.away`, "other");
  await Deno.utime(`${path}.away`, 1000, 1000);
  assertEquals(watch?.mayBeWritten, true);
  watch?.end();
  calls.close(descriptor);
});

Deno.test("watches of one file know only writes since they began, and last as long as any of them", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/file`;
  await Deno.writeTextFile(path, "first");
  using calls = new FileCalls();
  using watches = new ContentWatches();
  const descriptors = [calls.openForReading(path), calls.openForReading(path)];
  const first = watches.add(descriptors[0] ?? -1);
  await Deno.writeTextFile(path, "other");
  const second = watches.add(descriptors[1] ?? -1);
  assertEquals([first?.mayBeWritten, second?.mayBeWritten], [true, false]);
  first?.end();
  assertEquals(second?.mayBeWritten, false);
  await Deno.truncate(path, 1);
  assertEquals(second?.mayBeWritten, true);
  second?.end();
  for (const descriptor of descriptors) calls.close(descriptor);
});

Deno.test("when the kernel loses reports, each watched file may be written", async () => {
  await using directory = await temporaryDirectory();
  const paths = ["one", "two", "quiet"].map((name) => `${directory.path}/${name}`);
  await Promise.all(paths.map((path) => Deno.writeTextFile(path, "first")));
  using calls = new FileCalls();
  using watches = new ContentWatches();
  const descriptors = paths.map((path) => calls.openForReading(path));
  const found = descriptors.map((descriptor) => watches.add(descriptor));
  const most = Number(await Deno.readTextFile("/proc/sys/fs/inotify/max_queued_events"));
  using one = await Deno.open(paths[0] ?? "", { write: true });
  using two = await Deno.open(paths[1] ?? "", { write: true });
  const byte = new Uint8Array(1);
  // Reports of one file after the other are joined into one.
  for (let count = 0; count <= most; count++) (count % 2 === 0 ? one : two).writeSync(byte);
  assertEquals(found.map((watch) => watch?.mayBeWritten), [true, true, true]);
  for (const watch of found) watch?.end();
  for (const descriptor of descriptors) calls.close(descriptor);
});

Deno.test("a descriptor that is not open cannot be watched", () => {
  using watches = new ContentWatches();
  assertEquals(watches.add(1_000_000), undefined);
});
