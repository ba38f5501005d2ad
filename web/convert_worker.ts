/**
 * A thread that converts files. It opens none: what it needs besides the file itself, it asks the server for.
 * @module
 */
/// <reference lib="deno.worker" />
import type { NamedFile, Surroundings } from "../media/convert/converter.ts";
import { accepting, convertersOf } from "../media/convert/table.ts";
import { MediaError, Reader } from "../media/core/reader.ts";
import { isWav } from "../media/sounds/wav.ts";
import type { FromThread, ToThread, Wanted } from "./conversion_messages.ts";
import { thumbnail } from "./thumbnail.ts";

const waiting = new Map<number, PromiseWithResolvers<NamedFile | string | undefined>>();
let requests = 0;

function post(message: FromThread, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer);
}

function need(what: keyof Surroundings, name: string): Promise<NamedFile | string | undefined> {
  const answer = Promise.withResolvers<NamedFile | string | undefined>();
  const request = requests++;
  waiting.set(request, answer);
  post({ type: "need", request, what, name });
  return answer.promise;
}

async function needFile(what: "file" | "image", name: string): Promise<NamedFile | undefined> {
  const found = await need(what, name);
  return typeof found === "object" ? found : undefined;
}

const surroundings: Surroundings = {
  file: (qpath) => needFile("file", qpath),
  image: (name) => needFile("image", name),
  shader: async (name) => {
    const found = await need("shader", name);
    return typeof found === "string" ? found : undefined;
  },
};

async function converted(file: NamedFile, to: Wanted): Promise<Uint8Array> {
  if (to === "thumbnail") return await thumbnail(file, surroundings);
  const converter = accepting(convertersOf(file.qpath, to), file.bytes, file.bytes.length);
  // Only rare encodings are converted; browsers play the others.
  if (!converter && to === "wav" && isWav(new Reader(file.bytes))) return file.bytes;
  if (!converter) throw new MediaError(`it is of a kind that is not converted to ${to}`);
  return await converter.convert(file, surroundings);
}

async function convert(file: NamedFile, to: Wanted): Promise<void> {
  try {
    const result = await converted(file, to);
    // A part of a larger buffer is copied, and so is one that is shared.
    const isWhole = result.buffer instanceof ArrayBuffer && result.buffer.byteLength === result.length;
    const bytes = isWhole ? result as Uint8Array<ArrayBuffer> : result.slice();
    post({ type: "converted", bytes }, [bytes.buffer]);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    post({ type: "refused", message: error.message });
  }
}

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (data.type === "convert") {
    const { qpath, bytes, to } = data;
    // An error that is no MediaError ends the thread, and the server reports it.
    convert({ qpath, bytes }, to).catch((error) => reportError(error));
    return;
  }
  const answer = waiting.get(data.request);
  waiting.delete(data.request);
  if (data.type === "found") answer?.resolve(data.found);
  else answer?.reject(new MediaError(data.message));
};
