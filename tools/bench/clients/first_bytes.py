"""Reads the first byte of files by several threads, until standard input ends. Prints a line at the first, and how many.

Arguments: directory, threads, names.
"""
import os, queue, sys, threading

directory, threads, names = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
waiting = queue.SimpleQueue()
for name in names:
    waiting.put(name)
done, over = [], threading.Event()


def read():
    while not over.is_set():
        try:
            name = waiting.get_nowait()
        except queue.Empty:
            return
        file = os.open(directory + "/" + name, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
        os.pread(file, 1, 0)
        os.close(file)
        done.append(name)
        if len(done) == 1:
            print(1, flush=True)


workers = [threading.Thread(target=read) for _ in range(threads)]
for worker in workers:
    worker.start()
sys.stdin.read()
over.set()
for worker in workers:
    worker.join()
print(len(done), flush=True)
