# SPDX-License-Identifier: MIT
"""The programs by name, in the order in which they are asked."""
from programs.haproxy import HAProxy
from programs.libmemcached import Libmemcached
from programs.nginx import Nginx
from programs.nutcracker import Nutcracker
from programs.php_memcached import PhpMemcached
from programs.pylibmc import Pylibmc
from programs.redis_cluster import RedisCluster
from programs.spymemcached import Spymemcached
from programs.uhashring import UHashRing

PROGRAMS = {program.name: program for program in (
    Libmemcached(), PhpMemcached(), Pylibmc(), Nutcracker(), Spymemcached(), UHashRing(), Nginx(),
    HAProxy(), RedisCluster())}
