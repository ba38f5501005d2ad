/**
 * A filesystem in memory: `deno run --allow-ffi example/hello.ts /mnt/point`. It ends when it is unmounted (`umount
 * /mnt/point`, or `fusermount3 -u /mnt/point`).
 *
 * A program without other work may serve on its main thread, as here. Ctrl-C then ends it without unmounting; the next
 * start removes the dead mount. A program that must react runs the session in a Worker.
 * @module
 */
import {
  Errno,
  type FileSystem,
  FuseError,
  NodeAttributes,
  openSession,
  releaseDeadMount,
  S_IFDIR,
  S_IFREG,
} from "deno-fuse-ffi";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Node 1 is the root; file N of this list is node N + 2. */
const files = [
  { name: "hello.txt", content: encoder.encode("Hello, world\n") },
  { name: "numbers.txt", content: encoder.encode(Array.from({ length: 1000 }, (_, index) => `${index}\n`).join("")) },
];

const startSeconds = Math.floor(Date.now() / 1000);
const attributes = new NodeAttributes();

function describe(node: number): NodeAttributes | undefined {
  const file = files[node - 2];
  if (node !== 1 && file === undefined) return undefined;
  attributes.setNode(0, node);
  attributes.setTimes(startSeconds);
  attributes.mode = file === undefined ? S_IFDIR | 0o555 : S_IFREG | 0o444;
  attributes.size = file?.content.length ?? 0;
  attributes.linkCount = file === undefined ? 2 : 1;
  // Nothing ever changes here: the kernel may cache all of it.
  attributes.entryTimeout = attributes.attributeTimeout = Infinity;
  return attributes;
}

/** The handlers. A larger filesystem keeps its nodes in arrays as well: the node id is an index. */
export const helloFileSystem: FileSystem = {
  lookup(request, _parentHigh, _parent, name) {
    const index = files.findIndex((file) => file.name === decoder.decode(name));
    const found = describe(index + 2);
    if (index < 0 || found === undefined) request.replyNoEntry(Infinity);
    else request.replyEntry(found);
  },

  getattr(request, _nodeHigh, node) {
    const found = describe(node);
    if (found === undefined) request.replyError(Errno.ESTALE);
    else request.replyAttributes(found);
  },

  readdirplus(request, _nodeHigh, _node, offset) {
    for (let index = offset; index < files.length; index++) {
      const found = describe(index + 2);
      const name = encoder.encode(files[index]?.name);
      if (found === undefined || !request.directory.addWithAttributes(name, index + 1, found)) break;
    }
    request.replyDirectory();
  },

  read(request, _nodeHigh, node, offset, size) {
    const file = files[node - 2];
    if (file === undefined) request.replyError(Errno.EISDIR);
    else request.replyData(file.content.subarray(offset, offset + size));
  },
};

function main(mountPoint: string | undefined): number {
  if (mountPoint === undefined) {
    Deno.stderr.writeSync(encoder.encode("Usage: hello.ts MOUNTPOINT\n"));
    return 2;
  }
  try {
    releaseDeadMount(mountPoint);
    using session = openSession(helloFileSystem, { name: "hello" });
    session.mount(mountPoint);
    while (session.run() !== "ended");
    return 0;
  } catch (error) {
    if (!(error instanceof FuseError)) throw error;
    Deno.stderr.writeSync(encoder.encode(`${error.name}: ${error.message}\n`));
    return 1;
  }
}

if (import.meta.main) Deno.exit(main(Deno.args[0]));
