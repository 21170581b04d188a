package io.taskmaster.server.connections;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.taskmaster.server.config.ConnectionLimits;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The open connections of one port, and the bounds on them. A connection that is one too many is accepted and closed at once, before
 * anything is read or kept of it: its peer is told, and those that are open are not touched. Thread-safe.
 *
 * <p>Meters, by {@code port}: {@code taskmaster.connections.open}, {@code taskmaster.connections.max}, and {@code taskmaster.connections.refused} by {@code reason}: port or address.
 */
public final class Connections {

    private final int max;
    private final int maxPerAddress;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentHashMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
    private final Counter fullPort;
    private final Counter fullAddress;

    /**
     * @param port as its meters call it
     */
    Connections(String port, int max, int maxPerAddress, MeterRegistry meters) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
        Gauge.builder("taskmaster.connections.open", open, AtomicInteger::get)
                .description("Open connections")
                .tag("port", port)
                .register(meters);
        Gauge.builder("taskmaster.connections.max", () -> max)
                .description("How many connections there may be")
                .tag("port", port)
                .register(meters);
        fullPort = refused(port, "port", meters);
        fullAddress = refused(port, "address", meters);
    }

    private static Counter refused(String port, String reason, MeterRegistry meters) {
        return Counter.builder("taskmaster.connections.refused")
                .description("Connections that were one too many")
                .tag("port", port)
                .tag("reason", reason)
                .register(meters);
    }

    /** Of a port, as the settings and the limits of this process have it. */
    public static Connections of(String port, ConnectionLimits limits, MeterRegistry meters) {
        return new Connections(port, Descriptors.connectionsPerPort(limits), limits.maxPerAddress(), meters);
    }

    /** Makes the channel that listens. */
    public ChannelFactory<ServerChannel> listener() {
        return () -> new BoundedListener(this);
    }

    /** Takes one more, which is given back with {@link #closed}; false if it is one too many. */
    boolean accept(InetAddress from) {
        if (open.incrementAndGet() > max) {
            open.decrementAndGet();
            fullPort.increment();
            return false;
        }
        if (byAddress.merge(from, 1, Integer::sum) > maxPerAddress) {
            closed(from);
            fullAddress.increment();
            return false;
        }
        return true;
    }

    void closed(InetAddress from) {
        byAddress.computeIfPresent(from, (_, count) -> count == 1 ? null : count - 1);
        open.decrementAndGet();
    }

    int open() {
        return open.get();
    }
}
