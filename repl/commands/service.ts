/**
 * The daemon as a service of the user's systemd: `service install`, `service uninstall`, `service status`.
 * @module
 */
import { ensureDir } from "@std/fs";
import { dirname, join, resolve } from "@std/path";
import { programRoot } from "../../system/mod.ts";
import { unitName, unitPath, unitText } from "./systemd_unit.ts";
import { command } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { oneRow } from "../output/results.ts";
import type { ServiceStatusRow } from "../rows/client_rows.ts";

const launcher = join(programRoot, "pakfs");

/** The user's systemd does not respond: there is no login session, or the machine does not use systemd. */
class NoSystemdError extends CommandError {}

/** Runs `systemctl --user` and returns its output. */
async function systemctl(signal: AbortSignal, ...args: string[]): Promise<string> {
  const shown = `systemctl --user ${args.join(" ")}`;
  try {
    const options: Deno.CommandOptions = { args: ["--user", ...args], stdin: "null", signal };
    const { success, stdout, stderr } = await new Deno.Command("systemctl", options).output();
    if (success) return new TextDecoder().decode(stdout);
    const reason = new TextDecoder().decode(stderr).trim();
    if (/connect to .*bus/i.test(reason)) {
      throw new NoSystemdError(`${shown}: systemd is not running for this user: ${reason}`);
    }
    throw new CommandError(`${shown} failed: ${reason}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new CommandError(`systemctl not found: ${unitName} cannot be run as a service`, { cause: error });
    }
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    throw new CommandError("run service in a shell: pakfs service", { cause: error });
  }
}

export const serviceInstall = command({
  name: "service install",
  group: "Daemon",
  scope: "anywhere",
  rows: ["ServiceInstalledRow"],
  summary: "run the daemon through systemd whenever you are logged in",
  arguments: [],
  options: [
    { name: "config", value: "FILE", kind: "file", summary: "serve this configuration instead of the default one" },
    { name: "dry-run", short: "n", summary: "print the unit and change nothing" },
    { name: "no-start", summary: "write the unit only" },
  ],
  details: [
    "Writes ~/.config/systemd/user/pakfs.service, enables and starts it. The daemon reports to systemd when it is ready " +
    "and that it is alive; systemd restarts it when it fails or hangs. loginctl enable-linger lets it run without a login.",
  ],
  examples: [{ line: "service install", does: "its log: journalctl --user -u pakfs" }],
  async *run({ output, signal }, { options }) {
    const config = options.value("config");
    const path = unitPath();
    const text = unitText({ launcher, deno: Deno.execPath(), config: config === undefined ? config : resolve(config) });
    if (options.flag("dry-run")) {
      yield oneRow({ path, started: false, text }, (page) => page.lines(text));
      return;
    }
    await ensureDir(dirname(path));
    await Deno.writeTextFile(path, text);
    const starts = !options.flag("no-start");
    if (starts) {
      try {
        await systemctl(signal, "daemon-reload");
        await systemctl(signal, "enable", "--now", unitName);
      } catch (error) {
        if (!(error instanceof NoSystemdError)) throw error;
        throw new CommandError(
          `wrote ${path}, but could not start it: ${error.message}; log in and repeat the command`,
        );
      }
    }
    yield oneRow({ path, started: starts });
    output.remark(`wrote ${path}${starts ? ", enabled and started it" : ""}`);
  },
});

/** Directory in which systemd links enabled units. */
const wantedBy = "default.target.wants";

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** Stops the service and removes its unit; returns the path of the unit. */
export async function removeService(signal: AbortSignal): Promise<string> {
  const path = unitPath();
  try {
    await systemctl(signal, "disable", "--now", unitName);
    await Deno.remove(path);
    await systemctl(signal, "daemon-reload");
  } catch (error) {
    const isMissing = error instanceof CommandError && error.cause instanceof Deno.errors.NotFound;
    if (!isMissing && !(error instanceof NoSystemdError)) throw error;
    // The service is not running then, so only the files remain.
    for (const file of [path, join(dirname(path), wantedBy, unitName)]) {
      // deno-lint-ignore no-await-in-loop -- two files
      await Deno.remove(file).catch(ignoreMissing);
    }
  }
  return path;
}

export const serviceUninstall = command({
  name: "service uninstall",
  group: "Daemon",
  scope: "anywhere",
  rows: ["ServiceRemovedRow"],
  summary: "stop the service and remove it",
  arguments: [],
  options: [],
  examples: [{ line: "service uninstall", does: "the daemon runs only when you start it" }],
  async *run({ output, signal }) {
    const path = unitPath();
    try {
      await Deno.lstat(path);
    } catch (error) {
      throw new CommandError(`the service is not installed`, { cause: error });
    }
    yield oneRow({ removed: await removeService(signal) });
    output.remark(`removed ${path}`);
  },
});

/** Requests the state of the unit from systemd. */
async function serviceState(signal: AbortSignal): Promise<Omit<ServiceStatusRow, "unit" | "installed">> {
  const names = ["ActiveState", "SubState", "MainPID", "StatusText"];
  const text = await systemctl(signal, "show", unitName, `--property=${names.join(",")}`);
  const values = new Map(
    text.split("\n").map((line) => {
      const [name = "", ...value] = line.split("=");
      return [name, value.join("=")];
    }),
  );
  const [state = "", detail = "", process = "", says = ""] = names.map((name) => values.get(name) ?? "");
  return { state, detail, process, says };
}

export const serviceStatus = command({
  name: "service status",
  group: "Daemon",
  scope: "anywhere",
  rows: ["ServiceStatusRow"],
  summary: "show whether the service is installed and running",
  arguments: [],
  options: [],
  details: ["The exit code is 1 if it is not running."],
  examples: [{ line: "service status --json", does: "unit, installed, state, detail, process, says" }],
  async *run({ signal }) {
    const unit = unitPath();
    const installed = await Deno.lstat(unit).then(() => true, () => false);
    const state = await serviceState(signal);
    yield oneRow({ unit, installed, ...state }, (page) => {
      page.fields([["unit", `${unit}${installed ? "" : ", not installed"}`], ...Object.entries(state)]);
    });
    return state.state === "active" ? 0 : 1;
  },
});
