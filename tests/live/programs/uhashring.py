# SPDX-License-Identifier: MIT
"""uhashring, a package of Python: both of its rings."""
import importlib.util

import draw
from case import Case, Node, Program


def _name(rng):
    kind = rng.randrange(4)
    if kind == 0:
        return f"{draw.loopback(rng)}:{draw.port(rng)}"
    return draw.host(rng) + ("", " é", "-1", "%")[kind]


def _vnodes(rng, scheme):
    if scheme == "uhashring" or rng.random() < 0.6:
        return ()
    return (("vnodes", rng.randint(1, 120)),)


class UHashRing(Program):
    name = "uhashring"
    topologies = 24

    def missing(self):
        return "" if importlib.util.find_spec("uhashring") else "python3-uhashring"

    def draw(self, rng, turn, count):
        scheme = ("uhashring-ketama", "uhashring-ketama", "uhashring")[turn % 3]
        wanted = draw.shape(rng, turn)
        names = draw.distinct(lambda: _name(rng), wanted.size)
        if wanted.collides:
            names[:2] = draw.colliding(lambda: draw.address(rng))
        most = 20 if scheme == "uhashring" else 10 ** 6
        nodes = map(Node, names, draw.weights(rng, wanted, least=0, most=most))
        keys = draw.keys(rng, count, "utf-8", special=draw.labels(rng, names), empty=True)
        settings = _vnodes(rng, scheme)
        options = [word for key, value in settings for word in (f"--{key}", str(value))]
        return Case(scheme, tuple(options), tuple(nodes), keys, settings)

    def owners(self, session, case):
        import uhashring  # where it is installed only
        settings = dict(case.settings)
        if case.scheme == "uhashring-ketama":
            settings["hash_fn"] = "ketama"
        ring = uhashring.HashRing(nodes={node.name: {"weight": node.weight} for node in case.nodes},
                                  **settings)
        return [ring.get_node(key.decode()) for key in case.keys]
