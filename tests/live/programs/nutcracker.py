# SPDX-License-Identifier: MIT
"""nutcracker (twemproxy) in front of servers that answer who they are, memcached's or Redis's."""
import os
import shutil
import socket

import draw
import session as live
from backends import Backends
from case import Case, Node, Program

HASHES = ("one_at_a_time", "md5", "crc16", "crc32", "crc32a", "fnv1_64", "fnv1a_64", "fnv1_32",
          "fnv1a_32", "hsieh", "murmur", "jenkins")
SCHEMES = {"ketama": "twemproxy", "modula": "twemproxy-modula"}
BATCH = 100
SOCKET = "/tmp/hashring-live-nutcracker."  # its path is a part of the labels, and so is drawn

CONFIGURATION = """
servers:
  listen: {folder}/proxy
  hash: {hash}
  distribution: {distribution}
{tag}  redis: {redis}
  timeout: 10000
  auto_eject_hosts: true
  server_failure_limit: 1
  server_retry_timeout: 1000000
  servers:
{servers}
"""


def _address(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return f"{SOCKET}{rng.getrandbits(32):x}"
    if kind == 1:
        return f"::1:{rng.randint(10000, 32767)}"
    return f"{draw.loopback(rng)}:{draw.port(rng)}"


def _node(rng, address, weight, name):
    """Called by its address, or by a name that may look like one."""
    if not name and rng.random() < 0.5:
        return Node(address, weight)
    return Node(name or _name(rng), weight, (("addr", address),))


def _name(rng):
    """With digits that make it the only one, and behind them what may look like a port."""
    port = rng.choice(["", f":{draw.MEMCACHED_PORT}", ":7", "/"])
    return f"{draw.host(rng)}.{rng.getrandbits(40)}{port}"


def _nodes(rng, wanted, most):
    addresses = draw.distinct(lambda: _address(rng), wanted.size)
    names = [""] * len(addresses)
    if wanted.collides:
        names[:2] = draw.colliding(lambda: draw.address(rng))
    weights = draw.weights(rng, wanted, most=most)
    return [_node(rng, *of) for of in zip(addresses, weights, names)]


def _without_one(rng, nodes):
    """One of several may not be there: the heaviest, as only a key of its own tells nutcracker."""
    if len(nodes) > 2 and rng.random() < 0.4:
        node = max(nodes, key=lambda each: each.weight)
        at = nodes.index(node)
        nodes[at] = Node(node.name, node.weight, (*node.attributes, ("down", "1")))


def _memcached_get(key):
    return b"get %b\r\n" % key


def _redis_get(key):
    return b"*2\r\n$3\r\nget\r\n$%d\r\n%b\r\n" % (len(key), key)


def _answer(stream):
    """The name in an answer of either protocol, or the error."""
    line = stream.readline()
    if not line.startswith((b"$", b"VALUE ")):
        return line.decode("utf-8", "replace").strip()
    name = stream.readline().decode().strip()
    if line.startswith(b"VALUE "):
        stream.readline()
    return name


def _ask(path, requests):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(live.START_SECONDS)
        connection.connect(path)
        stream = connection.makefile("rb")
        result = []
        for at in range(0, len(requests), BATCH):
            connection.sendall(b"".join(requests[at:at + BATCH]))
            result += [_answer(stream) for _ in requests[at:at + BATCH]]
        return result


def _eject(path, get):
    """Asks for keys until whoever is not there is found out."""
    for at in range(0, 200 * BATCH, BATCH):
        answers = _ask(path, [get(b"eject-%d" % (at + i)) for i in range(BATCH)])
        if any(answer.startswith(("SERVER_ERROR", "-ERR")) for answer in answers):
            return
    raise live.Failure("nutcracker ejected nobody")


class Nutcracker(Program):
    name = "nutcracker"
    topologies = 24

    def missing(self):
        return "" if shutil.which("nutcracker", path="/usr/sbin:/usr/bin") else "nutcracker"

    def draw(self, rng, turn, count):
        distribution = "modula" if turn % 4 == 3 else "ketama"
        settings = {"distribution": distribution, "hash": HASHES[turn % len(HASHES)],
                    "tag": rng.choice(["", "{}", "::", "/u"]), "redis": rng.random() < 0.6}
        most = 1000 if distribution == "modula" else 10 ** 6
        nodes = _nodes(rng, draw.shape(rng, turn), most)
        if SCHEMES[distribution] != "twemproxy" or settings["hash"] != "crc32":  # all keys on one
            _without_one(rng, nodes)
        return Case(SCHEMES[distribution], self._options(settings), tuple(nodes),
                    self._keys(rng, count, settings, nodes), tuple(settings.items()))

    @staticmethod
    def _options(settings):
        tag = ("--tag", settings["tag"]) if settings["tag"] else ()
        return ("--hash", settings["hash"], *tag)

    @staticmethod
    def _keys(rng, count, settings, nodes):
        special = draw.labels(rng, [node.name for node in nodes])
        if settings["redis"]:
            return draw.keys(rng, count, special=special, empty=True)
        return draw.keys(rng, count, draw.PLAIN_BYTES, special)

    @staticmethod
    def _server(node):
        address = node.attribute("addr")
        return f"{address}:{node.weight} {node.name}" if address else f"{node.name}:{node.weight}"

    def _configuration(self, folder, case):
        settings = dict(case.settings)
        tag = settings["tag"]
        settings["tag"] = f"  hash_tag: \"{tag}\"\n" if tag else ""
        settings["redis"] = "true" if settings["redis"] else "false"
        servers = "\n".join(f"    - \"{self._server(node)}\"" for node in case.nodes)
        return CONFIGURATION.format(folder=folder, servers=servers, **settings)

    @staticmethod
    def _backends(case):
        names = {}
        for node in case.nodes:
            address = node.attribute("addr") or node.name
            host, _, port = address.rpartition(":")
            if not node.attribute("down"):
                names[address if address.startswith("/") else (host, int(port))] = node.name
        return Backends(names, case.setting("redis"))

    def owners(self, session, case):
        folder = session.folder()
        file = session.write(folder, "conf", self._configuration(folder, case))
        listens = os.path.join(folder, "proxy")
        get = _redis_get if case.setting("redis") else _memcached_get
        args = ["nutcracker", "-c", file, "-o", "/dev/null", "-a", "127.0.0.1",
                "-s", str(live.free_port())]
        with self._backends(case), session.server(args, listens):
            if any(node.attribute("down") for node in case.nodes):
                _eject(listens, get)
            return _ask(listens, [*map(get, case.keys)])
