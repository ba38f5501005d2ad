/**
 * Disks that are full, and disks that are pulled out. Both need a user who may mount.
 * @module
 */
import { zip } from "../../tests/formats/bytes.ts";
import { writeFiles } from "../../tests/index/fixtures.ts";
import { temporaryDirectory } from "../../tests/support/temporary.ts";
import { output, run, until, workspace } from "../../tests/mount/mounting.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import { type Bounds, canMount, type Findings, leftovers, Rounds, type Scenario } from "./scenario.ts";

const skipped: Findings = { figures: { skipped: "only root may mount what this needs" }, failures: [] };

/** The sentence about files whose disk is away. */
const isKept = /files are kept/;

/** A zip with one member that does not fit in memory, and one that does. */
const largePack = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
    archive.writestr("large", b"0123456789abcde\\n" * (2 << 20))
    archive.writestr("small", b"small\\n" * 100)
`;

async function runFull(bounds: Bounds): Promise<Findings> {
  if (!canMount()) return skipped;
  await using here = await workspace();
  const failures: string[] = [];
  // The disk is mounted elsewhere, as a mount below the workspace would be taken for the daemon's.
  await using elsewhere = await temporaryDirectory();
  const disk = elsewhere.path;
  await writeFiles(here.path, { "q3/baseq3/x.txt": "x" });
  await output("python3", "-c", largePack, `${here.path}/q3/baseq3/pak0.pk3`);
  await output("mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", disk);
  const rounds = new Rounds({ ...bounds, rounds: Math.min(bounds.rounds, 5) });
  try {
    here.environment.PAKFS_SPILL_DIRECTORY = disk;
    here.environment.XDG_STATE_HOME = `${disk}/state`;
    here.environment.XDG_CACHE_HOME = `${disk}/cache`;
    const baseq3 = `${here.mountPoint}/q3/baseq3`;
    while (rounds.next()) {
      // With what the cache keeps of it, the large file would be read in pieces, without the disk.
      // deno-lint-ignore no-await-in-loop -- one disk is filled after the other
      await run("sh", ["-c", 'rm -rf "$1/cache"; mkdir -p "$1/state/pakfs"; cat /dev/zero >"$1/fill"', "sh", disk]);
      // deno-lint-ignore no-await-in-loop -- as above
      await here.mount("--profile", "ioquake3", `${here.path}/q3`);
      // deno-lint-ignore no-await-in-loop -- as above
      const { pid } = await here.status();
      // deno-lint-ignore no-await-in-loop -- as above
      const [small, large] = await Promise.all([run("cat", [`${baseq3}/small`]), run("cat", [`${baseq3}/large`])]);
      if (small.stdout.length !== 600) failures.push("a small file cannot be read while the disk is full");
      if (large.code === 0) failures.push("a large file was read though there was no room to decompress it");
      // deno-lint-ignore no-await-in-loop -- as above
      const { problems } = await here.status();
      if (!problems.some((problem) => /full/.test(problem))) failures.push(`no word of the full disk: ${problems}`);
      // deno-lint-ignore no-await-in-loop -- as above
      await Deno.remove(`${disk}/fill`);
      const count = `test "$(wc -c <"$1")" = ${16 * 2 ** 21}`;
      // deno-lint-ignore no-await-in-loop -- as above
      await until("it is read", async () => (await run("sh", ["-c", count, "sh", `${baseq3}/large`])).code === 0);
      // Decompressed files have no name, and only this user may read them.
      const modes = 'stat -L -c "%a %n" /proc/$1/fd/* 2>/dev/null | while read -r mode name; do ' +
        'case $(readlink "$name") in "$2"/*deleted*) echo "$mode";; esac; done';
      // deno-lint-ignore no-await-in-loop -- as above
      const found = (await output("sh", "-c", modes, "sh", String(pid), disk)).trim().split("\n");
      if (found.some((mode) => mode !== "600")) failures.push(`decompressed files have the modes ${found.join(", ")}`);
      // deno-lint-ignore no-await-in-loop -- as above
      await here.stop();
      // deno-lint-ignore no-await-in-loop -- as above
      failures.push(...await leftovers(here, pid));
    }
  } finally {
    await run("umount", ["-l", disk]);
  }
  return { figures: { rounds: rounds.done }, failures };
}

async function runPulled(bounds: Bounds): Promise<Findings> {
  if (!canMount()) return skipped;
  await using here = await workspace("events");
  const below = numbersFrom(bounds.seed + 1);
  const failures: string[] = [];
  const inner = { name: "m.txt", content: "member\n".repeat(20_000), method: 8 };
  await using elsewhere = await temporaryDirectory();
  await writeFiles(here.path, { "disk/baseq3/pak0.pk3": zip([inner]), "disk/baseq3/x.txt": "loose" });
  const source = `${elsewhere.path}/q3`;
  await Deno.mkdir(source);
  const plug = () => output("mount", "--bind", `${here.path}/disk`, source);
  await plug();
  const rounds = new Rounds({ ...bounds, rounds: Math.min(bounds.rounds, 50) });
  let refused = 0;
  let right = 0;
  try {
    await here.mount("--profile", "ioquake3", source);
    const { pid } = await here.status();
    const file = `${here.mountPoint}/q3/baseq3/m.txt`;
    const loose = `${here.mountPoint}/q3/baseq3/x.txt`;
    const forget = () => run("dd", [`if=${file}`, "iflag=nocache", "count=0"]);
    while (rounds.next()) {
      // deno-lint-ignore no-await-in-loop -- one after the other
      await output("umount", "-l", source);
      // deno-lint-ignore no-await-in-loop -- as above
      await forget();
      for (const [path, whole] of [[file, inner.content], [loose, "loose"]] as const) {
        // deno-lint-ignore no-await-in-loop -- as above
        const { code, stdout, stderr } = await run("cat", [path]);
        if (code === 0 && stdout === whole) right++;
        else if (/Input\/output error/.test(stderr)) refused++;
        else failures.push(`neither the bytes nor EIO while the disk is away: ${stderr.trim()}`);
      }
      // deno-lint-ignore no-await-in-loop -- as above
      await until("it is said that the disk is away", async () => {
        const packs = await here.pakfs("status", "--json");
        return isKept.test(packs.stdout);
      });
      // deno-lint-ignore no-await-in-loop -- as above
      await pause(below(2500));
      // deno-lint-ignore no-await-in-loop -- as above
      await plug();
      // deno-lint-ignore no-await-in-loop -- as above
      await until("it heals", async () => {
        await forget();
        return (await run("cat", [file])).stdout === inner.content && (await run("cat", [loose])).stdout === "loose" &&
          !isKept.test((await here.pakfs("status", "--json")).stdout);
      });
    }
    const log = await Deno.readTextFile(`${here.environment.XDG_STATE_HOME}/pakfs/pakfs.log`);
    if (!/are kept, and cannot be read|changed or deleted/.test(log)) failures.push("the log gives no reason");
    await here.stop();
    failures.push(...await leftovers(here, pid));
  } finally {
    await run("umount", ["-l", source]);
  }
  return { figures: { pulled: rounds.done, "reads refused (EIO)": refused, "reads right": right }, failures };
}

/** No room for decompressed files, index cache and log. */
export const full: Scenario = {
  name: "full",
  summary: "the disk of cache, log and decompressed files is full, and then is not",
  rounds: 5,
  run: runFull,
};

/** The disk that the game is on. */
export const pulled: Scenario = {
  name: "pulled",
  summary: "the source's disk is unmounted and comes back",
  rounds: 50,
  run: runPulled,
};
