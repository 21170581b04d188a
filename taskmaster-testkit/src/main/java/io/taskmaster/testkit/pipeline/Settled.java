package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.BatchResult;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.testkit.pipeline.Commit.Ending;
import io.taskmaster.testkit.pipeline.Commit.Fate;
import io.taskmaster.testkit.pipeline.Commit.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An interpretation of a worker's update and its result as a {@link Commit}. Stateless. */
final class Settled {

    private Settled() {}

    /** Returns the queue of the task that an update of a worker settles. */
    static QueueName queueOf(Update update) {
        return update.dequeues().isEmpty()
                ? update.releases().getFirst().queue()
                : update.dequeues().getFirst().queue();
    }

    private static Pid pidOf(Update update) {
        return update.dequeues().isEmpty()
                ? update.releases().getFirst().pid()
                : update.dequeues().getFirst().pid();
    }

    static Commit commit(Duration at, String worker, Update update, BatchResult result) {
        return new Commit(
                at,
                worker,
                new QueueKey(update.group(), queueOf(update)),
                pidOf(update),
                ending(update, result),
                fateOf(result));
    }

    private static Ending ending(Update update, BatchResult result) {
        if (update.dequeues().isEmpty()) {
            return update.releases()
                    .getFirst()
                    .notBefore()
                    .<Ending>map(Ending.Retry::new)
                    .orElseGet(Ending.GivenBack::new);
        }
        if (update.enqueues().isEmpty()) {
            return new Ending.Done();
        }
        Enqueue first = update.enqueues().getFirst();
        String reason = first.headers().get(DeadLetter.REASON);
        return reason != null && first.queue().equals(DeadLetter.queueOf(queueOf(update)))
                ? new Ending.Dead(reason)
                : new Ending.HandOff(targets(update.enqueues(), result));
    }

    private static List<Target> targets(List<Enqueue> enqueues, BatchResult result) {
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < enqueues.size(); i++) {
            Enqueue enqueue = enqueues.get(i);
            targets.add(
                    result instanceof BatchResult.Updated(UpdateResult updated) && updated.success()
                            ? new Target(
                                    enqueue.queue(),
                                    Optional.of(updated.assignedPids().get(i)),
                                    updated.enqueues().get(i) == Status.COLLAPSED)
                            : new Target(enqueue.queue(), enqueue.pid(), false));
        }
        return targets;
    }

    private static Fate fateOf(BatchResult result) {
        return switch (result) {
            case BatchResult.Updated(UpdateResult updated) ->
                updated.success() ? new Fate.Applied() : new Fate.Refused(firstFailure(updated));
            case BatchResult.Failed failed -> new Fate.Failed(failed.error().code());
            case BatchResult.Leased _ -> new Fate.Failed(ErrorCode.INTERNAL);
        };
    }

    private static Status firstFailure(UpdateResult refused) {
        return Stream.of(refused.dequeues(), refused.releases(), refused.enqueues())
                .flatMap(List::stream)
                .filter(status -> status != Status.OK && status != Status.COLLAPSED && status != Status.ABORTED)
                .findFirst()
                .orElse(Status.ABORTED);
    }
}
