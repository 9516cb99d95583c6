#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/whole/recipes.test.py: each program of examples/recipes, killed, stopped and started again, ends as if nothing had happened.
"""recipes.test.py PROGRAM: PROGRAM is one built recipe; a recipe that has no test here is a failure."""
import json
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
FOREVER = 10**9  # steps: more than a process that is stopped by a test ever makes


def found(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    return match[1] if match else None


def state(output):
    """The fingerprint of the final state; none where the program did not come so far."""
    return found(r"^state ([0-9a-f]{32})$", output)


def resumed_step(output):
    return int(found(r"^resumed at step (\d+)", output) or 0)


def checkpoints(folder):
    """The steps, in the order of saving."""
    names = [re.fullmatch(r"step-(\d+)-(\d+)(\.safetensors)?", path.name) for path in folder.iterdir()]
    return [int(name[1]) for name in sorted(filter(None, names), key=lambda name: int(name[2]))]


def newest(folder):
    return max(folder.glob("step-*"), key=lambda path: int(re.match(r"step-\d+-(\d+)", path.name)[1]))


class Recipe(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder, self.other = pathlib.Path(temporary.name, "run"), pathlib.Path(temporary.name, "whole")

    def call(self, folder, *words, status=0):
        done = subprocess.run([PROGRAM, folder, *map(str, words)], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def interrupt(self, how, lines, *words):
        """Sends a signal once so many lines are printed. Returns all that was printed, and the exit status."""
        with subprocess.Popen([PROGRAM, self.folder, *map(str, words)], stdout=subprocess.PIPE, text=True) as process:
            printed = "".join(process.stdout.readline() for _ in range(lines))
            process.send_signal(how)
            printed += process.stdout.read()
        return printed, process.returncode

    def expect_kills_change_nothing(self, *more):
        """Killed four times; the last process and one that was never killed end in the same state."""
        last = 0
        for lines in (3, 7, 2, 5):
            printed, status = self.interrupt(signal.SIGKILL, lines, FOREVER, *more)
            self.assertEqual(status, -signal.SIGKILL)
            self.assertEqual(resumed_step(printed), last)
            last = checkpoints(self.folder)[-1]
            self.assertNotEqual(last * self.samples_a_step % 1009, 0, "not in mid-epoch")
        printed = self.call(self.folder, last + 137, *more)
        self.assertEqual(resumed_step(printed), last)
        whole = self.call(self.other, last + 137, *more)
        self.assertEqual(resumed_step(whole), 0)
        self.assertIsNotNone(state(whole))
        self.assertEqual(state(printed), state(whole))
        self.assertNotEqual(state(whole), state(self.call(self.other, last + 138, *more)))  # it does tell states apart
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith(".") and path.name != ".lock"], [])


# An odd number of first weights is drawn, so that the distribution keeps a number back at each checkpoint; one that was lost would show.
class single_file(Recipe):
    samples_a_step = 16

    def test_killed_runs_end_as_whole_ones(self):
        self.expect_kills_change_nothing()
        self.assertEqual(len(checkpoints(self.folder)), 3)


class sharded(Recipe):
    samples_a_step = 1

    def test_killed_runs_end_as_whole_ones(self):
        self.expect_kills_change_nothing()
        self.assertEqual(len(checkpoints(self.folder)), 3)

    def test_a_shard_holds_a_parameter_group(self):
        self.call(self.folder, 60)
        groups = {}
        for shard in newest(self.folder).glob("*.safetensors"):
            content = shard.read_bytes()
            header = json.loads(content[8:8 + struct.unpack("<Q", content[:8])[0]])
            names = [name for name in header if name.startswith("groups.") and "#" not in name]
            groups[shard.name] = {name.split(".")[1] for name in names}
            if names:
                self.assertGreaterEqual({name.split(".")[2] for name in names}, {"weight", "momentum", "rate"})
        self.assertEqual(sorted(map(sorted, groups.values())), [[], ["encoder"], ["head"]])


class startup_scan(Recipe):
    def test_the_newest_whole_one_is_resumed_and_the_damaged_one_named(self):
        self.assertEqual(resumed_step(self.call(self.folder, 500)), 0)
        printed = self.call(self.folder, 700)
        rows = re.findall(r"^(valid|corrupt|torn|foreign) +(\d+)", printed, re.MULTILINE)
        self.assertEqual(rows, [("corrupt", "500"), ("valid", "400"), ("valid", "300")])
        self.assertRegex(printed, r"(?m)^corrupt .* damaged in weight$")
        self.assertRegex(printed, r"(?m)^valid +400 .* loss 0\.0025")
        self.assertIn("passed over step 500:", printed)
        self.assertIn('tensor "weight"', printed)
        self.assertEqual(resumed_step(printed), 400)
        self.assertEqual(state(printed), state(self.call(self.other, 700)))

    def test_where_all_are_damaged_nothing_is_begun_anew(self):
        self.call(self.folder, 300)
        for path in self.folder.glob("step-*"):
            path.write_bytes(path.read_bytes()[:-1])
        before = sorted(path.name for path in self.folder.iterdir())
        printed = self.call(self.folder, 300, status=1)
        self.assertIn("none of them can be used", printed)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)


class keep_and_stop(Recipe):
    samples_a_step = 1

    def test_killed_runs_end_as_whole_ones(self):
        self.expect_kills_change_nothing(3600)

    def test_it_keeps_the_best_the_pinned_and_the_last(self):
        printed = self.call(self.folder, 3000, 3600)
        validation = {int(step): float(value) for step, value in re.findall(r"^step (\d+) validation (\S+)$", printed, re.MULTILINE)}
        best = min(validation, key=validation.get)
        self.assertTrue(200 < best < 2900)
        self.assertEqual(sorted(checkpoints(self.folder)), [200, best, 2900, 3000])

    def expect_to_go_on_from(self, printed, status):
        stopped = int(found(r"^stopped at step (\d+)$", printed))
        self.assertEqual(status, 75)
        self.assertEqual(checkpoints(self.folder)[-1], stopped)  # the very step, not the last multiple before it
        again = self.call(self.folder, stopped + 150, 3600)
        self.assertEqual(resumed_step(again), stopped)
        self.assertEqual(state(again), state(self.call(self.other, stopped + 150, 3600)))

    def test_it_stops_at_a_signal(self):
        for how in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            with self.subTest(how.name):
                self.setUp()
                self.expect_to_go_on_from(*self.interrupt(how, 4, FOREVER, 3600))

    def test_it_stops_before_the_deadline(self):
        self.expect_to_go_on_from(self.call(self.folder, FOREVER, 4, status=75), 75)


class migrate(Recipe):
    def test_the_new_program_goes_on_where_the_old_one_was(self):
        old = self.call(self.folder, "old", 250)
        weight = found(r"^weight (\S+) rate 0\.01$", old)
        new = self.call(self.folder, "new", 400)
        self.assertEqual(resumed_step(new), 250)
        for line in ("migrated (root): version 1 to 2", "converted step: i32 to u64", "renamed weight: from w",
                     "renamed rate.initial: from lr", f"weight {weight} rate 0.01 0.005 phase main"):
            self.assertIn(line, new)
        again = self.call(self.folder, "new", 450)
        self.assertEqual(resumed_step(again), 400)
        self.assertNotIn("migrated", again)

    def test_the_old_program_refuses_what_the_new_one_saved(self):
        self.call(self.folder, "old", 100)
        self.call(self.folder, "new", 200)
        self.assertIn("version", self.call(self.folder, "old", 300, status=1))
        self.assertEqual(checkpoints(self.folder)[-1], 200)


if __name__ == "__main__":
    if PROGRAM.stem not in globals():
        sys.exit(f"{PROGRAM.stem}: a recipe without a test in {__file__}")
    unittest.main(defaultTest=PROGRAM.stem)
