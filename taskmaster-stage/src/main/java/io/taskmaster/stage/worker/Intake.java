package io.taskmaster.stage.worker;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.Settlement.Bury;
import io.taskmaster.stage.worker.Settlement.GiveBack;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides about each task that was leased whether a handler is to have it, and in which lane it waits. Single-threaded: owned by a stage runner. */
final class Intake<T> {

    private final Stage<T> stage;
    private final StageSettings settings;
    private final Tracing tracing;
    private final Dispatch<T> dispatch;
    private final Settler<T> settler;

    Intake(Stage<T> stage, Tracing tracing, Dispatch<T> dispatch, Settler<T> settler) {
        this.stage = stage;
        this.settings = stage.settings();
        this.tracing = tracing;
        this.dispatch = dispatch;
        this.settler = settler;
    }

    /**
     * Takes a task in, which waits or is settled after that.
     *
     * @param key of the task
     */
    void take(Held<T> task, Key key) {
        int attempt = task.lease().attempt();
        if (attempt > settings.retry().maxAttempts()) {
            bury(task, "leased in vain %d times".formatted(attempt - 1));
        } else if (key.unreadable().isPresent()) {
            bury(task, key.unreadable().get());
        } else if (key.failure().isPresent()) {
            task.beginUncalled(tracing);
            settler.conclude(task, Conclusion.failed(key.failure().get()));
        } else if (key.key() == null) {
            bury(task, "key: none (expected: one for each task)");
        } else {
            Optional<Instant> closedUntil = dispatch.closedUntil(key.text(), leased(task.lease()));
            closedUntil.ifPresentOrElse(
                    until -> settler.settle(task, GiveBack.postponed(until)), () -> dispatch.add(task));
        }
    }

    /** When a task was leased, by the server's clock. */
    private Instant leased(LeasedTask task) {
        return task.leaseExpires().minus(settings.lease());
    }

    /** No handler is to have it. */
    private void bury(Held<T> task, String reason) {
        task.beginUncalled(tracing);
        settler.settle(task, Bury.of(reason));
    }

    /** The key of a task, as the application says it. */
    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, the task must not be left in nobody's hands.
    Key keyOf(LeasedTask lease) {
        try {
            return new Key(settings.keys().key().apply(new Seen<>(stage, lease)), Optional.empty(), Optional.empty());
        } catch (Unreadable e) {
            return new Key(null, Optional.empty(), Optional.of("data: cannot be read: " + Conclusion.textOf(e.cause)));
        } catch (Throwable e) {
            return new Key(null, Optional.of(e), Optional.empty());
        }
    }

    /**
     * The key of a task.
     *
     * @param key null: it has none
     * @param failure what the application threw instead
     * @param unreadable why the payload, which it wanted to see, cannot be read
     */
    record Key(@Nullable String key, Optional<Throwable> failure, Optional<String> unreadable) {

        String text() {
            return key == null ? "" : key;
        }
    }

    /** The data of a task cannot be read by the codec of its queue. */
    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient Throwable cause;

        Unreadable(Throwable cause) {
            super(cause);
            this.cause = cause;
        }
    }

    /** A task that no handler has yet. Its payload is decoded whenever it is asked for. */
    private record Seen<T>(Stage<T> stage, LeasedTask lease) implements Task<T> {

        @Override
        public T payload() {
            try {
                return stage.input().codec().decode(lease.data());
            } catch (RuntimeException | StackOverflowError e) {
                throw new Unreadable(e);
            }
        }

        @Override
        public String member() {
            return stage.input().memberOf(lease.queue().name());
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    }
}
