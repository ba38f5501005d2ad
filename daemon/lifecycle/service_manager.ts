/**
 * Reports the daemon's state to systemd: sd_notify(3), one datagram per message to `$NOTIFY_SOCKET`. Does nothing
 * without a service manager.
 * @module
 */
import type { SystemCalls } from "../../system/mod.ts";

/** The service manager that started this process, if any. */
export class ServiceManager {
  readonly #system: Pick<SystemCalls, "process" | "sockets">;
  readonly #socket: string | undefined;
  readonly #watchdogMilliseconds: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #statusLine: (() => string) | undefined;

  constructor(system: Pick<SystemCalls, "process" | "sockets">) {
    this.#system = system;
    this.#socket = Deno.env.get("NOTIFY_SOCKET") || undefined;
    const isMeant = [String(Deno.pid), undefined, ""].includes(Deno.env.get("WATCHDOG_PID"));
    const microseconds = Number(Deno.env.get("WATCHDOG_USEC") ?? "");
    this.#watchdogMilliseconds = isMeant && microseconds > 0 ? microseconds / 1000 : undefined;
  }

  /**
   * Reports that the daemon is ready, and from then on that it is alive, so that systemd restarts a daemon that hangs.
   * May be called again.
   * @param statusLine Returns the daemon's state in one line.
   */
  ready(statusLine: () => string): void {
    if (this.#socket === undefined) return;
    this.#statusLine = statusLine;
    this.#notify("READY=1", statusLine());
    if (this.#watchdogMilliseconds === undefined) return;
    clearInterval(this.#timer);
    // Twice as often as required, as sd_watchdog_enabled(3) advises.
    this.#timer = setInterval(() => this.#notify("WATCHDOG=1", statusLine()), this.#watchdogMilliseconds / 2);
    Deno.unrefTimer(this.#timer);
  }

  /** Reports that the configuration is being reloaded. */
  reloading(): void {
    if (this.#socket === undefined) return;
    this.#notify(
      `RELOADING=1\nMONOTONIC_USEC=${this.#system.process.monotonicMicroseconds()}`,
      "reloading the configuration",
    );
  }

  /** Reports the end of a reload. */
  reloaded(): void {
    this.#notify("READY=1", this.#statusLine?.() ?? "");
  }

  /** Reports the current state. */
  changed(): void {
    if (this.#statusLine) this.#notify("", this.#statusLine());
  }

  /** Reports that the daemon is about to end. */
  stopping(): void {
    clearInterval(this.#timer);
    this.#notify("STOPPING=1", "stopping");
  }

  #notify(state: string, status: string): void {
    if (this.#socket === undefined) return;
    const lines = [...state === "" ? [] : [state], `STATUS=${status.replaceAll("\n", " ")}`];
    this.#system.sockets.sendDatagram(this.#socket, lines.join("\n"));
  }
}
