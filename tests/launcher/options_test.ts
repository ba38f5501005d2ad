// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * The launcher must parse command lines as the programs do: otherwise a program would run with another's permissions.
 */
import { assertEquals } from "@std/assert";
import { type OptionSpec, parseOptions } from "../../system/command_line/options.ts";
import type { Command } from "../../repl/command/command.ts";
import { commandTable } from "../../repl/commands/table.ts";
import { entryOptions } from "../../repl/command/global_options.ts";
import { findCommand } from "../../repl/command/lookup.ts";
import { installation, pakOf } from "../index/fixtures.ts";
import { run } from "../mount/mounting.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { argumentPrinter, everyShell, machine, optionOf, versioned } from "./stubs.ts";

const checkout = new URL("../..", import.meta.url).pathname;

const number = numbersFrom(seed);
function oneOf<Value>(values: readonly Value[]): Value {
  const value = values[number(values.length)];
  if (value === undefined) throw new RangeError("nothing to choose from");
  return value;
}

/** Values that resemble other words. */
const values = ["list.txt", "mount", "daemon", "extract", "a=b", "-f", "-o", "-10k", "--", "it's", "a b", ""];

/** An option as a user might write it: as one argument or two. */
function spelled({ name, short, value, choices }: OptionSpec, flags: readonly string[]): string[] {
  const cluster = `-${flags.filter(() => number(4) === 0).join("")}`;
  if (value === undefined) return short !== undefined && number(2) === 0 ? [`-${short}`] : [`--${name}`];
  const given = oneOf(choices ?? values);
  const forms = [[`--${name}`, given], [`--${name}=${given}`]];
  if (short !== undefined) {
    forms.push([`${cluster}${short}`, given]);
    if (given !== "") forms.push([`${cluster}${short}${given}`]);
  }
  return oneOf(forms);
}

function someOptions(specs: readonly OptionSpec[]): string[] {
  const flags = specs.flatMap(({ value, short }) => value === undefined && short !== undefined ? [short] : []);
  const count = specs.length === 0 ? 0 : number(4);
  return Array.from({ length: count }, () => spelled(oneOf(specs), flags)).flat();
}

/** Program of a command line, and its permissions. */
interface Meaning {
  readonly program: "daemon" | "repl";
  readonly socket: string;
  readonly output: string | undefined;
  /** Whether it serves HTTP. */
  readonly isServer: boolean;
}

/** Options that decide which program runs. */
const deciding = ["help", "version", "command", "file", "batch", "config", "no-mount"];
const serving = ["socket", "quiet", "color", "json"];

function frontOptions(command: Command): readonly OptionSpec[] {
  return entryOptions.filter(({ name }) =>
    command.scope === "launcher" ? serving.includes(name) : !deciding.includes(name)
  );
}

function ownOptions(command: Command): readonly OptionSpec[] {
  const own = command.options.map(({ name }) => name);
  const letters = command.options.map(({ short }) => short);
  const common = frontOptions(command).filter(({ name }) => !own.includes(name))
    .map(({ short, ...option }) => ({ ...option, ...short !== undefined && !letters.includes(short) && { short } }));
  return [...common, ...command.options].filter(({ name }) => !deciding.includes(name));
}

/** The meaning of a command line as the programs' own parser reads it. */
function meaningOf(args: readonly string[]): Meaning {
  const front = parseOptions(args, entryOptions, true);
  const found = findCommand(commandTable, front.words);
  if (!found) throw new Error(`no command in ${args.join(" ")}`);
  const own = parseOptions(found.rest, ownOptions(found.command));
  const written = { extract: "output", "archive extract": "output", show: "png" }[found.command.name];
  return {
    program: ["mount", "daemon"].includes(found.command.name) ? "daemon" : "repl",
    socket: front.options.and(own.options).value("socket") || "/s/p.sock",
    isServer: found.command.name === "web",
    output: written === undefined ? undefined : own.options.value(written) || undefined,
  };
}

function randomLine(): string[] {
  // The launcher itself runs the others, which take no options, or only the deciding ones.
  const command = oneOf(commandTable.filter(({ name }) => !["repl", "demo", "run", "test"].includes(name)));
  const name = oneOf([command.name, ...command.aliases ?? []]).split(" ");
  const words = () => number(3) === 0 ? [oneOf(["list.txt", "mount", "-5", "-"])] : [];
  const parts = [words(), someOptions(ownOptions(command)), words(), someOptions(ownOptions(command)), words()].flat();
  const ended = number(5) === 0 ? ["--", "-o", "--socket"] : [];
  return [...someOptions(frontOptions(command)), ...name, ...parts, ...ended];
}

Deno.test("a random command line gets the program and the permissions of what its own parser reads in it", async () => {
  await using box = await machine();
  const written = `${box.root}/arguments`;
  // A file records the arguments, also if a daemon starts in the background with its output elsewhere.
  const note = `printf '%s\\0' "$@" >"${written}"; [ -z "\${PAKFS_READY_FD:-}" ] || echo 0 >&3`;
  await box.install("deno", versioned("2.9.6", note));
  const shells = await everyShell();
  let compared = 0;
  for (let attempt = 0; attempt < 160; attempt++) {
    const line = randomLine();
    let meaning: Meaning;
    try {
      meaning = meaningOf(line);
    } catch {
      // The program reports a usage error with any permissions, so the launcher's choice does not matter.
      continue;
    }
    compared++;
    const { stderr } = await box.run(line, {
      shell: oneOf(shells),
      directory: "/",
      environment: { HOME: "/home/me", PAKFS_SOCKET: "/s/p.sock", PAKFS_NO_INSTALL: "1", PAKFS_INDEX_CACHE: "off" },
    });
    const args = (await Deno.readTextFile(written)).split("\0");
    const shown = `${JSON.stringify(line)} ${stderr}`;
    const socket = meaning.socket.startsWith("/") ? meaning.socket : `//${meaning.socket}`;
    const isDaemon = args.some((argument) => argument.endsWith("/daemon/main.ts"));
    assertEquals(isDaemon ? "daemon" : "repl", meaning.program, shown);
    assertEquals(optionOf(args, "--allow-net")?.split(",")[0], `unix:${socket}`, shown);
    if (isDaemon) continue;
    assertEquals(optionOf(args, "--allow-net")?.split(",").slice(1), meaning.isServer ? ["127.0.0.1"] : [], shown);
    assertEquals(optionOf(args, "--allow-ffi"), undefined, shown);
    const write = optionOf(args, "--allow-write") ?? "";
    if (meaning.output !== undefined) assertEquals(write, `${meaning.output},${socket}`, shown);
    else if (line.includes("list")) assertEquals(write, socket, shown);
  }
  if (compared < 80) throw new Error(`only ${compared} command lines were compared`);
});

Deno.test("a value before the command is not the command, and the command extracts", async () => {
  await using root = await installation({ "quake/id1/pak0.pak": pakOf("maps/a.bsp"), "list.txt": "mount\n" });
  for (const option of [["--names", "list.txt"], ["--hash", "crc32"], ["--names=list.txt", "--hash=crc32"]]) {
    const words = ["--source", "quake", ...option, "extract", "*", "-o", "out", "--no-index-cache"];
    const { code, stderr } = await run(`${checkout}pakfs`, words, { directory: root.path });
    assertEquals(code, 0, stderr);
    const extracted = `${root.path}/out/maps/a.bsp`;
    assertEquals(await Deno.readTextFile(extracted), "maps/a.bsp");
    await Deno.remove(extracted);
  }
});

Deno.test("a long option has a value in every command or in none", () => {
  const kinds = new Map<string, boolean>();
  for (const { name, value } of [...entryOptions, ...commandTable.flatMap(({ options }) => options)]) {
    const hasValue = value !== undefined;
    assertEquals(kinds.get(name) ?? hasValue, hasValue, name);
    kinds.set(name, hasValue);
  }
});

Deno.test("the word after an option with a value is never the command", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (
    const words of [
      ["--source", "dir", "--names", "list.txt", "extract", "*", "-o", "out"],
      ["--hash", "mount", "names"],
      ["--names", "mount", "names"],
      ["--names=mount", "names"],
      ["archive", "extract", "--names", "mount", "a.pack", "-o", "out"],
      ["ls", "-d", "mount"],
      ["find", "mount"],
      ["names", "--", "mount"],
    ]
  ) {
    const { args } = await box.run(words, { environment: { PAKFS_SOCKET: "/s/p.sock", PAKFS_INDEX_CACHE: "off" } });
    assertEquals(optionOf(args, "--allow-ffi"), undefined, words.join(" "));
    const write = words.includes("-o") ? "out,/s/p.sock" : "/s/p.sock";
    assertEquals(optionOf(args, "--allow-write"), write, words.join(" "));
  }
});
