# SPDX-License-Identifier: MIT
"""Random names, weights and keys, and such as the rules of the programs hang on."""
import dataclasses
import hashlib
import struct
import zlib

SIZES = (1, 2, 2, 3, 4, 5, 7, 9, 13, 20, 40)
UNEVEN_SIZES = (25, 47, 50)  # equal weights in single precision do not come out as 160 points
MEMCACHED_PORT = 11211


@dataclasses.dataclass(frozen=True)
class Shape:
    """What a topology is to be like: rare things take turns, so that no run is without them."""
    size: int
    equal: bool = False  # all weights
    collides: bool = False  # two nodes have an equal point, and there are few others


def shape(rng, turn):
    kind = turn % 5
    if kind == 1:
        return Shape(rng.choice(UNEVEN_SIZES), equal=True)
    if kind == 3:
        return Shape(rng.randint(2, 4), collides=True)
    return Shape(rng.choice(SIZES))


def weights(rng, wanted, least=1, most=1000):
    """Equal ones, small ones, any ones, or light ones beside a heavy one."""
    count = wanted.size
    kind = 0 if wanted.equal else rng.randrange(5)
    if kind == 0:
        return [rng.choice([1, min(most, 7)])] * count
    if kind == 1:
        result = [rng.randint(least, 2) for _ in range(count)]
        result[rng.randrange(count)] = min(most, 1000)
    else:
        result = [rng.randint(least, min(most, (9, 100, most)[kind - 2])) for _ in range(count)]
    if not any(result):
        result[0] = 1
    return result


def loopback(rng):
    return ".".join(["127", *(str(rng.randint(1, 254)) for _ in range(3))])


def port(rng):
    """Memcached's own, one that looks like it, or any that no client's end has."""
    kind = rng.randrange(5)
    if kind < 2:
        return MEMCACHED_PORT
    return 12121 if kind == 2 else rng.randint(1025, 32767)


def host(rng):
    return ".".join(rng.choice(["cache-", "n", "Db", "x_"]) + str(rng.randrange(1000))
                    for _ in range(rng.choice([1, 1, 2, 3])))


def address(rng):
    """A name that is an ident too."""
    return f"{host(rng)}:{rng.randint(20000, 32000)}"


def distinct(draw_one, count, key=lambda one: one):
    """`count` results of `draw_one` that differ in `key`."""
    found = {}
    while len(found) < count:
        one = draw_one()
        found[key(one)] = one
    return list(found.values())


# --- keys ---------------------------------------------------------------------------------------

def _word(rng):
    return bytes(rng.choices(b"abcdefghijklmnopqrstuvwxyz:/-_.", k=rng.randint(1, 12)))


def _number(rng):
    return str(rng.randrange(10 ** rng.randint(1, 18))).encode()


def _long(rng):
    return bytes(rng.choices(range(0x21, 0x7f), k=rng.randint(60, 250)))


def _longest(rng):
    return bytes(rng.choices(range(0x21, 0x7f), k=250))


def _utf8(rng):
    letters = "aé中😀ßЖ\u0800\uffff\U0010ffff"
    return "".join(rng.choices(letters, k=rng.randint(1, 40))).encode()


def _raw(rng):
    return rng.randbytes(rng.choice([1, 2, 3, 4, 5, 7, 8, 16, 33, 250]))


def _braces(rng):
    parts = rng.choices([b"{", b"}", b"{}", b"{{", b"}{", b"a", b"user", b"7"], k=rng.randint(1, 9))
    return b"".join(parts)


_KINDS = (_word, _number, _word, _long, _utf8, _raw, _braces, _longest)


def _carried(key, carries):
    """`key` with what the program cannot carry taken out."""
    if carries == "utf-8":
        return key.decode("utf-8", "ignore").encode()
    return bytes(byte for byte in key if byte in carries)


def keys(rng, count, carries=range(256), special=(), empty=False):
    """`count` keys of 1 to 250 bytes out of `carries` ("utf-8": texts), with the `special` ones."""
    found = [key for key in special if _carried(key, carries) == key and 0 < len(key) <= 250]
    rng.shuffle(found)
    del found[count // 4:]
    if empty:
        found.append(b"")
    while len(found) < count:
        key = _carried(rng.choice(_KINDS)(rng), carries)
        if key:
            found.append(key)
    rng.shuffle(found)
    return tuple(found)


# Without blanks and control characters: what memcached's text protocol has.
PLAIN_BYTES = [byte for byte in range(256) if byte > 0x20 and byte != 0x7f]


# --- keys that stand where points do, and points that stand where others do ----------------------

def labels(rng, idents, digests=40, count=200):
    """Keys that are labels: they stand exactly on the points that are the labels' hashes."""
    return [f"{rng.choice(idents)}-{rng.randrange(digests)}".encode() for _ in range(count)]


def md5_points(ident, digests=40):
    for j in range(digests):
        yield from struct.unpack("<4I", hashlib.md5(f"{ident}-{j}".encode()).digest())


def colliding(draw_one, points_of=md5_points):
    """Two different results of `draw_one` that share a point."""
    seen = {}
    while True:
        ident = draw_one()
        for point in points_of(ident):
            other = seen.setdefault(point, ident)
            if other != ident:
                return [other, ident]


def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0xedb88320 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC_TABLE = _crc_table()
_CRC_BY_TOP = {value >> 24: number for number, value in enumerate(_CRC_TABLE)}


def crc32_key(prefix, wanted):
    """`prefix` and four bytes, so that the CRC-32 of the whole is `wanted`."""
    state = wanted ^ 0xffffffff
    for _ in range(4):
        number = _CRC_BY_TOP[state >> 24]
        state = (state ^ _CRC_TABLE[number]) << 8 & 0xffffffff | number
    key = prefix + struct.pack("<I", state ^ zlib.crc32(prefix) ^ 0xffffffff)
    assert zlib.crc32(key) == wanted
    return key
