#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/durability/mutations.py: removes each sync, check, rename and unlink of the protocol in turn and requires a test that fails.
"""mutations.py            runs all (or those whose name holds an argument) and prints which test saw each
mutations.py --check    that each text of the list occurs in the sources as often as it says

A mutation is a piece of text in one header, what takes its place, and what is broken then. The headers are copied, the copy is changed, the
tests that it may fail are built against it one after the other until one fails.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent

SINK = ["sink/atomic_file_order", "sink/atomic_file_faults", "sink/atomic_file_kill", "sink/atomic_file", "sink/staging"]
OUTPUT = ["sink/file_output", "sink/atomic_file_order", "sink/atomic_file_faults", "sink/atomic_file"]
TARGET = ["sink/file_target", "sink/atomic_file"]
FOLDER = ["sink/staged_folder", "durability"]
LOCK = ["sink/folder_lock"]
PROOF = ["durability"]
RUN = ["run/checkpointer", "run/checkpointer_folder", "durability"]
LAST = ["run/last_checkpoint"]

# (header, text, how often it stands there, replacement, what is broken then, tests that may see it)
MUTATIONS = [
    ("sink/atomic_file.hpp", "if (is_synced()) output_.sync();", 1, "", "the file is not synced before it gets its name", SINK),
    ("sink/atomic_file.hpp", "if (is_synced()) staging_.sync_folder();", 1, "", "the folder is not synced after the rename", SINK),
    ("sink/atomic_file.hpp", "if (staging_.is_named()) output_.close();", 1, "", "what close reports comes too late", SINK),
    ("sink/atomic_file.hpp", 'if (closed < 0 && errno != EINTR) staging_.fail_after_publishing(errno, "it could not be closed");', 1,
     "static_cast<void>(closed);", "a nameless file's failed close is not reported", SINK),
    ("sink/atomic_file.hpp", "    output_.file().close();\n    staging_.release();", 1, "", "a failed save goes on, and keeps its temporary file", SINK),

    ("sink/staging.hpp", "if (is_new && target_.exists) fail_existing();", 1, "", "what is there is found only after the whole save", ["sink/staging", "sink/atomic_file"]),
    ("sink/staging.hpp", "constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;", 1,
     "constexpr int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC;", "a file of that name is written into", ["sink/staging"] + SINK),
    ("sink/staging.hpp", "if (target_.exists && retry_interrupted([&] { return ops().fchmod(number, target_.mode); }) < 0) {", 1, "if (false) {",
     "the mode of the old file is lost", SINK),
    ("sink/staging.hpp", "} while (number < 0 && errno == EEXIST);", 1, "} while (false);", "a name that is taken ends the save", SINK),
    ("sink/staging.hpp", "if (is_named()) retry_interrupted([&] { return ops().unlinkat(folder(), temporary_.c_str(), 0); });", 1, "",
     "a failed save leaves its temporary file", SINK),
    ("sink/staging.hpp", "if (result == 0) retry_interrupted([&] { return ops().unlinkat(folder(), temporary_.c_str(), 0); });", 1, "",
     "the temporary name stays beside the hard link", SINK),
    ("sink/staging.hpp", "return retry_interrupted([&] { return ops().renameat(folder(), temporary_.c_str(), folder(), target_.base.c_str()); });", 1,
     "return 0;", "the file is not renamed", SINK),
    ("sink/staging.hpp", "target_.base.c_str(), rename_noreplace); });", 1, "target_.base.c_str(), 0u); });", "the second of two who create wins", SINK),
    ("sink/staging.hpp", "return retry_interrupted([&] { return ops().linkat(AT_FDCWD, from.c_str(), folder(), target_.base.c_str(), AT_SYMLINK_FOLLOW); });", 1,
     "static_cast<void>(from);\n    return 0;", "the nameless file gets no name", SINK),
    ("sink/staging.hpp", "result = retry_interrupted([&] { return ops().linkat(folder(), temporary_.c_str(), folder(), target_.base.c_str(), 0); });", 1,
     "result = 0;", "the hard link is not made", SINK),
    ("sink/staging.hpp", "if (result < 0 && is_new && errno == EEXIST) fail_existing();", 1, "", "a clash is told as a rename that failed", SINK),
    ("sink/staging.hpp", "if (result < 0) {\n      throw_save_errno(errno, path(), is_named()", 1, "if (false) {\n      throw_save_errno(errno, path(), is_named()",
     "a failed rename is taken for a commit", SINK),
    ("sink/staging.hpp", 'if (detail::sync_folder(target_.folder) < 0) fail_after_publishing(errno, "its folder could not be synced");', 1,
     "detail::sync_folder(target_.folder);", "a failed sync of the folder is not reported", SINK),
    ("sink/staging.hpp", "if (file.is_open() && ops().fstatat(AT_FDCWD, nameless_path(number).c_str(), &status, 0) < 0) file.close();", 1, "static_cast<void>(status);",
     "a nameless file cannot get its name without /proc", SINK),
    ("sink/staging.hpp", "if (number < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT) fail_to_create(errno, total_bytes);", 1,
     "static_cast<void>(total_bytes);", "a full disk is found later, under another name", SINK),

    ("sink/file_output.hpp", 'if (retry_interrupted([&] { return file_.ops().fsync(file_.get()); }) < 0) fail(errno, "the data could not be flushed to the disk");', 1,
     "retry_interrupted([&] { return file_.ops().fsync(file_.get()); });", "a failed sync of the file is not reported", OUTPUT),
    ("sink/file_output.hpp", "retry_interrupted([&] { return file_.ops().fsync(file_.get()); }) < 0", 1, "false", "nothing is synced", OUTPUT),
    ("sink/file_output.hpp", 'if (file_.close() < 0 && errno != EINTR) fail(errno, "the file could not be closed");', 1, "file_.close();",
     "a failed close is not reported", OUTPUT),
    ("sink/file_output.hpp", 'if (taken == 0) fail(EIO, "the system accepts no more bytes");', 1, "if (taken == 0) return;", "a write of nothing ends as success", OUTPUT),
    ("sink/file_output.hpp", 'if (taken < 0) fail(errno, "writing failed");', 1, "if (taken < 0) return;", "a failed write is not reported", OUTPUT),
    ("sink/file_output.hpp", "bytes = bytes.subspan(static_cast<std::size_t>(taken));", 1, "bytes = {};", "a short write is not continued", OUTPUT),
    ("sink/file_output.hpp", "    flush();\n    if (is_reserved_", 1, "    if (is_reserved_", "the buffer's end is never written", OUTPUT),
    ("sink/file_output.hpp", "if (is_reserved_ && written_ < total_) {", 1, "if (false) {", "a file is longer than what was written", OUTPUT),
    ("sink/file_output.hpp", "} else if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) {", 1, "} else if (false) {",
     "a disk that is too small is found while writing", OUTPUT),
    ("sink/file_output.hpp", "if (result < 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT))", 1, "if (false)", "a failed write-out is not reported", OUTPUT),

    ("sink/file_ops.hpp", "while (result < 0 && errno == EINTR) result = call();", 1, "", "an interruption ends the save", SINK),
    ("sink/file_target.hpp", "if (!follows_symlink) {", 1, "if (false) {", "a symbolic link is followed unasked", TARGET),
    ("sink/file_target.hpp", 'if (!S_ISREG(status.st_mode)) refuse_target(path, "a pipe, socket or device"', 1, 'if (false) refuse_target(path, "a pipe, socket or device"',
     "a device is replaced", TARGET),
    ("sink/file_target.hpp", 'if (S_ISDIR(status.st_mode)) refuse_target(path, "a folder"', 1, 'if (false) refuse_target(path, "a folder"', "a folder is taken for a file", TARGET),

    ("sink/staged_folder.hpp", "if (sync_folder(folder_) < 0)", 1, "if (false)", "the new folder's entries are not synced", FOLDER),
    ("sink/staged_folder.hpp", "if (sync_folder(parent_) == 0) return;", 1, "if (path_.size() != 0) return;",
     "the folder's own entry is not synced", FOLDER),
    ("sink/staged_folder.hpp", "base_.c_str(), rename_noreplace); });", 1, "base_.c_str(), 0u); });", "an empty folder at the path is replaced", FOLDER),
    ("sink/staged_folder.hpp", "if (result < 0 && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)) fail_existing();", 1, "", "a clash has another code", FOLDER),
    ("sink/staged_folder.hpp", 'if (result < 0) throw_save_errno(errno, path_, "the new folder could not be renamed to its final name", 0);', 1, "",
     "a failed rename is taken for a commit", FOLDER),
    ("sink/staged_folder.hpp", "for (const std::string& name : files_) retry_interrupted([&] { return ops().unlinkat(folder_.get(), name.c_str(), 0); });", 1, "",
     "a failed save leaves its shards", FOLDER),
    ("sink/staged_folder.hpp", "      retry_interrupted([&] { return ops().unlinkat(parent_.get(), temporary_.c_str(), AT_REMOVEDIR); });", 1, "",
     "a failed save leaves its folder", FOLDER),

    ("store/sharded_directory.hpp", "if (to_.is_synced()) file_.sync();", 1, "", "the shards are not synced", PROOF),
    ("store/sharded_directory.hpp", "if (is_synced()) folder.sync();", 1, "", "the folder of the shards is not synced", PROOF),
    ("store/sharded_directory.hpp", "if (is_synced()) folder.sync_parent();", 1, "", "the folder's name is not synced", PROOF),
    ("store/sharded_directory.hpp", "    folder.publish();\n", 1, "", "the shards are never shown", PROOF),
    ("store/sharded_directory.hpp", "      file_.close();\n", 1, "", "what close reports comes too late", ["store/sharded_directory"]),

    ("sink/folder_sync.hpp", "if (retry_interrupted([&] { return folder.ops().fsync(folder.get()); }) < 0) return -1;", 1, "", "no folder is synced", ["sink/folder_sync"]),
    ("sink/folder_sync.hpp", "return retry_interrupted([&] { return folder.ops().fstat(folder.get(), &status); });", 1, "return 0;",
     "a sync of XFS without a journal counts", ["sink/folder_sync"]),

    ("sink/folder_lock.hpp", "if (detail::retry_interrupted([&] { return ops.flock(number, LOCK_EX | LOCK_NB); }) < 0) {", 1, "if (false) {",
     "two runs write into one folder", LOCK),

    ("run/run_folder.hpp", "const int moved = retry_interrupted([&] { return ops().renameat(folder_.get(), checkpoint.file.c_str(), folder_.get(), trash.c_str()); });", 1,
     "const int moved = 0; dispose(checkpoint.file, checkpoint.is_folder);", "a checkpoint is removed file by file under its own name", PROOF),
    ("run/run_folder.hpp", "    sync();\n    dispose(trash", 1, "    dispose(trash", "the removal's rename is not synced before the files go", PROOF),
    ("run/run_folder.hpp", "    dispose(trash, checkpoint.is_folder);\n", 1, "", "what was thrown away stays", PROOF),
    ("run/run_folder.hpp", "if (is_trash_name(entry.name) || is_own_staging(entry)) dispose(", 1, "if (false) dispose(", "nothing is swept", PROOF),
    ("run/run_folder.hpp", "if (staging_of(entry) == of) dispose(", 1, "if (false) dispose(", "what a killed child left stays until the next start", ["run/run_folder", "run/checkpointer_background"]),
    ("run/run_folder.hpp", "if (sync_folder(parent) < 0)", 1, "if (false)", "a new run's folder is not synced", PROOF),
    ("run/run_folder.hpp", "if (!at.is_open() || retry_interrupted([&] { return ops().fsync(at.get()); }) < 0) fail(errno);", 1, "if (!at.is_open()) fail(errno);",
     "what lies there is not synced at the end", LAST),
    ("run/run_folder.hpp", "for (const folder_entry& entry : entry_names(at, path_of(name))) flush(at, entry.name);", 1, "",
     "the shards that lie there are not synced at the end", LAST),
    ("run/run_folder.hpp", "if (sync_folder(at) < 0) fail(errno);\n    }\n    sync();", 1, "if (sync_folder(at) < 0) fail(errno);\n    }",
     "the run's folder is not synced at the end", LAST),
    ("run/run_record.hpp", "    prune();\n", 1, "", "nothing is pruned", RUN),
    ("run/run_record.hpp", "    folder_.sweep();\n", 1, "", "nothing is swept at the start", PROOF),
    ("run/run_record.hpp", "insert(saved, metrics, false);", 1, "insert(saved, metrics, true); prune();", "an uncertain save lets older ones go", ["run/run_record", "run/checkpointer_background"]),
    ("run/checkpointer.hpp", "      record_.add(saved, label.metrics);\n", 1, "", "the run does not know its own checkpoints", RUN),
]


def occurrences():
    """What is wrong with the list: texts that the sources do not hold as often as said."""
    wrong = []
    for header, text, times, _, what, tests in MUTATIONS:
        found = (root / "include/tidemark" / header).read_text().count(text)
        if found != times:
            wrong.append(f"{header}: {text!r} stands there {found} times, the list says {times} ({what})")
        for test in tests:
            if test != "durability" and not (root / f"tests/{test}.test.cpp").exists():
                wrong.append(f"{header}: there is no test {test}")
    return wrong


class bench:
    """Compiles tests against changed headers, in a folder of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        compiler = os.environ.get("CXX", "g++")
        self.compiler = ([shutil.which("ccache")] if shutil.which("ccache") else []) + shlex.split(compiler)
        self.flags = ["-std=c++20", "-O0", "-w", "-pthread"]
        self.main = self.compile(root / "include", root / "tests/main.cpp", "main.o", [])
        self.unchanged = {}

    def compile(self, include, source, name, folders):
        target = self.folder / name
        command = [*self.compiler, *self.flags, f"-I{include}", f"-I{root / 'tests'}", *[f"-I{f}" for f in folders], "-c", str(source), "-o", str(target)]
        subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True)
        return target

    def objects(self, include, test):
        if test != "durability":
            source = root / f"tests/{test}.test.cpp"
            return [self.compile(include, source, "test.o", [source.parent])]
        # Of the proof only the scenarios include what saves; the benches are the same for all.
        for name in ("model", "kills", "faults"):
            if name not in self.unchanged:
                self.unchanged[name] = self.compile(root / "include", root / f"tests/durability/{name}.test.cpp", f"{name}.o", [])
        return [self.compile(include, root / "tests/durability/scenarios.test.cpp", "scenarios.o", []), *self.unchanged.values()]

    def killer(self, include, test):
        """The first failing case of a test, "does not compile", or None."""
        try:
            objects = self.objects(include, test)
        except subprocess.CalledProcessError as failed:
            return "does not compile: " + failed.stderr.strip().splitlines()[0]
        program = self.folder / "program"
        subprocess.run([*self.compiler, "-pthread", *map(str, objects), str(self.main), "-o", str(program)], check=True)
        environment = {**os.environ, "TIDEMARK_STATES": "2000", "TIDEMARK_PIECES": "2", "TIDEMARK_KILLS": "40"}
        try:
            run = subprocess.run([program, "--abort-after=1", "--no-intro=true", "--no-colors=true"], env=environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=600, cwd=self.folder)
        except subprocess.TimeoutExpired:
            return "hangs"
        if run.returncode == 0:
            return None
        case = re.search(r"^TEST CASE: +(.*)$", run.stdout, re.MULTILINE)
        return case.group(1) if case else f"exit {run.returncode}"


def main(words):
    wrong = occurrences()
    print("\n".join(wrong) or f"{len(MUTATIONS)} mutations, each at its place", flush=True)
    if wrong or "--check" in words:
        return 1 if wrong else 0
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        at = bench(folder)
        chosen = [m for m in MUTATIONS if not words or any(w in m[0] or w in m[4] for w in words)]
        for test in dict.fromkeys(t for m in chosen for t in m[5]):  # what fails anyway proves nothing
            failing = at.killer(root / "include", test)
            if failing:
                print(f"{test} fails before anything is removed: {failing}")
                return 1
        for header, text, _, replacement, what, tests in chosen:
            include = pathlib.Path(folder) / "include"
            shutil.rmtree(include, ignore_errors=True)
            shutil.copytree(root / "include", include)
            changed = include / "tidemark" / header
            changed.write_text(changed.read_text().replace(text, replacement))
            killer = None
            for test in dict.fromkeys(tests):
                killer = at.killer(include, test)
                if killer:
                    killer = f"{test}: {killer}"
                    break
            survivors += killer is None
            print(f"{'killed  ' if killer else 'SURVIVED'} {header}: {what}\n           {killer or 'by no test'}", flush=True)
    print(f"{survivors} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
