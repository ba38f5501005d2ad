/**
 * Installations on disk that change at random.
 * @module
 */
import type { GameOptions } from "../../index/columns/game.ts";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";

/** Installations of two games that change at random. */
export class Disk {
  readonly #path: string;
  readonly #chance: (below: number) => number;
  #stamp = 0;
  /** Games that the configuration names, by index. */
  games = [0, 1];
  #parked = 0;
  readonly #away: string[] = [];

  constructor(path: string, chance: (below: number) => number) {
    this.#path = path;
    this.#chance = chance;
  }

  get options(): GameOptions[] {
    const all: GameOptions[] = [
      { name: "one", profile: "ioquake3", sources: [`${this.#path}/one`] },
      { name: "two", profile: "quake", sources: [`${this.#path}/two`] },
    ];
    return this.games.map((number) => all[number]).filter((game) => game !== undefined);
  }

  async fill(): Promise<void> {
    await writeFiles(this.#path, {
      "one/baseq3/pak0.pk3": this.#pack("pk3"),
      "one/baseq3/f.dat": this.#text(),
      "one/mod/f.dat": this.#text(),
      "one/mod/g.dat": this.#text(),
      "one/mod/maps/x.bsp": this.#text(),
      "one/mod/mod.pk3": this.#pack("pk3"),
      "one/other/f.dat": this.#text(),
      "one/other/z.pk3": this.#pack("pk3"),
      "two/id1/pak0.pak": this.#pack("pak"),
      "two/id1/f.dat": this.#text(),
      "two/mod/f.dat": this.#text(),
      "two/other/g.dat": this.#text(),
      // A file with the same size and times as the replaced one.
      "away0/f.dat": this.#text(),
      "away0/g.dat": this.#text(),
      "away0/mod.pk3": this.#pack("pk3"),
      "away1/g.dat": this.#text(),
      "away1/maps": this.#text(),
    });
    this.#away.push("away0", "away1");
    for (const file of ["one/mod/f.dat", "one/other/f.dat", "one/mod/g.dat", "away0/f.dat", "away0/g.dat"]) {
      Deno.utimeSync(`${this.#path}/${file}`, 1_000_000, 1_000_000);
    }
  }

  /** Makes a random change. */
  async change(): Promise<void> {
    const game = this.#chance(2) === 0 ? "one" : "two";
    const directory = `${game}/${["mod", "other"][this.#chance(2)]}`;
    const name = [
      "f.dat",
      "g.dat",
      "maps",
      "maps/x.bsp",
      "F.DAT",
      "a/f.dat",
      "b/f.dat",
      "b/a/g.dat",
      "Maps/x.bsp",
      "Maps/A/f.dat",
    ][
      this.#chance(10)
    ] ?? "";
    const kind = this.#chance(9);
    if (kind === 0) await this.#park(directory);
    else if (kind === 1) await this.#return(directory);
    else if (kind === 2) {
      await this.#park(directory);
      await this.#return(directory);
    } else if (kind === 3) this.games = [[0, 1], [0], [1], [1, 0]][this.#chance(4)] ?? [0];
    else if (kind === 4) await this.#putPack(game);
    else if (kind === 5) await this.#remove(`${directory}/${name}`);
    else await this.#put(`${directory}/${name}`);
  }

  /** Writes one loose file, creating its directory if needed. */
  async editLoose(): Promise<void> {
    await writeFiles(this.#path, { "one/mod/": "" });
    await this.#put("one/mod/f.dat");
  }

  async #park(directory: string): Promise<void> {
    if (!this.#has(directory)) return;
    const away = `parked${this.#parked++}`;
    await Deno.rename(`${this.#path}/${directory}`, `${this.#path}/${away}`);
    this.#away.push(away);
  }

  async #return(directory: string): Promise<void> {
    if (this.#has(directory) || this.#away.length === 0) return;
    const [away] = this.#away.splice(this.#chance(this.#away.length), 1);
    await Deno.rename(`${this.#path}/${away}`, `${this.#path}/${directory}`);
  }

  async #putPack(game: string): Promise<void> {
    const path = game === "one" ? `one/${["baseq3/pak0", "mod/mod"][this.#chance(2)]}.pk3` : "two/id1/pak0.pak";
    if (!this.#has(path.slice(0, path.lastIndexOf("/")))) return;
    await writeFiles(this.#path, { new: this.#pack(game === "one" ? "pk3" : "pak") });
    await Deno.rename(`${this.#path}/new`, `${this.#path}/${path}`);
  }

  async #remove(path: string): Promise<void> {
    if (this.#has(path)) await Deno.remove(`${this.#path}/${path}`, { recursive: true });
  }

  async #put(path: string): Promise<void> {
    const directory = path.slice(0, path.lastIndexOf("/"));
    if (!this.#has(directory.split("/").slice(0, 2).join("/"))) return;
    if (this.#has(directory) && !Deno.statSync(`${this.#path}/${directory}`).isDirectory) await this.#remove(directory);
    await this.#remove(path);
    await writeFiles(this.#path, { [path]: this.#text() });
    // No two changes share a tick of the file system's clock.
    Deno.utimeSync(`${this.#path}/${path}`, 2_000_000 + this.#stamp, 2_000_000 + this.#stamp);
  }

  #has(path: string): boolean {
    try {
      Deno.lstatSync(`${this.#path}/${path}`);
      return true;
    } catch {
      return false;
    }
  }

  #text(): string {
    return String(++this.#stamp).padStart(8, "0");
  }

  #pack(kind: "pk3" | "pak"): Uint8Array {
    const files = ["f.dat", "maps/x.bsp", "Maps/y.bsp"].map((name) => [name, this.#text()] as const);
    return kind === "pak" ? pak(files) : zip(files.map(([name, content]) => ({ name, content })));
  }
}
