#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""read_shards.py FOLDER: verifies every digest of a sharded tidemark checkpoint, then prints metadata and a tree of the tensors.
Made from docs/format.md alone, on top of read_archive.py. Exit status 1, and one line on stderr, where the folder is damaged or none."""
import json
import os
import re
import stat
import sys

from read_archive import distinct, natural, print_tree, read_archive, read_container, require
from xxhash import xxh3_128_hexdigest

MANIFEST = "tidemark.manifest.json"
SEAL = re.compile(rb'(.*),\n"digest": "([0-9a-f]{32})"\}\n', re.S)  # a digest of all that stands before it ends the manifest
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,254}")  # one flat name, which leads nowhere


def read_file(folder, name):
    """A regular file that lies in the folder itself: nothing is followed, nothing waited for."""
    number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with open(number, "rb") as file:
        require(stat.S_ISREG(os.fstat(number).st_mode), "it is no regular file")
        return file.read()


def read_manifest(text):
    """The entries of a manifest, in the order of the shards."""
    sealed = SEAL.fullmatch(text)
    require(sealed and xxh3_128_hexdigest(sealed[1]) == sealed[2].decode(), "it does not match its own digest")
    numbers = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), natural)
    match json.loads(text.decode(), object_pairs_hook=distinct, **numbers):
        case {"tidemark": 1, "files": [*files], "digest": str()} as manifest if len(manifest) == 3:
            for entry in files:
                match entry:
                    case {"name": str(name), "bytes": int(), "digest": str(), "shard": bool()} if len(entry) == 4:
                        require(type(entry["bytes"]) is int, f"the size of {name!r} is none")
                        require(NAME.fullmatch(name) and name != MANIFEST, f"it names {name!r}, which is not followed")
                    case _:
                        raise ValueError("an entry is not name, bytes, digest and shard")
            require(len({entry["name"] for entry in files}) == len(files), "it names a file twice")
            require(any(entry["shard"] for entry in files), "it lists no shard")
            return files
    raise ValueError("it is no manifest of version 1")


def read_shards(path):
    """The tensors of all shards, as read_archive gives those of one file, and the metadata that they share."""
    tensors, metadata = {}, None
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    name = MANIFEST
    try:
        files = read_manifest(read_file(folder, name))
        shards = [entry for entry in files if entry["shard"]]
        for entry in files:
            name = entry["name"]
            file = read_file(folder, name)
            require(len(file) == entry["bytes"], f"it has {len(file)} bytes, and the manifest says {entry['bytes']}")
            if not entry["shard"]:
                require(xxh3_128_hexdigest(file) == entry["digest"], "it does not match its digest in the manifest")
                continue
            own, own_metadata = read_archive(file)
            seal = bytes(read_container(file)[0]["tidemark#digests"][2][:16])
            require(seal.hex() == entry["digest"], "it is not the shard that the manifest tells of")
            place = f"{shards.index(entry) + 1}/{len(shards)}"
            require(own_metadata.pop("tidemark.shard", None) == place, f"it is not shard {place}")
            require(metadata in (None, own_metadata), "its metadata are not those of the first shard")
            require(not tensors.keys() & own.keys(), "it holds a tensor of another shard")
            tensors, metadata = tensors | own, own_metadata
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"{name}: {problem}") from None
    finally:
        os.close(folder)
    return tensors, metadata


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        all_tensors, all_metadata = read_shards(sys.argv[1])
    except (OSError, ValueError) as problem:
        sys.exit(f"{sys.argv[1]}: {problem}")
    for key, value in all_metadata.items():
        print(f"__metadata__[{key!r}] = {value!r}")
    print_tree(all_tensors)
