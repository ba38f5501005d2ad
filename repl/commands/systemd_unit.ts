/**
 * The systemd unit that runs the daemon for a user: systemd.service(5).
 * @module
 */
import { join } from "@std/path";

/** Name of the unit. */
export const unitName = "pakfs.service";

/** Values in a unit. */
export interface UnitOptions {
  /** Absolute path of the launcher. */
  readonly launcher: string;
  /** Path of Deno, since a service has another PATH than a shell. */
  readonly deno: string;
  /** Absolute path of the configuration, or undefined for the default one. */
  readonly config?: string | undefined;
}

/** Quotes a word for a unit: escapes quotes, backslashes, `%` and `$`. */
function unitWord(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
}

/** Returns the text of the unit. */
export function unitText({ launcher, deno, config }: UnitOptions): string {
  const own = [launcher, "daemon", ...config === undefined ? [] : ["--config", config]];
  // systemd rejects quotes and backslashes in the path of a program, but not in a shell's arguments.
  const command = ["/bin/sh", "-c", 'exec "$0" "$@"', ...own].map(unitWord).join(" ");
  const environment = unitWord(`DENO=${deno}`).replaceAll("$$", "$");
  return `\
# Made by pakfs service install, which overwrites it.
[Unit]
Description=pakfs: game archives as folders
Documentation=man:pakfs(1)

[Service]
Type=notify
ExecStart=${command}
ExecReload=/bin/kill -HUP $MAINPID
Environment=${environment}
Restart=on-failure
RestartSec=5
# The first index of a large collection takes its time.
TimeoutStartSec=900
WatchdogSec=120

[Install]
WantedBy=default.target
`;
}

/** Returns the path of the unit of this user. */
export function unitPath(): string {
  const home = Deno.env.get("XDG_CONFIG_HOME") || join(Deno.env.get("HOME") ?? "/", ".config");
  return join(home, "systemd", "user", unitName);
}
