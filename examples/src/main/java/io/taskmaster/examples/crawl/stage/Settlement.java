package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.examples.crawl.Queues;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Turns what came of a task into the one update that settles it, and a refusal into the next one. Every such update names the
 * lease, so sending it again is harmless: once it is committed, the task is gone and a repetition is refused. Pure.
 */
final class Settlement {

    /** How often a task is leased before it is given up; kills of whole processes count too. */
    static final int MAX_ATTEMPTS = 8;

    private static final Duration BACKOFF = Duration.ofMillis(250);

    private Settlement() {}

    /** Whether the task has been tried in vain too often, perhaps because it kills its workers. */
    static boolean isHopeless(LeasedTask task) {
        return task.attempt() > MAX_ATTEMPTS;
    }

    static Update of(LeasedTask task, Outcome outcome) {
        return switch (outcome) {
            case Outcome.HandOff handOff -> handOff(task, handOff);
            case Outcome.Failed failed
            when failed.forGood() || task.attempt() >= MAX_ATTEMPTS -> bury(task, failed.reason());
            case Outcome.Failed failed -> tryAgainLater(task);
        };
    }

    /** What to try after a refusal; empty if the task is settled, by us or by whoever holds it now. */
    static Optional<Outcome> afterRefusal(Outcome tried, UpdateResult refusal) {
        boolean ours = refusal.dequeues().stream().noneMatch(Settlement::isGone);
        return ours && tried instanceof Outcome.HandOff handOff
                ? handOff.narrowed(refusal.enqueues()).map(Outcome.class::cast)
                : Optional.empty();
    }

    private static boolean isGone(Status dequeue) {
        return dequeue == Status.NOT_FOUND || dequeue == Status.LEASE_LOST;
    }

    private static Update handOff(LeasedTask task, Outcome.HandOff handOff) {
        var update = Update.in(Queues.GROUP).dequeue(task);
        handOff.enqueues().forEach(update::enqueue);
        return update.build();
    }

    static Update bury(LeasedTask task, String reason) {
        Map<String, String> headers = new HashMap<>(task.headers());
        headers.put("reason", reason);
        return Update.in(Queues.GROUP)
                .dequeue(task)
                .enqueue(Enqueue.of(Queues.dead(task.queue().name()), task.pid(), task.data())
                        .headers(headers)
                        .ifExists(IfExists.REPLACE))
                .build();
    }

    /** Shortens the lease instead of giving it up: until it runs out, nobody else tries in vain either. */
    private static Update tryAgainLater(LeasedTask task) {
        return Update.in(Queues.GROUP)
                .renew(task, BACKOFF.multipliedBy(task.attempt()))
                .build();
    }
}
