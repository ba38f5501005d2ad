"""Opens, reads and closes files whose pages the kernel drops before. Prints the median microseconds.

Arguments: directory, number of reads, seed.
"""
import os, random, statistics, sys, time

directory, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
names = sorted(os.listdir(directory))
times = []
for name in random.Random(seed).sample(names, count):
    path = directory + "/" + name
    file = os.open(path, os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)
    begun = time.perf_counter_ns()
    file = os.open(path, os.O_RDONLY)
    os.read(file, 65536)
    os.close(file)
    times.append((time.perf_counter_ns() - begun) / 1000)
print(statistics.median(times))
