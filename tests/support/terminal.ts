// deno-lint-ignore-file no-await-in-loop -- the screen is looked at until it shows what is waited for
/**
 * A real terminal for tests: tmux, which programs accept and whose screen a test can read.
 * @module
 */
import { processes } from "./processes.ts";

/** A terminal in which one program runs. */
export interface Terminal extends AsyncDisposable {
  /** Presses keys by tmux's names (`Enter`, `Tab`, `C-r`), or types text. */
  press(...keys: string[]): Promise<void>;
  /** Pastes text, as if it had been typed very fast. */
  paste(text: string): Promise<void>;
  /** Changes the size. */
  resize(columns: number, rows: number): Promise<void>;
  /** The lines of the screen, without blanks at their ends and without the empty ones at the bottom. */
  screen(): Promise<string[]>;
  /** Lines, including scrolled ones, that the terminal broke because they are too wide. */
  brokenLines(): Promise<string[]>;
  /** Waits for the screen to satisfy `wanted`; fails with the screen if it never does. */
  until(wanted: string | ((lines: string[]) => boolean)): Promise<string[]>;
}

const timeout = 300_000;

/**
 * Starts a program in a terminal.
 * @param directory Where tmux may put its socket.
 */
export async function openTerminal(
  directory: string,
  command: readonly string[],
  size: { columns: number; rows: number } = { columns: 60, rows: 12 },
): Promise<Terminal> {
  const tmux = async (...args: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command("tmux", {
      args: ["-S", `${directory}/tmux`, "-f", "/dev/null", ...args],
      env: { LC_ALL: "C.UTF-8" },
      stdin: "null",
    }).output();
    if (code !== 0) throw new Error(`tmux ${args[0]}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  };
  const { columns, rows } = size;
  await tmux("-u", "new-session", "-d", "-x", String(columns), "-y", String(rows), "--", ...command);
  const session = Number(await tmux("display-message", "-p", "#{pane_pid}"));
  /** Whether a program that was started in the terminal has not ended yet. */
  const isInUse = () => processes().some((process) => process.session === session);
  const screen = async () => (await tmux("capture-pane", "-p")).trimEnd().split("\n").map((line) => line.trimEnd());
  return {
    async press(...keys) {
      await tmux("send-keys", "--", ...keys);
    },
    async paste(text) {
      const file = `${directory}/paste`;
      await Deno.writeTextFile(file, text);
      await tmux("load-buffer", file);
      await tmux("paste-buffer");
    },
    async resize(width, height) {
      await tmux("resize-window", "-x", String(width), "-y", String(height));
      const device = (await tmux("display-message", "-p", "#{pane_tty}")).trim();
      // tmux resizes the device later, and loses a resize that follows too soon.
      const wanted = `${height} ${width}\n`;
      for (const end = Date.now() + timeout; Date.now() < end;) {
        const { stdout } = await new Deno.Command("stty", { args: ["-F", device, "size"], stdin: "null" }).output();
        if (new TextDecoder().decode(stdout) === wanted) return;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      throw new Error(`tmux never resized ${device} to ${wanted}`);
    },
    screen,
    async brokenLines() {
      const width = Number(await tmux("display-message", "-p", "#{pane_width}"));
      const lines = (await tmux("capture-pane", "-p", "-J", "-S", "-")).split("\n").map((line) => line.trimEnd());
      return lines.filter((line) => line.length > width);
    },
    async until(wanted) {
      const isShown = typeof wanted === "string" ? (lines: string[]) => lines.join("\n").includes(wanted) : wanted;
      const end = Date.now() + timeout;
      while (Date.now() < end) {
        const lines = await screen();
        if (isShown(lines)) return lines;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      throw new Error(`the screen never showed ${wanted}:\n${(await screen()).join("\n")}`);
    },
    async [Symbol.asyncDispose]() {
      await tmux("kill-server").catch(() => undefined);
      // The programs may still write into the directory that the test removes next.
      for (const end = Date.now() + timeout; Date.now() < end && isInUse();) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}
