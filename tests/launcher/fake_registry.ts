/**
 * A registry of npm on this machine that has one package: Deno for this platform, with a binary of the test's making.
 * @module
 */
import { temporaryDirectory } from "../support/temporary.ts";
import type { Machine } from "./stubs.ts";

/** Mode of the registry's replies. */
export type Answer = "whole" | "missing" | "cut off" | "damaged" | "endless";

/** The registry. */
export interface FakeRegistry extends AsyncDisposable {
  /** Address of the registry, without a slash at the end. */
  readonly url: string;
  /** Requests so far, oldest first. */
  readonly requests: { readonly path: string; readonly authorization: string | null }[];
  answer: Answer;
}

const platforms: Readonly<Record<string, string>> = { x86_64: "linux-x64-glibc", aarch64: "linux-arm64-glibc" };
const platform = platforms[Deno.build.arch] ?? "";
const setUp = await Deno.readTextFile(new URL("../../system/set_up.sh", import.meta.url));
const version = new RegExp(`platform=${platform} version=(\\S+)`).exec(setUp)?.[1] ?? "";

/** The package that the launcher fetches. */
export const platformPackage = {
  /** Path below the address of a registry. */
  path: `/@deno/${platform}/-/${platform}-${version}.tgz`,
};

/** Starts a registry whose Deno is a shell script, and makes the launcher of `box` expect its checksum. */
export async function fakeRegistry(box: Machine, script: string): Promise<FakeRegistry> {
  await using directory = await temporaryDirectory();
  await box.install("deno", script, `${directory.path}/package`);
  const { success } = await new Deno.Command("tar", {
    args: ["-czf", `${directory.path}/deno.tgz`, "-C", directory.path, "package"],
  }).output();
  if (!success) throw new Error("tar failed");
  const tarball = await Deno.readFile(`${directory.path}/deno.tgz`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", tarball)).toHex();
  const text = (await Deno.readTextFile(`${box.root}/system/set_up.sh`))
    .replaceAll(/(?<=sha512=)[0-9a-f]{64}/g, digest.slice(0, 64))
    .replaceAll(/(?<=sha512=\$\{sha512\})[0-9a-f]{64}/g, digest.slice(64));
  await Deno.writeTextFile(`${box.root}/system/set_up.sh`, text);

  const registry = { requests: [] as FakeRegistry["requests"], answer: "whole" as Answer };
  const part = tarball.subarray(0, 100);
  const answers: Record<Answer, () => Response> = {
    whole: () => new Response(tarball),
    missing: () => new Response(null, { status: 404 }),
    "cut off": () => new Response(beginningWith(part, true), { headers: { "content-length": String(tarball.length) } }),
    damaged: () => new Response(tarball.map((byte, index) => index === 20 ? byte ^ 1 : byte)),
    endless: () => new Response(beginningWith(part, false)),
  };
  const controller = new AbortController();
  const options = { hostname: "127.0.0.1", port: 0, signal: controller.signal, onListen: () => {} };
  const server = Deno.serve(options, (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    registry.requests.push({ path, authorization: request.headers.get("authorization") });
    return path.endsWith(platformPackage.path) ? answers[registry.answer]() : answers.missing();
  });
  return Object.assign(registry, {
    url: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      controller.abort();
      await server.finished;
    },
  });
}

/** A body that sends `start` at once, and then ends or never does. */
function beginningWith(start: Uint8Array<ArrayBuffer>, ends: boolean): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(start);
      if (ends) controller.close();
    },
  });
}
