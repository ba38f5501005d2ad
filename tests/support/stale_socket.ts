/**
 * Sockets without a listener.
 * @module
 */

/** Makes a socket and leaves it, as a killed process does. */
export async function leaveSocket(path: string): Promise<void> {
  const listen = "Deno.listen({ transport: 'unix', path: Deno.args[0] }); Deno.kill(Deno.pid, 'SIGKILL')";
  const { signal } = await new Deno.Command(Deno.execPath(), { args: ["eval", listen, path] }).output();
  if (signal !== "SIGKILL") throw new Error(`${path}: no socket could be made there`);
}
