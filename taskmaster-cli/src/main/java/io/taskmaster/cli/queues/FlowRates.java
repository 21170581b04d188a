package io.taskmaster.cli.queues;

import io.taskmaster.client.Flow;
import io.taskmaster.client.Flow.Family;
import io.taskmaster.client.Flow.Finding;
import io.taskmaster.client.Flow.HandOffs;
import io.taskmaster.model.FamilyName;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Rates of the flow between two samples, per second, and the server's findings. Immutable. */
final class FlowRates {

    private static final double MILLIS_PER_SECOND = 1_000;

    /** The second sample. */
    private final Flow now;

    private final double seconds;
    /** The first sample. */
    private final Flow before;

    private final Map<FamilyName, Family> familiesBefore = new HashMap<>();
    private final Map<Ends, Double> handOffsBefore = new HashMap<>();

    private record Ends(FamilyName from, FamilyName to) {}

    FlowRates(Flow before, Flow now) {
        this.now = now;
        this.before = before;
        this.seconds = Math.max(1, Duration.between(before.at(), now.at()).toMillis()) / MILLIS_PER_SECOND;
        before.families().forEach(family -> familiesBefore.put(family.name(), family));
        before.handOffs()
                .forEach(handOffs -> handOffsBefore.put(new Ends(handOffs.from(), handOffs.to()), handOffs.tasks()));
    }

    /** The families of the second sample. */
    List<Family> families() {
        return now.families();
    }

    /** The pairs of families with hand-offs since the server counts, highest rate first. */
    List<HandOffs> handOffs() {
        return now.handOffs().stream()
                .sorted(Comparator.comparingDouble((HandOffs one) -> perSecond(one))
                        .reversed())
                .toList();
    }

    /** The server's findings of the second sample, the most urgent first. */
    List<Finding> findings() {
        return now.findings();
    }

    /** The number of families that were left out, which have less traffic. */
    int familiesLeftOut() {
        return now.familiesLeftOut();
    }

    /** The number of hand-offs that were left out, which have less traffic. */
    long handOffsLeftOut() {
        return now.handOffsLeftOut();
    }

    double enqueuedPerSecond(Family family) {
        return perSecond((double) since(family, Family::enqueued));
    }

    double dequeuedPerSecond(Family family) {
        return perSecond((double) since(family, Family::dequeued));
    }

    double perSecond(HandOffs handOffs) {
        double unseen = before.handOffsLeftOut() > 0 ? handOffs.tasks() : 0;
        return perSecond(
                handOffs.tasks() - handOffsBefore.getOrDefault(new Ends(handOffs.from(), handOffs.to()), unseen));
    }

    /**
     * Returns the growth of a count. It is 0 if the first sample may have left the family out, since the growth is not
     * known then.
     */
    private long since(Family family, ToLongFunction<Family> count) {
        Family previous = familiesBefore.get(family.name());
        if (previous == null && before.familiesLeftOut() > 0) {
            return 0;
        }
        return count.applyAsLong(family) - (previous == null ? 0 : count.applyAsLong(previous));
    }

    /**
     * Returns a rate. Counts of a partition start at zero when it is opened again, so a negative difference counts as
     * 0.
     */
    private double perSecond(double more) {
        return Math.max(0, more) / seconds;
    }
}
