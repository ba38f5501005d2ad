/** Editing a mod on top of a mount: overlays with a mount as lower directory, made by root and by a user. */
import { assertEquals, assertMatch } from "@std/assert";
import { needs } from "../support/programs.ts";
import { asRoot, steps } from "./unprivileged.ts";

/** Edits and removes files of the working directory, and prints the resulting content. */
const edit = "echo edited >>a.txt && echo new >new.txt && rm b.txt; cat a.txt; ls";
const edited = "hi\nedited\na.txt\nnew.txt\n";

/** Directories for changes, and the mount's content afterwards. */
const prepare = `
echo bye >"$home/quake/id1/b.txt"
edit=$home/edit; changes=$home/changes; work=$home/work
mkdir "$edit" "$changes" "$work"; chown nobody "$edit" "$changes" "$work"
layers="lowerdir=$mnt/quake/id1,upperdir=$changes,workdir=$work"
`;
const unchanged =
  'step mount; nobody cat "$mnt/quake/id1/a.txt" "$mnt/quake/id1/b.txt"\nstep changes; nobody ls "$changes"\n';

Deno.test("a user edits a mod in an overlay of a user namespace, and the mount stays as it is", asRoot, async () => {
  const said = await steps(`${prepare}
pakfs mount -o umask=022 "$home/quake" "$mnt"
step modes; nobody stat -c %a "$mnt/quake" "$mnt/quake/id1/a.txt"
step refused; nobody sh -c "echo x >$mnt/quake/id1/a.txt"
step edit; nobody unshare -Urm sh -c "mount -t overlay overlay -o userxattr,$layers $edit && cd $edit && ${edit}"
${unchanged}pakfs stop`);
  assertEquals(said.modes, "755\n644\n");
  assertMatch(said.refused ?? "", /Read-only file system\n$/);
  assertEquals(said.edit, edited);
  assertEquals([said.mount, said.changes?.replace(/the daemon.*\n/, "")], ["hi\nbye\n", "a.txt\nb.txt\nnew.txt\n"]);
});

Deno.test(
  "a user edits a mod with fuse-overlayfs if files show as 0644, and not if as 0444",
  needs("root", "fuse-overlayfs"),
  async () => {
    const said = await steps(`${prepare}
for umask in 022 222; do
  pakfs mount -o umask=$umask "$home/quake" "$mnt"
  nobody fuse-overlayfs -o "$layers" "$edit"
  step "edit $umask"; nobody sh -c "cd $edit; ${edit}"
  step "end $umask"; nobody fusermount3 -u "$edit"; pakfs unmount "$mnt"
  rm -rf "$changes" "$work"; mkdir "$changes" "$work"; chown nobody "$changes" "$work"
done`);
    assertEquals(said["edit 022"], edited);
    assertMatch(said["edit 222"] ?? "", /cannot create .*a\.txt: Permission denied\nhi\na\.txt\nb\.txt\n$/);
  },
);

Deno.test("root edits a mod in the kernel's overlay", asRoot, async () => {
  const said = await steps(`${prepare}
mkdir "$system/root"
root_pakfs() { env XDG_RUNTIME_DIR="$system/root" DENO="$system/deno" "$system/pakfs/pakfs" "$@"; }
root_pakfs mount -o umask=022 "$home/quake" "$mnt"
mount -t overlay overlay -o "$layers" "$edit"
step edit; (cd "$edit"; ${edit})
step mount; cat "$mnt/quake/id1/a.txt" "$mnt/quake/id1/b.txt"
step end; umount "$edit"; root_pakfs unmount "$mnt" 2>&1`);
  assertEquals([said.edit, said.mount, said.end], [edited, "hi\nbye\n", "unmounted /home/mnt\n"]);
});

Deno.test("a mount option that pakfs cannot have is refused with a sentence", asRoot, async () => {
  const said = await steps(`
step rw; pakfs mount -o rw "$home/quake" "$mnt"; echo $?
step umask; pakfs mount -o umask=9 "$home/quake" "$mnt"; echo $?`);
  assertEquals(said, {
    rw: "pakfs: option rw: a pakfs mount is read-only\n2\n",
    umask: "pakfs: option umask=9: expected octal digits, such as umask=022\n2\n",
  });
});
