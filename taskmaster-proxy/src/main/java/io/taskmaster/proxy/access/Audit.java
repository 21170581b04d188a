package io.taskmaster.proxy.access;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.common.util.concurrent.RateLimiter;
import io.taskmaster.error.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log of administrative actions: one log line each, under a logger of its own, with caller, address, action,
 * target and outcome. Refusals of unknown callers are limited in rate, so that they cannot fill a disk, and so are the
 * updates of each caller, which may be a program's regular work. The next line of its kind has the number of lines left
 * out. Thread-safe.
 */
public final class Audit {

    /** The name of the logger. */
    public static final String LOGGER = "io.taskmaster.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    /** The number of callers with a rate limit of their own; the least useful is evicted and begins anew. */
    private static final int MAX_CALLERS = 1_000;

    // Limits for the log of this process, whichever component writes it.
    private static final Pace REFUSALS = new Pace();
    private static final LoadingCache<String, Pace> UPDATES =
            Caffeine.newBuilder().maximumSize(MAX_CALLERS).build(_ -> new Pace());

    private static final class Pace {

        private static final double PER_SECOND = 10;

        private final RateLimiter limiter = RateLimiter.create(PER_SECOND);
        private final AtomicLong suppressed = new AtomicLong();

        /** Returns whether a line may be written; counts it as left out otherwise. */
        boolean admits() {
            boolean admitted = limiter.tryAcquire();
            if (!admitted) {
                suppressed.incrementAndGet();
            }
            return admitted;
        }

        long takeSuppressed() {
            return suppressed.getAndSet(0);
        }
    }

    private Audit() {}

    /**
     * Records an action that was begun, and its outcome.
     *
     * @param target of the action; one line
     * @param outcome {@code OK}, or the reason of an error
     */
    public static void done(String endpoint, String caller, String address, String target, String outcome) {
        LOG.atInfo()
                .addKeyValue("who", caller)
                .addKeyValue("address", address)
                .addKeyValue("what", method(endpoint))
                .addKeyValue("target", target)
                .addKeyValue("outcome", outcome)
                .log("administrative action");
    }

    /**
     * Records an update of tasks that its caller has not leased, or of an administrator.
     *
     * @param action that the caller names; one line
     * @param target of the action; one line
     * @param outcome {@code OK}, {@code REFUSED} if it changed nothing, or the reason of an error
     */
    public static void updated(
            String endpoint, String caller, String address, String action, String target, String outcome) {
        Pace pace = UPDATES.get(caller);
        if (pace.admits()) {
            LOG.atInfo()
                    .addKeyValue("who", caller)
                    .addKeyValue("address", address)
                    .addKeyValue("what", method(endpoint))
                    .addKeyValue("action", action)
                    .addKeyValue("target", target)
                    .addKeyValue("outcome", outcome)
                    .addKeyValue("left_out_before", pace.takeSuppressed())
                    .log("administrative update");
        }
    }

    /** Records an action that was refused before its request was read. */
    static void refused(String endpoint, Identity caller, String address, ErrorCode reason) {
        if (caller.role() == Role.NONE && !REFUSALS.admits()) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("who", caller.name())
                .addKeyValue("address", address)
                .addKeyValue("what", method(endpoint))
                .addKeyValue("outcome", reason)
                .addKeyValue("left_out_before", REFUSALS.takeSuppressed())
                .log("administrative action rejected");
    }

    private static String method(String endpoint) {
        return endpoint.substring(endpoint.lastIndexOf('/') + 1);
    }
}
