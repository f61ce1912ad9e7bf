#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes boundaries.tsv, the values of hashes at every length from 0 to 33, from their published
definitions. An implementation of its own: it shares no code with the headers."""

M32, M64 = 2**32 - 1, 2**64 - 1


def rotl(x, n):
    return (x << n | x >> (32 - n)) & M32


def byte(b, signed):
    return b - 256 if signed and b > 127 else b


def one_at_a_time(key, signed):
    h = 0
    for b in key:
        h = (h + byte(b, signed)) & M32
        h = (h + (h << 10)) & M32
        h ^= h >> 6
    h = (h + (h << 3)) & M32
    h ^= h >> 11
    return (h + (h << 15)) & M32


def fnv(key, bits, byte_first, signed):
    mask = 2**bits - 1
    h, prime = {32: (2166136261, 16777619), 64: (14695981039346656037, 1099511628211)}[bits]
    for b in key:
        b = byte(b, signed) & mask
        h = (h ^ b) * prime & mask if byte_first else (h * prime & mask) ^ b
    return h


def hsieh(key, start, third, single):
    if not key:
        return 0
    h, i = start, 0
    while len(key) - i >= 4:
        h = (h + key[i] + 256 * key[i + 1]) & M32
        tmp = ((key[i + 2] + 256 * key[i + 3]) << 11) ^ h
        h = ((h << 16) ^ tmp) & M32
        h = (h + (h >> 11)) & M32
        i += 4
    rest = key[i:]
    if len(rest) == 3:
        h = (h + rest[0] + 256 * rest[1]) & M32
        h = (h ^ h << 16) & M32
        h = (h ^ byte(rest[2], third) << 18) & M32
        h = (h + (h >> 11)) & M32
    elif len(rest) == 2:
        h = (h + rest[0] + 256 * rest[1]) & M32
        h = (h ^ h << 11) & M32
        h = (h + (h >> 17)) & M32
    elif len(rest) == 1:
        h = (h + byte(rest[0], single)) & M32
        h = (h ^ h << 10) & M32
        h = (h + (h >> 1)) & M32
    for left, right in ((3, 5), (4, 17), (25, 6)):
        h = (h ^ h << left) & M32
        h = (h + (h >> right)) & M32
    return h


def words(key, size=4):
    return [int.from_bytes(key[i:i + size], "little") for i in range(0, len(key), size)]


def murmur2(key, seed):
    m = 0x5BD1E995
    h = seed ^ len(key)
    whole = len(key) // 4
    for k in words(key)[:whole]:
        k = k * m & M32
        k = (k ^ k >> 24) * m & M32
        h = (h * m & M32) ^ k
    if len(key) % 4:
        h = (h ^ words(key)[whole]) * m & M32
    h = (h ^ h >> 13) * m & M32
    return h ^ h >> 15


def murmur3(key, seed):
    h = seed
    whole = len(key) // 4
    for i, k in enumerate(words(key)):
        h ^= rotl(k * 0xCC9E2D51 & M32, 15) * 0x1B873593 & M32
        if i < whole:
            h = (rotl(h, 13) * 5 + 0xE6546B64) & M32
    h ^= len(key)
    h = (h ^ h >> 16) * 0x85EBCA6B & M32
    h = (h ^ h >> 13) * 0xC2B2AE35 & M32
    return h ^ h >> 16


def lookup3(key, initval):
    a = b = c = (0xDEADBEEF + len(key) + initval) & M32
    if not key:
        return c
    blocks = [words(key[i:i + 12]) for i in range(0, len(key), 12)]
    for block in blocks[:-1]:
        a, b, c = ((x + w) & M32 for x, w in zip((a, b, c), block))
        for n in (4, 6, 8, 16, 19, 4):
            # the names move on after each step, as in the macro's six lines
            a = (a - c & M32) ^ rotl(c, n)
            c = c + b & M32
            a, b, c = b, c, a
    block = blocks[-1] + [0, 0]
    a, b, c = ((x + w) & M32 for x, w in zip((a, b, c), block))
    for n in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - rotl(b, n) & M32
        a, b, c = b, c, a
    return b


SEED = 0x9747B28C
COLUMNS = {
    "one-at-a-time": lambda k: one_at_a_time(k, False),
    "one-at-a-time-signed": lambda k: one_at_a_time(k, True),
    "fnv1-32": lambda k: fnv(k, 32, False, False),
    "fnv1-32-signed": lambda k: fnv(k, 32, False, True),
    "fnv1-64": lambda k: fnv(k, 64, False, False),
    "fnv1-64-signed": lambda k: fnv(k, 64, False, True),
    "fnv1a-32": lambda k: fnv(k, 32, True, False),
    "fnv1a-32-signed": lambda k: fnv(k, 32, True, True),
    "fnv1a-64": lambda k: fnv(k, 64, True, False),
    "fnv1a-64-signed": lambda k: fnv(k, 64, True, True),
    "hsieh": lambda k: hsieh(k, len(k), True, True),
    "hsieh-unsigned": lambda k: hsieh(k, len(k), False, False),
    "hsieh-third-signed": lambda k: hsieh(k, len(k), True, False),
    "hsieh-single-signed": lambda k: hsieh(k, len(k), False, True),
    "murmur2": lambda k: murmur2(k, SEED),
    "murmur3-32": lambda k: murmur3(k, SEED),
    "lookup3": lambda k: lookup3(k, SEED),
}


def texts():
    for length in range(34):
        yield bytes(0x21 + (7 * i + length) % 0x5E for i in range(length))  # printable
        yield bytes(0x80 + (37 * i + 11 * length) % 0x80 for i in range(length))  # none is ASCII
        yield bytes((0xFF, 0x00, 0x7F, 0x80)[(i + length) % 4] for i in range(length))


if __name__ == "__main__":
    with open(__file__.replace("make.py", "boundaries.tsv"), "w", encoding="ascii") as out:
        out.write("# made by make.py; seeds and initval 0x9747b28c; key(hex) and a column a hash\n")
        print("key", *COLUMNS, sep="\t", file=out)
        for key in texts():
            print(key.hex(), *(hash_of(key) for hash_of in COLUMNS.values()), sep="\t", file=out)
