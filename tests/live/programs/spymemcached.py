# SPDX-License-Identifier: MIT
"""spymemcached, a library for Java, by calls of its locators: no server is asked."""
import os
import shutil

import draw
from case import Case, Node, Program
from programs.libmemcached import FOLDER

HASHES = ("KETAMA_HASH", "NATIVE_HASH", "CRC_HASH", "FNV1_64_HASH", "FNV1A_64_HASH", "FNV1_32_HASH",
          "FNV1A_32_HASH")
JAR = "/usr/share/java/spymemcached.jar"


def _ipv6(rng):
    groups = [f"{rng.choice([0, 0, 1, rng.getrandbits(16)]):x}" for _ in range(8)]
    return ":".join(groups)


def _node(rng, names_only):
    """By an address in digits, by a name with an address, or by one that nobody has looked up."""
    kind = rng.randrange(2, 8) if names_only else rng.randrange(8)
    port, host = draw.port(rng), draw.host(rng)
    if kind == 0:
        return Node(f"[{_ipv6(rng)}]:{port}", kind="literal")
    if kind == 1:
        return Node(f"{draw.loopback(rng)}:{port}", kind="literal")
    if kind < 5 or names_only:
        return Node(f"{host}:{port}", attributes=(("addr", draw.loopback(rng)),), kind="name")
    return Node(f"{host}/<unresolved>:{port}", kind="unresolved")


def _colliding(rng):
    names = draw.colliding(lambda: f"{draw.loopback(rng)}:{draw.port(rng)}")
    return [Node(name, kind="literal") for name in names]


def _nodes(rng, wanted, label_format, weighted):
    named = label_format == "libmemcached"
    nodes = draw.distinct(lambda: _node(rng, named), wanted.size, lambda node: node.name)
    if wanted.collides and not named:
        nodes[:2] = _colliding(rng)
    weights = draw.weights(rng, wanted, least=0 if weighted else 1, most=10 ** 6)
    return [Node(node.name, weight, node.attributes, node.kind)
            for node, weight in zip(nodes, weights)]


def _ident(node, label_format):
    """As points are labelled, where that is easy to say."""
    address = node.attribute("addr")
    if label_format == "libmemcached" or not address:
        return node.name.removesuffix(":11211") if label_format == "libmemcached" else node.name
    host, _, port = node.name.rpartition(":")
    return f"{host}/{address}:{port}"


class Spymemcached(Program):
    name = "spymemcached"
    topologies = 28

    def missing(self):
        if not shutil.which("javac"):
            return "javac (default-jdk-headless)"
        return "" if os.path.exists(JAR) else "libspymemcached-java"

    def draw(self, rng, turn, count):
        label_format = ("spymemcached", "libmemcached")[turn % 2]
        settings = {"hash": rng.choice([HASHES[0], HASHES[turn % len(HASHES)]]),
                    "format": label_format.upper()}
        options = ["--hash", settings["hash"]]
        nodes = _nodes(rng, draw.shape(rng, turn), label_format, turn % 4 > 1)
        keys = draw.keys(rng, count, "utf-8", empty=True, special=draw.labels(
            rng, [_ident(node, label_format) for node in nodes]))
        if turn % 7 == 6:
            scheme, settings["array-mod"] = "spymemcached-array-mod", 1
        else:
            scheme, options = "spymemcached", [*options, "--label-format", label_format]
        if turn % 4 > 1 and scheme == "spymemcached":
            settings["weighted"] = 1
            options.append("--weighted")
        return Case(scheme, tuple(options), tuple(nodes), keys, tuple(settings.items()))

    @staticmethod
    def _server(node):
        host, _, port = node.name.rpartition(":")
        host = host.removesuffix("/<unresolved>").strip("[]")
        address = node.attribute("addr")
        return " ".join([node.kind, host, *([address] if address else []), port, str(node.weight)])

    def owners(self, session, case):
        settings = [f"set {key} {value}" for key, value in case.settings]
        lines = [*settings, *map(self._server, case.nodes)]
        helper = session.helper(self.name, lambda _: [
            "java", "-XX:TieredStopAtLevel=1", "-cp", JAR,
            os.path.join(FOLDER, "Spymemcached.java")])
        return [case.nodes[int(word)].name for word in helper.ask(lines, case.keys)]
