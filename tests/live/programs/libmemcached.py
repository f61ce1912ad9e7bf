# SPDX-License-Identifier: MIT
"""libmemcached by calls of its library: no server is asked."""
import dataclasses
import os
import shutil

import draw
import session as live
from case import Case, Node, Program

HASHES = ("default", "md5", "crc", "fnv1_64", "fnv1a_64", "fnv1_32", "fnv1a_32", "murmur",
          "murmur3", "jenkins")
FOLDER = os.path.dirname(os.path.abspath(__file__))
ADD = "add"  # where among the settings the servers are added


@dataclasses.dataclass(frozen=True)
class Mode:
    """A scheme of the tool and the library's calls in their order; HASH is what is drawn."""
    scheme: str
    calls: tuple
    options: tuple = ("--hash", "HASH")
    weighted: bool = True  # whether the program looks at the weights


MODES = (
    Mode("libmemcached", ("hash HASH", "distribution consistent", ADD)),
    Mode("libmemcached-weighted", ("ketama_weighted 1", "hash HASH", ADD)),
    Mode("libmemcached", ("hash HASH", "ketama 1", ADD)),
    Mode("libmemcached-weighted", ("hash HASH", "distribution consistent_weighted", ADD)),
    Mode("libmemcached-spy", ("hash HASH", "distribution consistent_ketama_spy", ADD)),
    Mode("libmemcached-spy",
         ("ketama_weighted 1", "hash HASH", "distribution consistent_ketama_spy", ADD),
         ("--weighted", "--hash", "HASH")),
    Mode("libmemcached", ("hash HASH", ADD, "distribution consistent_ketama"), weighted=False),
    Mode("libmemcached-weighted", (ADD, "ketama_weighted 1"), ()),
    Mode("libmemcached-modula", ("hash HASH", ADD)),
)


def _node(rng):
    """host:port, with an address or a name for the host, or one of the two names of a socket."""
    kind = rng.randrange(8)
    if kind == 0:
        return f"/run/{draw.host(rng)}.sock" + rng.choice(["", ":0"])
    if kind == 1:
        return draw.host(rng)  # the port is memcached's own
    host = draw.loopback(rng) if kind < 4 else "::1" if kind == 4 else draw.host(rng)
    return f"{host}:{draw.port(rng)}"


def _names(rng, wanted):
    """Two of them may have an equal point, or be equal but for the port that is not written."""
    names = draw.distinct(lambda: _node(rng), wanted.size)
    if wanted.collides:
        names[:2] = draw.colliding(lambda: draw.address(rng))
    elif len(names) >= 2 and rng.random() < 0.3:
        names[:2] = ["twice", f"twice:{draw.MEMCACHED_PORT}"]
    rng.shuffle(names)
    return names


def ident(name):
    return name.removesuffix(f":{draw.MEMCACHED_PORT}")


def ask(helper, calls, case):
    """What the helper says to the case, as names."""
    words = helper.ask(calls, case.keys)
    return [case.nodes[int(word)].name if word.isdigit() else word for word in words]


def filled(words, hash_name):
    return tuple(word.replace("HASH", hash_name) for word in words)


class Libmemcached(Program):
    name = "libmemcached"
    topologies = 4 * len(MODES)

    def missing(self):
        header = "/usr/include/libmemcached/memcached.h"
        if not os.path.exists(header):
            return f"{header} (libmemcached-dev)"
        return "" if shutil.which("g++") else "g++"

    def draw(self, rng, turn, count):
        mode = MODES[turn % len(MODES)]
        wanted = draw.shape(rng, turn)
        names = _names(rng, wanted)
        weights = draw.weights(rng, wanted, least=0 if mode.weighted else 1, most=10 ** 6)
        nodes = [Node(name, weight) if mode.weighted else Node(name, kind=f"weighs {weight} there")
                 for name, weight in zip(names, weights)]
        hash_name = rng.choice(HASHES)
        keys = draw.keys(rng, count, special=draw.labels(rng, [*map(ident, names)]), empty=True)
        return Case(mode.scheme, filled(mode.options, hash_name), tuple(nodes), keys,
                    (("calls", filled(mode.calls, hash_name)),))

    @staticmethod
    def _servers(case):
        for node in case.nodes:
            host, colon, port = node.name.rpartition(":")
            weight = node.kind.split()[1] if node.kind else node.weight
            if not colon:
                yield f"server {node.name} 0 {weight}"
            elif host.startswith("/"):
                yield f"socket {host} {weight}"
            else:
                yield f"server {host} {port} {weight}"

    def owners(self, session, case):
        calls = []
        for call in case.setting("calls"):
            calls += self._servers(case) if call == ADD else [f"set {call}"]
        return ask(session.helper(self.name, self._build), calls, case)

    @staticmethod
    def _build(folder):
        program = os.path.join(folder, "libmemcached")
        live.run(["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror",
                  os.path.join(FOLDER, "libmemcached.cpp"), "-lmemcached", "-o", program])
        return [program]
