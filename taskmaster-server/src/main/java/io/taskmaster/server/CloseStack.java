package io.taskmaster.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a server that are started so far. Closing ends them in reverse order, each once, whether or not others
 * fail to end. Not thread-safe.
 */
final class CloseStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CloseStack.class);

    private final Deque<Runnable> ends = new ArrayDeque<>();

    /** Adds a part that was just started. */
    <P> P add(P part, Consumer<? super P> end) {
        ends.push(() -> end.accept(part));
        return part;
    }

    /** Ends all parts. Idempotent; blocks as long as they do. */
    @Override
    public void close() {
        while (!ends.isEmpty()) {
            try {
                ends.pop().run();
                // A part that fails to end must not keep the others running.
            } catch (RuntimeException | Error e) {
                LOG.warn("a part of the server failed to close", e);
            }
        }
    }
}
