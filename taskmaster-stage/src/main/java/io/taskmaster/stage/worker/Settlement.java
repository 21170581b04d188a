package io.taskmaster.stage.worker;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.Release;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.stage.Outcome.HandOff;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The end of a lease, as an update. Each one names the lease, so sending it again is harmless: once it is committed the
 * lease is over, and a repetition is refused. Immutable.
 */
sealed interface Settlement {

    /**
     * A dequeue of the task, and the enqueues of its hand-off, in one update.
     *
     * @param handOff the hand-off of the outcome; absent if there was none
     */
    record Advance(List<Enqueue> enqueues, Optional<HandOff> handOff) implements Settlement {

        static final Advance DONE = new Advance(List.of(), Optional.empty());

        public Advance {
            enqueues = List.copyOf(enqueues);
        }
    }

    /**
     * A release of the task: other workers may lease it again.
     *
     * @param notBefore the not-before time by the server's clock; absent: at once
     * @param untried whether this lease counts as no attempt, because no handler has had the task, or because the
     *     handler only postponed it
     */
    record GiveBack(Optional<Instant> notBefore, boolean untried) implements Settlement {

        static final GiveBack AT_ONCE = new GiveBack(Optional.empty(), false);

        static final GiveBack UNTRIED = new GiveBack(Optional.empty(), true);

        static GiveBack postponed(Instant notBefore) {
            return new GiveBack(Optional.of(notBefore), true);
        }

        static GiveBack until(Instant notBefore) {
            return new GiveBack(Optional.of(notBefore), false);
        }
    }

    /** A move of the task to its dead-letter queue. */
    record Bury(String reason, Headers headers) implements Settlement {

        /** The headers of a dead letter, from the full set to the smallest. */
        enum Headers {
            ALL,
            /** All, with the reason shortened. */
            SHORT_REASON,
            /** The library's own headers, and only the names of the task's. */
            OWN
        }

        static Bury of(String reason) {
            return new Bury(reason, Headers.ALL);
        }

        /** Returns the same settlement with fewer headers; absent if this is the smallest. */
        Optional<Bury> smaller() {
            return switch (headers) {
                case ALL -> Optional.of(new Bury(reason, Headers.SHORT_REASON));
                case SHORT_REASON -> Optional.of(new Bury(reason, Headers.OWN));
                case OWN -> Optional.empty();
            };
        }

        private Enqueue letter(LeasedTask task) {
            return switch (headers) {
                case ALL -> DeadLetter.of(task, reason);
                case SHORT_REASON -> DeadLetter.withShortReason(task, reason);
                case OWN -> DeadLetter.withoutHeaders(task, reason);
            };
        }
    }

    default Update update(LeasedTask task, ServiceClass urgency) {
        UpdateBuilder update = Update.in(task.queue().group()).serviceClass(urgency);
        switch (this) {
            case Advance advance -> {
                update.dequeue(task);
                advance.enqueues().forEach(update::enqueue);
            }
            case GiveBack(Optional<Instant> notBefore, boolean untried) ->
                update.release(new Release(task.queue().name(), task.pid(), task.leaseId(), notBefore, untried));
            case Bury dead -> update.dequeue(task).enqueue(dead.letter(task));
        }
        return update.build();
    }

    /**
     * Returns whether a refusal says that the task is not held any more: another worker has it, or a call whose reply
     * was lost settled it.
     */
    static boolean isLeaseGone(UpdateResult refusal) {
        return Stream.concat(refusal.dequeues().stream(), refusal.releases().stream())
                .anyMatch(status -> status == Status.NOT_FOUND || status == Status.LEASE_LOST);
    }
}
