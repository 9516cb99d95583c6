#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/whole/object_store.test.py: the example examples/object_store against its server, and against servers that fail it.
"""object_store.test.py <object_store> <server.py>"""
import contextlib
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

program, server = sys.argv[1:]
failures = []


@contextlib.contextmanager
def serving(folder, *options):
    with subprocess.Popen([sys.executable, server, folder, *options], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/last.safetensors"
        finally:
            process.kill()


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)


def check(condition, what, result=None):
    if not condition:
        failures.append(f"{what}" + (f": {result.returncode} {result.stdout}{result.stderr}" if result else ""))


def has_step(folder, step):
    """The object is that of `step`, whole, and nothing else lies there."""
    with serving(folder) as url:
        result = run("load", url)
    check(result.stdout == f"loaded step {step}, 6000000 weights from {step} on\n", f"the object is not that of step {step}", result)
    check([p.name for p in folder.iterdir()] == ["last.safetensors"], "something is left behind")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    with serving(folder) as url:
        result = run("load", url)
        check(result.returncode == 1 and "404" in result.stderr, "an object that is not there", result)
        for step in (1, 2):
            result = run("save", url, str(step))
            check(result.returncode == 0 and result.stdout.startswith(f"saved step {step}, 240"), "a save", result)
            check((folder / "last.safetensors").stat().st_size == int(result.stdout.split()[-2]), "the size of the object")
            result = run("load", url)
            check(result.stdout == f"loaded step {step}, 6000000 weights from {step} on\n", "a load", result)
    has_step(folder, 2)

    # The commit waits for the answer.
    with serving(folder, "--delay", "0.7") as url:
        start = time.monotonic()
        result = run("save", url, "3")
        check(result.returncode == 0 and time.monotonic() - start >= 0.7, "a save that is confirmed late", result)
    has_step(folder, 3)

    # A server that dies in mid-upload: the old object, and a clear error. The sockets between take some MiB: when it dies near the end, all
    # may have been sent, and then the answer is what is missing.
    for after in (0, 1000, 1_500_000, 20_000_000):
        with serving(folder, "--die-after", str(after)) as url:
            result = run("save", url, "4")
            is_clear = "the connection broke while bytes were sent" in result.stderr or after > 5_000_000 and "the old one or the new one" in result.stderr
            check(result.returncode == 1 and is_clear and url in result.stderr, f"a server that dies after {after} bytes", result)
        has_step(folder, 3)

    # A server that says no.
    with serving(folder, "--refuse") as url:
        result = run("save", url, "5")
        check(result.returncode == 1 and "507" in result.stderr and "it has the old one" in result.stderr, "a server without room", result)
    has_step(folder, 3)

    # A server that takes the object and does not answer: nobody can know.
    with serving(folder, "--mute") as url:
        result = run("save", url, "6")
        check(result.returncode == 1 and "the old one or the new one" in result.stderr, "a server that does not answer", result)
    has_step(folder, 6)

    # A client that is killed in mid-upload.
    with serving(folder) as url:
        host, port = url.removeprefix("http://").split("/")[0].split(":")
        with socket.create_connection((host, int(port))) as half:
            half.sendall(b"PUT /last.safetensors HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        time.sleep(0.2)
    has_step(folder, 6)

    # No server.
    result = run("save", url, "7")
    check(result.returncode == 1 and "does not answer" in result.stderr, "no server", result)
    for wrong in ("last.safetensors", "http://127.0.0.1/last", "ftp://a:1/b"):
        result = run("save", wrong, "7")
        check(result.returncode == 1 and "no address" in result.stderr, "a wrong address", result)

print("\n".join(failures) or "an archive goes to the object store and comes back, and every failure leaves a whole object")
sys.exit(1 if failures else 0)
