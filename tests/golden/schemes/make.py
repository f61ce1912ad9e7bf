#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the rings in this folder from the published formulas, without this library.

A second implementation on purpose: it shares no code with the headers, so that a ring in which
both agree is right or wrong in both. Run it in this folder; `git diff` then shows what changed.
Python 3 and its hashlib are all that it needs.
"""
import hashlib

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
SPACED_CIRCLE = (1 << 32) - 1
VNODES = 13
KEYS = [b"", b"a", b"ab", b"foo", b"k1", b"name", b"user:42", b"user:1000", b"cl\xc3\xa9", b"a\0b",
        b"\xff\x80\x7f\x00", b"0123456789abcde", b"0123456789abcdef", b"192.168.1.10", b"beta",
        b"gamma0", b"SHARD-0-NODE-0", b"waybill", b"750000000001", b"750000000002"]


# --- hashes -------------------------------------------------------------------------------------

def md5_words(data):
    digest = hashlib.md5(data).digest()
    return [int.from_bytes(digest[4 * h:4 * h + 4], "little") for h in range(4)]


def murmur64a(data, seed):
    m, r = 0xC6A4A7935BD1E995, 47
    h = seed ^ (len(data) * m & MASK)
    whole = len(data) // 8 * 8
    for at in range(0, whole, 8):
        k = int.from_bytes(data[at:at + 8], "little") * m & MASK
        k = (k ^ k >> r) * m & MASK
        h = (h ^ k) * m & MASK
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & MASK
    h = (h ^ h >> r) * m & MASK
    return h ^ h >> r


def bkdr_printed(data, s=31):
    return sum(byte * s ** n for n, byte in enumerate(data)) % SPACED_CIRCLE


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


SECRET = bytes.fromhex(  # the first 72 of the 192 bytes of XXH3's default secret
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb")


def secret(at, size=8):
    return int.from_bytes(SECRET[at:at + size], "little")


def rotl(x, bits):
    return (x << bits | x >> 64 - bits) & MASK


def xxh64_avalanche(h):
    h = (h ^ h >> 33) * 0xC2B2AE3D27D4EB4F & MASK
    h = (h ^ h >> 29) * 0x165667B19E3779F9 & MASK
    return h ^ h >> 32


def xxh3(data):
    """XXH3-64 with seed 0 of at most 16 bytes."""
    n = len(data)
    word = lambda at, size: int.from_bytes(data[at:at + size], "little")
    if n == 0:
        return xxh64_avalanche(secret(56) ^ secret(64))
    if n <= 3:
        combined = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return xxh64_avalanche(combined ^ secret(0, 4) ^ secret(4, 4))
    if n <= 8:
        h = (word(n - 4, 4) + (word(0, 4) << 32)) & MASK ^ secret(8) ^ secret(16)
        h = (h ^ rotl(h, 49) ^ rotl(h, 24)) * 0x9FB21C651E98DF25 & MASK
        h = (h ^ (h >> 35) + n) * 0x9FB21C651E98DF25 & MASK
        return h ^ h >> 28
    assert n <= 16
    low = word(0, 8) ^ secret(24) ^ secret(32)
    high = word(n - 8, 8) ^ secret(40) ^ secret(48)
    product = low * high
    swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
    h = (n + swapped + high + (product & MASK ^ product >> 64)) & MASK
    h = (h ^ h >> 37) * 0x165667919E3779F9 & MASK
    return h ^ h >> 32


# --- schemes ------------------------------------------------------------------------------------

def signed(x):
    return x - (1 << 64) if x >> 63 else x


class Scheme:
    def __init__(self, name, per_unit, position, points, order_matters=False, wins="first"):
        self.name, self.per_unit, self.position, self.points = name, per_unit, position, points
        self.order_matters, self.wins = order_matters, wins


def shard(text):
    return signed(murmur64a(text.encode(), 0x1234ABCD))


def xxh3_points(node, count):
    return [mix((xxh3(node["name"].encode()) + (j + 1) * GOLDEN) & MASK) for j in range(count)]


def ketama_points(node, count):
    words = [md5_words((node["name"] + str(i)).encode()) for i in range((count + 3) // 4)]
    return [words[j // 4][j % 4] for j in range(count)]


def spaced_points(node, count):
    origin = bkdr_printed((node["address"] or node["name"]).encode())
    return [(SPACED_CIRCLE * k // count + origin) % SPACED_CIRCLE for k in range(count)]


def murmur_key(key):
    return signed(murmur64a(key, 0x1234ABCD))


SCHEMES = [
    Scheme("xxh3", 160, xxh3, xxh3_points),
    Scheme("ketama-group", 160, lambda key: md5_words(key)[0], ketama_points, True, "last"),
    Scheme("murmur-shard", 100, murmur_key,
           lambda node, count: [shard(f"SHARD-{node['index']}-NODE-{j}") for j in range(count)],
           True, "last"),
    Scheme("murmur-shard-named", 100, murmur_key,
           lambda node, count: [shard(f"SHARD-{node['name']}-NODE-{j}") for j in range(count)]),
    Scheme("bkdr-spaced", 160, bkdr_printed, spaced_points),
]


# --- rings --------------------------------------------------------------------------------------

def read_nodes(file):
    rows = [line.rstrip("\n").split("\t") for line in open(file) if not line.startswith("#")]
    return [{"name": name, "weight": float(weight), "address": "" if address == "-" else address}
            for name, weight, address in rows]


def count_of(node, per_unit):
    return max(1, int(node["weight"] * per_unit + 0.5))


def arranged(scheme, nodes):
    ordered = nodes if scheme.order_matters else sorted(nodes, key=lambda n: n["name"].encode())
    return [dict(node, index=i) for i, node in enumerate(ordered)]


def ring(scheme, nodes, per_unit):
    sign = 1 if scheme.wins == "first" else -1
    points = [(position, sign * node["index"], node["name"])
              for node in arranged(scheme, nodes)
              for position in scheme.points(node, count_of(node, per_unit))]
    return [(position, name) for position, _, name in sorted(points)]


def owner(points, position):
    return next((name for at, name in points if at >= position), points[0][1])


def unsigned(scheme, position):
    return position + (1 << 63) if scheme.name.startswith("murmur") else position


def fingerprint(scheme, nodes, per_unit):
    """The text and numbers of ring/fingerprint.hpp, in its order."""
    state = GOLDEN

    def add(item):
        nonlocal state
        number = item if isinstance(item, int) else murmur64a(item, len(item))
        state = (mix(state ^ number) + GOLDEN) & MASK

    add(scheme.name.encode())
    add(b"vnodes")
    add(str(per_unit).encode())
    if scheme.order_matters:
        for node in nodes:
            add(node["name"].encode())
    points = ring(scheme, nodes, per_unit)
    for position, name in points:
        add(unsigned(scheme, position))
        add(murmur64a(name.encode(), 0))
    return mix(state), len(points)


def main():
    small, large = read_nodes("nodes.tsv"), read_nodes("nodes8.tsv")
    with open("fingerprints.tsv", "w") as out:
        out.write("# scheme\tpoints\tfingerprint   (nodes8.tsv, options as they come)\n")
        for scheme in SCHEMES:
            value, size = fingerprint(scheme, large, scheme.per_unit)
            out.write(f"{scheme.name}\t{size}\t{value}\n")
    for scheme in SCHEMES:
        points = ring(scheme, small, VNODES)
        with open(f"{scheme.name}.ring.tsv", "w") as out:
            out.write(f"# {scheme.name}, vnodes = {VNODES}, nodes.tsv: position\tnode\n")
            out.writelines(f"{position}\t{name}\n" for position, name in points)
        with open(f"{scheme.name}.keys.tsv", "w") as out:
            out.write("# key (hex)\tposition\towner on the ring beside this file\n")
            for key in KEYS:
                at = scheme.position(key)
                out.write(f"{key.hex()}\t{at}\t{owner(points, at)}\n")


if __name__ == "__main__":
    main()
