/**
 * The command `demo`: writes the sample installation and serves it. As soon as it runs, the launcher starts the client
 * for the tour and the REPL.
 * @module
 */
import { ioquake3 } from "../engines/ioquake3.ts";
import { quakespasm } from "../engines/quakespasm.ts";
import { ensureDir } from "@std/fs";
import { join, resolve } from "@std/path";
import { isMountPoint, releaseDeadMount, unmount } from "deno-fuse-ffi";
import { type OptionValues, ownDirectory, UsageError } from "../system/mod.ts";
import { defaultMountOptions, MountError, type PrestartedSession } from "../mount/mod.ts";
import { defaultCacheBytes, defaultHungSeconds, defaultWatchMode } from "./config/defaults.ts";
import type { DaemonOptions, ProcessContext } from "./lifecycle/daemon_options.ts";
import { Daemon } from "./lifecycle/daemon.ts";
import { writeDemoInstallation } from "./demo/installation.ts";

/** Name of a marker file in every directory that a demo has written; other directories are not overwritten. */
const marker = ".pakfs-demo";

const configText = `# The games of the demo; "pakfs daemon --config" with this file serves them too.
mount = "mount"

[[game]]
name = "quake"
profile = "${quakespasm.name}"
sources = ["games/quake"]

[[game]]
name = "quake3"
profile = "${ioquake3.name}"
sources = ["games/quake3"]
`;

/**
 * `demo [DIR]`: serves a sample installation in DIR until it is unmounted or stopped.
 * @throws {MountError} if DIR holds something else.
 */
export async function runDemo(
  words: readonly string[],
  options: OptionValues,
  context: ProcessContext,
  threads: PrestartedSession,
): Promise<void> {
  if (words.length > 1) throw new UsageError(`demo takes one directory, not also ${words[1]}`);
  const directory = resolve(words[0] ?? defaultDirectory());
  claimDirectory(directory);
  const mountPoint = join(directory, "mount");
  await endEarlierDemo(mountPoint);
  await ensureDir(mountPoint);
  const { games } = await writeDemoInstallation(join(directory, "games"));
  await Deno.writeTextFile(join(directory, "config.toml"), configText);
  const socket = options.value("socket");
  const daemonOptions: DaemonOptions = {
    games: games.map(({ name, base }) => ({
      name,
      sources: [base],
      profile: (name === "quake" ? quakespasm : ioquake3).name,
    })),
    awaitsSources: false,
    config: null,
    mountPoint,
    layout: { view: null, showPacks: false, showAs: false },
    mountOptions: defaultMountOptions,
    ...(socket === undefined ? {} : { socket }),
    hasOwnSocket: socket === undefined,
    cacheBytes: defaultCacheBytes,
    hung: { mode: "wait", timeout: defaultHungSeconds * 1000 },
    keepsIndex: false,
    watchMode: defaultWatchMode(),
    quiet: true,
    logFormat: "text",
    announcement: "nothing",
    debugsFuse: false,
  };
  await new Daemon(daemonOptions, () => Promise.resolve(daemonOptions), context, threads).run();
}

function defaultDirectory(): string {
  const caches = ownDirectory("CACHE");
  return caches === undefined ? `/tmp/pakfs-demo-${Deno.uid()}` : join(caches, "demo");
}

function claimDirectory(directory: string): void {
  Deno.mkdirSync(directory, { recursive: true });
  const names = Array.from(Deno.readDirSync(directory), ({ name }) => name);
  if (names.length > 0 && !names.includes(marker)) {
    throw new MountError(`${directory} is not empty; give the demo a new or an empty directory`);
  }
  Deno.writeTextFileSync(join(directory, marker), "Written by pakfs demo; may be deleted once unmounted.\n");
}

/** Unmounts an earlier demo of this directory, which ends its daemon. */
async function endEarlierDemo(mountPoint: string): Promise<void> {
  releaseDeadMount(mountPoint);
  if (isMountPoint(mountPoint)) await unmount(mountPoint, { lazy: true });
}
