/**
 * A sound archive of every format that libarchive reads, with the same files, and builders of tar and cpio archives.
 * @module
 */
import { inflateSync } from "node:zlib";
import type { FormatName } from "../../formats/mod.ts";
import { join, padded, text } from "./bytes.ts";

/** Entry of a tar or cpio archive. */
export interface PlainEntry {
  readonly name: string;
  readonly content?: Uint8Array | string;
  /** Type of a tar entry: `0` a file, `1` a hard link, `2` a symbolic link, `3` a device, `5` a directory. */
  readonly type?: string;
  readonly target?: string;
  /** Size in the header; default: of the content. */
  readonly size?: number;
  /** Mode, number of links and inode of a cpio entry. */
  readonly mode?: number;
  readonly links?: number;
  readonly inode?: number;
}

const contentOf = ({ content = "" }: PlainEntry) => typeof content === "string" ? text(content) : content;
const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");

/** Makes a tar archive, ustar. */
export function tar(entries: readonly PlainEntry[]): Uint8Array {
  const parts = entries.flatMap((entry) => {
    const content = contentOf(entry);
    const { name, type = "0", target = "", size = content.length } = entry;
    const header = padded(text(name), 512);
    header.set(text(`0000644\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(1e9, 11)}\0`), 100);
    header.set(text(`        ${type}${target}`), 148);
    header.set(text("ustar\x0000"), 257);
    header.set(text(`${octal(header.reduce((sum, byte) => sum + byte, 0), 6)}\0 `), 148);
    return [header, padded(content, Math.ceil(content.length / 512) * 512)];
  });
  return join(...parts, new Uint8Array(1024));
}

/** Makes a cpio archive, newc. */
export function cpio(entries: readonly PlainEntry[]): Uint8Array {
  const field = (value: number) => value.toString(16).padStart(8, "0");
  const aligned = (part: Uint8Array) => padded(part, Math.ceil(part.length / 4) * 4);
  const record = (entry: PlainEntry, index: number) => {
    const content = contentOf(entry);
    const { name, mode = 0o100644, links = 1, inode = index + 1 } = entry;
    const numbers = [inode, mode, 0, 0, links, 1e9, content.length, 0, 0, 0, 0, text(name).length + 1, 0];
    return join(aligned(text(`070701${numbers.map(field).join("")}${name}\0`)), aligned(content));
  };
  return join(...entries.map(record), record({ name: "TRAILER!!!", inode: 0 }, 0));
}

/** The files of each sample. */
export const sampleFiles: Readonly<Record<string, string>> = {
  "empty": "",
  "maps/a.bsp": "map data ".repeat(40),
  "readme.txt": "hello\n",
};

const entries = Object.entries(sampleFiles).map(([name, content]) => ({ name, content }));

/** Archives that zlib deflated, in base64. */
const deflated = {
  // 7-Zip 26.02: 7zz a a.7z
  "7z":
    "eNozr9qzXl2GgaXZRDRnKQMEKEFpD/2rux8w5jJIxDKYzfBK0kz7qH59Teaza4H5tUvU3d9dPlYNUtVozL6O/wLfBpv59u6O3JvbTL2MkidPVp" +
    "rzUzRj8w3OW24Lfv8LUtB2fa2wKf3SS6+kJbofypO4fnmfWR2ouuqN17/++bf85U48/i185dfiG7FVFgKT8qffNFO21VjVEpPIevvW0VerZH6d" +
    "K9v88Uhyhq1qwqETc/WzNb7Gf7Du+hBc+cV+A8gJ4mwKjJwNrQzs3IwMjMrMjIyssQwCDAw8Dfu4GNn5AiMZGABhWFjA",
  // gcab 1.5: gcab -cz
  cab:
    "eNrzDXZ2YwCC6QwQoAOlmRkZGZih7AogZgRCNgYY0NS+wqvAUJSamJKbqldSUcKQwcgAlYZI5SYWFMck6iUVF4AF8xgRUqm5BSWVDP7z56aLA8" +
    "WdvU97nD158vkpX50AD08dzxCJ1AtTGBkA9wwdjA==",
  // genisoimage 1.1.11: -R -J -no-pad
  iso:
    "eNrt3W9P20YcwPGfadcGNnUP1lUbovTKVolOm4mpmirqI9e5gNv4j2yngkdVKlLxoNGigib6ZBqPtr2Pvo69I7SXsJ3/pJS/YVrHUPh+TPD5fL" +
    "7zmZN+HCS2CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAsLxWve5Y0vHD7po6mddKouCU/aP6vjmwOqVd" +
    "85W/pFaTW2XWrZv7u4usBZkrt+aklq9q8vOnX3/5hSVTo+MV/lcrOvTTyA/cFa1MQjUbjfrSajtVbb+j0/U004HyEu1mUaIWvfvKaTYfKG2vR9" +
    "1wpeV29Cjz0Q/L9XpDPbVj7SZpFC49tVNv1e+YUblSlMl352Ue5QPxmZ+pTLvBuXd3ub7ccJzlh8uO03Qe1utyJKN+yNESDNrLjqCDC2Oqiv/S" +
    "EV9C6cqaqGMXT1qSSCTBCfsPxf97S/rM8X+2zJr9an/3bBn/58ut+ZPi/wnnwnJey4poM2p8Sc3I8M3YcIscVeUoaUrDLHV5IavSNnnKfPfNWN" +
    "MmvW5emUkFxehKTMo125FJKVk0OffN2jE1NOWBSWmxzRGRGaGhaaNlynaKlsYvH68Q8R/Ef0yQv0bxHwAAAAAATCyr+B97Pv+/KreLVODGKdcF" +
    "AAAAAIDJmv9L/v56K5//G7fFYv4PAAAAAMDkzf/nq78C1OROmRpIT4ayxbUBAAAAAGBy5v+S31/HkvIWO3dMivk/AAAAAAAT5rex99hP4+vWH3" +
    "9Kknxi7cZr31p7bl7O3btSHnflcI1Ze9a6UVVycOXpOUuVhdSo9F61ejXuPKyPcAKyI3fLMndHhfvT05a9mKfyVmo6iLN1+7FTdPf3MJixpD8Y" +
    "br/N2323mxfbfVfdLNE6tt2qvqLBG6OVvCnurSD55yuq3lXlqt5dLT50UbU5bcmgN9z6sKtT5dFTZ2/yl/c9vVaurx3s6WeJdluBtrO1bL+3n1" +
    "vypt/bGPTt7Z3tf9llAMCF9mpMZLKOBv5/HozkfKL7T7JQllnYLCKVtXkw5l137Sdp/NjZj+09++XWkEAHALh0xj9jZ2wJ6/sxs+oZ6ctAhrIt" +
    "b+W74lMGkr/T4NjfN2rv337QGDODvWlm1X1TdsMc0Rfb1L5jXgAA4Czx//R4fLb4f/q8e8ZEaVtempg+5IIDAHAB6GTPmsl+tZLEj184zabjZq" +
    "taJZH3TCV+K3+se5jpxFt1Q5OOkyiLvKiTJ577LZ2qtBvHUZKpdpSoOEr9teLJ76p69HuqAzfMfC+NO9pNtfKiMHO9TLX81FNx90nHT1d1Uhyc" +
    "xtrz277nZn4UqjTqJp62lalBf1DQNGmqa/t5MjQn4Qdusq6eR51uoJU5Hc90In/UfF7hqC0/NFtBUa3NjxsAgMJm//XrH2e4DgAAXCaD3lBt9L" +
    "Z7isR/mmCkAQAukr8B8GN7uA==",
  // Stored, headers of level 0.
  lha:
    "eNpTqNLNyTDQZWNgYABhBg5NbQUGrqLUxJTcVL2SihKTqIzUnJx8LoV+sLoMRgYGEIaqy00sKI5J1EsqLtjqDGQrpCSWJCqMMmjKkOYDxwQDDI" +
    "BjgjU1t6CkEsgDAAgokWg=",
  // Stored, version 2.9.
  rar:
    "eNoLSixSlGJnOD+hmIGBlwECcv+WMDRoMbABmSDMpGBgZcbAoaktYsDFoAAUKEpNTMlN1SupKMlIzcnJ5/KNAqvPYGQAYyYxS/FcZPW5iQXFMY" +
    "l6ScUFQJZCSmJJosIog6aMm7bAGFFlgAEmMAmOEVZwjKTmFpRUHrGtZnBgZwAAxpKYQA==",
};

/** The samples, by the name of their format. */
export const samples: ReadonlyMap<FormatName, Uint8Array> = new Map<FormatName, Uint8Array>([
  ["tar", tar(entries)],
  ["cpio", cpio(entries)],
  ...Object.entries(deflated).map(([name, base64]) =>
    [name as FormatName, new Uint8Array(inflateSync(Uint8Array.fromBase64(base64)))] as const
  ),
]);
