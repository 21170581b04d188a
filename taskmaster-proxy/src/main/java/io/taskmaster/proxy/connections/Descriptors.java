package io.taskmaster.proxy.connections;

import com.sun.management.UnixOperatingSystemMXBean;
import io.taskmaster.proxy.config.ConnectionLimits;
import io.taskmaster.proxy.config.PortSetting;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The division of the process's file descriptors. Connections of both ports together get at most half of them, so that
 * the store can always open its files: a connection too many is refused before it takes a descriptor that the store
 * needs. Stateless.
 */
final class Descriptors {

    private static final Logger LOG = LoggerFactory.getLogger(Descriptors.class);

    /** The default where the process may open any number of files. */
    static final int AUTO_CONNECTIONS = 10_000;

    private static final int PORTS = 2;

    /** The divisor that leaves half of the descriptors to the store. */
    private static final int STORE_SHARE = 2;

    private Descriptors() {}

    /**
     * Returns the maximum number of connections of one port, by the settings and by the descriptor limit of this
     * process.
     */
    public static int connectionsPerPort(ConnectionLimits limits) {
        return connectionsPerPort(
                limits,
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                        ? unix.getMaxFileDescriptorCount()
                        : Long.MAX_VALUE);
    }

    static int connectionsPerPort(ConnectionLimits limits, long descriptors) {
        long available = Math.max(1, descriptors / STORE_SHARE / PORTS);
        int requested = limits.max().orElse(AUTO_CONNECTIONS);
        if (requested <= available) {
            return requested;
        }
        if (limits.max().isPresent()) {
            LOG.warn(
                    "{}: {} is lowered to {}, because this process may open only {} files and the store needs half of them"
                            + " (expected: ulimit -n of at least {})",
                    PortSetting.CONNECTIONS_MAX.key(),
                    requested,
                    available,
                    descriptors,
                    (long) requested * STORE_SHARE * PORTS);
        }
        return (int) available;
    }
}
