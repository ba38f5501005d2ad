/**
 * Which threads run the handlers of signals. Imports nothing, as the program begins with it.
 * @module
 */

const libraries = ["libc.so.6", `libc.musl-${Deno.build.arch}.so.1`];
/** SIG_BLOCK */
const block = 0;
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * Keeps the signals that end a daemon away from this thread and from those that it starts. The kernel prefers the main
 * thread, and one that hangs in a system call never runs the handler: V8's own threads, which never do, are left.
 */
export function leaveSignalsToOtherThreads(): void {
  // sigset_t: one bit for each signal, from 1 on.
  const set = new Uint8Array(128);
  new DataView(set.buffer).setUint32(
    0,
    Object.values(signals).reduce((bits, signal) => bits | 1 << signal - 1, 0),
    true,
  );
  for (const name of libraries) {
    try {
      // int sigprocmask(int how, const sigset_t *set, sigset_t *oldset)
      const library = Deno.dlopen(name, {
        sigprocmask: { parameters: ["i32", "buffer", "pointer"], result: "i32" },
      });
      library.symbols.sigprocmask(block, set, null);
      library.close();
      return;
    } catch {
      // The other C library, or none: signals are handled as usual.
    }
  }
}
