/**
 * Files of views as a browser shows them: each is converted once for all that wait for it.
 * @module
 */
import { ConversionThreads, type Palette, type Wanted } from "../media/mod.ts";
import { type Caller, ViewFiles } from "../protocol/mod.ts";

/** A file of a view, or one that loses against it. */
export interface FileAddress {
  /** `game/gamedirectory`. */
  readonly view: string;
  readonly qpath: string;
  /** Number of the candidate, as in `which`; 1 is the winner. */
  readonly candidate: number;
}

/** Maximum views with cached files. */
const maxViews = 16;

/** A conversion in progress, which several requests may wait for. */
interface Running {
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
  readonly cancel: AbortController;
  readers: number;
}

/** Conversions for a page. */
export class PageConversions implements Disposable {
  readonly #caller: Caller;
  readonly #threads: ConversionThreads;
  readonly #palette: Palette | undefined;
  readonly #running = new Map<string, Running>();
  /** Files of views; their palettes and skins are cached until the next refresh. */
  readonly #views = new Map<string, ViewFiles>();

  /**
   * @param directory Directory for results that are cached across processes; default: none.
   * @param palette Palette that is used instead of the views'.
   */
  constructor(caller: Caller, directory?: string, palette?: Palette) {
    this.#caller = caller;
    this.#threads = new ConversionThreads(directory);
    this.#palette = palette;
  }

  /**
   * Returns a file in another format.
   * @param signal Stops waiting; the conversion is dropped if no other request waits and it has not begun.
   * @throws {MediaError} if it is damaged, or of an unsupported kind.
   * @throws {RpcError} if it is missing or cannot be read.
   */
  async get(address: FileAddress, to: Wanted, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const key = JSON.stringify([address.view, address.qpath, address.candidate, to]);
    const running = this.#running.get(key) ?? this.#begin(key, address, to);
    running.readers++;
    const leave = () => {
      if (--running.readers === 0) running.cancel.abort();
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await running.bytes;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Forgets files and conversions of before a refresh, so that later requests begin again. */
  refresh(): void {
    this.#running.clear();
    this.#views.clear();
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }

  #filesOf(view: string): ViewFiles {
    const known = this.#views.get(view);
    if (known) return known;
    if (this.#views.size >= maxViews) this.#views.clear();
    const files = new ViewFiles(this.#caller, { view });
    this.#views.set(view, files);
    return files;
  }

  #begin(key: string, address: FileAddress, to: Wanted): Running {
    const { view, qpath } = address;
    const surroundings = this.#filesOf(view);
    const cancel = new AbortController();
    const read = () => readFile(this.#caller, address);
    const bytes = this.#threads.convert({ qpath, to, surroundings, read, palette: this.#palette }, cancel.signal);
    const running: Running = { bytes, cancel, readers: 0 };
    this.#running.set(key, running);
    const end = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    bytes.then(end, end);
    // Later requests do not join a dropped conversion.
    cancel.signal.addEventListener("abort", end, { once: true });
    return running;
  }
}

/** Reads a whole file. @throws {RpcError} if it is missing, unreadable, too large, or changes while it is read. */
export async function readFile(
  caller: Caller,
  { view, qpath, candidate }: FileAddress,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return (await new ViewFiles(caller, { view }, signal && { signal }).read(qpath, candidate)).bytes;
}
