package io.taskmaster.stage.trace;

import com.google.errorprone.annotations.MustBeClosed;
import io.opentelemetry.context.Context;
import io.taskmaster.stage.Scope;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps tasks from what goes wrong in somebody's sampler, span processor or context storage: then there is no span, and the first time a warning in the
 * log. Thread-safe.
 */
final class Guard {

    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private Guard() {}

    static <R> R get(Supplier<? extends R> traced, R untraced) {
        try {
            return traced.get();
        } catch (RuntimeException | LinkageError e) {
            tell(e);
            return untraced;
        }
    }

    static void run(Runnable traced) {
        try {
            traced.run();
        } catch (RuntimeException | LinkageError e) {
            tell(e);
        }
    }

    private static void tell(Throwable error) {
        if (TOLD.getAndSet(true)) {
            LOG.debug("tracing: failed, the task goes on without", error);
        } else {
            LOG.warn("tracing: failed, the task goes on without", error);
        }
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // Who closes ours, closes theirs.
    static Scope enter(Context context) {
        io.opentelemetry.context.Scope current = get(context::makeCurrent, io.opentelemetry.context.Scope.noop());
        return () -> run(current::close);
    }
}
