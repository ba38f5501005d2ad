/**
 * The least that a client on Deno does: connects to the daemon's socket, asks one question and prints the answer.
 *
 * ```sh
 * deno run -A tools/bench/clients/socket_client.ts SOCKET VIEW QPATH
 * ```
 * @module
 */
const [path = "", view, qpath] = Deno.args;
using socket = await Deno.connect({ transport: "unix", path });
const requests = [
  { jsonrpc: "2.0", id: 1, method: "hello", params: { protocol: [1, 1], client: "bench" } },
  { jsonrpc: "2.0", id: 2, method: "which", params: { view, qpath } },
];
await socket.write(new TextEncoder().encode(requests.map((request) => `${JSON.stringify(request)}\n`).join("")));
const buffer = new Uint8Array(64 * 1024);
const decoder = new TextDecoder();
let received = "";
while (received.split("\n").length < 3) {
  // deno-lint-ignore no-await-in-loop -- the next bytes exist only after these
  const count = await socket.read(buffer);
  if (count === null) Deno.exit(1);
  received += decoder.decode(buffer.subarray(0, count), { stream: true });
}
const answer = JSON.parse(received.split("\n")[1] ?? "");
Deno.stdout.writeSync(new TextEncoder().encode(`${answer.result.candidates[0].source}\n`));
