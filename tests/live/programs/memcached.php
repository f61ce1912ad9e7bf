<?php
// SPDX-License-Identifier: MIT
// Reads cases for php-memcached and answers each with a line of hosts and ports, one for each key:
//     set OPTION VALUE | server HOST PORT WEIGHT | add | each | key HEX | end
// Lines are carried out in their order; `add` adds the servers so far in one call, `each` each of
// them with one of its own.

function value_of(string $word): mixed {
    return is_numeric($word) ? (int)$word : constant("Memcached::$word");
}

function set_option(Memcached $client, string $name, string $value): bool {
    return $client->setOption(constant("Memcached::OPT_$name"), value_of($value));
}

function check(Memcached $client, bool $done, string $line): void {
    if (!$done) {
        fwrite(STDERR, "$line: " . $client->getResultMessage() . "\n");
        exit(1);
    }
}

function answer(Memcached $client, string $hex): void {
    $server = $client->getServerByKey(hex2bin($hex));
    check($client, $server !== false, "key $hex");
    echo "{$server['host']},{$server['port']} ";
}

function new_client(): Memcached {
    $client = new Memcached();
    $client->setOption(Memcached::OPT_BINARY_PROTOCOL, true); // any bytes may be in keys
    return $client;
}

$client = new_client();
$servers = [];
while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', rtrim($line, "\n"));
    switch ($words[0]) {
    case 'set':
        check($client, set_option($client, $words[1], $words[2]), $line);
        break;
    case 'server':
        $servers[] = [$words[1], (int)$words[2], (int)$words[3]];
        break;
    case 'add':
        check($client, $client->addServers($servers), $line);
        break;
    case 'each':
        foreach ($servers as $server) {
            check($client, $client->addServer(...$server), $line);
        }
        break;
    case 'key':
        answer($client, $words[1]);
        break;
    default:
        echo "\n";
        $client = new_client();
        $servers = [];
    }
}
