# SPDX-License-Identifier: MIT
"""Asks both sides, counts where they agree, and makes a case in which they do not small."""
import os
import time

import session as live

SHRINK_SECONDS = 60


class Comparison:
    def __init__(self, session, tool):
        self._session = session
        self._tool = tool
        self._folder = session.folder()

    def ours(self, case):
        """Whom the tool gives each key to."""
        texts = {
            "NODES": "".join(node.line() + "\n" for node in case.nodes),
            "KEYS": "".join(key.hex() + "\n" for key in case.keys),
        }
        write = self._session.write
        files = {name: write(self._folder, name, text) for name, text in texts.items()}
        printed = live.run([self._tool, *(files.get(word, word) for word in case.command())])
        lines = printed.decode().splitlines()
        if [line.partition("\t")[0] for line in lines] != [key.hex() for key in case.keys]:
            raise live.Failure("the tool printed other keys than it was given")
        return [line.partition("\t")[2] for line in lines]

    def both(self, program, case):
        """For each key whom the program gives it to, and whom the tool."""
        theirs = program.owners(self._session, case)
        ours = self.ours(case)
        assert len(theirs) == len(ours)
        return list(zip(theirs, ours))

    def differing(self, program, case):
        """The keys of which the two sides say different things."""
        return [key for key, (a, b) in zip(case.keys, self.both(program, case)) if a != b]


def _is_text(key):
    try:
        key.decode()
    except UnicodeDecodeError:
        return False
    return True


class Shrinker:
    """Looks for a smaller case that still differs; what cannot be run does not."""

    def __init__(self, comparison, program):
        self._comparison = comparison
        self._program = program
        self._last = time.monotonic() + SHRINK_SECONDS

    def _differs(self, case):
        some = any(node.weight > 0 and not node.attribute("down") for node in case.nodes)
        if time.monotonic() > self._last or (case.nodes and not some):
            return False
        try:
            return bool(self._comparison.differing(self._program, case))
        except (live.Failure, OSError):
            return False

    def _without(self, case, field):
        """Leaves out of a tuple of the case what can be: halves first, single ones last."""
        step = len(getattr(case, field)) // 2
        while step > 0:
            at = 0
            while at < len(getattr(case, field)):
                all_of_it = getattr(case, field)
                fewer = case.but(**{field: all_of_it[:at] + all_of_it[at + step:]})
                if getattr(fewer, field) and self._differs(fewer):
                    case = fewer
                else:
                    at += step
            step //= 2
        return case

    def _simpler_node(self, case, at):
        for node in case.nodes[at].simpler():
            simpler = case.but(nodes=case.nodes[:at] + (node,) + case.nodes[at + 1:])
            if self._differs(simpler):
                return self._simpler_node(simpler, at)
        return case

    def _simpler_nodes(self, case):
        for at in range(len(case.nodes)):
            case = self._simpler_node(case, at)
        return case

    def _one_key(self, case):
        keys = self._comparison.differing(self._program, case)
        return self._without(case.but(keys=tuple(sorted(keys, key=len)[:64])), "keys")

    def _shorter_key(self, case):
        key = case.keys[0]
        step = len(key) // 2
        while step > 0 and len(case.keys) == 1:
            for shorter in (key[step:], key[:-step]):
                may_be = shorter and _is_text(shorter) >= _is_text(key)
                if may_be and self._differs(case.but(keys=(shorter,))):
                    key = shorter
                    break
            else:
                step //= 2
            case = case.but(keys=(key,))
        return case

    def smallest(self, case):
        case = self._without(case, "nodes")
        case = self._simpler_nodes(case)
        return self._shorter_key(self._one_key(case))


def told(program, case, pairs):
    """A case in which the sides differ, in words."""
    yield "    the smallest that differs" + (", as a nodes file:" if case.nodes else ":")
    for node in case.nodes:
        yield f"        {node.line()}" + (f"    ({node.kind})" if node.kind else "")
    if case.settings:
        yield "    settings: " + ", ".join(f"{key}={value}" for key, value in case.settings)
    yield "    hashring " + " ".join(case.command())
    for key, (theirs, ours) in list(zip(case.keys, pairs))[:3]:
        shown = f"{key.hex()} {key!r}" if len(key) < 40 else key.hex()
        yield f"    key {shown}: {program.name} says {theirs}, we say {ours}"


def shrunk(comparison, program, case):
    """The smallest case and what both sides say to its keys."""
    try:
        small = Shrinker(comparison, program).smallest(case)
        return small, comparison.both(program, small)
    except (live.Failure, OSError):
        return case, comparison.both(program, case)


def tool_of(build):
    path = os.path.join(build, "examples", "hashring")
    if not os.access(path, os.X_OK):
        raise live.Failure(f"{path} is not there: build the target hashring_tool, or say --build")
    return path
