# SPDX-License-Identifier: MIT
"""HAProxy: all its servers are one that it is itself, as it tells whom it chose."""
import base64
import os
import shutil

import draw
import http_keys
from case import Case, Node, Program

FUNCTIONS = ("default", "sdbm", "djb2", "wt6", "crc32")
SCHEMES = {"consistent": "haproxy", "map-based": "haproxy-map-based"}

CONFIGURATION = """
global
    nbthread 1
    maxconn 100
defaults
    mode http
    timeout connect 20s
    timeout client 60s
    timeout server 60s
frontend asked
    bind unix@{folder}/http
    default_backend servers
backend servers
    balance hash req.fhdr(x-key),b64dec
    hash-type {hash_type}
    http-reuse always
    http-response set-header X-Owner %s
{servers}
frontend answers
    bind unix@{folder}/answers
    http-request return status 200
"""


def avalanche(a):
    """full_hash of the program."""
    a = a + 0x7ed55d16 + (a << 12) & 0xffffffff
    a = a ^ 0xc761c23c ^ a >> 19
    a = a + 0x165667b1 + (a << 5) & 0xffffffff
    a = (a + 0xd3a2646c ^ a << 9) & 0xffffffff
    a = a + 0xfd7046c5 + (a << 3) & 0xffffffff
    a = a ^ 0xb55a4f09 ^ a >> 16
    return a * 3221225473 & 0xffffffff


def _ids(rng, count):
    """None, all or some of their own; two may be equal to the ring."""
    kind = rng.randrange(3)
    if kind == 0:
        return [None] * count
    most = rng.choice([2 * count, 5000, 2 ** 31 - 1])
    ids = draw.distinct(lambda: rng.randint(1, most), count)
    if count >= 2 and rng.random() < 0.5:
        ids[1] = ids[0] % (1 << 20) + (1 << 20) * rng.randint(1, 9)
        if len(set(ids)) < count:
            return _ids(rng, count)
    return [number if kind == 1 or rng.random() < 0.5 else None for number in ids]


def _attributes(number, down):
    return (*((("id", str(number)),) if number else ()), *((("down", "1"),) if down else ()))


def _nodes(rng):
    wanted = draw.shape(rng, rng.randrange(5))
    count = wanted.size
    names = draw.distinct(lambda: draw.host(rng), count)
    ids = _ids(rng, count)
    weights = draw.weights(rng, wanted, least=0, most=256)
    down = [rng.random() < 0.1 for _ in range(count)]
    down[max(range(count), key=weights.__getitem__)] = False
    return [Node(*of[:2], _attributes(*of[2:])) for of in zip(names, weights, ids, down)]


def _half_way(rng, nodes):
    """Keys for crc32 that stand half-way between two points, or one behind."""
    points = sorted(avalanche(int(node.attribute("id") or at) * 4096 + j)
                    for at, node in enumerate(nodes, 1) if not node.attribute("down")
                    for j in range(16 * node.weight))
    for _ in range(300):
        at = rng.randrange(1, len(points))
        half = (points[at - 1] + points[at]) // 2 + rng.choice([0, 0, 1])
        yield draw.crc32_key(rng.randbytes(rng.randint(0, 3)), half)


class HAProxy(Program):
    name = "haproxy"
    topologies = 20

    def missing(self):
        return "" if shutil.which("haproxy", path="/usr/sbin:/usr/bin") else "haproxy"

    def draw(self, rng, turn, count):
        kind = "map-based" if turn % 4 == 3 else "consistent"
        function = FUNCTIONS[turn % len(FUNCTIONS)]
        far = turn // len(FUNCTIONS) % 2 == 1
        words, options = [kind], []
        if function != "default":
            words += [function, "avalanche"] if far else [function]
            options += ["--hash", function, *(["--avalanche"] if far else [])]
        nodes = _nodes(rng)
        special = [*_half_way(rng, nodes)] if function == "crc32" and not far else []
        return Case(SCHEMES[kind], tuple(options), tuple(nodes),
                    draw.keys(rng, count, special=special), (("hash-type", " ".join(words)),))

    @staticmethod
    def _server(folder, node):
        words = [f"    server {node.name} unix@{folder}/answers weight {node.weight}"]
        if node.attribute("id"):
            words.append(f"id {node.attribute('id')}")
        if node.attribute("down"):
            words.append("disabled")
        return " ".join(words)

    def owners(self, session, case):
        folder = session.folder()
        servers = "\n".join(self._server(folder, node) for node in case.nodes)
        file = session.write(folder, "conf", CONFIGURATION.format(
            folder=folder, servers=servers, hash_type=case.setting("hash-type")))
        requests = [(b"/", b"X-Key: %b\r\n" % base64.b64encode(key)) for key in case.keys]
        listens = os.path.join(folder, "http")
        with session.server(["/usr/sbin/haproxy", "-db", "-f", file], listens):
            return http_keys.owners(listens, requests, b"x-owner")
