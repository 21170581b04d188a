package io.taskmaster.server.access;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.common.util.concurrent.RateLimiter;
import io.taskmaster.error.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of administrative actions: a line each in the log, under a name of its own, with who, from where, what, to what and with which outcome.
 * Refusals of strangers are bounded, so that nobody can fill a disk who may do nothing, and so are the updates of each caller, which may be some program's work; the
 * next line of its kind says how many were left out. Thread-safe.
 */
public final class Audit {

    /** How its lines are told from others. */
    public static final String LOGGER = "io.taskmaster.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    /** So many have a pace of their own; whoever comes beyond them begins a new one. */
    private static final int MAX_CALLERS = 1_000;

    // The paces of the log of this process, whoever writes it.
    private static final Pace REFUSALS = new Pace();
    private static final LoadingCache<String, Pace> UPDATES =
            Caffeine.newBuilder().maximumSize(MAX_CALLERS).build(_ -> new Pace());

    private static final class Pace {

        private static final double PER_SECOND = 10;

        private final RateLimiter limiter = RateLimiter.create(PER_SECOND);
        private final AtomicLong leftOut = new AtomicLong();

        /** Whether there is room for a line. */
        boolean admits() {
            boolean admitted = limiter.tryAcquire();
            if (!admitted) {
                leftOut.incrementAndGet();
            }
            return admitted;
        }

        long takeLeftOut() {
            return leftOut.getAndSet(0);
        }
    }

    private Audit() {}

    /**
     * An action that was begun, and how it ended.
     *
     * @param target what it was done to; one line
     * @param outcome {@code OK}, or the reason of an error
     */
    public static void done(String endpoint, String who, String address, String target, String outcome) {
        LOG.atInfo()
                .addKeyValue("who", who)
                .addKeyValue("address", address)
                .addKeyValue("what", method(endpoint))
                .addKeyValue("target", target)
                .addKeyValue("outcome", outcome)
                .log("administrative action");
    }

    /**
     * An update that took what its caller holds no lease of, or that is an administrator's.
     *
     * @param action what was done by it; one line
     * @param target what it was done to; one line
     * @param outcome {@code OK}, {@code REFUSED} if it changed nothing, or the reason of an error
     */
    public static void updated(
            String endpoint, String who, String address, String action, String target, String outcome) {
        Pace pace = UPDATES.get(who);
        if (pace.admits()) {
            LOG.atInfo()
                    .addKeyValue("who", who)
                    .addKeyValue("address", address)
                    .addKeyValue("what", method(endpoint))
                    .addKeyValue("action", action)
                    .addKeyValue("target", target)
                    .addKeyValue("outcome", outcome)
                    .addKeyValue("left_out_before", pace.takeLeftOut())
                    .log("administrative update");
        }
    }

    /** An action that was refused before anybody looked at what it is. */
    static void refused(String endpoint, Identity who, String address, ErrorCode reason) {
        if (who.role() == Role.NONE && !REFUSALS.admits()) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("who", who.name())
                .addKeyValue("address", address)
                .addKeyValue("what", method(endpoint))
                .addKeyValue("outcome", reason)
                .addKeyValue("left_out_before", REFUSALS.takeLeftOut())
                .log("administrative action refused");
    }

    private static String method(String endpoint) {
        return endpoint.substring(endpoint.lastIndexOf('/') + 1);
    }
}
