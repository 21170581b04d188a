package io.taskmaster.stage;

import io.taskmaster.model.Pid;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The result of a handler for a task, and the only way to finish one. It is committed in one atomic update that also
 * ends the task's lease (paper section 3.4): it is applied once, or not at all if another worker has the lease by then.
 * Immutable.
 */
public sealed interface Outcome {

    /** Dequeues the task. */
    static Done done() {
        return Done.DONE;
    }

    /** Dequeues the task and enqueues these, for one stage or several, in one update. */
    static HandOff handOff(NewTask<?>... tasks) {
        return handOff(Arrays.asList(tasks));
    }

    /** Dequeues the task and enqueues these, for one stage or several, in one update. */
    static HandOff handOff(Collection<? extends NewTask<?>> tasks) {
        return new HandOff(List.copyOf(tasks), Optional.empty());
    }

    /**
     * Tries the task again after the delay of the stage's {@link RetryPolicy}. After the last attempt it becomes a dead
     * letter.
     */
    static Retry retry(String reason) {
        return new Retry(reason, Optional.empty());
    }

    /**
     * Tries the task again after this delay. After the last attempt it becomes a dead letter.
     *
     * @param delay 0 to {@link Retry#MAX_DELAY}
     */
    static Retry retryAfter(Duration delay, String reason) {
        return new Retry(reason, Optional.of(delay));
    }

    /**
     * Keeps the task at this worker, with its lease and its permit, and passes it to the handler again after this
     * delay. That is no failure and counts as no attempt. For short delays: one that is not shorter than the stage's
     * lease is a {@link #postpone}.
     *
     * @param delay 0 to {@link Retry#MAX_DELAY}
     */
    static Hold hold(Duration delay, String reason) {
        return new Hold(reason, delay);
    }

    /**
     * Releases the task, which any worker may lease again after this delay. That is no failure and counts as no
     * attempt. Other tasks of its key or its queue go first meanwhile.
     *
     * @param delay 0 to {@link Retry#MAX_DELAY}
     */
    static Postpone postpone(Duration delay, String reason) {
        return new Postpone(reason, delay);
    }

    /** Moves the task to the dead-letter queue without further attempts. */
    static Dead dead(String reason) {
        return new Dead(reason);
    }

    /** The task is dequeued. */
    record Done() implements Outcome {
        private static final Done DONE = new Done();
    }

    /**
     * The task is dequeued, and the tasks of the hand-off are enqueued.
     *
     * @param tasks the tasks to enqueue, at most 9,999, since an update has at most 10,000 elements and the dequeue is
     *     one
     * @param otherwise the answer to a refusal: an enqueue refuses the update if its PID is queued already (FAIL), or
     *     leased (REPLACE). A pure function, which may be called repeatedly. Absent: a retry
     */
    record HandOff(List<NewTask<?>> tasks, Optional<Function<Refusal, Outcome>> otherwise) implements Outcome {

        public HandOff {
            tasks = List.copyOf(tasks);
        }

        /** Sets the answer to a refusal. */
        public HandOff otherwise(Function<Refusal, Outcome> answer) {
            return new HandOff(tasks, Optional.of(answer));
        }
    }

    /**
     * The task is released for another attempt.
     *
     * @param after the delay; absent: that of the stage's policy
     */
    record Retry(String reason, Optional<Duration> after) implements Outcome {

        /** The longest delay: 3,650 days. */
        public static final Duration MAX_DELAY = Duration.ofDays(3_650);

        public Retry {
            reason = Objects.requireNonNullElse(reason, NO_REASON);
            after.ifPresent(Retry::requireDelay);
        }

        private static void requireDelay(Duration after) {
            if (after.isNegative() || after.compareTo(MAX_DELAY) > 0) {
                throw new IllegalArgumentException("after: %s (expected: 0 to %s)".formatted(after, MAX_DELAY));
            }
        }
    }

    /** The task stays leased, with its permit. A worker that drains releases it instead. */
    record Hold(String reason, Duration after) implements Outcome {

        public Hold {
            reason = Objects.requireNonNullElse(reason, NO_REASON);
            Retry.requireDelay(after);
        }
    }

    /** The task is released for later, and this lease counts as no attempt. */
    record Postpone(String reason, Duration after) implements Outcome {

        public Postpone {
            reason = Objects.requireNonNullElse(reason, NO_REASON);
            Retry.requireDelay(after);
        }
    }

    /** The task is moved to the queue {@code NAME.dead}, with the reason, its origin and its attempts as headers. */
    record Dead(String reason) implements Outcome {

        public Dead {
            reason = Objects.requireNonNullElse(reason, NO_REASON);
        }
    }

    /** The reason if none is given, as by an exception without a message. */
    String NO_REASON = "no reason given";

    /**
     * The refusal of a hand-off, none of which was applied.
     *
     * @param tasks the tasks whose PID was taken
     * @param pids the PIDs of these
     */
    record Refusal(List<NewTask<?>> tasks, Set<Pid> pids) {

        public Refusal {
            tasks = List.copyOf(tasks);
            pids = Set.copyOf(pids);
        }
    }
}
