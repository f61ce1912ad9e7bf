# SPDX-License-Identifier: MIT
"""pylibmc: libmemcached as Python sets it up, in front of servers that answer who they are."""
import dataclasses
import importlib.util

import draw
from backends import Backends
from case import Case, Node, Program
from programs.libmemcached import ident


@dataclasses.dataclass(frozen=True)
class Mode:
    """A scheme of the tool and pylibmc's behaviors; HASH is the hash that is drawn."""
    scheme: str
    behaviors: tuple
    options: tuple = ()


SPY = ("distribution", "consistent ketama spy")
MODES = (
    Mode("libmemcached", (("ketama", True),)),
    Mode("libmemcached-weighted", (("ketama_weighted", True),)),
    Mode("libmemcached-spy", (("ketama_weighted", True), SPY), ("--hash", "md5", "--weighted")),
    Mode("libmemcached-weighted", (("ketama_weighted", True), ("hash", "HASH"))),
    Mode("libmemcached", (("distribution", "consistent"), ("hash", "HASH")), ("--hash", "HASH")),
    Mode("libmemcached-spy", (SPY, ("hash", "HASH")), ("--hash", "HASH")),
    Mode("libmemcached-modula", (("hash", "HASH"),), ("--hash", "HASH")),
    Mode("libmemcached-modula", ()),
)
HASHES = ("default", "md5", "crc", "fnv1_64", "fnv1a_64", "fnv1_32", "fnv1a_32", "murmur")
SOCKET = "/tmp/hashring-live-pylibmc."  # its path is a part of the labels, and so is drawn


def _socket(rng):
    return f"{SOCKET}{rng.getrandbits(32):x}:0"


def _at_loopback(rng):
    return f"{draw.loopback(rng)}:{draw.port(rng)}"


def _name(rng):
    if rng.randrange(8) == 0:
        return f"::1:{rng.randint(10000, 32767)}"
    return _at_loopback(rng)


def _names(rng, wanted):
    """All of sockets or none: pylibmc takes no mixture."""
    if wanted.collides:
        found = draw.colliding(lambda: _at_loopback(rng), lambda name: draw.md5_points(ident(name)))
        return found + draw.distinct(lambda: _name(rng), wanted.size - 2)
    draw_one = _socket if rng.randrange(4) == 0 else _name
    return draw.distinct(lambda: draw_one(rng), wanted.size)


def _address(node):
    """For the servers."""
    host, _, port = node.name.rpartition(":")
    return host if host.startswith("/") else (host, int(port))


def _server(node):
    """For pylibmc."""
    host, _, port = node.name.rpartition(":")
    if host.startswith("/"):
        return host
    return f"[{host}]:{port}:{node.weight}" if ":" in host else f"{host}:{port}:{node.weight}"


class Pylibmc(Program):
    name = "pylibmc"
    topologies = 2 * len(MODES)

    def missing(self):
        return "" if importlib.util.find_spec("pylibmc") else "python3-pylibmc"

    def draw(self, rng, turn, count):
        mode = MODES[turn % len(MODES)]
        wanted = draw.shape(rng, turn)
        names = _names(rng, wanted)
        weights = draw.weights(rng, wanted, least=0)
        if names[0].startswith("/"):
            weights = [1] * len(names)  # it has no way to say more
        nodes = tuple(map(Node, names, weights))
        drawn = {"HASH": rng.choice(HASHES)}
        behaviors = tuple((key, drawn.get(value, value)) for key, value in mode.behaviors)
        options = tuple(drawn.get(word, word) for word in mode.options)
        keys = draw.keys(rng, count, draw.PLAIN_BYTES, draw.labels(rng, [*map(ident, names)]))
        return Case(mode.scheme, options, nodes, keys, behaviors)

    def owners(self, session, case):
        import pylibmc  # where it is installed only
        servers = [_server(node) for node in case.nodes]
        with Backends({_address(node): node.name for node in case.nodes}):
            client = pylibmc.Client(servers, behaviors=dict(case.settings))
            said = client.get_multi([*case.keys])
            client.disconnect_all()
        return [said.get(key, b"nobody").decode() for key in case.keys]
