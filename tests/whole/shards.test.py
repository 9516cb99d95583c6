#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/whole/shards.test.py: sharded checkpoints in Python: safetensors, loaders that go by the index, huggingface_hub, and a reader made from docs/format.md.
"""shards.test.py PROGRAM PYTHON: PROGRAM is the built shards.cpp, PYTHON one with numpy, safetensors and xxhash, perhaps with huggingface_hub."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

if len(sys.argv) == 3:
    os.execv(sys.argv[2], [sys.argv[2], "-B", __file__, sys.argv[1]])  # -B: no __pycache__ in the source tree

import xxhash
from safetensors import safe_open
from safetensors.numpy import load_file

try:
    from huggingface_hub import split_state_dict_into_shards_factory
except ImportError as missing:
    split_state_dict_into_shards_factory = None
    print(f"the comparison with huggingface_hub is left out: {missing}")

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "examples" / "python"))
import read_shards

INDEX, MANIFEST = "model.safetensors.index.json", "tidemark.manifest.json"
FOLDERS = {"one": 1, "three": 3, "in_turn": 4, "many": None, "small": None, "groups": 10}


def load_by_index(folder):
    """As transformers does it: each file of the index's values is loaded, and what they hold is joined."""
    index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    joined = {}
    for name in sorted(set(index["weight_map"].values())):
        joined |= load_file(folder / name)
    return {name: joined[name] for name in index["weight_map"]}, joined, index


def verified(path):
    return subprocess.run([PROGRAM, "verify", path], capture_output=True, text=True, timeout=60)


class Shards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        subprocess.run([PROGRAM, "write", cls.folder], check=True, timeout=60)
        cls.whole = load_file(cls.folder / "whole.safetensors")
        cls.whole.pop("tidemark#digests")

    def copy_of(self, name):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        return pathlib.Path(shutil.copytree(self.folder / name, pathlib.Path(scratch.name) / name))

    def require_equal(self, tensors, wanted):
        self.assertEqual(tensors.keys(), wanted.keys())
        for name, array in wanted.items():
            self.assertEqual((tensors[name].dtype, tensors[name].shape, tensors[name].tobytes()), (array.dtype, array.shape, array.tobytes()), name)

    def test_each_shard_opens_in_safetensors_and_says_which_it_is(self):
        for name, count in FOLDERS.items():
            shards = sorted((self.folder / name).glob("*.safetensors"))
            self.assertEqual(len(shards), count or len(shards))
            for i, shard in enumerate(shards, 1):
                self.assertEqual(shard.name, f"model-{i:05}-of-{len(shards):05}.safetensors")
                with safe_open(shard, "numpy") as opened:
                    self.assertEqual((opened.metadata()["format"], opened.metadata()["step"], opened.metadata()["tidemark.shard"]), ("pt", "12", f"{i}/{len(shards)}"))
                    self.assertIn("tidemark#digests", opened.keys())

    def test_a_loader_that_goes_by_the_index_gets_exactly_the_tensors(self):
        for name in FOLDERS:
            mapped, joined, index = load_by_index(self.folder / name)
            self.require_equal(mapped, self.whole)
            self.assertEqual(joined.keys() - mapped.keys(), {"tidemark#digests"})
            self.assertEqual(index.keys(), {"metadata", "weight_map"})
            self.assertEqual(index["metadata"], {"total_size": sum(array.nbytes for array in self.whole.values())})
            for tensor, file in index["weight_map"].items():
                with safe_open(self.folder / name / file, "numpy") as opened:
                    self.assertIn(tensor, opened.keys())

    def test_no_shard_passes_the_size_that_was_asked_for_unless_one_tensor_does(self):
        for shard in (self.folder / "small").glob("*.safetensors"):
            tensors = load_file(shard)
            tensors.pop("tidemark#digests")
            self.assertTrue(sum(array.nbytes for array in tensors.values()) <= 4000 or len(tensors) == 1)

    @unittest.skipIf(split_state_dict_into_shards_factory is None, "huggingface_hub is not installed")
    def test_names_and_index_have_the_form_that_the_split_of_huggingface_hub_gives(self):
        for name in ("three", "small", "many"):
            mapped, _, index = load_by_index(self.folder / name)
            for most in (4000, "50KB", 1):
                theirs = split_state_dict_into_shards_factory(mapped, get_storage_size=lambda array: array.nbytes, filename_pattern="model{suffix}.safetensors", max_shard_size=most)
                self.assertEqual(theirs.metadata, index["metadata"])
                self.assertEqual(theirs.tensor_to_filename.keys(), index["weight_map"].keys())
                files, ours = theirs.filename_to_tensors.keys(), set(index["weight_map"].values())
                form = lambda names: {"".join("0" if c.isdigit() else c for c in each) for each in names}
                self.assertEqual(form(files), form(ours))
                self.assertEqual({f"model-{i:05}-of-{len(files):05}.safetensors" for i in range(1, len(files) + 1)}, set(files))
                self.assertEqual({f"model-{i:05}-of-{len(ours):05}.safetensors" for i in range(1, len(ours) + 1)}, ours)

    def test_the_manifest_is_json_that_lists_every_file_with_its_size(self):
        for name in FOLDERS:
            manifest = json.loads((self.folder / name / MANIFEST).read_text())
            listed = {entry["name"]: entry["bytes"] for entry in manifest["files"]}
            self.assertEqual(listed, {file.name: file.stat().st_size for file in (self.folder / name).iterdir() if file.name != MANIFEST})

    def test_the_reader_made_from_the_page_reads_what_the_library_wrote(self):
        for name in FOLDERS:
            tensors, metadata = read_shards.read_shards(self.folder / name)
            self.assertEqual({key: bytes(data) for key, (_, _, data) in tensors.items()}, {key: array.tobytes() for key, array in self.whole.items()})
            self.assertEqual((metadata["step"], metadata.get("tidemark.shard")), ("12", None))

    def test_the_reader_prints_a_tree_and_names_what_is_damaged(self):
        path = self.copy_of("three")
        run = lambda: subprocess.run([sys.executable, "-B", ROOT / "examples/python/read_shards.py", path], capture_output=True, text=True, timeout=60)
        printed = run()
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertIn("name = 'tide'\n", printed.stdout)
        shard = path / "model-00002-of-00003.safetensors"
        shard.write_bytes(shard.read_bytes()[:-1])
        damaged = run()
        self.assertEqual((damaged.returncode, damaged.stderr.count("\n")), (1, 1))
        self.assertIn(shard.name, damaged.stderr)

    def test_reader_and_library_refuse_the_same_damage(self):
        path = self.copy_of("three")
        draw = random.Random(1)
        for file in sorted(path.iterdir()):
            content = file.read_bytes()
            places = [draw.randrange(len(content)) for _ in range(15)]
            changed = [content[:at] + bytes([content[at] ^ 1 << draw.randrange(8)]) + content[at + 1:] for at in places] + [content[:at] for at in places] + [content + b" "]
            for damaged in changed:
                file.write_bytes(damaged)
                with self.assertRaises(ValueError) as raised:
                    read_shards.read_shards(path)
                self.assertTrue(str(raised.exception).startswith(file.name), raised.exception)
                refused = verified(path)
                self.assertEqual(refused.returncode, 1)
                self.assertIn(file.name, refused.stdout)
            file.write_bytes(content)
        self.assertEqual(verified(path).returncode, 0)

    def test_reader_and_library_refuse_the_same_names_though_the_manifest_is_whole(self):
        path = self.copy_of("one")
        manifest = (path / MANIFEST).read_bytes()
        body, _ = manifest.rsplit(b",\n\"digest\": \"", 1)
        name = b"model-00001-of-00001.safetensors"
        outside = path.parent / name.decode()
        shutil.copy(path / name.decode(), outside)
        (path / "sub").mkdir()
        shutil.copy(outside, path / "sub")
        for bad in (b"../" + name, b"sub/" + name, b"./" + name, str(outside).encode(), b"..", b"", b"C:" + name, b"sub\\\\" + name, name + b"\\u0000", b".hidden", name + b" ", MANIFEST.encode(), INDEX.encode(), b"a" * 256):
            forged = body.replace(name, bad)
            (path / MANIFEST).write_bytes(forged + b',\n"digest": "' + xxhash.xxh3_128_hexdigest(forged).encode() + b'"}\n')
            with self.assertRaises((ValueError, OSError), msg=bad):
                read_shards.read_shards(path)
            self.assertEqual(verified(path).returncode, 1, bad)
        for change in ((b'"tidemark": 1', b'"tidemark": 2'), (b'"bytes": ', b'"bytes": -'), (b'"shard": true', b'"shard": 1'), (b'"shard": true', b'"shard": true, "more": 1'), (b'"files"', b'"Files"'), (b"]", b"], \"x\": 1")):
            forged = body.replace(*change)
            self.assertNotEqual(forged, body)
            (path / MANIFEST).write_bytes(forged + b',\n"digest": "' + xxhash.xxh3_128_hexdigest(forged).encode() + b'"}\n')
            with self.assertRaises(ValueError, msg=change):
                read_shards.read_shards(path)
            self.assertEqual(verified(path).returncode, 1, change)
        (path / MANIFEST).write_bytes(manifest)
        self.assertEqual(verified(path).returncode, 0)
        (path / name.decode()).unlink()
        (path / name.decode()).symlink_to(outside)
        with self.assertRaises(OSError):
            read_shards.read_shards(path)
        self.assertEqual(verified(path).returncode, 1)


if __name__ == "__main__":
    unittest.main()
