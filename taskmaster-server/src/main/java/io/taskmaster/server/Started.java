package io.taskmaster.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server has started so far. Ends it in the opposite order, each part once, whatever becomes of the others. Not thread-safe. */
final class Started implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Started.class);

    private final Deque<Runnable> ends = new ArrayDeque<>();

    /** One more, which was just started. */
    <P> P add(P part, Consumer<? super P> end) {
        ends.push(() -> end.accept(part));
        return part;
    }

    /** Idempotent; blocks as long as the parts do. */
    @Override
    public void close() {
        while (!ends.isEmpty()) {
            try {
                ends.pop().run();
            } catch (RuntimeException | Error e) {
                LOG.warn("a part of the server did not end as it should", e);
            }
        }
    }
}
