#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""examples/charlm/demo.py: kills trainings and shows that nothing is lost; then loses something and shows that it is seen."""

import argparse
import filecmp
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
GPL = pathlib.Path("/usr/share/common-licenses/GPL-3")
PARTS = ["model", "optimizer", "scheduler", "counters", "rng", "data", "spare"]
KILLS = 5
RUN_KILLS = 6  # of the run with background saves; every other one in the middle of a save
KEPT = 3       # checkpoints that charlm keeps of a run
REFUSED = 3  # the exit status of charlm where tidemark threw


class Failure(Exception):
    """What was to be shown did not hold."""


def require(holds, otherwise):
    if not holds:
        raise Failure(otherwise)


def title(number, text):
    print(f"\n{number}. {text}", flush=True)


def say(text):
    print("   " + text.rstrip().replace("\n", "\n   "), flush=True)


class Charlm:
    """The program under demonstration."""

    def __init__(self, binary, text, steps):
        self.binary, self.text, self.steps = binary, text, steps

    def call(self, *arguments, status=0):
        """Runs to the end and returns what was printed; any other exit status than `status` is a failure."""
        done = subprocess.run([self.binary, *arguments], capture_output=True, text=True, errors="replace", timeout=600)
        command, end = " ".join(map(str, arguments)), "\n".join(done.stdout.splitlines()[-5:])
        require(done.returncode == status, f"charlm {command}: exit status {done.returncode}, not {status}\n{end}\n{done.stderr}")
        return done.stdout + done.stderr

    def train(self, checkpoint, *more, status=0):
        return self.call(*self.train_arguments("--checkpoint", checkpoint), *more, status=status)

    def train_run(self, folder, *more, status=0):
        return self.call(*self.train_arguments("--run", folder), *more, status=status)

    def train_arguments(self, *where):
        return ["train", "--text", self.text, "--steps", str(self.steps), *where]

    def train_and_kill(self, delay, log, *where, from_step=0, until=lambda process: True):
        """Trains to `from_step`, for `delay` seconds more, and until `until` of the stopped process holds, then SIGKILL. Returns what it
        printed; None where it had ended by itself."""
        with open(log, "w", encoding="utf-8") as output:
            process = subprocess.Popen([self.binary, *self.train_arguments(*where)], stdout=output)
            while last_step(log.read_text(encoding="utf-8")) < from_step and process.poll() is None:
                time.sleep(0.005)
            time.sleep(delay)
            while process.poll() is None:
                process.send_signal(signal.SIGSTOP)
                wait_until_stopped(process)
                if until(process):
                    break
                process.send_signal(signal.SIGCONT)
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.wait()
        require(process.returncode in (-signal.SIGKILL, 0), f"a training ended by itself with {process.returncode}")
        return log.read_text(encoding="utf-8") if process.returncode == -signal.SIGKILL else None


def wait_until_stopped(process):
    """A signal takes effect a little later than it is sent."""
    while process.poll() is None and pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] not in "TZ":
        time.sleep(0.0002)


def resumed_step(output):
    found = re.search(r"^resumed at step (\d+)$", output, re.MULTILINE)
    return int(found[1]) if found else 0


def losses(output):
    return [float(loss) for loss in re.findall(r"^step \d+ loss (\S+)$", output, re.MULTILINE)]


def last_step(output):
    """The last one that is known to have been made; the number may have been cut off by the kill."""
    steps = re.findall(r"^step (\d+) loss \S+\n", output, re.MULTILINE)
    return int(steps[-1]) if steps else resumed_step(output)


def train_without_a_break(charlm, work):
    reference = work / "reference.safetensors"
    begin = time.monotonic()
    output = charlm.train(reference)
    seconds = time.monotonic() - begin
    first, last = (sum(some) / len(some) for some in (losses(output)[:5], losses(output)[-5:]))
    say(f"{charlm.steps} steps in {seconds:.1f} s; loss {first:.3f} at the start, {last:.3f} at the end")
    require(last < 0.8 * first, "the loss did not fall")
    say(charlm.call("show", reference))
    return reference, seconds


def train_with_kills(charlm, work, seconds, chance):
    """Returns the final checkpoint, a copy of the one that the last kill left, and the step that this one holds."""
    killed, left = work / "killed.safetensors", work / "left.safetensors"
    longest = 0.17  # of the whole time, so that five of them do not reach the end
    for _ in range(3):
        killed.unlink(missing_ok=True)
        for kill in range(1, KILLS + 1):
            delay = seconds * chance.uniform(0.3 * longest, longest)
            output = charlm.train_and_kill(delay, work / "killed.log", "--checkpoint", killed)
            if output is None:
                say("the training ended before the kill, which does not count; once more, with shorter delays")
                longest /= 2
                break
            say(f"process {kill}: from step {resumed_step(output):4}, SIGKILL after {delay:.2f} s, past step {last_step(output)}")
        else:
            require(killed.exists(), "no process lived long enough to save; take more --steps")
            shutil.copyfile(killed, left)
            output = charlm.train(killed)
            say(f"process {KILLS + 1}: from step {resumed_step(output):4}, to the end")
            require(0 < resumed_step(output) < charlm.steps, "the last process did not resume in mid-run")
            return killed, left, resumed_step(output)
    raise Failure("the training was never killed in time")


def checkpoints(folder):
    """Files of the run, in the order of saving."""
    numbers = {path: re.fullmatch(r"step-(\d+)-(\d+)\.safetensors", path.name) for path in folder.iterdir()}
    return sorted((path for path, name in numbers.items() if name), key=lambda path: int(numbers[path][2]))


def leftovers(folder):
    """What is no checkpoint, and none of the files that a run keeps beside them."""
    return {path.name for path in folder.iterdir()} - {path.name for path in checkpoints(folder)} - {".lock", "latest", "pinned"}


def is_saving(process, folder):
    """Whether the stopped process has a checkpoint open that it has not finished: it has no name yet, or a temporary one."""
    if process.poll() is not None:
        return False
    files = [os.readlink(descriptor) for descriptor in pathlib.Path(f"/proc/{process.pid}/fd").iterdir()]
    return any(file.startswith((f"{folder}/#", f"{folder}/.step-")) for file in files)


def plant_leftovers(folder):
    """What kills leave where the filesystem has no files without a name, and where a removal was interrupted."""
    newest = checkpoints(folder)[-1]
    for name in (f".{newest.name}.tmp.{'0a' * 16}", f".trash.{'0b' * 16}"):
        shutil.copyfile(newest, folder / name)


def run_with_kills(charlm, work, chance):
    """Returns the folder of the run, trained to the end."""
    folder, settings = (work / "run").resolve(), ["--save-every", "10", "--background", "staged"]
    shutil.rmtree(folder, ignore_errors=True)
    left = set()
    for kill in range(1, RUN_KILLS + 1):
        from_step = int(charlm.steps * (kill - chance.uniform(0.1, 0.9)) / (RUN_KILLS + 1))
        in_save = kill % 2 == 0
        output = charlm.train_and_kill(chance.uniform(0, 0.02), work / "run.log", "--run", folder, *settings, from_step=from_step,
                                       until=(lambda process: is_saving(process, folder)) if in_save else (lambda process: True))
        require(output is not None, "the training ended before it was killed; take more --steps")
        require(folder.exists() and checkpoints(folder), "no process lived long enough to save; take more --steps")
        require(len(checkpoints(folder)) <= KEPT + 1, f"{len(checkpoints(folder))} checkpoints in the folder")
        require(not left & leftovers(folder), f"still there after the next start: {left & leftovers(folder)}")
        moment = "in the middle of a save" if in_save else "at a random moment"
        say(f"process {kill}: from step {resumed_step(output):4}, SIGKILL {moment:23} past step {last_step(output):4}; "
            f"{len(checkpoints(folder))} checkpoints")
        plant_leftovers(folder)
        left = leftovers(folder)
    output = charlm.train_run(folder, *settings)
    say(f"process {RUN_KILLS + 1}: from step {resumed_step(output):4}, to the end")
    require(0 < resumed_step(output) < charlm.steps, "the last process did not resume in mid-run")
    require(len(checkpoints(folder)) == KEPT, f"{len(checkpoints(folder))} checkpoints are kept")
    require(not leftovers(folder), f"left over: {leftovers(folder)}")
    say(f"{KEPT} checkpoints are left, and nothing of what {RUN_KILLS} kills left, nor of what was planted beside it")
    return folder


def compare_newest(charlm, work, reference, folder):
    newest = work / "newest.safetensors"
    charlm.call("newest", folder, newest)
    compare_runs(charlm, reference, newest)


def flip_bit(path, chance):
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def damage_newest(charlm, work, reference, folder, chance):
    *older, newest = checkpoints(folder)
    flip_bit(newest, chance)
    output = charlm.train_run(folder, "--background", "fork", "--save-every", "10")
    say("".join(output.partition("resumed at")[:1]))
    say(f"resumed at step {resumed_step(output)}, and trained to the end again, with saves by a forked child:")
    require(f"passed over step {charlm.steps}:" in output, "the damaged checkpoint was not named")
    require(older[-1].name.startswith(f"step-{resumed_step(output)}-"), "the newest whole checkpoint was not resumed")
    compare_newest(charlm, work, reference, folder)
    for path in checkpoints(folder):
        if path != newest:
            flip_bit(path, chance)
    before = {path.name: path.read_bytes() for path in checkpoints(folder)}
    refusal = charlm.train_run(folder, status=REFUSED)
    require(before == {path.name: path.read_bytes() for path in checkpoints(folder)}, "the refused run was changed")
    say("all of them damaged: " + refusal.splitlines()[0])
    say(refusal.splitlines()[-1])


def compare_runs(charlm, reference, killed):
    say(charlm.call("compare", reference, killed))
    require(filecmp.cmp(reference, killed, shallow=False), "Python finds the files different")


def lose_each_part(charlm, work, reference, left, step):
    late, copy = work / "late.safetensors", work / "dropped.safetensors"
    shutil.copyfile(left, late)
    tail = min(max(charlm.steps // 10, 1), charlm.steps - step)
    if charlm.steps - tail > step:
        charlm.train(late, "--at-most", str(charlm.steps - tail - step))
    say(f"from step {charlm.steps - tail}, {tail} steps to the end each time")

    charlm.call("drop", "nothing", late, copy)
    require(filecmp.cmp(late, copy, shallow=False), "a file that was loaded and saved again is another one")
    charlm.train(copy, "--at-most", str(tail))
    charlm.call("compare", reference, copy)
    say("nothing    lost: byte-equal to the training without a break")
    for part in PARTS:
        charlm.call("drop", part, late, copy)
        charlm.train(copy, "--at-most", str(tail))
        report = charlm.call("compare", reference, copy, status=1)
        difference = re.search(r"^losses +(differ from .*)$", report, re.MULTILINE)
        require(difference, f"the loss of {part} does not show in the loss history:\n{report}")
        say(f"{part:10} lost: losses {difference[1]}")


def open_in_python(python, reference):
    done = subprocess.run([python, HERE / "open_in_python.py", reference], capture_output=True, text=True, timeout=600)
    require(done.returncode == 0, f"{python} cannot open it:\n{done.stderr}")
    say(done.stdout)


def flip_bits(charlm, work, reference, chance):
    damaged, whole = work / "damaged.safetensors", reference.read_bytes()
    positions = [0, *sorted(chance.randrange(len(whole)) for _ in range(6)), len(whole) - 1]
    for position in positions:
        bit = chance.randrange(8)
        content = bytearray(whole)
        content[position] ^= 1 << bit
        damaged.write_bytes(content)
        refusal = charlm.train(damaged, "--at-most", "1", status=REFUSED)
        require(damaged.read_bytes() == content, "the refused file was changed")
        say(f"byte {position}, bit {bit} flipped:")
        say(refusal)


def choose_text(asked, work):
    """The text that was asked for, else the GPL-3 of Debian and Ubuntu, else the docs of this repository."""
    if asked:
        return asked
    if GPL.exists():
        return GPL
    docs = sorted(HERE.parents[1].glob("**/*.md"))
    text = work / "docs.txt"
    text.write_bytes(b"\n".join(page.read_bytes() for page in docs))
    return text


def demonstrate(chosen, work):
    chance = random.Random(chosen.seed)
    text = choose_text(chosen.text, work)
    charlm = Charlm(chosen.binary.resolve(), text, chosen.steps)
    print(f"text {text}; seed {chosen.seed} (the same random moments again: --seed {chosen.seed})")

    title(1, "The layers are real: gradients by hand against central differences")
    say(charlm.call("selftest"))
    title(2, "A training without a break")
    reference, seconds = train_without_a_break(charlm, work)
    title(3, f"The same training, killed with SIGKILL at {KILLS} random moments, resumed by a new process each time")
    killed, left, step = train_with_kills(charlm, work, seconds, chance)
    title(4, "The two final states")
    compare_runs(charlm, reference, killed)
    title(5, "Is the comparison able to fail? One part of the state is lost on resuming")
    lose_each_part(charlm, work, reference, left, step)
    title(6, "The checkpoint in Python, with plain safetensors")
    open_in_python(chosen.python, reference)
    title(7, "One flipped bit is refused")
    flip_bits(charlm, work, reference, chance)
    title(8, f"A run of checkpoints saved in the background, killed {RUN_KILLS} times, half of them in the middle of a save")
    folder = run_with_kills(charlm, work, chance)
    compare_newest(charlm, work, reference, folder)
    title(9, "The newest checkpoint is damaged, then all of them")
    damage_newest(charlm, work, reference, folder, chance)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=pathlib.Path, help="the built charlm")
    parser.add_argument("--python", default=sys.executable, help="a Python with safetensors and numpy (default: this one)")
    parser.add_argument("--work", type=pathlib.Path, help="folder for the files (default: a temporary one, removed afterwards)")
    parser.add_argument("--text", type=pathlib.Path, help="any file to train on (default: the GPL-3, else the docs)")
    parser.add_argument("--steps", type=int, default=4000, help="of the whole training (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the random moments and bits")
    chosen = parser.parse_args()

    begin = time.monotonic()
    try:
        if chosen.work:
            chosen.work.mkdir(parents=True, exist_ok=True)
            (chosen.work / "reference.safetensors").unlink(missing_ok=True)
            demonstrate(chosen, chosen.work)
        else:
            with tempfile.TemporaryDirectory() as work:
                demonstrate(chosen, pathlib.Path(work))
    except (Failure, OSError, subprocess.TimeoutExpired) as failure:
        print(f"\nFAILED after {time.monotonic() - begin:.0f} s (seed {chosen.seed}): {failure}")
        return 1
    print(f"\nPASSED in {time.monotonic() - begin:.0f} s: killed {KILLS + RUN_KILLS} times, equal to the last bit; "
          "every loss of state seen; every flipped bit refused.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
