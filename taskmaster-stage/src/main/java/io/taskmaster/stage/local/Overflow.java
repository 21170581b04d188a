package io.taskmaster.stage.local;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Pipeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What a stage does with an event that its gate does not let in. Immutable. */
public sealed interface Overflow<E> {

    /** The producer is told. The default. */
    static <E> Overflow<E> reject() {
        return new Reject<>();
    }

    /**
     * The producer waits for room, at most so long, and is told then. It is not made to wait for what an {@link AdmissionRule} refuses. A producer that
     * is itself a worker of a stage meanwhile does the work of the stage it waits for, a turn at a time, unless that may block; so it holds no lock
     * there that a handler of the other stage needs.
     */
    static <E> Overflow<E> block(Duration max) {
        return new Block<>(max);
    }

    /** An event of class INTERACTIVE makes as many of class BULK go as it needs; if those that wait do not suffice, and for the class BULK, the producer is told. */
    static <E> Overflow<E> shed() {
        return new Shed<>();
    }

    /** Another handler gets it at once, on the producer's thread: one that makes less of it, and is quick. */
    static <E> Overflow<E> degrade(EventHandler<? super E> instead) {
        return new Degrade<>(instead);
    }

    /**
     * It goes elsewhere.
     *
     * @param away begins to bring it there; completes when it is there
     * @param maxUnderWay how many at once; beyond, the producer is told
     */
    static <E> Overflow<E> spill(int maxUnderWay, Function<? super E, CompletableFuture<?>> away) {
        return new Spill<>(maxUnderWay, away);
    }

    /**
     * It goes to a durable queue, from where a stage of the pipeline, in this process or another, may bring it back.
     *
     * @param task what becomes of it; has a PID, or is last
     * @param maxUnderWay how many at once; beyond, the producer is told
     */
    static <E> Overflow<E> spill(
            int maxUnderWay,
            TaskMasterClient client,
            Pipeline pipeline,
            Function<? super E, ? extends NewTask<?>> task) {
        return spill(
                maxUnderWay,
                event -> client.update(pipeline.update(task.apply(event))).thenAccept(result -> {
                    if (!result.success()) {
                        throw new IllegalStateException("spill: refused, %s".formatted(result.enqueues()));
                    }
                }));
    }

    record Reject<E>() implements Overflow<E> {}

    record Block<E>(Duration max) implements Overflow<E> {

        /** The longest wait. */
        public static final Duration LONGEST = Duration.ofDays(1);

        public Block {
            if (max.isNegative() || max.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("max: %s (expected: 0 to %s)".formatted(max, LONGEST));
            }
        }
    }

    record Shed<E>() implements Overflow<E> {}

    record Degrade<E>(EventHandler<? super E> instead) implements Overflow<E> {}

    record Spill<E>(int maxUnderWay, Function<? super E, CompletableFuture<?>> away) implements Overflow<E> {

        public Spill {
            if (maxUnderWay < 1) {
                throw new IllegalArgumentException("maxUnderWay: %d (expected: 1 or more)".formatted(maxUnderWay));
            }
        }
    }
}
