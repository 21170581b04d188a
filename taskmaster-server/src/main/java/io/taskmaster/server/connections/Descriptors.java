package io.taskmaster.server.connections;

import com.sun.management.UnixOperatingSystemMXBean;
import io.taskmaster.server.config.ConnectionLimits;
import io.taskmaster.server.config.Setting;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shares of a process's file descriptors: connections get at most half of them, both ports together, so that the store can always open its files. A
 * connection that is one too many is refused before it is in the store's way. Stateless.
 */
public final class Descriptors {

    private static final Logger LOG = LoggerFactory.getLogger(Descriptors.class);

    /** Where the process may open as many files as it likes. */
    static final int AUTO_CONNECTIONS = 10_000;

    private static final int PORTS = 2;

    /** For the store, of those that the process may have. */
    private static final int STORE_SHARE = 2;

    private Descriptors() {}

    /** How many connections one port may have: as the settings say, and as the limit of this process lets. */
    public static int connectionsPerPort(ConnectionLimits limits) {
        return connectionsPerPort(
                limits,
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                        ? unix.getMaxFileDescriptorCount()
                        : Long.MAX_VALUE);
    }

    static int connectionsPerPort(ConnectionLimits limits, long descriptors) {
        long room = Math.max(1, descriptors / STORE_SHARE / PORTS);
        int wanted = limits.max().orElse(AUTO_CONNECTIONS);
        if (wanted <= room) {
            return wanted;
        }
        if (limits.max().isPresent()) {
            LOG.warn(
                    "{}: {} is lowered to {}, since this process may open {} files and the store needs half of them"
                            + " (expected: ulimit -n of at least {})",
                    Setting.CONNECTIONS_MAX.key(),
                    wanted,
                    room,
                    descriptors,
                    (long) wanted * STORE_SHARE * PORTS);
        }
        return (int) room;
    }
}
