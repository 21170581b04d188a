package io.taskmaster.server.process;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that goes from queue to queue, as a task in one at a time: all that clients did with it and were told about it since it
 * was last known for certain. Thread-safe.
 *
 * <p>A token lives in one group and passes its stages in order, one queue each; it can be dequeued in any of them.
 */
final class Token {

    static final List<QueueName> STAGES = List.of(QueueName.of("in"), QueueName.of("mid"), QueueName.of("out"));

    /** No stage: not enqueued yet, or dequeued. */
    static final int NOWHERE = -1;

    final String label;
    final GroupName group;
    private final List<Event> events = new ArrayList<>();

    /** Where it was for certain before the events, with how many attempts there. */
    private int baseStage = NOWHERE;

    private int baseAttempts;

    Token(String label, GroupName group) {
        this.label = label;
        this.group = group;
    }

    /** Something that was done. */
    sealed interface Event {
        int stage();

        Attempt attempt();
    }

    /** It was enqueued in a first stage. */
    record Enqueued(int stage, Attempt attempt) implements Event {}

    /** A client got hold of it. */
    record Leased(int stage, Attempt attempt, LeasedTask task) implements Event {}

    /** The holder of a lease did something under it. */
    record Act(int stage, Attempt attempt, Deed deed, long leaseId, long leaseMillis) implements Event {}

    /** What a holder can do. */
    enum Deed {
        RENEW,
        RELEASE,
        HAND_OFF,
        DEQUEUE
    }

    static int stageOf(QueueKey queue) {
        return STAGES.indexOf(queue.name());
    }

    /** The data that a task of this label carries: some hundred bytes, the same every time. */
    static Bytes data(String label) {
        return Bytes.of(label + "|" + label.repeat(1 + Math.floorMod(label.hashCode(), 40)));
    }

    static String labelOf(Bytes data) {
        String text = new String(data.unsafeArray(), java.nio.charset.StandardCharsets.UTF_8);
        String label = text.substring(0, text.indexOf('|'));
        if (!data(label).equals(data)) {
            throw new AssertionError("data of " + label + " are not what was enqueued: " + text);
        }
        return label;
    }

    synchronized void add(Event event) {
        events.add(event);
    }

    /** From here on this is certain, and what was before does not matter. */
    synchronized void settled(int stage, int attempts, @Nullable Leased held) {
        events.clear();
        baseStage = stage;
        baseAttempts = attempts;
        if (held != null) {
            events.add(held);
        }
    }

    synchronized boolean isCertainlyIn(int stage) {
        return baseStage == stage
                || events.stream().anyMatch(event -> switch (event) {
                    case Enqueued enqueued ->
                        enqueued.stage() == stage && enqueued.attempt().isOk();
                    case Leased leased -> leased.stage() == stage;
                    case Act act ->
                        act.deed() == Deed.HAND_OFF
                                && act.stage() + 1 == stage
                                && act.attempt().isOk();
                });
    }

    synchronized int baseAttempts(int stage) {
        return baseStage == stage ? baseAttempts : 0;
    }

    synchronized int baseStage() {
        return baseStage;
    }

    synchronized Optional<Attempt> enqueueing() {
        return events.stream()
                .filter(Enqueued.class::isInstance)
                .map(Event::attempt)
                .findFirst();
    }

    /** The leases that clients got in a stage, oldest first. */
    synchronized List<Leased> leases(int stage) {
        return events.stream()
                .filter(event -> event.stage() == stage)
                .filter(Leased.class::isInstance)
                .map(Leased.class::cast)
                .sorted(Comparator.comparingLong(leased -> leased.task().leaseId()))
                .toList();
    }

    /** What was done under a lease, in order. */
    synchronized List<Act> acts(Leased lease) {
        return events.stream()
                .filter(event -> event instanceof Act act
                        && act.stage() == lease.stage()
                        && act.leaseId() == lease.task().leaseId())
                .map(Act.class::cast)
                .toList();
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder(
                label + " of " + group + ", at first in stage " + baseStage + " with " + baseAttempts + " attempts");
        for (Event event : events) {
            text.append("\n    ")
                    .append(event.attempt().invokedMillis)
                    .append("..")
                    .append(event.attempt().completedMillis())
                    .append(' ')
                    .append(event.attempt().outcome())
                    .append(' ')
                    .append(event);
        }
        return text.toString();
    }
}
