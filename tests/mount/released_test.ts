// deno-lint-ignore-file no-await-in-loop -- one mount after the other
/** Descriptors, threads and mounts that remain in a daemon after mounts have ended or failed. */
import { assertEquals, assertMatch } from "@std/assert";
import { connectSocket, type SocketConnection } from "../../protocol/client.ts";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { mountsBelow, output, run, until, workspace } from "./mounting.ts";
import { stoppable } from "./stoppable.ts";

/** Number of times that each mount is made after the first ones, which load code that stays; one resource is no leak. */
const rounds = 2;

const files = {
  "id1/pak0.pak": pak([["a.txt", "stored"], ["big.txt", "x".repeat(3_000_000)]]),
  "id1/pak1.pk3": zip([{ name: "packed.txt", content: "packed".repeat(500_000), method: 8 }]),
  "id1/loose.txt": "loose",
  "id1/gfx/palette.lmp": new Uint8Array(768),
  "id1/gfx/small.lmp": new Uint8Array([2, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4]),
};
const names = ["a.txt", "big.txt", "packed.txt", "loose.txt", "gfx/small.lmp"];

/** Returns counts of a process's resources: open files by their targets, and workers. */
function heldBy(pid: number): Map<string, number> {
  const targets = Array.from(Deno.readDirSync(`/proc/${pid}/fd`), ({ name }) => `/proc/${pid}/fd/${name}`)
    .flatMap((path) => ifThere(() => Deno.readLinkSync(path)))
    // Deno opens its code cache when it has something to store.
    .filter((target) => !target.includes("v8_code_cache"));
  const threads = Array.from(Deno.readDirSync(`/proc/${pid}/task`), ({ name }) => `/proc/${pid}/task/${name}/comm`)
    .flatMap((path) => ifThere(() => Deno.readTextFileSync(path)))
    .filter((name) => name.startsWith("worker-"));
  const kinds = [...targets, ...threads].map((name) => name.trim().replaceAll(/\d+/g, "N"));
  return new Map(Map.groupBy(kinds, (kind) => kind).entries().map(([kind, { length }]) => [kind, length]));
}

/** Returns the result of a read, or nothing if the resource has gone meanwhile. */
function ifThere<Value>(read: () => Value): Value[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}

/** Runs `round` several times, and checks that the process holds no more after the last round than after the first. */
async function leavesNothing(pid: number, round: () => Promise<void>): Promise<void> {
  for (let count = 0; count < 2; count++) await round();
  let before = heldBy(pid);
  for (let same = 0; same < 10; same++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = heldBy(pid);
    if (String([...now]) !== String([...before])) same = 0;
    before = now;
  }
  for (let count = 0; count < rounds; count++) await round();
  let more: [string, number][] = [];
  for (let look = 0; look < 3000; look++) {
    more = Array.from(heldBy(pid), ([kind, count]): [string, number] => [kind, count - (before.get(kind) ?? 0)])
      // A single new resource of a kind is no leak: each round would leave one.
      .filter(([, count]) => count > 1);
    if (more.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assertEquals(more, []);
}

Deno.test("mounts that join leave no descriptor, thread or mount behind, whether they succeed or fail", async (context) => {
  await using here = await workspace();
  await using elsewhere = await temporaryDirectory();
  const damaged = { "id1/pak0.pak": "PACKrubbish" };
  await writeFiles(here.path, { ...prefixed("game", files), ...prefixed("damaged", damaged), "at/": "", "full/x": "" });
  await writeFiles(elsewhere.path, { ...prefixed("copied", files), "mnt/": "" });
  await using _remote = await stoppable(`${elsewhere.path}/copied`, `${elsewhere.path}/mnt`);
  await writeFiles(here.path, prefixed("own", files));
  await here.mount(`${here.path}/own`);
  const { pid } = await here.status();
  await using client = await connectSocket(here.socket, { client: "test" });
  const at = `${here.path}/at`;
  const config = (source: string, mount = at) => ({
    mount,
    game: [{ name: "g", profile: "darkplaces", sources: [source] }],
  });
  const mount = (source: string) => client.call("mount", { config: config(source), showAs: true });
  const unmount = async (lazy: boolean) => void await client.call("unmount", { mount: at, lazy });
  const read = async (directory: string) => {
    await output("cat", ...names.map((name) => `${at}/g/id1/${name}`), `${at}/.as/g/id1/gfx/small.lmp.png`);
    assertEquals((await run("ls", ["-lR", directory])).code, 0);
  };
  const fails = async (
    client: SocketConnection,
    parameters: Parameters<SocketConnection["call"]>[1],
    reason: RegExp,
  ) => {
    assertMatch(await client.call("mount", parameters as never).then(() => "mounted", String), reason);
  };
  const kinds: Record<string, () => Promise<void>> = {
    "unmounted at once": async () => {
      await mount(`${here.path}/game`);
      await unmount(false);
    },
    "unmounted after files were read and converted": async () => {
      await mount(`${here.path}/game`);
      await read(at);
      await unmount(false);
    },
    "of a source on FUSE, detached after files were read and converted": async () => {
      await mount(`${elsewhere.path}/mnt`);
      await read(at);
      await unmount(true);
    },
    "unmounted by another program": async () => {
      await mount(`${here.path}/game`);
      await output("fusermount3", "-u", at);
      await until("it is gone", async () => (await here.status()).mounts.length === 1);
    },
    "with a damaged archive": async () => {
      await mount(`${here.path}/damaged`);
      await unmount(false);
    },
    "at a directory with files": () =>
      fails(client, { config: config(`${here.path}/game`, `${here.path}/full`) }, /is not empty/),
    "of a missing source": async () => {
      await mount(`${here.path}/none`);
      await unmount(false);
    },
    "of an unknown view": () => fails(client, { config: config(`${here.path}/game`), view: "other" }, /unknown view/),
    "with an option that libfuse refuses": () =>
      fails(client, { config: { ...config(`${here.path}/game`), options: ["nonsense"] } }, /nonsense/),
    "for a client that has gone": async () => {
      const { games } = await here.status();
      const gone = await connectSocket(here.socket, { client: "test" });
      const answer = gone.call("mount", { config: config(`${here.path}/game`) }).catch(() => {});
      await until("it mounts", async () => (await mountsBelow(here.path)).length === 2);
      await gone.close();
      await answer;
      await until("it is gone", async () => {
        // A mount that was complete before its client was missed stays; it can be unmounted once it has joined.
        await unmount(true).catch(() => {});
        return (await mountsBelow(here.path)).length === 1 && (await here.status()).games === games;
      });
    },
  };
  for (const [kind, round] of Object.entries(kinds)) {
    await context.step(kind, async () => {
      try {
        await leavesNothing(pid, round);
      } finally {
        // A failed round would make the next ones fail.
        await unmount(true).catch(() => {});
      }
      assertEquals(await mountsBelow(here.path), [here.mountPoint]);
    });
  }
  await here.stop();
});

function prefixed<Content>(directory: string, contents: Record<string, Content>): Record<string, Content> {
  return Object.fromEntries(Object.entries(contents).map(([path, content]) => [`${directory}/${path}`, content]));
}
