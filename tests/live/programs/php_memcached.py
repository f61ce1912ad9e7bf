# SPDX-License-Identifier: MIT
"""php-memcached: libmemcached as PHP sets it up."""
import os
import shutil
import subprocess

import draw
from case import Case, Node, Program
from programs.libmemcached import ADD, FOLDER, Mode, filled, ident

# PHP's names of libmemcached's hashes.
HASHES = {"default": "DEFAULT", "md5": "MD5", "crc": "CRC", "fnv1_64": "FNV1_64",
          "fnv1a_64": "FNV1A_64", "fnv1_32": "FNV1_32", "fnv1a_32": "FNV1A_32", "murmur": "MURMUR"}

MODES = (
    Mode("libmemcached-weighted", ("LIBKETAMA_COMPATIBLE 1", ADD), ()),
    Mode("libmemcached", ("DISTRIBUTION DISTRIBUTION_CONSISTENT", ADD), ()),
    Mode("libmemcached", ("HASH HASH_HASH", "DISTRIBUTION DISTRIBUTION_CONSISTENT", ADD)),
    Mode("libmemcached-weighted", (ADD, "LIBKETAMA_COMPATIBLE 1"), ()),
    Mode("libmemcached", ("LIBKETAMA_COMPATIBLE 1", "DISTRIBUTION DISTRIBUTION_CONSISTENT", ADD),
         ("--hash", "md5")),
    Mode("libmemcached-weighted",
         ("DISTRIBUTION DISTRIBUTION_CONSISTENT", "LIBKETAMA_COMPATIBLE 1", ADD), ()),
    Mode("libmemcached-modula", (ADD,), ()),
    Mode("libmemcached-modula", ("HASH HASH_HASH", ADD)),
)


EACH = "each"  # in place of ADD: with a call for each server


def _name(rng, adding):
    """A socket has another name on the ring if it is added by itself."""
    kind = rng.randrange(6)
    if kind == 0:
        return f"/run/{draw.host(rng)}.sock" + ("" if adding == EACH else ":0")
    host = draw.loopback(rng) if kind < 3 else "::1" if kind == 3 else draw.host(rng)
    return f"{host}:{draw.port(rng)}"


class PhpMemcached(Program):
    name = "php-memcached"
    topologies = 2 * len(MODES)

    def missing(self):
        if not shutil.which("php"):
            return "php (php-cli)"
        asked = ["php", "-r", "exit(extension_loaded('memcached') ? 0 : 1);"]
        return "php-memcached" if subprocess.run(asked, check=False).returncode else ""

    def draw(self, rng, turn, count):
        mode = MODES[turn % len(MODES)]
        adding = rng.choice([ADD, EACH])
        wanted = draw.shape(rng, turn)
        names = draw.distinct(lambda: _name(rng, adding), wanted.size)
        if wanted.collides:
            names[:2] = draw.colliding(lambda: draw.address(rng))
        nodes = tuple(map(Node, names, draw.weights(rng, wanted, least=0)))
        hash_name = rng.choice([*HASHES])
        calls = tuple(adding if call == ADD else call.replace("_HASH", f"_{HASHES[hash_name]}")
                      for call in mode.calls)
        keys = draw.keys(rng, count, special=draw.labels(rng, [*map(ident, names)]))
        return Case(mode.scheme, filled(mode.options, hash_name), nodes, keys, (("calls", calls),))

    @staticmethod
    def _server(node):
        if node.name.startswith("/"):
            return f"server {node.name.removesuffix(':0')} 0 {node.weight}"
        host, _, port = node.name.rpartition(":")
        return f"server {host} {port} {node.weight}"

    def owners(self, session, case):
        servers = [self._server(node) for node in case.nodes]
        lines = [*servers, *(call if call in (ADD, EACH) else f"set {call}"
                             for call in case.setting("calls"))]
        helper = session.helper(self.name, lambda _: ["php", os.path.join(FOLDER, "memcached.php")])
        said = {self._said(",".join(line.split()[1:3])): node.name
                for line, node in zip(servers, case.nodes)}
        return [said.get(self._said(word), word) for word in helper.ask(lines, case.keys)]

    @staticmethod
    def _said(server):
        """Host and port, of a socket the path alone."""
        return server.partition(",")[0] if server.startswith("/") else server
