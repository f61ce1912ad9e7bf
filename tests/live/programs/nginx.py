# SPDX-License-Identifier: MIT
"""nginx: the servers need not be there, as nginx tells to whom it wanted to connect."""
import functools
import os
import shutil
import socket
import struct
import urllib.parse
import zlib

import draw
import http_keys
from case import Case, Node, Program

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/pid;
error_log /dev/null emerg;
events {{ worker_connections 64; }}
http {{
    access_log off;
    merge_slashes off;
    large_client_header_buffers 4 16k;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream servers {{
        hash $key{method};
{servers}
    }}
    server {{
        listen unix:{folder}/http;
        keepalive_requests 1000000;
        location ~ "(?s)^/k(?<key>.*)$" {{
            proxy_next_upstream off;
            proxy_connect_timeout 2s;
            proxy_read_timeout 2s;
            proxy_pass http://servers;
            add_header X-Owner $upstream_addr always;
        }}
    }}
}}
"""


@functools.lru_cache
def _is_known(name):
    """Whether this machine has an address for a name, which nginx has to have at its start."""
    try:
        return bool(socket.getaddrinfo(name, None))
    except OSError:
        return False


def _local(rng):
    """A name for 127.0.0.1 and, it may be, ::1, at a port that no other server here has, nor a
    client's end: one that connects to its own port is connected with itself."""
    port = rng.randint(61000, 65535)
    name = "LocalHost" if port % 2 else "localhost"
    return f"{name if _is_known(name) else '127.0.0.1'}:{port}"


def _at_loopback(rng):
    return f"{draw.loopback(rng)}:{draw.port(rng)}"


def _server(rng):
    """What stands behind `server`, each form with and without a port."""
    kind = rng.randrange(9)
    if kind == 0:
        return rng.choice(["unix:", "UNIX:", "Unix:"]) + f"/run/{draw.host(rng)}.none"
    if kind == 1:
        return f"[::1]:{draw.port(rng)}"
    if kind == 2:
        return draw.loopback(rng)
    if kind == 3:
        return f"{draw.loopback(rng)}:80"
    if kind == 4:
        return _local(rng)
    return _at_loopback(rng)


def split(name):
    """Host and port as nginx's ring has them."""
    if name[:5].lower() == "unix:":
        return name[5:], ""
    host, colon, port = name.rpartition(":")
    return (host, port) if colon and port.isdigit() else (name, "")


def points(name, count=160):
    """The chain of a server."""
    base = "\0".join(split(name)).encode()
    point = 0
    for _ in range(count):
        point = zlib.crc32(base + struct.pack("<I", point))
        yield point


def _on_points(rng, names):
    """Keys that stand where a point does, and one before and behind it."""
    for _ in range(300):
        number = rng.choice([*points(rng.choice(names))]) + rng.choice([0, 0, 1, -1])
        yield draw.crc32_key(rng.randbytes(rng.randint(0, 3)), number & 0xffffffff)


def _addresses(name):
    """What `$upstream_addr` may say of a server."""
    host, port = split(name)
    if name[:5].lower() == "unix:":
        return ["unix:" + host]
    hosts = ["127.0.0.1", "[::1]"] if host.lower() == "localhost" else [host]
    return [f"{each}:{port or 80}" for each in hosts]


def _down(rng, nodes):
    """One that may have an equal point may be down: a light one, as nginx goes round robin after
    20 of those that are."""
    light = [node for node in nodes if node.weight * 3 <= sum(n.weight for n in nodes)]
    if light and rng.random() < 0.4:
        down = rng.choice(light[:2])
        nodes[nodes.index(down)] = Node(down.name, down.weight, (("down", "1"),))


class Nginx(Program):
    name = "nginx"
    topologies = 16

    def missing(self):
        return "" if shutil.which("nginx", path="/usr/sbin:/usr/bin") else "nginx"

    def draw(self, rng, turn, count):
        scheme = "nginx-modulo" if turn % 3 == 2 else "nginx"
        wanted = draw.shape(rng, turn)
        names = draw.distinct(lambda: _server(rng), wanted.size)
        if wanted.collides:
            names[:2] = draw.colliding(lambda: _at_loopback(rng), points)
        nodes = [*map(Node, names, draw.weights(rng, wanted, most=200))]
        _down(rng, nodes)
        keys = draw.keys(rng, count, range(1, 256), special=[*_on_points(rng, names)])
        # A dot behind a slash is an affair of paths.
        return Case(scheme, (), tuple(nodes), tuple(key.replace(b"/.", b"/:") for key in keys))

    @staticmethod
    def _configuration(folder, case):
        servers = "\n".join(
            f"        server {node.name} weight={node.weight} max_fails=0"
            + (" down;" if node.attribute("down") else ";") for node in case.nodes)
        method = " consistent" if case.scheme == "nginx" else ""
        return CONFIGURATION.format(folder=folder, method=method, servers=servers)

    def owners(self, session, case):
        folder = session.folder()
        file = session.write(folder, "conf", self._configuration(folder, case))
        names = {address: node.name for node in case.nodes for address in _addresses(node.name)}
        requests = [(f"/k{urllib.parse.quote(key, safe='')}".encode(), b"") for key in case.keys]
        with session.server(["/usr/sbin/nginx", "-e", "/dev/null", "-p", folder, "-c", file],
                            os.path.join(folder, "http")):
            answers = http_keys.owners(os.path.join(folder, "http"), requests, b"x-owner")
        return [names.get(answer, answer) for answer in answers]
