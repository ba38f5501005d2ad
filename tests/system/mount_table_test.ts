import { assertEquals } from "@std/assert";
import { MountTableWatch, parseMountInfo } from "../../system/mount_table.ts";
import { numbersFrom, seed } from "../support/chance.ts";

/** Fields of a line, as the kernel escapes them. */
const escaped = (name: string) =>
  name.replaceAll(/[\\ \t\n]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);

Deno.test("lines of the table of mounts are read with their escapes, and lines that are cut short are left out", () => {
  const odd = "/mnt/a b\\040c\td";
  const line = `36 35 98:0 ${escaped("/ro ot")} ${escaped(odd)} rw,noatime master:1 - ext4 ${escaped("/dev/x y")} rw`;
  const record = {
    layers: [],
    id: "36",
    root: "/ro ot",
    mountPoint: odd,
    type: "ext4",
    source: "/dev/x y",
    device: "98:0",
  };
  assertEquals(parseMountInfo(`${line}\n`), [record]);
  const words = line.split(" ");
  // The root, mount point, type and source, and what comes before them, must be there.
  for (let count = 0; count < words.length - 1; count++) {
    assertEquals(parseMountInfo(words.slice(0, count).join(" ")), [], `${count} words`);
  }
  assertEquals(parseMountInfo(words.slice(0, -1).join(" ")), [record]);
  for (let count = 0; count < 5; count++) {
    assertEquals(
      parseMountInfo(`${words.slice(0, count).join(" ")} - ext4 x rw`),
      [],
      `${count} words before the type`,
    );
  }
});

Deno.test("the directories of an overlay are read with both kinds of escapes, and no option of another type is one", () => {
  const layers = ["/usr", "/odd name", "/co:lon", "/com,ma", "/back\\slash"];
  const optionOf = (name: string) => escaped(name.replaceAll(/[\\:]/g, "\\$&")).replaceAll(",", "\\054");
  const listed = `rw,index=off,lowerdir=${layers.map(optionOf).join(":")}`;
  const single = `rw,${layers.map((name) => `lowerdir+=${optionOf(name)}`).join(",")},xino=off`;
  const all = [...layers, "/up"];
  for (const options of [`${listed},upperdir=/up,workdir=/work`, `${single},datadir+=/up`]) {
    const layersOf = (type: string) => parseMountInfo(`36 35 98:0 / /mnt rw - ${type} none ${options}`)[0]?.layers;
    assertEquals([layersOf("overlay"), layersOf("ext4"), layersOf("fuse.overlay")], [all, [], []], options);
  }
});

Deno.test("each mount and unmount is reported once, and the table is read only after the kernel reports a change", () => {
  const random = numbersFrom(seed);
  let mounts = new Map<number, string>([[1, "/"]]);
  let reads = 0;
  let hasEvent = false;
  const closed: number[] = [];
  const text = () => Array.from(mounts, ([id, path]) => `${id} 1 0:${id} / ${path} rw - tmpfs x rw`).join("\n");
  const files = {
    openForReading: () => 7,
    close: (descriptor: number) => void closed.push(descriptor),
    readText: () => {
      reads++;
      hasEvent = false;
      return text();
    },
  };
  const process = { hasPriorityEvent: () => hasEvent };
  const watch = new MountTableWatch({ files, process });
  let next = 2;
  let events = 0;
  for (let round = 0; round < 300; round++) {
    const before = mounts;
    mounts = new Map(mounts);
    for (let count = random(3); count > 0; count--) {
      if (random(2) === 0) mounts.set(next++, `/mnt/${random(5)}`);
      else mounts.delete(Array.from(mounts.keys())[random(mounts.size)] ?? 0);
    }
    const changed = [
      ...Array.from(before).filter(([id]) => !mounts.has(id)),
      ...Array.from(mounts).filter(([id]) => !before.has(id)),
    ].map(([, path]) => path);
    hasEvent = changed.length > 0;
    if (hasEvent) events++;
    assertEquals(watch.changes().toSorted(), changed.toSorted(), `round ${round}, PAKFS_SEED=${seed}`);
    assertEquals(reads, 1 + events);
  }
  watch[Symbol.dispose]();
  assertEquals(closed, [7]);
});

Deno.test("a table that cannot be opened changes nothing, and nothing is closed", () => {
  const unexpected = () => {
    throw new Error("nothing is open");
  };
  const files = { openForReading: () => -2, close: unexpected, readText: () => "" };
  using watch = new MountTableWatch({ files, process: { hasPriorityEvent: unexpected } });
  assertEquals(watch.changes(), []);
});
