# SPDX-License-Identifier: MIT
"""Requests one behind the other over a connection, and whom a header of each answer names."""
import contextlib
import socket

import session as live

BATCH = 100  # whose answers fit into a socket's buffers


def _read_answer(stream, header):
    """The value of `header` in the next answer."""
    if not stream.readline().startswith(b"HTTP/1.1 "):
        raise live.Failure("the connection ended before the answers did")
    found, length = None, 0
    for line in iter(stream.readline, b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == header:
            found = value.strip().decode()
        if name.lower() == b"content-length":
            length = int(value)
    stream.read(length)
    return found


def owners(path, requests, header):
    """What `header` says in the answers of the server on the Unix socket `path` to GET requests,
    each a target and further header lines."""
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as connection:
        connection.settimeout(live.START_SECONDS)
        connection.connect(path)
        stream = connection.makefile("rb")
        result = []
        for at in range(0, len(requests), BATCH):
            batch = requests[at:at + BATCH]
            connection.sendall(b"".join(b"GET %b HTTP/1.1\r\nHost: a\r\n%b\r\n" % request
                                        for request in batch))
            result += [_read_answer(stream, header) for _ in batch]
        return result
