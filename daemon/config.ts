/**
 * The configuration file: TOML, every key known, every mistake named with its line.
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import type { GameOptions } from "../index/game.ts";
import { parseSize } from "./sizes.ts";
import { nearest } from "./command_line/suggest.ts";

/** What the configuration file says. */
export interface Config {
  readonly games: readonly GameOptions[];
  /** Mount point, or undefined. */
  readonly mount?: string;
  readonly socket?: string;
  /** Bytes of memory for unpacked files. */
  readonly cache?: number;
}

/** The configuration file is missing or wrong. The message names file and line. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const topKeys = ["mount", "socket", "cache", "game"] as const;
const gameKeys = ["name", "profile", "sources", "base", "mods", "strict", "nested"] as const;

/** Path of the configuration file: `--config`, `$PAKFS_CONFIG`, `$XDG_CONFIG_HOME/pakfs/config.toml`. */
export function configPath(option: string | undefined): string {
  const home = Deno.env.get("XDG_CONFIG_HOME") || join(Deno.env.get("HOME") ?? "/", ".config");
  return option ?? (Deno.env.get("PAKFS_CONFIG") || join(home, "pakfs", "config.toml"));
}

/**
 * Reads a configuration file. Relative paths in it are relative to its directory; `~/` is the home directory.
 * @throws {ConfigError} if it cannot be read, or anything in it is not understood.
 */
export function readConfig(path: string): Config {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error && error.code === "ENOENT"
      ? "does not exist"
      : String(error);
    throw new ConfigError(
      `The configuration ${path} ${reason}; make it with at least:\n\n  mount = "~/games"\n\n` +
        `  [[game]]\n  sources = ["/path/to/quake"]`,
    );
  }
  return parseConfig(text, path);
}

/**
 * Understands the text of a configuration file.
 * @throws {ConfigError} if anything in it is not understood.
 */
export function parseConfig(text: string, path: string): Config {
  const reader = new ConfigReader(text, path);
  return reader.read();
}

type Table = Readonly<Record<string, unknown>>;

class ConfigReader {
  readonly #text: string;
  readonly #path: string;

  constructor(text: string, path: string) {
    this.#text = text;
    this.#path = path;
  }

  read(): Config {
    const table = this.#parse();
    this.#requireKnown(table, topKeys, "");
    const games = table.game ?? [];
    if (!Array.isArray(games) || !games.every(isTable)) {
      throw this.#error("game", "games are written as tables: [[game]]");
    }
    const mount = this.#optionalText(table, "mount");
    const socket = this.#optionalText(table, "socket");
    const cache = this.#optionalText(table, "cache");
    const cacheBytes = cache === undefined ? undefined : parseSize(cache);
    if (cache !== undefined && cacheBytes === undefined) {
      throw this.#error("cache", `"${cache}" is not a size like 64M`);
    }
    return {
      games: games.map((game, index) => this.#game(game, index)),
      ...(mount === undefined ? {} : { mount: this.#resolve(mount) }),
      ...(socket === undefined ? {} : { socket: this.#resolve(socket) }),
      ...(cacheBytes === undefined ? {} : { cache: cacheBytes }),
    };
  }

  #game(table: Table, number: number): GameOptions {
    this.#requireKnown(table, gameKeys, "game.", number);
    const sources = this.#optionalTexts(table, "sources", number);
    if (!sources || sources.length === 0) {
      throw this.#error("game", `a game needs "sources", its directories, the highest first`, number);
    }
    const name = this.#optionalText(table, "name", number);
    const profile = this.#optionalText(table, "profile", number);
    const base = this.#optionalText(table, "base", number);
    const mods = this.#optionalTexts(table, "mods", number);
    const nested = this.#optionalFlag(table, "nested", number);
    const strict = this.#optionalFlag(table, "strict", number);
    return {
      sources: sources.map((source) => this.#resolve(source)),
      ...(name === undefined ? {} : { name }),
      ...(profile === undefined ? {} : { profile }),
      ...(base === undefined ? {} : { base }),
      ...(mods === undefined ? {} : { mods }),
      ...(nested === undefined ? {} : { nested }),
      ...(strict === undefined ? {} : { strict }),
    };
  }

  #parse(): Table {
    try {
      return parse(this.#text);
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const reason = error.message.split("\n")[0] ?? "";
      throw new ConfigError(`${this.#path}, line ${error.line}: ${reason}`, { cause: error });
    }
  }

  #requireKnown(table: Table, known: readonly string[], prefix: string, game?: number): void {
    const unknown = Object.keys(table).find((key) => !known.includes(key));
    if (unknown === undefined) return;
    const near = nearest(unknown, known);
    const hint = near === undefined ? `known are ${known.join(", ")}` : `did you mean "${near}"?`;
    throw this.#error(unknown, `there is no key "${prefix}${unknown}"; ${hint}`, game);
  }

  #optionalText(table: Table, key: string, game?: number): string | undefined {
    const value = table[key];
    if (value === undefined || typeof value === "string") return value;
    throw this.#error(key, `"${key}" must be a text in quotes`, game);
  }

  #optionalFlag(table: Table, key: string, game?: number): boolean | undefined {
    const value = table[key];
    if (value === undefined || typeof value === "boolean") return value;
    throw this.#error(key, `"${key}" must be true or false`, game);
  }

  #optionalTexts(table: Table, key: string, game?: number): string[] | undefined {
    const value = table[key];
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw this.#error(key, `"${key}" must be a list of texts: ["...", "..."]`, game);
  }

  #resolve(path: string): string {
    const home = Deno.env.get("HOME") ?? "/";
    if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
    return resolve(dirname(this.#path), path);
  }

  /** An error with the line where `key` stands first, in the whole text or from the table of a game on. */
  #error(key: string, reason: string, game?: number): ConfigError {
    const lines = this.#text.split("\n");
    const tables = lines.flatMap((text, index) => /^\s*\[\[\s*"?game"?\s*\]\]/.test(text) ? [index] : []);
    const start = game === undefined ? 0 : tables[game] ?? 0;
    const pattern = new RegExp(`^\\s*\\[*\\s*"?${escaped(key)}\\b`);
    const line = lines.findIndex((text, index) => index >= start && pattern.test(text));
    return new ConfigError(`${this.#path}${line < 0 ? "" : `, line ${line + 1}`}: ${reason}`);
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escaped(key: string): string {
  return key.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
