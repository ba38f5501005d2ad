/**
 * The session thread: blocks in libfuse for requests and answers them from the shared columns.
 * @module
 */
import { openReplier, openSession } from "deno-fuse-ffi";
import { Catalog } from "../../index/catalog.ts";
import { CLibrary } from "../native/c_library.ts";
import { ContentServer, sentenceOf } from "./content_server.ts";
import { Counters } from "./counters.ts";
import { DecodeMemory, decoderPatience } from "./decode_memory.ts";
import { GameFileSystem } from "./game_file_system.ts";
import { MountLayout } from "./layout.ts";
import { MemberDecoder } from "./member_decoder.ts";
import type { SessionMessage, SessionStart, StopMessage } from "./messages.ts";
import { UnpackedFiles } from "./unpacked_files.ts";
import { workerScope } from "./worker_scope.ts";

const scope = workerScope<SessionStart | StopMessage, SessionMessage>();

function tell(message: SessionMessage): void {
  scope.postMessage(message);
}

function nextMessage(): Promise<StopMessage> {
  return new Promise((resolve) => {
    scope.onmessage = ({ data }) => {
      if ("type" in data) resolve(data);
    };
  });
}

async function runSession(start: SessionStart): Promise<void> {
  const catalog = new Catalog(start.catalog);
  const { snapshot } = catalog;
  const layout = new MountLayout(catalog, start.layout);
  const memory = new DecodeMemory(start.buffers);
  using library = new CLibrary();
  using decoder = new MemberDecoder(snapshot, library);
  using replier = openReplier();
  using content = new ContentServer({
    snapshot,
    library,
    decoder,
    memory,
    unpacked: new UnpackedFiles(snapshot, start.unpacked),
    replier,
    counters: new Counters(start.counters, start.thread),
    spillLimit: start.spillLimit,
    report: (message) => tell({ type: "problem", message }),
  });
  const ownership = {
    userId: Deno.uid() ?? 0,
    groupId: Deno.gid() ?? 0,
    mounted: Math.floor(Date.now() / 1000),
  };
  const fileSystem = new GameFileSystem(layout, snapshot, content, ownership, ({ protocol }) => {
    tell({ type: "ready", protocol: protocol.join(".") });
  });
  using session = openSession(fileSystem, {
    name: "pakfs",
    subtype: "pakfs",
    mountOptions: ["default_permissions", ...start.mountOptions],
    maxBackground: 64,
    onError: (error) => tell({ type: "problem", message: sentenceOf(error) }),
  });
  try {
    session.mount(start.mountPoint);
    tell({ type: "started", wakeFileDescriptor: session.wakeFileDescriptor });
    while (session.run() === "woken") {
      // deno-lint-ignore no-await-in-loop -- the loop belongs to the kernel; it is left only for a message
      if ((await nextMessage()).type === "stop") break;
    }
    session.unmount();
  } finally {
    // Every detached request must have been answered before the session is destroyed.
    memory.stop(decoderPatience);
  }
}

scope.onmessage = async ({ data }) => {
  if ("type" in data) return;
  try {
    await runSession(data);
    tell({ type: "ended" });
  } catch (error) {
    tell({ type: "failed", message: sentenceOf(error) });
  }
  scope.close();
};
