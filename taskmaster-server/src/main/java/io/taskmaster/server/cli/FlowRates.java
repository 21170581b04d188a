package io.taskmaster.server.cli;

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

/** What happened between two looks at the flow, per second; and what the server found. Immutable. */
final class FlowRates {

    private static final double MILLIS_PER_SECOND = 1_000;

    /** The second look. */
    private final Flow now;

    private final double seconds;
    /** The first look. */
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

    /** Those that were there at the second look. */
    List<Family> families() {
        return now.families();
    }

    /** Those that have handed on since the server counts, most tasks a second first. */
    List<HandOffs> handOffs() {
        return now.handOffs().stream()
                .sorted(Comparator.comparingDouble((HandOffs one) -> perSecond(one))
                        .reversed())
                .toList();
    }

    /** What the server said of families at the second look, the most urgent first. */
    List<Finding> findings() {
        return now.findings();
    }

    /** How many more there are, in which less goes on. */
    int familiesLeftOut() {
        return now.familiesLeftOut();
    }

    /** Likewise. */
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

    /** How much a count has grown. What the first look may have left out has not: nobody knows. */
    private long since(Family family, ToLongFunction<Family> count) {
        Family then = familiesBefore.get(family.name());
        if (then == null && before.familiesLeftOut() > 0) {
            return 0;
        }
        return count.applyAsLong(family) - (then == null ? 0 : count.applyAsLong(then));
    }

    /** Counts of a partition begin anew when it is opened anew: what would be negative is nothing. */
    private double perSecond(double more) {
        return Math.max(0, more) / seconds;
    }
}
