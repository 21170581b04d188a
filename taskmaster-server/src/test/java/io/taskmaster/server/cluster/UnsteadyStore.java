package io.taskmaster.server.cluster;

import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.store.ForwardingStore;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A store in memory, as one node reaches it: a test lets its operations fail, have unknown outcomes, or land late.
 * Several such views share one store.
 */
final class UnsteadyStore extends ForwardingStore {

    /** The fate of an operation. */
    enum Fate {
        /** Performed. */
        DONE,
        /** Not performed, and known not to be. */
        REFUSED,
        /** Not performed; the caller cannot know. */
        LOST,
        /** Performed; the caller cannot know. */
        UNHEARD,
        /** Performed after the caller was told that the outcome is unknown. */
        LATE,
        /** Performed when {@link #land} is called; the caller hears nothing until then. */
        HELD
    }

    private static final long LATE_MILLIS = 3_000;

    private final MemoryStore store;
    private final TimedExecutor executor;
    private final Queue<Fate> next = new ArrayDeque<>();
    private final Queue<Runnable> held = new ArrayDeque<>();
    private Supplier<Fate> fate = () -> Fate.DONE;

    UnsteadyStore(MemoryStore store, TimedExecutor executor) {
        this.store = store;
        this.executor = executor;
    }

    /** Sets the fates of the next operations. */
    void next(Fate... fates) {
        next.addAll(List.of(fates));
    }

    /** Sets the fate of all operations from now on. */
    void all(Fate same) {
        fate = () -> same;
    }

    /** Lets one in two operations fail in some way from now on. */
    void anyFate(RandomGenerator random) {
        Fate[] fates = {Fate.DONE, Fate.DONE, Fate.DONE, Fate.REFUSED, Fate.LOST, Fate.UNHEARD, Fate.LATE};
        fate = () -> fates[random.nextInt(fates.length)];
    }

    /** Performs the operations that were held. */
    void land() {
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    @Override
    protected Store delegate() {
        return store;
    }

    @Override
    protected <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> operation) {
        return switch (next.isEmpty() ? fate.get() : next.remove()) {
            case DONE -> operation.get();
            case REFUSED -> failed(Outcome.REFUSED);
            case LOST -> failed(Outcome.UNKNOWN);
            case UNHEARD -> {
                var _ = operation.get();
                yield failed(Outcome.UNKNOWN);
            }
            case LATE -> {
                executor.schedule(LATE_MILLIS, () -> {
                    var _ = operation.get();
                });
                yield failed(Outcome.UNKNOWN);
            }
            case HELD -> hold(operation);
        };
    }

    private <T> CompletableFuture<T> hold(Supplier<CompletableFuture<T>> operation) {
        CompletableFuture<T> landed = new CompletableFuture<>();
        held.add(() -> {
            var _ = operation.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    landed.complete(value);
                } else {
                    landed.completeExceptionally(failure);
                }
            });
        });
        return landed;
    }

    private static <T> CompletableFuture<T> failed(Outcome outcome) {
        return CompletableFuture.failedFuture(new StoreException(outcome, "unsteady", null));
    }
}
