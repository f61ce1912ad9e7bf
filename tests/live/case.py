# SPDX-License-Identifier: MIT
"""A topology, how it is to be placed, and keys: what both sides are given."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Node:
    """A node as the nodes file of the tool has it; `kind` is for its program alone."""
    name: str
    weight: int = 1
    attributes: tuple = ()  # of (key, value)
    kind: str = ""

    def line(self):
        name = self.name.replace("%", "%25").replace(" ", "%20")
        attributes = [f"{key}={value}" for key, value in self.attributes]
        return " ".join([name, str(self.weight), *attributes])

    def attribute(self, key):
        return dict(self.attributes).get(key)

    def simpler(self):
        """The same node with less to say, most of all first."""
        if self.weight > 1:
            yield dataclasses.replace(self, weight=1)
        for attribute in self.attributes:
            if attribute[0] in ("id", "down"):
                rest = tuple(a for a in self.attributes if a != attribute)
                yield dataclasses.replace(self, attributes=rest)


@dataclasses.dataclass(frozen=True)
class Case:
    """Nodes and keys, the tool's scheme and options, and the program's settings."""
    scheme: str
    options: tuple
    nodes: tuple
    keys: tuple
    settings: tuple = ()  # of (key, value)

    def setting(self, key):
        return dict(self.settings).get(key)

    def but(self, **changes):
        return dataclasses.replace(self, **changes)

    def command(self):
        """The call of the tool; NODES and KEYS are its files."""
        if not self.scheme:
            return ["slot", "--keys", "KEYS", "--hex"]
        return ["place", "--scheme", self.scheme, *self.options, "--nodes", "NODES",
                "--keys", "KEYS", "--hex"]


class Program:
    """One program that places keys: each file of `programs` has a class of this kind."""
    name = ""
    topologies = 12  # in a run, each with keys of its own

    def missing(self):
        """What of it is not installed, or nothing."""
        return ""

    def draw(self, rng, turn, count):
        """The `turn`th topology, from 0, with `count` keys."""
        raise NotImplementedError

    def owners(self, session, case):
        """Whom the program gives each key to, by the names of the nodes."""
        raise NotImplementedError
