/**
 * The Worker that mounts the sample and serves it. It reports events to its parent, and follows its commands when
 * woken.
 * @module
 */
import { open } from "node:fs/promises";
import { type CapabilityName, type FuseSession, openSession, releaseDeadMount } from "deno-fuse-ffi";
import { OwnChannel } from "../../system/channel.ts";
import { makeSample, type SampleOptions } from "./sample_file_system.ts";

/** First message of the parent. */
export interface MountMessage {
  readonly mountPoint: string;
  readonly hugePath: string;
  /** Destination of detached requests. */
  readonly replier: MessagePort;
  readonly sample: Omit<SampleOptions, "hugeFile" | "forward">;
  readonly mountOptions?: readonly string[];
  readonly capabilities?: readonly CapabilityName[];
}

/** Message of the parent before it wakes the session. */
export interface ChangeMessage {
  readonly text: string;
  readonly appears: boolean;
}

/** Message to the parent. */
export type SessionReport =
  | { readonly kind: "mounted"; readonly wakeFileDescriptor: number; readonly address: bigint }
  | { readonly kind: "woken" }
  | {
    readonly kind: "ended";
    readonly errors: readonly string[];
    readonly counts: Record<string, number>;
    readonly openHandles: number;
    readonly wanted: readonly string[];
  }
  | { readonly kind: "failed"; readonly message: string };

const channel = new OwnChannel<SessionReport, MountMessage | ChangeMessage>();

async function serve(message: MountMessage): Promise<void> {
  const hugeFile = await open(message.hugePath);
  const errors: string[] = [];
  let wanted: readonly string[] = [];
  const sample = makeSample({
    ...message.sample,
    hugeFile: hugeFile.fd,
    forward: (address, kind) => message.replier.postMessage({ address, kind }),
  });
  sample.fileSystem.init = (connection) => {
    wanted = connection.wanted;
  };
  releaseDeadMount(message.mountPoint);
  const session: FuseSession = openSession(sample.fileSystem, {
    name: "sample, with comma",
    subtype: "sample",
    ...(message.mountOptions === undefined ? {} : { mountOptions: message.mountOptions }),
    ...(message.capabilities === undefined ? {} : { capabilities: message.capabilities }),
    onError: (error, operation) => errors.push(`${operation}: ${error instanceof Error ? error.message : error}`),
  });
  session.mount(message.mountPoint);
  channel.post({
    kind: "mounted",
    wakeFileDescriptor: session.wakeFileDescriptor,
    address: session.address,
  });
  while (session.run() === "woken") {
    // deno-lint-ignore no-await-in-loop -- one message belongs to each wake-up
    const change = await channel.next() as ChangeMessage;
    sample.change(change.text, change.appears);
    channel.post({ kind: "woken" });
  }
  message.replier.close();
  session.destroy();
  session.destroy();
  await hugeFile.close();
  channel.post({ kind: "ended", errors, counts: sample.counts, openHandles: sample.handles.size, wanted });
}

channel.run((message) =>
  serve(message as MountMessage)
    .catch((error) => channel.post({ kind: "failed", message: String(error?.stack ?? error) }))
);
