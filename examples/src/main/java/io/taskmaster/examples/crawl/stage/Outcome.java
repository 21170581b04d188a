package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateResult.Status;
import java.util.List;
import java.util.Optional;

/** What came of a task. Immutable. */
public sealed interface Outcome {

    /** The task goes on: it is dequeued, and these tasks are enqueued, in one update. */
    sealed interface HandOff extends Outcome permits Forward, Discovery {

        /** What is enqueued as the task is dequeued. */
        List<Enqueue> enqueues();

        /**
         * What to hand off instead, after an enqueue refused the update; empty if there is nothing else to try.
         *
         * @param statuses of the enqueues, in order
         */
        Optional<HandOff> narrowed(List<Status> statuses);
    }

    /** Hands on to the stages behind; to none of them at the end of the way. */
    record Forward(List<Enqueue> enqueues) implements HandOff {

        public Forward {
            enqueues = List.copyOf(enqueues);
        }

        static Forward to(Enqueue... enqueues) {
            return new Forward(List.of(enqueues));
        }

        @Override
        public Optional<HandOff> narrowed(List<Status> statuses) {
            return Optional.empty();
        }
    }

    /**
     * The task could not be done.
     *
     * @param forGood whether another try is pointless
     */
    record Failed(String reason, boolean forGood) implements Outcome {}
}
