/**
 * Telling systemd how the daemon is: sd_notify(3), one datagram per message to `$NOTIFY_SOCKET`. Where no service manager
 * waits, nothing is told.
 * @module
 */
import type { CLibrary } from "../../system/c_library.ts";

/** The service manager's end of the daemon's life. */
export class ServiceManager {
  readonly #library: CLibrary;
  readonly #socket: string | undefined;
  readonly #watchdogMilliseconds: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #health: (() => string) | undefined;

  constructor(library: CLibrary) {
    this.#library = library;
    this.#socket = Deno.env.get("NOTIFY_SOCKET") || undefined;
    const isMeant = [String(Deno.pid), undefined, ""].includes(Deno.env.get("WATCHDOG_PID"));
    const microseconds = Number(Deno.env.get("WATCHDOG_USEC") ?? "");
    this.#watchdogMilliseconds = isMeant && microseconds > 0 ? microseconds / 1000 : undefined;
  }

  /**
   * Tells that the daemon answers, and from now on that it still does: a daemon whose main thread hangs is restarted.
   * @param health One line, asked for each time.
   */
  ready(health: () => string): void {
    if (this.#socket === undefined) return;
    this.#health = health;
    this.#tell("READY=1", health());
    if (this.#watchdogMilliseconds === undefined) return;
    // Twice as often as has to be, as sd_watchdog_enabled(3) advises.
    this.#timer = setInterval(() => this.#tell("WATCHDOG=1", health()), this.#watchdogMilliseconds / 2);
    Deno.unrefTimer(this.#timer);
  }

  /** Tells that the configuration is being read again. */
  reloading(): void {
    if (this.#socket === undefined) return;
    this.#tell(
      `RELOADING=1\nMONOTONIC_USEC=${this.#library.monotonicMicroseconds()}`,
      "reading the configuration again",
    );
  }

  /** Tells that the daemon is done with that. */
  reloaded(): void {
    this.#tell("READY=1", this.#health?.() ?? "");
  }

  /** Tells how the daemon is, where that may have changed. */
  changed(): void {
    if (this.#health) this.#tell("", this.#health());
  }

  /** Tells that the daemon is about to end. */
  stopping(): void {
    clearInterval(this.#timer);
    this.#tell("STOPPING=1", "stopping");
  }

  #tell(state: string, status: string): void {
    if (this.#socket === undefined) return;
    const lines = [...state === "" ? [] : [state], `STATUS=${status.replaceAll("\n", " ")}`];
    this.#library.sendDatagram(this.#socket, lines.join("\n"));
  }
}
