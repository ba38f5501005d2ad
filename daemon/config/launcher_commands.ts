/**
 * Commands that the launcher `pakfs` runs itself, in a process with the permissions that they need. Help and completion
 * are made from this table.
 * @module
 */
import { type LauncherCommand, logFormats } from "../../system/mod.ts";
import { hungModes } from "../../mount/mod.ts";
import { nameOptions } from "./name_options.ts";

const logOptions = [
  { name: "log-format", value: "FORMAT", choices: logFormats, summary: "text, or json: one object per line" },
  { name: "debug-fuse", summary: "log each request of the kernel with its result and duration" },
] as const;

const mountOptionsOption = {
  name: "options",
  short: "o",
  value: "OPT,OPT",
  summary: "mount options: allow_other; umask=022 shows files as 0644 and directories as 0755",
} as const;

/** Commands of the launcher. */
export const launcherCommands: readonly LauncherCommand[] = [
  {
    name: "mount",
    group: "Start",
    scope: "launcher",
    summary: "index game directories or one archive and mount them read-only",
    arguments: [{ name: "SOURCE", kind: "file", repeated: true }, { name: "MOUNTPOINT", kind: "file" }],
    options: [
      {
        name: "profile",
        kind: "profile",
        value: "PROFILE",
        summary: "rules of this engine (pakfs profiles lists them), or of a custom one; default: detected",
      },
      {
        name: "iwad",
        value: "FILE",
        kind: "file",
        summary:
          "IWAD of Doom, Heretic, Hexen or Strife; SOURCE is then a file that the engine loads after it, in order",
      },
      {
        name: "autoload",
        value: "PATH",
        kind: "file",
        summary: "with an IWAD: files that are always loaded, a directory autoload or GZDoom's INI file",
      },
      { name: "game", value: "NAME", summary: "name of the game in views; default: the name of its directory" },
      { name: "base", value: "NAME", summary: "base game directory, such as baseoa; default: the profile's" },
      {
        name: "with",
        value: "NAME,NAME",
        summary: "settings of the engine, packs and companion directories for all views, like :with=NAME for one",
      },
      ...nameOptions,
      { name: "config", value: "FILE", kind: "file", summary: "configuration with custom profiles" },
      { name: "strict-engine", summary: "hide files beyond the engine's limits, as the engine does; see limits" },
      { name: "follow-symlinks", summary: "follow symbolic links that point outside the game's directories" },
      { name: "view", value: "GAME/MOD[+MOD]", kind: "view", summary: "show this view at the root of the mount" },
      { name: "nested", summary: "show archives in packs as directories too: gfx.wad.d next to gfx.wad" },
      { name: "show-packs", summary: "list .packs, which shows every pack unmerged" },
      { name: "show-as", summary: "list .as, which shows views with their files converted: gfx/conback.lmp.png" },
      mountOptionsOption,
      {
        name: "hung",
        value: "MODE",
        choices: hungModes,
        summary: "reads from a file system that does not answer: wait (default), or error",
      },
      { name: "foreground", short: "f", summary: "stay in the foreground until unmounted or interrupted" },
      { name: "no-watch", summary: "do not watch for changes on disk; refresh finds them" },
      { name: "no-index-cache", summary: "read all packs again, and do not cache the index" },
      ...logOptions,
      { name: "socket", value: "PATH", kind: "file", summary: "answer commands on this socket" },
    ],
    details: [
      "SOURCE is one or more base directories of one game (the first wins, such as a home path before the " +
      "installation), or one archive, or archives and directories that belong to no game (the last wins). Returns " +
      "once the mount is ready. pakfs unmount MOUNTPOINT ends it.",
    ],
    examples: [
      { line: "mount ~/quake ~/mnt", does: "every game directory of Quake as a directory below ~/mnt" },
      { line: "mount --profile ioquake3 ~/.q3a /usr/share/games/quake3 ~/mnt", does: "home path before base path" },
      { line: "mount pak0.pak ~/mnt", does: "one archive" },
      { line: "mount base.zip patch.zip changes ~/mnt", does: "archives and a directory as a union; later ones win" },
      {
        line: "mount --profile gzdoom --iwad doom2.wad mod.pk3 patch.wad ~/mnt",
        does: "the lumps that GZDoom uses, by namespace",
      },
    ],
  },
  {
    name: "daemon",
    group: "Start",
    scope: "launcher",
    summary: "serve every game of the configuration file, in the foreground",
    arguments: [],
    options: [
      {
        name: "config",
        value: "FILE",
        kind: "file",
        summary: "default: $PAKFS_CONFIG or ~/.config/pakfs/config.toml",
      },
      { name: "mount", value: "DIR", kind: "file", summary: "mount here instead of the configured directory" },
      { name: "no-mount", summary: "answer commands only" },
      mountOptionsOption,
      { name: "follow-symlinks", summary: "follow symbolic links that point outside the game's directories" },
      { name: "no-watch", summary: "do not watch for changes on disk; refresh finds them" },
      { name: "no-index-cache", summary: "read all packs again, and do not cache the index" },
      ...logOptions,
      { name: "socket", value: "PATH", kind: "file", summary: "answer commands on this socket" },
    ],
    examples: [{ line: "daemon --no-mount", does: "answer queries, without FUSE" }],
  },
  {
    name: "demo",
    group: "Start",
    scope: "launcher",
    summary: "build a small sample installation, mount it and show a short tour",
    arguments: [{ name: "DIR", kind: "file", optional: true }],
    options: [],
    examples: [{ line: "demo", does: "install what is missing, then open the REPL on a terminal" }],
  },
  {
    name: "run",
    group: "Start",
    scope: "launcher",
    endsOptions: true,
    summary: "run a Deno script that imports the library, with few permissions",
    arguments: [
      { name: "SCRIPT", kind: "file" },
      { name: "ARG", kind: "file", optional: true, repeated: true },
    ],
    options: [
      { name: "allow-write", summary: "allow writing files; --allow-write=PATH,... only these" },
      { name: "allow-read", summary: "allow reading all files, or additional ones" },
      { name: "allow-net", summary: "allow connecting to all hosts, or only to some: --allow-net=HOST:PORT,..." },
      { name: "allow-env", summary: "allow reading all environment variables, or additional ones" },
      { name: "allow-run", summary: "allow running all programs, or only some: --allow-run=NAME,..." },
      { name: "allow-all", short: "A", summary: "allow everything" },
      { name: "check", summary: "check its types first" },
    ],
    details: [
      "The script imports @pakfs/pakfs and @pakfs/pakfs/formats; no network is needed. It may read its own " +
      "directory, paths among its arguments and files that the library reads, and connect to the daemon, which " +
      "connect() without a socket finds. Options of deno run come before SCRIPT, with their values after =; " +
      "arguments after SCRIPT belong to the script, which also sets the exit code.",
    ],
    examples: [
      { line: "run sizes.ts ~/games/quake lanterns", does: "a script that reads one game" },
      { line: "run --allow-write=out convert.ts ~/games/quake", does: "it may also write below out" },
    ],
  },
  {
    name: "test",
    group: "Start",
    scope: "launcher",
    summary: "run formatting, lint, type and documentation checks and all tests",
    arguments: [{ name: "FILTER", kind: "none", optional: true }],
    options: [],
    examples: [{ line: "test grammar", does: "run only tests whose names contain grammar" }],
  },
  {
    name: "repl",
    group: "Start",
    scope: "launcher",
    summary: "open the REPL, or run a script",
    arguments: [],
    options: [
      {
        name: "command",
        short: "c",
        value: "CMD",
        repeatable: true,
        summary: "run this command line; may be repeated",
      },
      {
        name: "file",
        short: "f",
        value: "FILE",
        kind: "file",
        summary: "run the command lines of a file; - is standard input",
      },
    ],
    details: [
      "Without -c and -f, command lines are read from standard input: with a prompt on a terminal, else as a script. " +
      "A script has one command per line; lines that start with # are comments. It stops at the first error.",
    ],
    examples: [
      { line: "repl -c 'use quake/hipnotic' -c 'ls maps'", does: "two commands" },
      { line: "repl -f tour.pakfs", does: "a script" },
    ],
  },
];
