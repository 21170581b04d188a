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
 * What came of a task; the only way to finish one. Each is one atomic update with the end of the task's lease in it (paper section 3.4):
 * it is applied once, or not at all if the lease is somebody else's by then. Immutable.
 */
public sealed interface Outcome {

    /** The end of its way. */
    static Done done() {
        return Done.DONE;
    }

    /** It goes on: to one stage, or to many at once. */
    static HandOff handOff(NewTask<?>... tasks) {
        return handOff(Arrays.asList(tasks));
    }

    /** It goes on: to one stage, or to many at once. */
    static HandOff handOff(Collection<? extends NewTask<?>> tasks) {
        return new HandOff(List.copyOf(tasks), Optional.empty());
    }

    /** It is tried again, after the delay of the stage's {@link RetryPolicy}; too often tried, it is dead. */
    static Retry retry(String reason) {
        return new Retry(reason, Optional.empty());
    }

    /** It is tried again, after this delay; too often tried, it is dead. */
    static Retry retryAfter(Duration delay, String reason) {
        return new Retry(reason, Optional.of(delay));
    }

    /**
     * The worker keeps it, with its lease and its permit, and its handler gets it again after this delay, for a moment only: one that is not shorter than the stage's lease is a
     * {@link #postpone}. That is no failure, and counts as no attempt.
     */
    static Hold hold(Duration delay, String reason) {
        return new Hold(reason, delay);
    }

    /** It is given back, and some worker gets it after this delay. That is no failure, and counts as no attempt; others of its key, or its queue, go first meanwhile. */
    static Postpone postpone(Duration delay, String reason) {
        return new Postpone(reason, delay);
    }

    /** Nobody need try it again: it goes to the dead letters of its queue. */
    static Dead dead(String reason) {
        return new Dead(reason);
    }

    /** The task is dequeued. */
    record Done() implements Outcome {
        private static final Done DONE = new Done();
    }

    /**
     * The task is dequeued and these are enqueued.
     *
     * @param otherwise what to do if a new task refuses the update because its PID is queued already (FAIL), or leased (REPLACE); a
     *     pure function, which may be asked again and again. Absent: a retry
     */
    record HandOff(List<NewTask<?>> tasks, Optional<Function<Refusal, Outcome>> otherwise) implements Outcome {

        public HandOff {
            tasks = List.copyOf(tasks);
        }

        /** The same, with an answer to a refusal. */
        public HandOff otherwise(Function<Refusal, Outcome> answer) {
            return new HandOff(tasks, Optional.of(answer));
        }
    }

    /**
     * The task is released.
     *
     * @param after absent: as the stage's policy says
     */
    record Retry(String reason, Optional<Duration> after) implements Outcome {

        /** The longest delay. */
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

    /** The task stays leased, with its permit. A worker that drains gives it back instead. */
    record Hold(String reason, Duration after) implements Outcome {

        public Hold {
            reason = Objects.requireNonNullElse(reason, NO_REASON);
            Retry.requireDelay(after);
        }
    }

    /** The task is released for later, and this lease of it counts as no attempt. */
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

    /** What stands for a message that an exception does not have. */
    String NO_REASON = "no reason was given";

    /**
     * Why a hand-off was refused; nothing of it was done.
     *
     * @param tasks those whose PID was taken
     * @param pids of these
     */
    record Refusal(List<NewTask<?>> tasks, Set<Pid> pids) {

        public Refusal {
            tasks = List.copyOf(tasks);
            pids = Set.copyOf(pids);
        }
    }
}
