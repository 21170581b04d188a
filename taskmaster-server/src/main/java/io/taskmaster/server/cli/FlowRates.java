package io.taskmaster.server.cli;

import io.taskmaster.client.Flow;
import io.taskmaster.client.Flow.Family;
import io.taskmaster.client.Flow.HandOffs;
import io.taskmaster.model.FamilyName;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** What happened between two looks at the flow, per second; and where work piles up. Immutable. */
final class FlowRates {

    private static final double MILLIS_PER_SECOND = 1_000;

    /** Fewer tasks than a pipeline finishes in this time are no pile. */
    private static final double SHORT_SECONDS = 1;

    /** The second look. */
    private final Flow now;

    private final double seconds;
    /** The first look. */
    private final Flow before;

    private final Map<FamilyName, Family> familiesBefore = new HashMap<>();
    private final Map<Ends, Double> handOffsBefore = new HashMap<>();

    private record Ends(FamilyName from, FamilyName to) {}

    /**
     * A family where work piles up.
     *
     * @param secondsLeft until it is empty, if nothing more came; empty: nothing is taken from it
     */
    record Bottleneck(Family family, double inPerSecond, double outPerSecond, Optional<Double> secondsLeft) {}

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

    /**
     * Of the families that somebody leases from or has leased tasks of, and that tasks wait in, the one that would take longest to empty. Queues that nobody leases from may be
     * meant to keep their tasks, or are paused.
     */
    Optional<Bottleneck> bottleneck() {
        return now.families().stream()
                .filter(family -> isWorkedOn(family) && family.available() > 0)
                .map(this::asBottleneck)
                .filter(one -> one.secondsLeft().isEmpty() || one.secondsLeft().get() > SHORT_SECONDS)
                .max(Comparator.comparingDouble(
                                (Bottleneck one) -> one.secondsLeft().orElse(Double.MAX_VALUE))
                        .thenComparingLong(one -> one.family().available()));
    }

    private boolean isWorkedOn(Family family) {
        return family.leased() > 0 || since(family, Family::leases) > 0;
    }

    private Bottleneck asBottleneck(Family family) {
        double out = dequeuedPerSecond(family);
        return new Bottleneck(
                family,
                enqueuedPerSecond(family),
                out,
                out > 0 ? Optional.of(family.available() / out) : Optional.empty());
    }
}
