#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables in this folder from the papers' pseudocode, without this library.

A second implementation on purpose, as ../schemes/make.py, from which it takes the hashes. Maglev is
filled round by round as the paper prints it, shares are fractions, jump hashing is the paper's own
loop in doubles, AnchorHash the paper's first form, which keeps lists. Run it in this folder; `git diff` then shows what changed.
"""
import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "schemes"))
from make import GOLDEN, KEYS, MASK, mix, murmur64a, read_nodes, xxh3  # noqa: E402

NODES = "../schemes/nodes.tsv"
NODES8 = "../schemes/nodes8.tsv"
TWELVE = [str(i) for i in range(12)]


# --- Maglev -------------------------------------------------------------------------------------

def slot_counts(weights, size):
    """Largest remainders, but at least one each; nodes in the order of their names."""
    left, open_nodes, counts = size, list(range(len(weights))), [0] * len(weights)
    while True:
        total = sum(weights[i] for i in open_nodes)
        poor = [i for i in open_nodes if weights[i] * left / total < 1]
        if not poor:
            break
        poorest = min(poor, key=lambda i: (weights[i], i))
        counts[poorest] = 1
        left -= 1
        open_nodes.remove(poorest)
    quota = {i: weights[i] * left / total for i in open_nodes}
    for i in open_nodes:
        counts[i] = int(quota[i])
    unassigned = left - sum(counts[i] for i in open_nodes)
    for i in sorted(open_nodes, key=lambda i: (int(quota[i]) - quota[i], i))[:unassigned]:
        counts[i] += 1
    return counts


def maglev(nodes, size):
    nodes = sorted((n for n in nodes if n["weight"] > 0), key=lambda n: n["name"].encode())
    names = [n["name"] for n in nodes]
    counts = slot_counts([Fraction(str(n["weight"])) for n in nodes], size)
    hashes = [xxh3(name.encode()) for name in names]
    permutation = [((mix((h + GOLDEN) & MASK)) % size, mix((h + 2 * GOLDEN) & MASK) % (size - 1) + 1)
                   for h in hashes]
    entry, following, taken, turn = [None] * size, [0] * len(nodes), [0] * len(nodes), 0
    while None in entry:
        turn += 1
        for i, (offset, skip) in enumerate(permutation):
            if turn * counts[i] <= taken[i] * max(counts):
                continue
            taken[i] += 1
            while True:
                slot = (offset + following[i] * skip) % size
                following[i] += 1
                if entry[slot] is None:
                    break
            entry[slot] = names[i]
    assert taken == counts
    return entry


# --- jump ---------------------------------------------------------------------------------------

def jump(key, buckets):
    b, j = -1, 0
    while j < buckets:
        b = j
        key = (key * 2862933555777941757 + 1) & MASK
        j = int(float(b + 1) * (float(1 << 31) / float((key >> 33) + 1)))
    return b


# --- AnchorHash ---------------------------------------------------------------------------------

class Anchor:
    """The paper's first form: each removed bucket keeps the list of those that worked after it."""

    def __init__(self, capacity):
        self.capacity, self.after, self.removed = capacity, {}, []
        self.working, self.before = list(range(capacity)), []
        for bucket in reversed(range(capacity)):
            self.remove(bucket)

    def remove(self, bucket):
        self.before.append(list(self.working))
        self.working[self.working.index(bucket)] = self.working[-1]
        self.working.pop()
        self.removed.append(bucket)
        self.after[bucket] = list(self.working)

    def add(self):
        self.working = self.before.pop()
        return self.removed.pop()

    def bucket(self, key):
        b = mix(key) * self.capacity >> 64
        while b not in self.working:
            then = self.after[b]
            b = then[mix((key + (b + 1) * GOLDEN) & MASK) * len(then) >> 64]
        return b


def anchored(capacity, names):
    anchor, node_of = Anchor(capacity), {}
    for name in names:
        node_of[anchor.add()] = name
    return anchor, node_of


def anchor_fingerprint(anchor, node_of):
    names = [node_of[b] for b in sorted(anchor.working)]
    listed = fingerprint("anchor", [b"capacity", str(anchor.capacity).encode()]
                         + [item for name in names for item in (name.encode(), 1000)])
    state = GOLDEN
    for number in [listed] + anchor.removed:
        state = (mix(state ^ number) + GOLDEN) & MASK
    return mix(state)


# --- files --------------------------------------------------------------------------------------

def fingerprint(scheme, items):
    state = GOLDEN
    for item in [scheme.encode()] + items:
        number = item if isinstance(item, int) else murmur64a(item, len(item))
        state = (mix(state ^ number) + GOLDEN) & MASK
    return mix(state)


def slots_fingerprint(size):
    slots = maglev(read_nodes(NODES8), size)
    return fingerprint("maglev", [b"table-size", str(size).encode()]
                       + [murmur64a(name.encode(), 0) for name in slots])


def list_fingerprint(scheme, names):
    return fingerprint(scheme, [item for name in names for item in (name.encode(), 1000)])


def main():
    for size in (11, 101):
        slots = maglev(read_nodes(NODES), size)
        with open(f"maglev{size}.slots.tsv", "w") as out:
            out.write(f"# maglev, table-size = {size}, nodes.tsv: slot\tnode\n")
            out.writelines(f"{i}\t{name}\n" for i, name in enumerate(slots))
    with open("maglev101.keys.tsv", "w") as out:
        out.write("# key (hex)\tposition\tslot\towner in the table beside this file\n")
        for key in KEYS:
            at = xxh3(key)
            slot = at * 101 >> 64
            out.write(f"{key.hex()}\t{at}\t{slot}\t{slots[slot]}\n")
    with open("jump-xxh3.keys.tsv", "w") as out:
        out.write("# key (hex)\tposition\tbucket of 12\n")
        for key in KEYS + [b"k%d" % i for i in range(40)]:
            out.write(f"{key.hex()}\t{xxh3(key)}\t{jump(xxh3(key), 12)}\n")
    anchor, node_of = anchored(16, TWELVE)
    for gone in (3, 11, 0, 7):
        anchor.remove(gone)
    node_of[anchor.add()] = "late"
    with open("anchor16.keys.tsv", "w") as out:
        out.write("# key (hex)\tposition\towner: nodes 0 to 11 of capacity 16, without 3, 11, 0 and 7,"
                  " with late\n")
        for key in KEYS + [b"k%d" % i for i in range(60)]:
            out.write(f"{key.hex()}\t{xxh3(key)}\t{node_of[anchor.bucket(xxh3(key))]}\n")
    with open("fingerprints.tsv", "w") as out:
        out.write("# scheme\tfingerprint   (maglev: nodes8.tsv, options as they come;"
                  " jump: nodes named 0 to 11;"
                  " anchor-late: that of anchor16.keys.tsv)\n")
        out.write(f"maglev\t{slots_fingerprint(65537)}\n")
        out.write(f"jump\t{list_fingerprint('jump', TWELVE)}\n")
        out.write(f"jump-xxh3\t{list_fingerprint('jump-xxh3', TWELVE)}\n")
        out.write(f"anchor-late\t{anchor_fingerprint(anchor, node_of)}\n")


if __name__ == "__main__":
    main()
