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

/** What happened between two looks at the flow, per second; and where work piles up. Immutable. */
final class FlowRates {

    private static final double MILLIS_PER_SECOND = 1_000;

    /** Fewer tasks than a pipeline finishes in this time are no pile. */
    private static final double SHORT_SECONDS = 1;

    /** The second look. */
    private final Flow now;

    private final double seconds;
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

    double enqueuedPerSecond(Family family) {
        Family before = familiesBefore.get(family.name());
        return perSecond((double) family.enqueued(), (double) (before == null ? 0 : before.enqueued()));
    }

    double dequeuedPerSecond(Family family) {
        Family before = familiesBefore.get(family.name());
        return perSecond((double) family.dequeued(), (double) (before == null ? 0 : before.dequeued()));
    }

    double perSecond(HandOffs handOffs) {
        return perSecond(handOffs.tasks(), handOffsBefore.getOrDefault(new Ends(handOffs.from(), handOffs.to()), 0.0));
    }

    /** Counts begin anew with the server: then those of now are all there were. */
    private double perSecond(double count, double before) {
        return (count >= before ? count - before : count) / seconds;
    }

    /**
     * Of the families that somebody leases from or ever did, and that tasks wait in, the one that would take longest to empty. Queues that nobody leases from may be
     * meant to keep their tasks.
     */
    Optional<Bottleneck> bottleneck() {
        return now.families().stream()
                .filter(family -> family.leases() > 0 && family.available() > 0)
                .map(this::asBottleneck)
                .filter(one -> one.secondsLeft().isEmpty() || one.secondsLeft().get() > SHORT_SECONDS)
                .max(Comparator.comparingDouble(
                                (Bottleneck one) -> one.secondsLeft().orElse(Double.MAX_VALUE))
                        .thenComparingLong(one -> one.family().available()));
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
