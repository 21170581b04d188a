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
 * A unit of work that moves from queue to queue, as a task in one at a time, with all that clients did with it and were
 * answered since its state was last known for certain. Thread-safe.
 *
 * <p>A token lives in one group and passes its stages in order, one queue each. It can be dequeued in any of them.
 *
 * <pre>{@code
 * state   | event                           | next state
 * --------+---------------------------------+-----------
 * NOWHERE | enqueue                         | 0
 * s       | lease, renewal, release, expiry | s
 * s       | hand-off                        | s + 1
 * s       | dequeue                         | NOWHERE
 * }</pre>
 *
 * <p>An event with an unknown outcome leaves both states possible; {@link TokenJudge} decides with a scan.
 */
final class Token {

    static final List<QueueName> STAGES = List.of(QueueName.of("in"), QueueName.of("mid"), QueueName.of("out"));

    /** The state outside all stages: not enqueued yet, or dequeued. */
    static final int NOWHERE = -1;

    final String label;
    final GroupName group;
    private final List<Event> events = new ArrayList<>();

    /** The certain stage before the events, with the number of attempts there. */
    private int baseStage = NOWHERE;

    private int baseAttempts;

    Token(String label, GroupName group) {
        this.label = label;
        this.group = group;
    }

    /** An event of the token. */
    sealed interface Event {
        int stage();

        Attempt attempt();
    }

    /** An enqueue in a first stage. */
    record Enqueued(int stage, Attempt attempt) implements Event {}

    /** A lease that a client got. */
    record Leased(int stage, Attempt attempt, LeasedTask task) implements Event {}

    /** An operation under a lease. */
    record Act(int stage, Attempt attempt, Deed deed, long leaseId, long leaseMillis) implements Event {}

    /** The operations under a lease. */
    enum Deed {
        RENEW,
        RELEASE,
        HAND_OFF,
        DEQUEUE
    }

    static int stageOf(QueueKey queue) {
        return STAGES.indexOf(queue.name());
    }

    /** Returns the data of a task with this label: some hundred bytes, always the same. */
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

    /** Sets a certain state, and forgets the events before it. */
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

    /** Returns the leases that clients got in a stage, oldest first. */
    synchronized List<Leased> leases(int stage) {
        return events.stream()
                .filter(event -> event.stage() == stage)
                .filter(Leased.class::isInstance)
                .map(Leased.class::cast)
                .sorted(Comparator.comparingLong(leased -> leased.task().leaseId()))
                .toList();
    }

    /** Returns the operations under a lease, in order. */
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
