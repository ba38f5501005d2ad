/**
 * The real QuakeSpasm, kept away from the home directory of the user.
 * @module
 */
import { crc32 } from "node:zlib";
import { debianLibraries, debianPackage } from "../../tests/support/debian_data.ts";

/** Path of the program. */
export function quakespasmProgram(): string {
  return `${debianPackage("quakespasm")}/usr/games/quakespasm`;
}

/**
 * `gfx/pop.lmp`, without which Quake refuses mods, as the program itself holds it: a table of 16-bit integers, which it
 * compares as big-endian ones.
 */
export async function proofOfRegistration(): Promise<Uint8Array> {
  const bytes = await Deno.readFile(quakespasmProgram());
  for (let start = 0; start + 256 <= bytes.length; start += 2) {
    if (bytes[start + 20] !== 0 || bytes[start + 21] !== 0x66) continue;
    const swapped = Uint8Array.from({ length: 256 }, (_, index) => bytes[start + (index ^ 1)] ?? 0);
    if (crc32(swapped) === 0xa3c89ff2) return swapped;
  }
  throw new Error("QuakeSpasm's program holds no table of that checksum");
}

/** Directories of libraries that it needs and that are not installed. */
export function quakespasmLibraries(): Promise<string[]> {
  return debianLibraries("quakespasm");
}

/**
 * Variables with which its user directory is `.quakespasm` below `home`: it asks the system for that, not `HOME`.
 * Writes two files into `root`.
 */
export async function quakespasmHome(root: string, home: string): Promise<Record<string, string>> {
  const wrapper = debianPackage("libnss-wrapper");
  await Deno.writeTextFile(`${root}/passwd`, `player:x:${Deno.uid() ?? 0}:0::${home}:/bin/sh\n`);
  await Deno.writeTextFile(`${root}/group`, "");
  return {
    HOME: home,
    LD_PRELOAD: `${wrapper}/usr/lib/${Deno.build.arch}-linux-gnu/libnss_wrapper.so`,
    NSS_WRAPPER_PASSWD: `${root}/passwd`,
    NSS_WRAPPER_GROUP: `${root}/group`,
  };
}
