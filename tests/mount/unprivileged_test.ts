/** Mounts by a user who is not root, through fusermount3, and the messages where FUSE is not available. */
import { assertEquals, assertMatch } from "@std/assert";
import { asRoot, steps } from "./unprivileged.ts";

const mounted = "mounted quake at /home/mnt: 1 view, 0 packs, 1 file; to unmount: pakfs unmount /home/mnt\n";
/** The socket's directory may also be in the user's home directory. */
const mountedBelowHome = mounted.replaceAll("/home/mnt", "~/mnt");

Deno.test("without a network, without HOME and with set-up by another user, everything works", asRoot, async () => {
  const said = await steps(`
homeless() { nobody env -u HOME "$system/pakfs/pakfs" "$@"; }
step network; cat /proc/net/route | tail -n +2; nobody sh -c ': >"$1/pakfs/.tools/cache/x"' sh "$system"
step version; homeless --version; echo $?
step mount; homeless mount "$home/quake" "$mnt"; echo $?
step cat; nobody cat "$mnt/quake/id1/a.txt"; homeless cat a.txt --view quake/id1
step own; homeless cat a.txt --source "$home/quake" --view id1
step doctor; homeless doctor --json | grep -c '"health":"wrong"'
step stop; homeless unmount "$mnt"; echo $?
step "read-only home"; nobody env HOME=/proc "$system/pakfs/pakfs" mount "$home/quake" "$mnt"; echo $?; pakfs stop
`);
  const { network = "", ...others } = said;
  assertMatch(network, /^\S+: .*cannot create \/pakfs\/\.tools\/cache\/x: Permission denied\n$/);
  assertEquals(others, {
    version: "pakfs 0.1.0\n0\n",
    mount: `${mounted}0\n`,
    cat: "hi\nhi\n",
    own: "hi\n",
    doctor: "0\n",
    stop: "unmounted /home/mnt\n0\n",
    "read-only home": `${mounted}0\nthe daemon is stopping\n`,
  });
});

Deno.test("a user mounts through fusermount3, for himself alone, and unmounts", asRoot, async () => {
  const said = await steps(`
step mount; pakfs mount "$home/quake" "$mnt"; echo $?
step table; sed -n "s|.* $mnt ||p" /proc/self/mountinfo
step user; nobody sh -c "cat $mnt/quake/id1/a.txt; stat -c '%u %g %a' $mnt $mnt/quake/id1/a.txt; touch $mnt/x"
step root; cat "$mnt/quake/id1/a.txt" 2>&1; ls "$mnt" 2>&1
step socket; stat -c '%U %a' "$system/run/pakfs" "$system/run/pakfs/pakfs.sock"
step again; pakfs mount "$home/quake" "$mnt"; echo $?
step unmount; pakfs unmount "$mnt"; echo $?
step after; grep -c " $mnt " /proc/self/mountinfo; ls -A "$mnt" "$system/run/pakfs"
step link; nobody ln -s "$mnt" "$home/link"; pakfs mount "$home/quake" "$home/link" >"$home/out"; echo $?; nobody cat "$mnt/quake/id1/a.txt"
step unlink; pakfs unmount "$home/link"; echo $?; grep -c " $mnt " /proc/self/mountinfo
step "no directory of theirs"; mkdir "$system/roots"; pakfs mount "$home/quake" "$system/roots"; echo $?
`);
  assertEquals(said, {
    mount: `${mountedBelowHome}0\n`,
    table: "ro,nosuid,nodev,noatime - fuse.pakfs pakfs ro,user_id=65534,group_id=65534,default_permissions\n",
    user: "hi\n65534 65534 555\n65534 65534 444\ntouch: cannot touch '/home/mnt/x': Read-only file system\n",
    root: "cat: /home/mnt/quake/id1/a.txt: Permission denied\nls: cannot access '/home/mnt': Permission denied\n",
    socket: "nobody 700\nnobody 600\n",
    again: "pakfs: ~/mnt is already mounted; unmount it first: pakfs unmount ~/mnt\n1\n",
    unmount: "unmounted /home/mnt\n0\n",
    after: "0\n/home/mnt:\n\n/run/pakfs:\n",
    link: "0\nhi\n",
    unlink: "unmounted /home/mnt\n0\n0\n",
    "no directory of theirs":
      "pakfs: /roots: Cannot mount: fusermount3: user has no write access to mountpoint /roots\n1\n",
  });
});

Deno.test("a user's mount whose daemon was killed is released by the next, and unmounted by hand", asRoot, async () => {
  const said = await steps(`
end() {
  kill -9 "$(pakfs status --json | sed 's/.*"pid":\\([0-9]*\\).*/\\1/')"
  # Not by listing, which the kernel remembers.
  while nobody stat -f "$mnt" >/dev/null; do sleep 0.05; done
}
step first; pakfs mount "$home/quake" "$mnt"; end; nobody stat "$mnt/quake"
step second; pakfs mount "$home/quake" "$mnt"; nobody ls "$mnt"
step third; end; pakfs unmount "$mnt"; echo $?; grep -c " $mnt " /proc/self/mountinfo
`);
  assertMatch(said.first ?? "", /Transport endpoint is not connected\n$/);
  assertEquals(said.second, `${mountedBelowHome}quake\n`);
  assertMatch(said.third ?? "", /\n0\n0\n$/);
});

Deno.test("allow_other works for users who may use it, and otherwise says what to do", asRoot, async () => {
  const said = await steps(`
step refused; pakfs mount -o allow_other "$home/quake" "$mnt"; echo $?
echo user_allow_other >"$system/fuse.conf"
step allowed; pakfs mount -o allow_other "$home/quake" "$mnt"; echo $?
step root; cat "$mnt/quake/id1/a.txt"; pakfs stop
`);
  assertEquals(said, {
    refused: "pakfs: ~/mnt: Cannot mount: fusermount3: option allow_other only allowed if 'user_allow_other' " +
      "is set in /etc/fuse.conf\n1\n",
    allowed: `${mountedBelowHome}0\n`,
    root: "hi\nthe daemon is stopping\n",
  });
});

Deno.test(
  "without /dev/fuse, or not being allowed to open it, questions are still answered",
  asRoot,
  async () => {
    const said = await steps(`
nobody mkdir -p "$home/.config/pakfs"
nobody sh -c "printf '[[game]]\\nname = \\"quake\\"\\nsources = [\\"$home/quake\\"]\\n' >$home/.config/pakfs/config.toml"
try() {
  step "mount $1"; pakfs mount "$home/quake" "$mnt"; echo $?
  step "daemon $1"; pakfs daemon; echo $?
  step "questions $1"
  { pakfs daemon --no-mount >/dev/null & }
  until pakfs status >/dev/null; do sleep 0.1; done
  pakfs cat --view quake/id1 a.txt; pakfs ls --view quake/id1; pakfs stop; wait
}
chmod 0600 "$system/fuse"
try closed
umount /dev/fuse
mkdir "$system/devices"
touch "$system/devices/null"
mount --bind /dev/null "$system/devices/null"
mount --rbind "$system/devices" /dev
try absent
step doctor; pakfs doctor
`);
    const closed = "pakfs: this user may not open /dev/fuse";
    const absent =
      "pakfs: /dev/fuse does not exist; load the kernel's module (modprobe fuse), or start the container with " +
      "--device /dev/fuse --cap-add SYS_ADMIN";
    const instead = "; pakfs daemon --no-mount answers queries without it";
    const { doctor, ...others } = said;
    assertEquals(others, {
      "mount closed": `${closed}; run:\n  sudo chmod 0666 /dev/fuse\n2\n`,
      "daemon closed": `${closed}${instead}; run:\n  sudo chmod 0666 /dev/fuse\n2\n`,
      "questions closed": "hi\na.txt\nthe daemon is stopping\n",
      "mount absent": `${absent}\n2\n`,
      "daemon absent": `${absent}${instead}\n2\n`,
      "questions absent": "hi\na.txt\nthe daemon is stopping\n",
    });
    assertMatch(doctor ?? "", /^WRONG {2}\/dev\/fuse {4}\/dev\/fuse does not exist$/m);
  },
);
