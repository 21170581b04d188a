package io.taskmaster.proxy.connections;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.taskmaster.proxy.config.ConnectionLimits;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Admission control of the connections of one port. A connection beyond the limits is accepted and closed at once,
 * before anything is read or allocated for it: its peer notices, and open connections are not affected. Thread-safe.
 *
 * <p>Meters, by {@code port}: {@code taskmaster.connections.open}, {@code taskmaster.connections.max}, and
 * {@code taskmaster.connections.refused} by {@code reason}: port or address.
 */
public final class Connections {

    private final int max;
    private final int maxPerAddress;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentHashMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
    private final Counter fullPort;
    private final Counter fullAddress;

    /**
     * Creates the limits of a port.
     *
     * @param port the tag of its meters
     */
    Connections(String port, int max, int maxPerAddress, MeterRegistry meters) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
        Gauge.builder("taskmaster.connections.open", open, AtomicInteger::get)
                .description("Open connections")
                .tag("port", port)
                .register(meters);
        Gauge.builder("taskmaster.connections.max", () -> max)
                .description("Maximum number of open connections")
                .tag("port", port)
                .register(meters);
        fullPort = refused(port, "port", meters);
        fullAddress = refused(port, "address", meters);
    }

    private static Counter refused(String port, String reason, MeterRegistry meters) {
        return Counter.builder("taskmaster.connections.refused")
                .description("Connections rejected because a limit was reached")
                .tag("port", port)
                .tag("reason", reason)
                .register(meters);
    }

    /** Creates the limits of a port from the settings and the limits of this process. */
    public static Connections of(String port, ConnectionLimits limits, MeterRegistry meters) {
        return new Connections(port, Descriptors.connectionsPerPort(limits), limits.maxPerAddress(), meters);
    }

    /** Returns the factory of the listening channel. */
    public ChannelFactory<ServerChannel> listener() {
        return () -> new BoundedListener(this);
    }

    /** Admits a connection, which must be released with {@link #closed}. Returns false if it is beyond a limit. */
    boolean accept(InetAddress from) {
        // Counted before it is checked, so that two concurrent connections cannot both take the last place.
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
