package io.taskmaster.stage.local;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.local.admission.AdmissionRule;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The treatment of an event that the gate of a stage does not let in. Immutable. */
public sealed interface Overflow<E> {

    /** Refuses the event. The default. */
    static <E> Overflow<E> reject() {
        return new Reject<>();
    }

    /**
     * Makes the producer wait for credits, and refuses the event after {@code max}. A refusal of an
     * {@link AdmissionRule} is not waited for. A producer that is itself a worker of a stage does the work of the full
     * stage meanwhile, a turn at a time, unless that may block. So it must hold no lock that a handler of that stage
     * needs.
     */
    static <E> Overflow<E> block(Duration max) {
        return new Block<>(max);
    }

    /**
     * Sheds as many events of class {@code BULK} as an event of class {@code INTERACTIVE} needs credits. Refuses the
     * event if they do not suffice, and every event of class {@code BULK}.
     */
    static <E> Overflow<E> shed() {
        return new Shed<>();
    }

    /** Passes the event to another handler at once, on the producer's thread: a quick one with a lesser result. */
    static <E> Overflow<E> degrade(EventHandler<? super E> instead) {
        return new Degrade<>(instead);
    }

    /**
     * Spills the event to another place.
     *
     * @param away begins the spill; the future completes when the event is there
     * @param maxUnderWay the most spills in flight; beyond, the event is refused
     */
    static <E> Overflow<E> spill(int maxUnderWay, Function<? super E, CompletableFuture<?>> away) {
        return new Spill<>(maxUnderWay, away);
    }

    /**
     * Spills the event to a durable queue, from which a stage of the pipeline, in this process or another, may take it.
     *
     * @param task makes the task of an event; it has a PID, or is last
     * @param maxUnderWay the most spills in flight; beyond, the event is refused
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
                        throw new IllegalStateException(
                                "spill: the update was rejected, %s".formatted(result.enqueues()));
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
