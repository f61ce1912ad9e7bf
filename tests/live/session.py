# SPDX-License-Identifier: MIT
"""What a run starts and writes: processes that end with it whatever happens, and files."""
import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time

START_SECONDS = 20
ANSWER_SECONDS = 60
END_SECONDS = 5


class Failure(Exception):
    """Something could not be run, and no keys were compared."""


def _end_with_parent():
    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def _end(process):
    process.terminate()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _tail(file):
    with open(file, "rb") as log:
        return log.read()[-2000:].decode("utf-8", "replace").strip()


class Session:
    """Use it in a `with`."""

    def __enter__(self):
        self._stack = contextlib.ExitStack()
        # Below /tmp and not TMPDIR: paths of Unix sockets have 107 bytes at most.
        temporary = tempfile.TemporaryDirectory(prefix="hashring-live-", dir="/tmp")
        self.path = self._stack.enter_context(temporary)
        self._count = 0
        self._helpers = {}
        return self

    def __exit__(self, *reason):
        return self._stack.__exit__(*reason)

    def folder(self):
        self._count += 1
        path = os.path.join(self.path, str(self._count))
        os.mkdir(path)
        return path

    def write(self, folder, name, content):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def _spawn(self, args, log, **pipes):
        # The processes are of this thread, and so the kernel ends them with it at the latest.
        with open(log, "wb") as errors:
            return subprocess.Popen(args, stderr=errors, preexec_fn=_end_with_parent, **pipes)

    @contextlib.contextmanager
    def server(self, args, listens):
        """Runs a server that listens on the Unix socket `listens`."""
        log = os.path.join(self.folder(), "log")
        process = self._spawn(args, log, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            self._await(process, listens, log)
            yield
        finally:
            _end(process)

    @staticmethod
    def _await(process, listens, log):
        last = time.monotonic() + START_SECONDS
        while True:
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(listens) == 0:
                    return
            if process.poll() is not None or time.monotonic() > last:
                raise Failure(f"{process.args[0]} did not start: {_tail(log)}")
            time.sleep(0.005)

    def helper(self, name, prepare):
        """The helper called `name`, a `Helper` of what `prepare(folder)` says to run."""
        if name not in self._helpers or self._helpers[name].dead():
            folder = self.folder()
            log = os.path.join(folder, "log")
            process = self._spawn(prepare(folder), log, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
            self._stack.callback(_end, process)
            self._helpers[name] = Helper(process, log)
        return self._helpers[name]


class Helper:
    """A small program that reads cases and answers each with a line of words, one for each key."""

    def __init__(self, process, log):
        self._process = process
        self._log = log

    def dead(self):
        return self._process.poll() is not None

    def _answer(self, text):
        watch = threading.Timer(ANSWER_SECONDS, self._process.kill)
        watch.start()
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
            return self._process.stdout.readline().decode().split()
        except BrokenPipeError:
            return []
        finally:
            watch.cancel()

    def ask(self, lines, keys):
        """`lines` and the keys in hexadecimal go in, the words come out."""
        said = [*lines, *(f"key {key.hex()}" for key in keys), "end"]
        words = self._answer("".join(f"{line}\n" for line in said))
        if len(words) != len(keys):
            self._process.kill()
            self._process.wait()
            raise Failure(f"{self._process.args[0]} said {len(words)} words to {len(keys)} keys: "
                          f"{_tail(self._log)}")
        return words


def run(args):
    """What a command prints."""
    try:
        done = subprocess.run(args, capture_output=True, timeout=ANSWER_SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"{late}") from late
    if done.returncode != 0:
        raise Failure(f"{' '.join(args)}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout


def free_port():
    """A port of 127.0.0.1 that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
