# SPDX-License-Identifier: MIT
"""Redis Cluster: the slot that a redis-server in cluster mode tells of a key."""
import os
import shutil
import socket

import draw
import session as live
from case import Case, Program

BATCH = 200


def _tagged(rng):
    """A key about whose hash tag one can be mistaken."""
    text = rng.randbytes(rng.randint(0, 6)).replace(b"{", b"").replace(b"}", b"")
    forms = [b"{%b}x", b"x{%b}y{z}", b"{}{%b}", b"{{%b}}", b"}{%b}", b"{%b", b"a{%b}}"]
    return rng.choice(forms) % text


def _command(key):
    words = (b"CLUSTER", b"KEYSLOT", key)
    return b"*3\r\n" + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


def _slots(connection, keys):
    connection.sendall(b"".join(map(_command, keys)))
    answers = connection.makefile("rb")
    for _ in keys:
        line = answers.readline()
        if not line.startswith(b":"):
            raise live.Failure(f"redis-server said {line!r}")
        yield line[1:].decode().strip()


class RedisCluster(Program):
    name = "redis-cluster"
    topologies = 5  # of which there is one only: these are keys

    def missing(self):
        return "" if shutil.which("redis-server") else "redis-server"

    def draw(self, rng, turn, count):
        keys = draw.keys(rng, count, special=[_tagged(rng) for _ in range(count // 4)], empty=True)
        return Case("", (), (), keys)

    def owners(self, session, case):
        folder = session.folder()
        path = os.path.join(folder, "redis")
        args = ["redis-server", "--port", "0", "--unixsocket", path, "--dir", folder, "--save", "",
                "--cluster-enabled", "yes", "--cluster-port", str(live.free_port())]
        with session.server(args, path), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(live.START_SECONDS)
            connection.connect(path)
            return [slot for at in range(0, len(case.keys), BATCH)
                    for slot in _slots(connection, case.keys[at:at + BATCH])]
