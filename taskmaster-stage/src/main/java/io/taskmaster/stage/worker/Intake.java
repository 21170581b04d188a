package io.taskmaster.stage.worker;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.Settlement.Bury;
import io.taskmaster.stage.worker.Settlement.GiveBack;
import io.taskmaster.stage.worker.task.HandlerResult;
import io.taskmaster.stage.worker.task.InFlightTask;
import io.taskmaster.stage.worker.task.Tracing;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decision about each task that was leased: whether a handler gets it, and in which lane it waits. Single-threaded:
 * owned by a stage runner.
 */
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
     * Adds a task to its lane, or settles it at once.
     *
     * @param key the key of the task
     */
    void take(InFlightTask<T> task, Key key) {
        int attempt = task.lease().attempt();
        // A task that ends its worker each time leaves no outcome behind, so only this count can stop it.
        if (attempt > settings.retry().maxAttempts()) {
            bury(task, "leased %d times without an outcome".formatted(attempt - 1));
        } else if (key.unreadable().isPresent()) {
            bury(task, key.unreadable().get());
        } else if (key.failure().isPresent()) {
            task.beginUncalled(tracing);
            settler.conclude(task, HandlerResult.failed(key.failure().get()));
        } else if (key.key() == null) {
            bury(task, "key: none (expected: a key for each task)");
        } else {
            Optional<Instant> closedUntil = dispatch.closedUntil(key.text(), leased(task.lease()));
            closedUntil.ifPresentOrElse(
                    until -> settler.settle(task, GiveBack.postponed(until)), () -> dispatch.add(task));
        }
    }

    /** Returns the time at which a task was leased, by the server's clock. */
    private Instant leased(LeasedTask task) {
        return task.leaseExpires().minus(settings.lease());
    }

    /** Makes a dead letter of a task that no handler has had. */
    private void bury(InFlightTask<T> task, String reason) {
        task.beginUncalled(tracing);
        settler.settle(task, Bury.of(reason));
    }

    /** Asks the application for the key of a task. */
    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, the task must be settled.
    Key keyOf(LeasedTask lease) {
        try {
            return new Key(settings.keys().key().apply(new Seen<>(stage, lease)), Optional.empty(), Optional.empty());
        } catch (Unreadable e) {
            return new Key(
                    null, Optional.empty(), Optional.of("data: cannot be decoded: " + HandlerResult.textOf(e.cause)));
        } catch (Throwable e) {
            return new Key(null, Optional.of(e), Optional.empty());
        }
    }

    /**
     * The result of the application's key function.
     *
     * @param key the key; null if the task has none
     * @param failure the exception of the application
     * @param unreadable the reason why the payload, which the key function asked for, cannot be decoded
     */
    record Key(@Nullable String key, Optional<Throwable> failure, Optional<String> unreadable) {

        String text() {
            return key == null ? "" : key;
        }
    }

    /** The failure of a queue's codec to decode the data of a task. */
    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient Throwable cause;

        Unreadable(Throwable cause) {
            super(cause);
            this.cause = cause;
        }
    }

    /** A view of a task for the key function, before any handler has it. The payload is decoded at each call. */
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
