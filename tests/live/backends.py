# SPDX-License-Identifier: MIT
"""Servers like memcached or Redis that answer each get with who they are."""
import contextlib
import os
import selectors
import socket
import threading


def _listener(address):
    """`address`: the path of a Unix socket, or host and port."""
    if isinstance(address, str):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(address)  # of a run that was killed
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(address)
    else:
        listening = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    listening.listen(64)
    return listening


def _memcached(text, name):
    """Answers to the whole lines of `text`, and what is left of it."""
    *lines, rest = text.split(b"\r\n")
    answers = []
    for line in lines:
        verb, *keys = line.split(b" ")
        if verb == b"get":
            answers += [b"VALUE %b 0 %d\r\n%b\r\n" % (key, len(name), name) for key in keys]
            answers.append(b"END\r\n")
        else:
            answers.append(b"ERROR\r\n")
    return b"".join(answers), rest


def _redis_word(text, at):
    """The string of Redis's protocol at `at` and where it ends, or nothing if it is not whole."""
    line_end = text.find(b"\r\n", at)
    if line_end < 0:
        return None
    begin = line_end + 2
    end = begin + int(text[at + 1:line_end])
    return (text[begin:end], end + 2) if len(text) >= end + 2 else None


def _redis_command(text, at):
    """The words of the command at `at` and where it ends, or nothing if it is not whole."""
    line_end = text.find(b"\r\n", at)
    if line_end < 0:
        return None
    words, end = [], line_end + 2
    for _ in range(int(text[at + 1:line_end])):
        found = _redis_word(text, end)
        if not found:
            return None
        words.append(found[0])
        end = found[1]
    return words, end


def _redis(text, name):
    """As `_memcached`."""
    answers, at = [], 0
    while found := _redis_command(text, at):
        words, at = found
        known = words[0].lower() == b"get"
        answers.append(b"$%d\r\n%b\r\n" % (len(name), name) if known else b"-ERR\r\n")
    return b"".join(answers), text[at:]


class Backends:
    """Listens at each address of `names` and answers with its name. Use it in a `with`."""

    def __init__(self, names, redis=False):
        self._talk = _redis if redis else _memcached
        self._selector = selectors.DefaultSelector()
        self._open = {}  # sockets, and what came in and is not answered
        self._paths = [address for address in names if isinstance(address, str)]
        for address, name in names.items():
            self._watch(_listener(address), name, self._accept)
        wake, self._stop = socket.socketpair()
        self._watch(wake, "", None)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.close()
        self._thread.join()
        for each in self._open:
            each.close()
        self._selector.close()
        for path in self._paths:
            os.unlink(path)

    def _watch(self, connection, name, call):
        self._open[connection] = b""
        self._selector.register(connection, selectors.EVENT_READ, (call, name))

    def _accept(self, listening, name):
        self._watch(listening.accept()[0], name, self._answer)

    def _answer(self, connection, name):
        try:
            came = connection.recv(1 << 16)
            text, self._open[connection] = self._talk(self._open[connection] + came, name.encode())
            connection.sendall(text)
        except ConnectionError:
            came = b""
        if not came:
            self._selector.unregister(connection)
            del self._open[connection]
            connection.close()

    def _serve(self):
        while True:
            for event, _ in self._selector.select():
                call, name = event.data
                if call is None:
                    return
                call(event.fileobj, name)
