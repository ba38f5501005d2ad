import { assertEquals } from "@std/assert";
import { installation } from "../index/fixtures.ts";
import { run } from "../mount/mounting.ts";
import { needs } from "../support/programs.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

Deno.test("what is not a regular file is refused by name, and opened by no command", needs("python3"), async () => {
  await using root = await installation({ "quake/id1/a.txt": "a" });
  const directory = root.path;
  const made = await run("sh", [
    "-ec",
    `mkfifo pipe pipe.pk3; ln -s pipe link; mkdir mnt out; : >real
    python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'`,
  ], { directory });
  assertEquals(made.stderr, "");
  const environment = { XDG_RUNTIME_DIR: `${directory}/run`, HOME: `${directory}/home` };
  // Each command gets a path for %; opening the named pipe would wait for a writer.
  const commands: readonly [command: string, says?: string][] = [
    ["archive list %"],
    ["archive verify %"],
    ["archive extract % -o out"],
    ["archive list --names % pipe.pk3", "cannot read %: not a regular file"],
    ["config --config %"],
    ["daemon --no-mount --config %"],
    ["find --source %"],
    ["mount % mnt"],
    ["mount --names % quake mnt", "list of names not found: %"],
    ["find --names % --source quake", "list of names not found: %"],
  ];
  const check = async (name: string, [command, says = "%: not a regular file"]: typeof commands[number]) => {
    const words = command.replaceAll("%", name).split(" ");
    const { code, stdout, stderr } = await run(launcher, words, { directory, environment });
    const said = stderr.replaceAll(`${directory}/`, "").replace("error: ", "");
    assertEquals([code, stdout, said], [1, "", `pakfs: ${says.replaceAll("%", name)}\n`], words.join(" "));
  };
  await Promise.all(commands.map((command) => check("pipe", command)));
  await Promise.all(["pipe.pk3", "link", "socket", "/dev/null"].map((name) => check(name, ["archive list %"])));
  // The index reports faults of a directory of such files.
  assertEquals((await run(launcher, ["detect", directory], { directory, environment })).stderr, "");
});
