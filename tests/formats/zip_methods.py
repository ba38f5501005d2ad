"""Writes a zip of the files of a directory, each packed by each of the methods that Python has beside deflate."""
import os
import sys
import zipfile

directory, target = sys.argv[1:]
with zipfile.ZipFile(target, "w") as archive:
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), "rb") as file:
            content = file.read()
        for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
            archive.writestr(f"{name}.{method}", content, compress_type=method)
