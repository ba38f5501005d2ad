# Makes a system for one user who is not root, in a mount namespace that this process is alone in, and reads the rest of
# its work from standard input. Arguments: an empty directory, the checkout, Deno. There is no network. Defines:
#   system, home, mnt    directories; the last two are nobody's
#   nobody COMMAND...    runs a command as nobody
#   pakfs WORD...        runs the launcher as nobody
#   step WORD...         prints a line that tells where the output of the next commands begins
set -eu
system=$1
mount -t tmpfs -o mode=0755 none "$system"
mkdir -p "$system/pakfs" "$system/home/mnt" "$system/run"
touch "$system/deno"
# What is bound here can be reached, even if it lies in root's home directory.
mount --bind "$2" "$system/pakfs"
mount --bind "$3" "$system/deno"
# As a desktop has it: everybody may open /dev/fuse.
mknod -m 0666 "$system/fuse" c 10 229
mount --bind "$system/fuse" /dev/fuse
echo '# nothing' >"$system/fuse.conf"
touch /etc/fuse.conf
mount --bind "$system/fuse.conf" /etc/fuse.conf
chown nobody "$system/home" "$system/home/mnt" "$system/run"
chmod 0700 "$system/run"
home=$system/home mnt=$home/mnt
nobody() {
  env -i PATH="$PATH" HOME="$home" XDG_RUNTIME_DIR="$system/run" DENO="$system/deno" PAKFS_WATCH=off \
    PAKFS_NO_INSTALL=1 PAKFS_TEST_RUN="${PAKFS_TEST_RUN:-}" setpriv --reuid nobody --regid nogroup --clear-groups "$@" 2>&1
}
pakfs() { nobody "$system/pakfs/pakfs" "$@"; }
step() { echo "== $*"; }
set +e
cd /
mkdir -p "$home/quake/id1"
echo hi >"$home/quake/id1/a.txt"
