/**
 * Which threads run the handlers of signals, and which signals are ignored. Imports nothing, as the program begins with it.
 *
 * Signals are left to V8's threads: the kernel prefers the main thread, which may hang.
 * @module
 */

const libraries = ["libc.so.6", `libc.musl-${Deno.build.arch}.so.1`];
/** SIG_BLOCK */
const block = 0;
/** SIG_IGN */
const ignored = 1n;
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * Keeps the signals that end a daemon away from this thread and from those that it starts. The kernel prefers the main
 * thread, and one that hangs in a system call never runs the handler: V8's own threads, which never do, are left.
 *
 * @returns Whether SIGHUP is ignored, as under nohup(1). Any thread of Deno may soon handle it, which hides that.
 */
export function leaveSignalsToOtherThreads(): boolean {
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
        // int sigaction(int signal, const struct sigaction *action, struct sigaction *oldaction)
        sigaction: { parameters: ["i32", "pointer", "buffer"], result: "i32" },
      });
      // struct sigaction begins with the handler, and is no longer than this in any C library.
      const action = new BigUint64Array(32);
      const ignoresHangUp = library.symbols.sigaction(signals.SIGHUP, null, action) === 0 && action[0] === ignored;
      library.symbols.sigprocmask(block, set, null);
      library.close();
      return ignoresHangUp;
    } catch {
      // The other C library, or none: signals are handled as usual.
    }
  }
  return false;
}
