"""Writes and lists zips with Python's own module.

zips.py write DIRECTORY TARGET: a zip of the files of a directory, each by each method that Python has besides deflate.
zips.py list: the zips whose paths come on standard input, one line of JSON each: names with sizes, or null if refused.
"""
import json
import os
import sys
import zipfile


def write(directory, target):
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(os.listdir(directory)):
            with open(os.path.join(directory, name), "rb") as file:
                content = file.read()
            for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
                archive.writestr(f"{name}.{method}", content, compress_type=method)


def list_all():
    for line in sys.stdin:
        try:
            with zipfile.ZipFile(line.rstrip("\n")) as archive:
                files = [i for i in archive.infolist() if not i.is_dir()]
                print(json.dumps([[i.orig_filename, len(archive.read(i))] for i in files]))
        except Exception:
            print("null")


{"write": write, "list": list_all}[sys.argv[1]](*sys.argv[2:])
