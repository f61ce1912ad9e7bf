// SPDX-License-Identifier: MIT
// Reads cases for spymemcached's locators and answers each with a line of servers' numbers, one for
// each key:
//     set NAME VALUE | literal IP PORT WEIGHT | name HOST IP PORT WEIGHT |
//     unresolved HOST PORT WEIGHT | key HEX | end
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import net.spy.memcached.ArrayModNodeLocator;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.HashAlgorithm;
import net.spy.memcached.KetamaNodeKeyFormatter;
import net.spy.memcached.KetamaNodeLocator;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.NodeLocator;

public class Spymemcached {
    private final Map<String, String> settings = new HashMap<>();
    private final List<MemcachedNode> nodes = new ArrayList<>();
    private final Map<InetSocketAddress, Integer> weights = new HashMap<>();
    private NodeLocator locator;

    /** A node that knows its address and nothing else. */
    private static MemcachedNode nodeAt(InetSocketAddress address) {
        return (MemcachedNode) Proxy.newProxyInstance(
            MemcachedNode.class.getClassLoader(), new Class<?>[] {MemcachedNode.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "getSocketAddress" -> address;
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> throw new UnsupportedOperationException(method.getName());
            });
    }

    private static InetSocketAddress addressOf(String[] words) throws Exception {
        int port = Integer.parseInt(words[words.length - 2]);
        if (words[0].equals("unresolved")) {
            return InetSocketAddress.createUnresolved(words[1], port);
        }
        InetAddress address = InetAddress.getByName(words[words.length - 3]);
        if (words[0].equals("name")) {
            address = InetAddress.getByAddress(words[1], address.getAddress());
        }
        return new InetSocketAddress(address, port);
    }

    private void add(String[] words) throws Exception {
        InetSocketAddress address = addressOf(words);
        nodes.add(nodeAt(address));
        if (settings.containsKey("weighted")) {
            weights.put(address, Integer.parseInt(words[words.length - 1]));
        }
    }

    private NodeLocator newLocator() {
        HashAlgorithm hash = DefaultHashAlgorithm.valueOf(settings.get("hash"));
        if (settings.containsKey("array-mod")) {
            return new ArrayModNodeLocator(nodes, hash);
        }
        return new KetamaNodeLocator(
            nodes, hash, KetamaNodeKeyFormatter.Format.valueOf(settings.get("format")), weights);
    }

    private int owner(String hex) {
        if (locator == null) {
            locator = newLocator();
        }
        String key = new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
        return nodes.indexOf(locator.getPrimary(key));
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        Spymemcached asked = new Spymemcached();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "set" -> asked.settings.put(words[1], words[2]);
                case "key" -> System.out.print(asked.owner(words[1]) + " ");
                case "end" -> {
                    System.out.println();
                    asked = new Spymemcached();
                }
                default -> asked.add(words);
            }
            if (words[0].equals("end")) {
                System.out.flush();
            }
        }
    }
}
