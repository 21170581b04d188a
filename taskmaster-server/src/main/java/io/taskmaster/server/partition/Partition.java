package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.Walk;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.heap.OutOfMemory;
import io.taskmaster.server.partition.log.Contender;
import io.taskmaster.server.store.Room;
import io.taskmaster.server.store.Store;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One owner's hold on a partition: one epoch, from the takeover to its end. Single-threaded: owned by its loop.
 *
 * <pre>
 *   NEW --open--> OPENING --recovered--> SERVING --drain--> DRAINING --settled, closed--> STOPPED
 *                    |                      |                  |
 *                    +------failed----------+--deposed, or an outcome is unknown--> STOPPED
 *                    +----------------------+--what is stored is damaged----------> DAMAGED
 * </pre>
 */
public final class Partition {

    private static final long SETTLE_CHECK_MILLIS = 5;

    private final int id;
    private final Store store;
    private final Strand strand;
    private final PartitionSettings settings;
    private final Commons commons;
    private final Opening opening;
    private final CompletableFuture<Throwable> ended = new CompletableFuture<>();
    private Phase phase = Phase.NEW;
    /** Why it stays closed, if it does. */
    private @Nullable TaskMasterException damage;

    private @Nullable Serving serving;

    /**
     * @param random gives the nonce of the epoch
     */
    public Partition(
            int id,
            Contender owner,
            Store store,
            PartitionLoop loop,
            PartitionSettings settings,
            Commons commons,
            RandomGenerator random) {
        this.id = id;
        this.store = store;
        this.strand = new Strand(loop);
        this.settings = settings;
        this.commons = commons;
        this.opening = new Opening(id, owner, store, strand, settings, random);
    }

    /** Takes the partition over and recovers it. Complete when it serves. */
    public CompletableFuture<Void> open() {
        enter(Phase.OPENING);
        long beganNanos = commons.meters().opening();
        return opening.run().thenAccept(opened -> serve(opened, beganNanos));
    }

    private void serve(Opening.Opened opened, long beganNanos) {
        if (phase != Phase.OPENING) {
            return;
        }
        MemoryBudget.Share share = commons.budget().share(bytes -> strand.execute(() -> evict(bytes)));
        serving = new Serving(id, store, strand, settings, opened, share, commons, this::ended);
        enter(Phase.SERVING);
        commons.meters().opened(beganNanos);
        // It would find out by its next write; while there is none, it would serve from memory what nobody can change.
        var _ = store.broken().thenAccept(reason -> strand.execute(() -> fail(reason)));
    }

    private void fail(Throwable reason) {
        Serving open = serving;
        if (open != null) {
            open.end(reason);
        }
    }

    private void enter(Phase next) {
        phase = next;
        commons.phases().is(id, next);
    }

    /** How this epoch ended, once it has, unless by {@link #stop}. */
    public CompletableFuture<Throwable> ended() {
        return ended;
    }

    public boolean isServing() {
        return phase == Phase.SERVING;
    }

    /** What it knows, to look at; empty while it does not serve. */
    Optional<PartitionState> state() {
        Serving open = serving;
        return open == null ? Optional.empty() : Optional.of(open.state());
    }

    /** Tells how tasks flow through it; nothing while it does not serve. */
    void flow(CompletableFuture<FlowSnapshot> told) {
        look(told, () -> {
            Serving open = serving;
            told.complete(
                    open == null ? FlowSnapshot.NONE : open.state().queues().flow());
        });
    }

    /**
     * Tells what a walk over its queues finds; nothing while it does not serve. That takes many turns of the loop, if there are many queues, and ends once nobody waits for it.
     */
    <A> void walk(LongFunction<? extends Walk<A>> begin, CompletableFuture<Optional<A>> told) {
        look(told, () -> goOn(serving, begin.apply(strand.nowMillis()), told));
    }

    private <A> void goOn(@Nullable Serving began, Walk<A> walk, CompletableFuture<Optional<A>> told) {
        if (told.isDone()) {
            return;
        }
        if (began == null || began != serving) {
            told.complete(Optional.empty());
            return;
        }
        Selector selector = walk.selector().orElse(null);
        if (selector != null && !began.state().queues().choices().isKnown(selector)) {
            began.choosing().choose(selector, new Walker<>(began, walk, told));
        } else if (walk.walkOn(began.state())) {
            told.complete(Optional.of(walk.found()));
        } else {
            strand.execute(() -> guard(told, () -> goOn(began, walk, told)));
        }
    }

    /** A walk that cannot go on before its selector is known. */
    private final class Walker<A> implements Choosing.Waiter {

        private final Serving began;
        private final Walk<A> walk;
        private final CompletableFuture<Optional<A>> told;

        Walker(Serving began, Walk<A> walk, CompletableFuture<Optional<A>> told) {
            this.began = began;
            this.walk = walk;
            this.told = told;
        }

        @Override
        public boolean isGone() {
            return told.isDone();
        }

        @Override
        public boolean isLimited() {
            return !walk.isOfTheNode();
        }

        @Override
        public void known() {
            guard(told, () -> goOn(began, walk, told));
        }

        @Override
        public void refused(TaskMasterException why) {
            told.completeExceptionally(why);
        }

        @Override
        public void ended() {
            told.complete(Optional.empty());
        }
    }

    /** Tells how many of these queues were deleted and have rows that are not cleared away yet, or fails while it does not serve. */
    void uncleared(Collection<QueueKey> queues, CompletableFuture<Integer> told) {
        look(told, () -> {
            Serving open = serving;
            if (open == null) {
                told.completeExceptionally(notServing());
            } else {
                told.complete(open.state().unreaped(queues));
            }
        });
    }

    private void look(CompletableFuture<?> told, Runnable look) {
        strand.run(() -> guard(told, look));
    }

    /** Runs a read-only operation. If it throws, its future fails with that; the partition goes on. */
    private static void guard(CompletableFuture<?> told, Runnable look) {
        try {
            look.run();
        } catch (RuntimeException | Error broken) {
            OutOfMemory.notice(broken);
            told.completeExceptionally(broken);
        }
    }

    /** Takes a command on. The sink is called exactly once. */
    public void submit(Command command, Node.ReplySink sink) {
        strand.run(() -> takeOn(command, sink));
    }

    private void takeOn(Command command, Node.ReplySink sink) {
        Serving open = serving;
        if (phase == Phase.SERVING && open != null) {
            open.submit(command, sink);
        } else {
            sink.fail(notServing());
        }
    }

    private TaskMasterException notServing() {
        if (damage != null) {
            return damage;
        }
        if (phase != Phase.DRAINING && store.room().level() == Room.Level.NONE) {
            return Entrance.storeFull(store.room());
        }
        return new TaskMasterException(
                phase == Phase.DRAINING ? ErrorCode.SHUTTING_DOWN : ErrorCode.PARTITION_OPENING,
                "partition " + id + ": " + phase.name().toLowerCase(Locale.ROOT),
                Duration.ofMillis(settings.retryDelayMillis()),
                null);
    }

    /**
     * Admits nothing more, settles what is in flight, writes everything to the rows, and closes the epoch. Complete when that is done, or
     * cannot be.
     */
    public CompletableFuture<Void> drain() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        strand.run(() -> {
            if (phase == Phase.SERVING) {
                enter(Phase.DRAINING);
            }
            settle(done);
        });
        return done;
    }

    private void settle(CompletableFuture<Void> done) {
        Serving open = serving;
        if (phase != Phase.DRAINING || open == null) {
            end("shut down");
            done.complete(null);
        } else if (open.isSettled()) {
            serving = null;
            var _ = open.close()
                    .whenComplete((_, _) -> strand.run(() -> {
                        end("shut down");
                        done.complete(null);
                    }));
        } else {
            open.drain();
            strand.schedule(SETTLE_CHECK_MILLIS, () -> settle(done));
        }
    }

    /** Ends it as a crash would: here and now, or once who is beside the loop is back. Idempotent. */
    public void stop(String why) {
        strand.run(() -> end(why));
    }

    /** Closes it for good: whoever asks it for something, or waits, is told what is damaged. */
    void close(TaskMasterException damaged) {
        strand.run(() -> {
            damage = damaged;
            end(String.valueOf(damaged.getMessage()));
        });
    }

    private void end(String why) {
        enterLast();
        Serving open = serving;
        serving = null;
        if (open != null) {
            open.stop(why);
        }
    }

    private void enterLast() {
        Phase last = damage == null ? Phase.STOPPED : Phase.DAMAGED;
        if (phase != last) {
            enter(last);
        }
    }

    private void evict(long bytes) {
        Serving open = serving;
        if (open != null) {
            open.evict(bytes);
        }
    }

    private void ended(Throwable reason) {
        enterLast();
        serving = null;
        ended.complete(reason);
    }
}
