/**
 * Runs the commands with which README begins in a Debian that holds nothing but itself, `ca-certificates` and `curl`: as
 * root, then as a user who may open `/dev/fuse` and for whom root has installed `fuse3`. Prints the end of each run, and
 * which tests differ. Run as root by `deno task test:fresh [FILTER]`; needs `debootstrap` and a network.
 * @module
 */
// deno-lint-ignore-file no-await-in-loop -- one run after the other
import { print } from "../../tests/support/harness.ts";
import { temporaryDirectory } from "../../tests/support/temporary.ts";

const checkout = new URL("../..", import.meta.url).pathname;

/** Makes the system in `$1` with a clone of the checkout `$2`; certificates and name servers are this machine's. */
const build = `
debootstrap --variant=minbase --include=ca-certificates,curl "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$1" >&2
cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
cp -L /etc/resolv.conf "$1/etc/"
git clone -q "$2" "$1/pakfs"
chroot "$1" useradd --create-home player
`;

/** Runs the rest of the arguments as user \`$2\` in the system \`$1\`, in namespaces that end with it. */
const enter = `
system=$1 user=$2
shift 2
mount --bind "$system" "$system"
cd "$system"
mount -t proc none proc
mount -t tmpfs none dev
for node in null zero full random urandom tty fuse; do touch dev/$node; mount --bind /dev/$node dev/$node; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 none dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
mount -t tmpfs none dev/shm
if [ "$user" != root ]; then { [ -e fuse ] || mknod -m 0666 fuse c 10 229; } && mount --bind fuse dev/fuse; fi
# Not chroot: in one the kernel makes no user namespaces.
mkdir -p outside
pivot_root . outside
cd /
umount -l outside
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin setpriv \
  --reuid "$user" --regid "$user" --init-groups --reset-env sh -c 'cd /pakfs && exec "$@"' sh "$@"
`;

/** Runs a script of sh; returns its output, which is also shown. */
async function run(script: string, ...args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = new Deno.Command("unshare", {
    args: ["--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", script, "sh", ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let output = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    await Deno.stdout.write(new TextEncoder().encode(text));
  }
  return { code: (await child.status).code, output };
}

/** Returns the outcome of each test by its name: `ok`, `ignored` or `FAILED`. */
function outcomes(output: string): Map<string, string> {
  return new Map(
    Array.from(output.matchAll(/^(.+) \.\.\. (ok|ignored|FAILED)\b/gm), ([, name = "", how = ""]) => [name, how]),
  );
}

await using directory = await temporaryDirectory();
const ends: string[] = [];
const found: Map<string, string>[] = [];
let failed = 0;
for (const user of ["root", "player"]) {
  const system = `${directory.path}/${user}`;
  const made = await run(build, system, checkout);
  if (made.code !== 0) throw new Error(`the system for ${user} cannot be made`);
  if (user !== "root") {
    // What the launcher asks a user to have root do.
    const packages = "apt-get update -q && apt-get install -y -q --no-install-recommends fuse3";
    const asRoot = `${packages} && ln -s ../proc/self/mounts /etc/mtab && chown -R ${user} /pakfs`;
    await run(enter, system, "root", "sh", "-c", asRoot);
  }
  // A daemon ends with the namespaces of its command.
  const demo = "./pakfs demo && ./pakfs unmount ~/.cache/pakfs/demo/mount";
  const commands = [["sh", "-c", demo], ["./pakfs", "test", ...Deno.args]];
  for (const command of commands) {
    print(`\n== ${user}: ${command.join(" ")}`);
    const { code, output } = await run(enter, system, user, ...command);
    ends.push(`${user}: ${command.join(" ")}: exit code ${code}: ${output.trimEnd().split("\n").at(-1)}`);
    if (code !== 0) failed++;
    if (command[1] === "test") found.push(outcomes(output));
  }
}
const [root, player] = found;
for (const [name, how] of root ?? []) {
  const other = player?.get(name) ?? "not run";
  if (other !== how) print(`${how} as root, ${other} as a user: ${name}`);
}
print(`\n${ends.join("\n")}`);
Deno.exit(failed === 0 ? 0 : 1);
