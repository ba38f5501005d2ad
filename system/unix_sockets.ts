/**
 * System calls on Unix sockets: sending datagrams, and rejecting programs of other users. Directory and mode of a
 * socket already prevent other users from connecting; this check also works if they were changed, or if the file system
 * stores none.
 *
 * Deno reports neither the user of a connection nor its descriptor, but descriptors are assigned from the lowest number
 * on, and the kernel reports the type and the peer of each.
 * @module
 */
import { openCLibrary } from "./c_library.ts";

const openLibrary = () => openCLibrary("socket", "close", "getsockopt", "getsockname", "shutdown", "sendto", "fcntl");

const unixFamily = 1;
/** SOCK_DGRAM | SOCK_CLOEXEC */
const datagramSocket = 2 | 0o2000000;
const noSignal = 0x4000;
/** SOL_SOCKET and its SO_PEERCRED and SO_ACCEPTCONN, as on all processors that Deno runs on. */
const socketLevel = 1;
const peerCredentials = 17;
const isListening = 30;
const shutBoth = 2;
/** Bytes of `sun_path` in `struct sockaddr_un`, which follow two bytes of family. */
const maxSocketPath = 108;
/** F_GETFD */
const getDescriptorFlags = 1;

const rootUser = 0;
/** Number of descriptors that are examined together. */
const batch = 256;

/** System calls of one thread. */
export class UnixSockets implements Disposable {
  /** Loaded when it is needed. */
  #loaded: ReturnType<typeof openLibrary> | undefined;

  get #library(): ReturnType<typeof openLibrary> {
    return this.#loaded ??= openLibrary();
  }

  /**
   * Sends one datagram to a Unix socket; false if it is not received. A path that begins with `@` is an abstract name,
   * as in unix(7). Deno's own datagrams need `--unstable-net`.
   */
  sendDatagram(path: string, text: string): boolean {
    const name = new TextEncoder().encode(path.startsWith("@") ? `\0${path.slice(1)}` : path);
    if (name.length > maxSocketPath) return false;
    const address = new Uint8Array(2 + name.length);
    new Uint16Array(address.buffer, 0, 1)[0] = unixFamily;
    address.set(name, 2);
    const { socket, sendto, close } = this.#library.symbols;
    const fileDescriptor = socket(unixFamily, datagramSocket, 0);
    if (fileDescriptor < 0) return false;
    const bytes = new TextEncoder().encode(text);
    const sent = sendto(fileDescriptor, bytes, BigInt(bytes.length), noSignal, address, address.length);
    close(fileDescriptor);
    return Number(sent) === bytes.length;
  }

  /**
   * Ends connections from programs of other users, except root. Called before accepted connections are read.
   * @param path Socket that they connected to.
   * @returns Number of ended connections.
   */
  refuseStrangers(path: string): number {
    let refused = 0;
    // The newest connection gets the lowest free number, so it comes before any long gap.
    for (let first = 0;; first += batch) {
      const open = this.#openDescriptors(first, batch);
      if (open.length === 0) return refused;
      for (const fileDescriptor of open) {
        const userId = this.#peerOf(fileDescriptor, path);
        if (userId === undefined || userId === Deno.uid() || userId === rootUser) continue;
        this.#library.symbols.shutdown(fileDescriptor, shutBoth);
        refused++;
      }
    }
  }

  /** Unloads the library. */
  [Symbol.dispose](): void {
    this.#loaded?.close();
  }

  /** Returns the open descriptors among `count` from `first` on; poll(2) would consume their events. */
  #openDescriptors(first: number, count: number): number[] {
    const { fcntl } = this.#library.symbols;
    return Array.from({ length: count }, (_, index) => first + index)
      .filter((fileDescriptor) => fcntl(fileDescriptor, getDescriptorFlags) >= 0);
  }

  /** Returns the user at the other end of a connection that was accepted at the socket `path`. */
  #peerOf(fileDescriptor: number, path: string): number | undefined {
    const { getsockopt, getsockname } = this.#library.symbols;
    // struct ucred: pid, uid, gid, of 32 bits each
    const credentials = new Uint32Array(3);
    const option = (name: number, value: Uint32Array<ArrayBuffer>) =>
      getsockopt(fileDescriptor, socketLevel, name, value, new Uint32Array([value.byteLength])) === 0;
    if (!option(peerCredentials, credentials)) return undefined;
    const listening = new Uint32Array(1);
    if (!option(isListening, listening) || listening[0] !== 0) return undefined;
    const address = new Uint8Array(2 + maxSocketPath);
    const length = new Uint32Array([address.length]);
    if (getsockname(fileDescriptor, address, length) !== 0) return undefined;
    const name = new TextDecoder().decode(address.subarray(2, Math.min(length[0] ?? 0, address.length)));
    return name.replace(/\0.*$/s, "") === path ? credentials[1] : undefined;
  }
}
