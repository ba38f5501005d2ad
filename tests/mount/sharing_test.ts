/**
 * A mount shared with other machines: servers of other projects export it, and clients must read the same bytes.
 * `docs/sharing.md` has the same commands.
 */
import { assert, assertEquals } from "@std/assert";
import { isMountPoint, unmount } from "deno-fuse-ffi";
import { FileCalls } from "../../system/file_calls.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type Outcome, output, run, until, workspace } from "./mounting.ts";

/** Incompressible bytes, large enough for several requests of each protocol. */
const content = new Uint8Array(400_000).map((_byte, index) => (index * 2_654_435_761) >>> 24);

/** Address of the servers; no other program on a test machine listens there. */
const ports = { webdav: 18_555, smb: 18_445, nfs: 12_049 };

/** Runs `ask` while a server runs in a test's directory, with a mounted game `q` whose mod `id1` is `share`. */
async function shared(
  server: (share: string, directory: string) => readonly string[],
  ask: (share: string, directory: string) => Promise<void>,
): Promise<void> {
  await using at = await workspace();
  await Deno.mkdir(`${at.path}/q/id1/maps`, { recursive: true });
  await Deno.writeFile(`${at.path}/q/id1/maps/b.bsp`, content);
  await at.mount(`${at.path}/q`);
  const share = `${at.mountPoint}/q/id1`;
  const [program = "", ...parameters] = server(share, at.path);
  const child = new Deno.Command(program, {
    args: parameters,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await ask(share, at.path);
  } finally {
    end(child);
    await child.status;
    await at.stop();
  }
}

/** Ends a server, unless it has ended itself, as sshfs does when its mount is gone. */
function end(server: Deno.ChildProcess): void {
  try {
    server.kill("SIGTERM");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Retries until the server answers; fails if it never does. */
async function answered(what: string, ask: () => Promise<Outcome>): Promise<Outcome> {
  let outcome: Outcome | undefined;
  await until(what, async () => {
    outcome = await ask();
    return outcome.code === 0;
  });
  return outcome ?? await ask();
}

Deno.test(
  "sshfs reads a mount through OpenSSH's file server",
  needs("root", "sshfs", "/usr/lib/openssh/sftp-server"),
  async () => {
    // Server and client in one, over pipes, as ssh would connect them.
    const script = `mkfifo "$2/pipe" && mkdir "$2/remote" &&
    exec sh -c '/usr/lib/openssh/sftp-server <"$2/pipe" | sshfs -f -o passive ":$1" "$2/remote" >"$2/pipe"' sh "$1" "$2"`;
    await shared((share, directory) => ["sh", "-c", script, "sh", share, directory], async (share, directory) => {
      const remote = `${directory}/remote`;
      await answered("sshfs has mounted", () => run("cmp", [`${remote}/maps/b.bsp`, `${share}/maps/b.bsp`]));
      assertEquals(await output("stat", "-c", "%a %s", `${remote}/maps/b.bsp`), "444 400000\n");
      await output("fusermount3", "-u", remote);
    });
  },
);

Deno.test(
  "large members can be decompressed to a file system of another machine, which has no files without names",
  needs("root", "sshfs", "/usr/lib/openssh/sftp-server"),
  async () => {
    await using directory = await temporaryDirectory();
    const [own, remote] = [`${directory.path}/own`, `${directory.path}/remote`];
    await Promise.all([own, remote].map((path) => Deno.mkdir(path)));
    const script = `mkfifo "$1/pipe" && /usr/lib/openssh/sftp-server <"$1/pipe" |
      sshfs -f -o passive ":$1/own" "$1/remote" >"$1/pipe"`;
    const args = ["-c", script, "sh", directory.path];
    const server = new Deno.Command("sh", { args, stdin: "null", stdout: "null", stderr: "null" }).spawn();
    await until("sshfs has mounted", () => isMountPoint(remote));
    using calls = new FileCalls();
    const descriptor = calls.openUnnamed(remote);
    try {
      assert(calls.writeAt(descriptor, content, 5));
      const read = new Uint8Array(content.length);
      assertEquals([calls.readFully(descriptor, read, 5), read], [content.length, content]);
      const names = await Array.fromAsync(Deno.readDir(own), ({ name }) => name);
      assertEquals(names.filter((name) => name.startsWith("pakfs")), []);
      assert(calls.openUnnamed(`${remote}/missing`) < 0);
    } finally {
      calls.close(descriptor);
      await unmount(remote, { lazy: true });
      await server.status;
    }
  },
);

Deno.test("rclone serves a mount over WebDAV", needs("rclone", "curl"), async () => {
  const address = `127.0.0.1:${ports.webdav}`;
  await shared(
    (share) => ["rclone", "serve", "webdav", share, "--addr", address, "--read-only"],
    async (_share, directory) => {
      const copy = `${directory}/copy`;
      await answered("rclone answers", () => run("curl", ["-sf", "-o", copy, `http://${address}/maps/b.bsp`]));
      assertEquals(await Deno.readFile(copy), content);
    },
  );
});

Deno.test("Samba shares a mount", needs("root", "smbd", "smbclient"), async () => {
  const configuration = (share: string, directory: string) =>
    `[global]\nserver role = standalone server\nmap to guest = Bad User\nsmb ports = ${ports.smb}\n` +
    "interfaces = 127.0.0.1\nbind interfaces only = yes\n" +
    ["private dir", "lock directory", "state directory", "cache directory", "pid directory", "ncalrpc dir"]
      .map((key) => `${key} = ${directory}/smb\n`).join("") +
    `log file = ${directory}/smb/log\n` +
    `[games]\npath = ${share}\nread only = yes\nguest ok = yes\nforce user = root\n`;
  const start = (share: string, directory: string) => {
    Deno.mkdirSync(`${directory}/smb`);
    Deno.writeTextFileSync(`${directory}/smb.conf`, configuration(share, directory));
    // The server has its own process group, to which it passes signals on.
    return ["smbd", "-F", "-s", `${directory}/smb.conf`];
  };
  await shared(start, async (_share, directory) => {
    const copy = `${directory}/copy`;
    const words = ["-N", "-p", String(ports.smb), "//127.0.0.1/games", "-c", `get maps/b.bsp ${copy}`];
    await answered("Samba answers", () => run("smbclient", words));
    assertEquals(await Deno.readFile(copy), content);
  });
});

Deno.test("NFS-Ganesha exports a mount", needs("root", "ganesha.nfsd", "nfs-cat"), async () => {
  const configuration = (share: string, directory: string) =>
    `NFS_CORE_PARAM { NFS_Port = ${ports.nfs}; Enable_NLM = false; Enable_RQUOTA = false; Protocols = 4; Bind_addr = 127.0.0.1; }\n` +
    `NFSv4 { Graceless = true; RecoveryBackend = fs; RecoveryRoot = "${directory}/recovery"; }\n` +
    `EXPORT { Export_Id = 1; Path = "${share}"; Pseudo = /games; Access_Type = RO; Squash = None; SecType = sys;\n` +
    "  Protocols = 4; Filesystem_id = 1.1; FSAL { Name = VFS; } }\n";
  const start = (share: string, directory: string) => {
    Deno.mkdirSync(`${directory}/recovery`);
    Deno.mkdirSync("/var/run/ganesha", { recursive: true });
    Deno.writeTextFileSync(`${directory}/ganesha.conf`, configuration(share, directory));
    const files = [
      "-f",
      `${directory}/ganesha.conf`,
      "-L",
      `${directory}/ganesha.log`,
      "-p",
      `${directory}/ganesha.pid`,
    ];
    return ["ganesha.nfsd", "-F", ...files];
  };
  await shared(start, async (share) => {
    const address = `nfs://127.0.0.1/games/maps/b.bsp?version=4&nfsport=${ports.nfs}`;
    const script = 'nfs-cat "$1" | cmp - "$2"';
    await answered("NFS-Ganesha answers", () => run("sh", ["-c", script, "sh", address, `${share}/maps/b.bsp`]));
  });
});
