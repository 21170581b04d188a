package io.taskmaster.harness.hbase;

import io.taskmaster.testkit.FreePort;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * The ports of an HBase on loopback, which are all different. Immutable.
 *
 * @param dataNode the port for blocks
 * @param dataNodeCalls the port for calls of other processes to the data node
 * @param regionServers the ports of region servers in their order
 */
record Ports(int nameNode, int dataNode, int dataNodeCalls, int zookeeper, int master, List<Integer> regionServers) {

    Ports {
        regionServers = List.copyOf(regionServers);
    }

    /** Returns free ports, with the given one for ZooKeeper. */
    static Ports free(int zookeeper, int regionServers) {
        Set<Integer> found = new LinkedHashSet<>();
        while (found.size() < 4 + regionServers) {
            int port = FreePort.onLoopback().getPort();
            if (port != zookeeper) {
                found.add(port);
            }
        }
        Iterator<Integer> next = found.iterator();
        return new Ports(
                next.next(),
                next.next(),
                next.next(),
                zookeeper,
                next.next(),
                List.copyOf(found).subList(4, found.size()));
    }

    /** Returns the port at which a process listens for others. */
    int of(Member member) {
        return switch (member.daemonRole()) {
            case NAME_NODE -> nameNode;
            case DATA_NODE -> dataNode;
            case ZOOKEEPER -> zookeeper;
            case MASTER -> master;
            case REGION_SERVER -> regionServers.get(member.number() - 1);
        };
    }

    void save(Path file) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("datanode.calls", Integer.toString(dataNodeCalls));
        Member.all(regionServers.size())
                .forEach(member -> properties.setProperty(member.name(), Integer.toString(of(member))));
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            properties.store(writer, "Who listens where on loopback");
        }
    }

    /** Loads the ports that were saved last. */
    static Ports load(Path file) throws IOException {
        Properties properties = new Properties();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        ToIntFunction<String> port = name -> port(file, name, properties);
        List<Integer> regionServers = new ArrayList<>();
        while (properties.containsKey(regionServer(regionServers.size() + 1))) {
            regionServers.add(port.applyAsInt(regionServer(regionServers.size() + 1)));
        }
        return new Ports(
                port.applyAsInt(DaemonRole.NAME_NODE.label()),
                port.applyAsInt(DaemonRole.DATA_NODE.label()),
                port.applyAsInt("datanode.calls"),
                port.applyAsInt(DaemonRole.ZOOKEEPER.label()),
                port.applyAsInt(DaemonRole.MASTER.label()),
                regionServers);
    }

    private static String regionServer(int number) {
        return new Member(DaemonRole.REGION_SERVER, number).name();
    }

    private static int port(Path file, String name, Properties properties) {
        try {
            return Integer.parseInt(properties.getProperty(name, ""));
        } catch (NumberFormatException e) {
            throw new HBaseException(
                    "%s: no port of %s (expected: a file that this command wrote)".formatted(file, name), e);
        }
    }
}
