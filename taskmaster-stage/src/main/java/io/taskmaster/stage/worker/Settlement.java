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
 * The end of a lease, as an update. Every one names the lease, so sending it again does no more: once it is committed the lease is over, and
 * a repetition is refused. Immutable.
 */
sealed interface Settlement {

    /**
     * The task is done, and these are enqueued.
     *
     * @param handOff that asked for it; absent: none did
     */
    record Advance(List<Enqueue> enqueues, Optional<HandOff> handOff) implements Settlement {

        static final Advance DONE = new Advance(List.of(), Optional.empty());

        public Advance {
            enqueues = List.copyOf(enqueues);
        }
    }

    /**
     * The task is somebody's again.
     *
     * @param notBefore by the server's clock; absent: at once
     * @param untried whether this lease is no attempt: no handler has had the task, or all that one said was that it is not the time
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

    /** The task is a dead letter. */
    record Bury(String reason, Headers headers) implements Settlement {

        /** What is said in the headers of a dead letter, of what there is to say. */
        enum Headers {
            ALL,
            /** Only the beginning of the reason. */
            SHORT_REASON,
            /** None of those that the task had, but their names. */
            OURS
        }

        static Bury of(String reason) {
            return new Bury(reason, Headers.ALL);
        }

        /** The same in fewer headers; absent: there are none to spare. */
        Optional<Bury> smaller() {
            return switch (headers) {
                case ALL -> Optional.of(new Bury(reason, Headers.SHORT_REASON));
                case SHORT_REASON -> Optional.of(new Bury(reason, Headers.OURS));
                case OURS -> Optional.empty();
            };
        }

        private Enqueue letter(LeasedTask task) {
            return switch (headers) {
                case ALL -> DeadLetter.of(task, reason);
                case SHORT_REASON -> DeadLetter.withShortReason(task, reason);
                case OURS -> DeadLetter.withoutHeaders(task, reason);
            };
        }
    }

    default Update update(LeasedTask task, ServiceClass urgency) {
        UpdateBuilder update = Update.in(task.queue().group()).serviceClass(urgency);
        switch (this) {
            case Advance(List<Enqueue> enqueues, Optional<HandOff> _) -> {
                update.dequeue(task);
                enqueues.forEach(update::enqueue);
            }
            case GiveBack(Optional<Instant> notBefore, boolean untried) ->
                update.release(new Release(task.queue().name(), task.pid(), task.leaseId(), notBefore, untried));
            case Bury dead -> update.dequeue(task).enqueue(dead.letter(task));
        }
        return update.build();
    }

    /** Whether a refusal says that the task is not ours any more; or that it is settled, by a call whose reply was lost. */
    static boolean isGone(UpdateResult refusal) {
        return Stream.concat(refusal.dequeues().stream(), refusal.releases().stream())
                .anyMatch(status -> status == Status.NOT_FOUND || status == Status.LEASE_LOST);
    }
}
