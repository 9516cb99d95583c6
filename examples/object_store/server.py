#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# examples/object_store/server.py: a small object store for one machine: PUT, GET with Range, HEAD; an object is old or new, whole.
"""server.py FOLDER [--port N] [--die-after BYTES] [--mute] [--refuse] [--delay SECONDS]: prints its port, and serves until it is stopped.

The last four are for the tests: it dies in the middle of an upload; takes the object but does not answer; has no room; answers late.
"""
import argparse
import http.server
import os
import pathlib
import re
import sys
import tempfile
import time


class Incomplete(Exception):
    pass


class Store(http.server.BaseHTTPRequestHandler):
    options = None  # of the command line

    def target(self):
        name = self.path.lstrip("/")
        return self.options.folder / name if re.fullmatch(r"[\w-][\w.-]*", name) else None

    def chunks(self):
        """The body; Incomplete where the connection ends before it does."""
        while True:
            size = self.rfile.readline()
            if not re.fullmatch(rb"[0-9a-fA-F]+\r\n", size):
                raise Incomplete
            data = self.rfile.read(int(size, 16))
            if len(data) != int(size, 16) or self.rfile.readline() != b"\r\n":
                raise Incomplete
            if not data:
                return
            yield data

    def do_PUT(self):
        target = self.target()
        if target is None or self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.answer(400)
        number, temporary = tempfile.mkstemp(prefix=".upload-", dir=self.options.folder)
        try:
            with open(number, "wb") as file:
                received = 0
                for data in self.chunks():
                    file.write(data)
                    received += len(data)
                    if self.options.die_after is not None and received > self.options.die_after:
                        os._exit(1)
                file.flush()
                os.fsync(file.fileno())
            time.sleep(self.options.delay)
            if self.options.refuse:
                os.unlink(temporary)
                return self.answer(507)
            os.replace(temporary, target)
        except Incomplete:
            os.unlink(temporary)  # the old object stays
            self.close_connection = True
            return None
        if self.options.mute:
            self.close_connection = True
            return None
        return self.answer(201)

    def do_HEAD(self):
        self.give(with_body=False)

    def do_GET(self):
        self.give(with_body=True)

    def give(self, with_body):
        target = self.target()
        if target is None or not target.is_file():
            return self.answer(404)
        with open(target, "rb") as file:  # the one that is opened, even if another takes its place
            status = os.fstat(file.fileno())
            tag = f'"{status.st_ino}-{status.st_mtime_ns}-{status.st_size}"'
            if self.headers.get("If-Match", tag) != tag:
                return self.answer(412)
            first, last, code = 0, status.st_size - 1, 200
            if match := re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")):
                first, last, code = int(match[1]), min(int(match[2]), last), 206
                if first > last:
                    return self.answer(416)
            self.send_response(code)
            self.send_header("ETag", tag)
            self.send_header("Content-Length", str(last - first + 1))
            if code == 206:
                self.send_header("Content-Range", f"bytes {first}-{last}/{status.st_size}")
            self.end_headers()
            if with_body:
                file.seek(first)
                self.wfile.write(file.read(last - first + 1))
        return None

    def answer(self, code):
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--die-after", type=int)
    parser.add_argument("--mute", action="store_true")
    parser.add_argument("--refuse", action="store_true")
    parser.add_argument("--delay", type=float, default=0)
    Store.options = parser.parse_args()
    for left in Store.options.folder.glob(".upload-*"):  # of a server that died
        left.unlink()
    with http.server.ThreadingHTTPServer(("127.0.0.1", Store.options.port), Store) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
