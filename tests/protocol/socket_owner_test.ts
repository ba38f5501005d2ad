// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Sockets that another user may have made: clients send them no bytes. */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { strangerOnWay } from "../../protocol/socket_owner.ts";
import { connectUnix, DaemonUnreachableError } from "../../protocol/unix_socket.ts";
import { installation } from "../index/fixtures.ts";
import { output, run } from "../mount/mounting.ts";
import { needs } from "../support/programs.ts";

const stranger = 65534;
const launcher = new URL("../../pakfs", import.meta.url).pathname;
const config = new URL("../../deno.json", import.meta.url).pathname;

interface Watched extends AsyncDisposable {
  /** Number of connections since the last call. */
  connections(): Promise<number>;
  /** Received bytes, as a string. */
  readonly received: string[];
}

/** Listens at a path, answers each line by `answer`, and counts connections. */
function watchedSocket(path: string, answer: (line: string) => string = () => ""): Watched {
  const listener = Deno.listen({ transport: "unix", path });
  const received: string[] = [];
  const open = new Set<Deno.UnixConn>();
  let count = 0;
  let onMarker = () => {};
  const serve = async (connection: Deno.UnixConn): Promise<void> => {
    const buffer = new Uint8Array(65536);
    for (let size = await connection.read(buffer); size !== null; size = await connection.read(buffer)) {
      const text = new TextDecoder().decode(buffer.subarray(0, size));
      if (text === "marker") return onMarker();
      received.push(text);
      const answers = text.split("\n").filter((line) => line !== "").map(answer).join("");
      await connection.write(new TextEncoder().encode(answers));
    }
  };
  const accepting = (async () => {
    for await (const connection of listener) {
      count++;
      open.add(connection);
      serve(connection).catch(() => {});
    }
  })();
  return {
    received,
    async connections(): Promise<number> {
      // Connections arrive in their order.
      const { promise, resolve } = Promise.withResolvers<void>();
      onMarker = resolve;
      using marker = await Deno.connect({ transport: "unix", path });
      await marker.write(new TextEncoder().encode("marker"));
      await promise;
      const seen = count - 1;
      count = 0;
      return seen;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      listener.close();
      for (const connection of open) connection.close();
      await accepting.catch(() => {});
    },
  };
}

Deno.test({
  name: "a path is refused if another user could put a socket there, whatever leads to it",
  ...needs("root"),
  fn: async () => {
    await using root = await installation({
      "own/s": "",
      "theirs/s": "",
      "open/s": "",
      "sticky/own/s": "",
      "sticky/theirs/s": "",
      "group/s": "",
      "ours/s": "",
      "below/theirs/own/s": "",
      "given/s": "",
    });
    const { path } = root;
    const own = (name: string) => output("chown", "-h", `${stranger}:${stranger}`, `${path}/${name}`);
    for (const name of ["theirs", "sticky/theirs", "below/theirs", "given/s"]) await own(name);
    await Deno.chmod(`${path}/open`, 0o777);
    await Deno.chmod(`${path}/sticky`, 0o1777);
    await Deno.chown(`${path}/group`, 0, 100);
    await Deno.chmod(`${path}/group`, 0o770);
    await Deno.chmod(`${path}/ours`, 0o770);
    await Deno.symlink(`${path}/own`, `${path}/link`);
    await Deno.symlink("theirs", `${path}/linkToTheirs`);
    await Deno.symlink("../own", `${path}/sticky/theirLink`);
    await own("sticky/theirLink");
    await Deno.symlink("sticky/theirLink", `${path}/linkToLink`);
    await Deno.symlink("loop", `${path}/loop`);
    const belongs = (name: string) =>
      `${path}/${name} belongs to user ${stranger}, who could answer instead of the daemon`;
    const writable = (name: string) => `others can write to ${path}/${name}; fix with chmod go-w ${path}/${name}`;
    const rows: readonly [name: string, says: string | undefined][] = [
      ["own/s", undefined],
      ["own", undefined],
      ["own/../own/./s", undefined],
      ["link/s", undefined],
      ["sticky/own/s", undefined],
      ["ours/s", undefined],
      ["theirs/s", belongs("theirs")],
      ["theirs", belongs("theirs")],
      ["theirs/../own/s", belongs("theirs")],
      ["open/s", writable("open")],
      ["open", writable("open")],
      ["group/s", writable("group")],
      ["sticky/theirs/s", belongs("sticky/theirs")],
      ["linkToTheirs/s", belongs("theirs")],
      ["sticky/theirLink/s", belongs("sticky/theirLink")],
      ["linkToLink/s", belongs("sticky/theirLink")],
      ["below/theirs/own/s", belongs("below/theirs")],
      ["given/s", belongs("given/s")],
    ];
    for (const [name, says] of rows) assertEquals(strangerOnWay(`${path}/${name}`), says, name);
    // A path that cannot be checked is unsafe: a later check could have another result.
    assertThrows(() => strangerOnWay(`${path}/own/none`), Deno.errors.NotFound);
    assertThrows(() => strangerOnWay(`${path}/loop/s`), Error, "symbolic links");
  },
});

Deno.test({
  name: "a file system that a user has mounted where all can write says nothing of owners",
  ignore: needs("root").ignore || !new Deno.Command("unshare", { args: ["-m", "true"] }).outputSync().success,
  fn: async () => {
    await using root = await installation({ "sticky/own/s": "", "own/mounted/s": "" });
    await Deno.chmod(`${root.path}/sticky`, 0o1777);
    const script = `
      const { strangerOnWay } = await import(${JSON.stringify(import.meta.resolve("../../protocol/socket_owner.ts"))});
      for (const path of Deno.args) console.log(strangerOnWay(path));`;
    await Deno.writeTextFile(`${root.path}/look.ts`, script);
    // A tmpfs whose mounter chose the owner, as file systems in user space do.
    const { code, stdout, stderr } = await run("unshare", [
      "-m",
      "sh",
      "-ec",
      `cd "$1"; for at in sticky/own own/mounted; do mount -t tmpfs -o mode=700,uid=0 none $at; done
      "$2" run -A --no-lock --config "$3" look.ts "$1/sticky/own" "$1/own/mounted"`,
      "sh",
      root.path,
      Deno.execPath(),
      config,
    ]);
    assertEquals(code, 0, stderr);
    assertEquals(stdout.trim().split("\n"), [
      `${root.path}/sticky/own is a file system of its own in ${root.path}/sticky, where every user may mount one`,
      "undefined",
    ]);
  },
});

/** Runs a program of another user, as root of a user namespace with mounts of its own. */
const asStranger = (...words: string[]) =>
  run("setpriv", ["--reuid", `${stranger}`, "--regid", `${stranger}`, "--clear-groups", "unshare", "-rm", ...words]);
const module = new URL("../../protocol/socket_owner.ts", import.meta.url);
const isStrangerAble = await asStranger(
  ...["sh", "-c", 'mount -t tmpfs none /mnt && "$0" --version && test -r "$1"', Deno.execPath(), module.pathname],
);

Deno.test({
  name: "in a user namespace the owner of the root directory is trusted, but not where all can write",
  ignore: needs("root").ignore || isStrangerAble.code !== 0,
  fn: async () => {
    await using root = await installation({ "own/": "" });
    const { path } = root;
    await Deno.writeTextFile(
      `${path}/look.ts`,
      `const { strangerOnWay } = await import(${JSON.stringify(module.href)});
      for (const path of Deno.args) console.log(strangerOnWay(path));`,
    );
    // The stranger is root in the namespace; root outside, who made /mnt and this directory, has no number there.
    await Deno.chmod(path, 0o755);
    await Deno.chown(`${path}/own`, stranger, stranger);
    const { code, stdout, stderr } = await asStranger(
      ...["sh", "-ec", 'mount -t tmpfs none /mnt; mkdir /mnt/own; DENO_DIR=/mnt/cache "$0" "$@"', Deno.execPath()],
      ...["run", "-A", "--no-lock", "--quiet", "--config", config, `${path}/look.ts`, "/mnt/own", `${path}/own`],
    );
    assertEquals([code, stderr], [0, ""]);
    const [own, inTemporary = ""] = stdout.trim().split("\n");
    assertEquals(own, "undefined");
    assertMatch(inTemporary, / belongs to user 65534, who could answer instead of the daemon$/);
  },
});

Deno.test({
  name: "nothing is sent to a socket that another user may have made; root may name one, and is told",
  ...needs("root"),
  fn: async () => {
    await using root = await installation({ "theirs/": "" });
    const path = `${root.path}/theirs/s`;
    await using socket = watchedSocket(path);
    await Deno.chown(path, stranger, stranger);
    const error = await assertRejects(() => connectUnix(path), DaemonUnreachableError);
    assertMatch(error.message, /^no daemon answers at \S+ \(not safe: \S+ belongs to user 65534, who could answer/);
    assertEquals(await socket.connections(), 0);
    const sentences: string[] = [];
    (await connectUnix(path, (sentence) => sentences.push(sentence))).close();
    assertEquals(await socket.connections(), 1);
    assertEquals(sentences.length, 1);
    assertMatch(sentences[0] ?? "", /s belongs to user 65534, .*; it is used nonetheless, as --socket names it$/);
  },
});

Deno.test({
  name: "root's commands send nothing to another user's socket, and print nothing of it raw",
  ...needs("root"),
  fn: async () => {
    await using root = await installation({ "run/pakfs/": "", "quake/id1/a.txt": "a", "mnt/": "" });
    const path = `${root.path}/run/pakfs/pakfs.sock`;
    const evil = "\x1b]0;evil\x07\x9b31m\u202e";
    await using socket = watchedSocket(path, (line) => {
      const { id, method } = JSON.parse(line);
      const result = method === "hello"
        ? { protocol: 1, server: "pakfs", version: "0.1.0", pid: 1, capabilities: [] }
        : undefined;
      const error = { code: -32000, message: evil };
      return JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }) + "\n";
    });
    await Deno.chown(`${root.path}/run/pakfs`, stranger, stranger);
    const environment = {
      HOME: root.path,
      XDG_RUNTIME_DIR: `${root.path}/run`,
      XDG_CACHE_HOME: "",
      XDG_CONFIG_HOME: "",
      XDG_STATE_HOME: "",
      PAKFS_SOCKET: "",
      PAKFS_CONFIG: "",
    };
    const pakfs = (...words: string[]) => run(launcher, words, { environment, directory: root.path });
    // deno-lint-ignore no-control-regex -- control characters are what is looked for
    const raw = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/;
    const commands = [["status"], ["which", "a"], ["cat", "a"], ["stop"], ["mount", "quake", "mnt"], ["-c", "ls"]];
    for (const words of [...commands, ["doctor"], ["unmount", "mnt"], ["complete", "qpath", "a"]]) {
      const { code, stdout, stderr } = await pakfs(...words);
      assert(code !== 0, words.join(" "));
      assertEquals([raw.test(stdout), raw.test(stderr)], [false, false], `${words.join(" ")}: ${stdout}${stderr}`);
    }
    assertEquals([await socket.connections(), socket.received], [0, []]);
    const { code, stderr } = await pakfs("--socket", path, "status");
    assertEquals(code, 1);
    assertMatch(stderr, /^warning: .*pakfs belongs to user 65534, who could answer .*as --socket names it\n/);
    assertMatch(stderr, /\npakfs: \\x1b\]0;evil\\x07\\x9b31m\\u\{202e\}\n$/);
  },
});
