/** Drives headless Chromium through its own protocol. */
import { pause } from "../support/harness.ts";
import { processes } from "../support/processes.ts";

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

const maxWait = 300_000;

/** One page of a browser that ends with it. */
export class Browser implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #calls = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  #session: string | undefined;
  #count = 0;
  /** Reports of the page: errors, warnings and refused content. */
  readonly problems: string[] = [];

  private constructor(process: Deno.ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
  }

  /**
   * Starts Chromium with an empty profile. Draws with the processor, so that every machine draws the same.
   * @param drawsModels Whether pages can draw in three dimensions, which makes all of them slower.
   */
  static async start(width: number, height: number, drawsModels = true): Promise<Browser> {
    const profile = await Deno.makeTempDir({ prefix: "pakfs-browser-" });
    // A session of its own, by which the processes that it starts are found.
    const process = new Deno.Command("setsid", {
      args: [
        "chromium",
        ...["--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "--no-first-run"],
        ...drawsModels ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu"],
        ...[
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--mute-audio",
          "--hide-scrollbars",
        ],
        // A container has no kernel sandbox; all pages are our own.
        ...["--no-sandbox", "--disable-dev-shm-usage", `--window-size=${width},${height}`, "about:blank"],
      ],
      // Chromium's libraries write to these directories too.
      env: { HOME: profile, XDG_RUNTIME_DIR: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const address = Promise.withResolvers<string>();
    (async () => {
      let text = "";
      for await (const part of process.stderr.pipeThrough(new TextDecoderStream())) {
        text = (text + part).slice(-4096);
        const [, found] = /DevTools listening on (ws:\S+)\s/.exec(text) ?? [];
        if (found !== undefined) address.resolve(found);
      }
      address.reject(new Error("the browser ended before it listened"));
    })();
    const socket = new WebSocket(await address.promise);
    const opened = Promise.withResolvers<void>();
    socket.onopen = () => opened.resolve();
    socket.onerror = () => opened.reject(new Error("the browser cannot be reached"));
    await opened.promise;
    const browser = new Browser(process, profile, socket);
    const { targetInfos } = await browser.call("Target.getTargets");
    const page = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === "page");
    const { sessionId } = await browser.call("Target.attachToTarget", { targetId: page?.targetId, flatten: true });
    browser.#session = String(sessionId);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) {
      // deno-lint-ignore no-await-in-loop -- four of them
      await browser.call(`${domain}.enable`);
    }
    await browser.resize(width, height);
    return browser;
  }

  /** Calls a method of the browser's protocol. */
  call(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.#count;
    const answer = Promise.withResolvers<Record<string, unknown>>();
    this.#calls.set(id, answer);
    const sessionId = this.#session === undefined ? {} : { sessionId: this.#session };
    this.#socket.send(JSON.stringify({ id, method, params, ...sessionId }));
    return answer.promise;
  }

  /** Sets the size of the page. */
  async resize(width: number, height: number, isPhone = false): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: isPhone };
    await this.call("Emulation.setDeviceMetricsOverride", metrics);
  }

  /** Opens an address. */
  async open(url: string): Promise<void> {
    const { errorText } = await this.call("Page.navigate", { url });
    if (errorText !== undefined) throw new Error(`${url}: ${errorText}`);
  }

  /** Returns the value of an expression in the page. */
  async value<Value>(expression: string): Promise<Value> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", params);
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: Value }).value;
  }

  /** Waits until an expression in the page is true; an error shows `seen`. */
  async until(expression: string): Promise<void> {
    const condition = `new Promise((resolve) => {
      const end = performance.now() + ${maxWait};
      const look = () => {
        let is = false;
        try { is = Boolean(${expression}); } catch { /* not there yet */ }
        if (is) resolve(true); else if (performance.now() > end) resolve(false); else setTimeout(look, 20);
      };
      look();
    })`;
    if (await this.value<boolean>(condition)) return;
    const seen = await this.value<string>("document.body.innerText");
    throw new Error(`not seen: ${expression}; the page shows: ${seen.slice(0, 2000)}; ${this.problems.join("; ")}`);
  }

  /** Presses a key. */
  async press(key: string): Promise<void> {
    const text = key.length === 1 ? { text: key } : key === "Enter" ? { text: "\r" } : {};
    await this.call("Input.dispatchKeyEvent", { type: "keyDown", key, ...text });
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", key });
  }

  /** Types a text into the focused element. */
  async type(text: string): Promise<void> {
    await this.call("Input.insertText", { text });
  }

  /** Clicks the middle of the first element of a selector. */
  async click(selector: string): Promise<void> {
    await this.until(`document.querySelector(${JSON.stringify(selector)})`);
    const { x, y } = await this.value<{ x: number; y: number }>(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: "nearest" });
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    for (const type of ["mousePressed", "mouseReleased"]) {
      // deno-lint-ignore no-await-in-loop -- a press before its release
      await this.call("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    }
  }

  /** Returns a PNG of the page, or of the box of an element. */
  async picture(selector?: string): Promise<Uint8Array<ArrayBuffer>> {
    const box = selector === undefined ? undefined : await this.value<DOMRectReadOnly>(
      `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`,
    );
    const clip = box && { x: box.x, y: box.y, width: box.width, height: box.height, scale: 1 };
    const { data } = await this.call("Page.captureScreenshot", { format: "png", ...clip ? { clip } : {} });
    return Uint8Array.fromBase64(String(data));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#session = undefined;
    const closed = Promise.withResolvers<void>();
    this.#socket.onclose = () => closed.resolve();
    this.call("Browser.close").catch(() => {});
    await this.#process.status;
    await closed.promise;
    // Its other processes end later, and may write into the profile until then.
    const isInUse = () => processes().some(({ session }) => session === this.#process.pid);
    // deno-lint-ignore no-await-in-loop -- until the last of them has ended
    while (isInUse()) await pause(10);
    await Deno.remove(this.#profile, { recursive: true });
  }

  #take({ id, method, params = {}, result, error }: Answer): void {
    if (id !== undefined) {
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result ?? {});
      return;
    }
    if (method === "Runtime.exceptionThrown") this.problems.push(JSON.stringify(params.exceptionDetails));
    const entry = params.entry as { level: string; text: string; url?: string } | undefined;
    if (method === "Log.entryAdded" && entry?.level === "error") this.problems.push(`${entry.text} ${entry.url ?? ""}`);
    const call = params as { type?: string; args?: { value?: unknown; description?: string }[] };
    if (method === "Runtime.consoleAPICalled" && (call.type === "error" || call.type === "warning")) {
      this.problems.push((call.args ?? []).map(({ value, description }) => String(value ?? description)).join(" "));
    }
  }
}
