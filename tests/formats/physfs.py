"""Prints, as JSON, what PhysFS finds in an archive: the size and SHA-256 of every file by its path.

Usage: physfs.py LIBPHYSFS ARCHIVE
"""

import ctypes
import hashlib
import json
import sys

library = ctypes.CDLL(sys.argv[1])
library.PHYSFS_enumerateFiles.restype = ctypes.POINTER(ctypes.c_char_p)
library.PHYSFS_openRead.restype = ctypes.c_void_p
library.PHYSFS_fileLength.argtypes = [ctypes.c_void_p]
library.PHYSFS_fileLength.restype = ctypes.c_longlong
library.PHYSFS_readBytes.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ulonglong]
library.PHYSFS_readBytes.restype = ctypes.c_longlong
library.PHYSFS_close.argtypes = [ctypes.c_void_p]
library.PHYSFS_freeList.argtypes = [ctypes.c_void_p]
library.PHYSFS_getErrorByCode.restype = ctypes.c_char_p


def require(ok, what):
    if not ok:
        error = library.PHYSFS_getErrorByCode(library.PHYSFS_getLastErrorCode()).decode()
        sys.exit(f"PhysFS cannot {what}: {error}")


def names_in(directory):
    names = library.PHYSFS_enumerateFiles(directory.encode())
    found = []
    while names[len(found)]:
        found.append(names[len(found)].decode())
    library.PHYSFS_freeList(names)
    return found


def walk(directory):
    for name in names_in(directory):
        path = f"{directory}/{name}" if directory else name
        if library.PHYSFS_isDirectory(path.encode()):
            yield from walk(path)
        else:
            yield path


def content(path):
    file = library.PHYSFS_openRead(path.encode())
    require(file, f"open {path}")
    length = library.PHYSFS_fileLength(file)
    buffer = ctypes.create_string_buffer(max(length, 1))
    require(library.PHYSFS_readBytes(file, buffer, length) == length, f"read {path}")
    library.PHYSFS_close(file)
    return buffer.raw[:length]


require(library.PHYSFS_init(b"physfs"), "start")
require(library.PHYSFS_mount(sys.argv[2].encode(), b"", 1), "mount the archive")
result = {}
for path in walk(""):
    if "\\" in path:
        continue  # PhysFS lists such names but opens none of them
    data = content(path)
    result[path] = [len(data), hashlib.sha256(data).hexdigest()]
json.dump(result, sys.stdout)
