package io.taskmaster.placement;

import io.taskmaster.placement.Move.Cause;
import io.taskmaster.placement.PlacementPolicy.Balance;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The balance of load. A round begins above one multiple of the mean and goes on, decision by decision, down to a lower
 * one, the aim. It takes the move that lessens most what the two nodes have above the aim (Slicer, OSDI 2016, weighs
 * the benefit of a move against its cost; KCL 3 balances by use instead of by number).
 *
 * <p>Only loads that were measured for long enough make a node busy. With loads that stay, each move lessens the sum of
 * all that is above the aim, so there is no way back. A node with one partition that is more than its share cannot be
 * relieved of it, but is relieved of others. Single-threaded.
 */
final class Balancing {

    private final WorkingMap map;
    private final Balance bounds;

    /** The mean load, which moves from one willing node to another do not change. */
    private final double mean;

    private Optional<Instant> levelledAt;
    private boolean levelling;

    Balancing(WorkingMap map) {
        this.map = map;
        this.bounds = map.policy().balance();
        this.mean = map.mean();
        this.levelledAt = map.history().levelledAt().or(() -> Optional.of(map.now()));
        this.levelling = map.history().levelling();
    }

    /** Returns the time of the last round. */
    Optional<Instant> levelledAt() {
        return levelledAt;
    }

    /** Returns true if the last round moved something and did not reach its aim. */
    boolean isLevelling() {
        return levelling;
    }

    /**
     * Begins a round if it is time for one, or goes on with it: a round takes as many decisions as the bounds on moves
     * at once make of it.
     *
     * @param wished true if an operator wishes for one, also below the bound that else begins it
     */
    void decide(boolean wished) {
        Duration since = Duration.between(levelledAt.orElse(map.now()), map.now());
        boolean begins = wished || since.compareTo(bounds.every()) >= 0;
        if (!levelling && !begins) {
            return;
        }
        levelledAt = begins ? Optional.of(map.now()) : levelledAt;
        if (levelling || wished || isBusierThan(bounds.above())) {
            level();
        }
        levelling = map.isInMotion() && isBusierThan(bounds.to());
        if (!levelling && isBusierThan(bounds.above())) {
            map.waitFor("out of balance, and no move helps: "
                    + map.loadInWords(busiest().get(0)));
        }
    }

    private boolean isBusierThan(double multiple) {
        return map.willing().stream().anyMatch(host -> isBusierThan(multiple, host));
    }

    private boolean isBusierThan(double multiple, Host host) {
        return host.knownUtilisation() > Math.max(multiple * mean, mean + bounds.negligible());
    }

    private List<Host> busiest() {
        return map.willing().stream()
                .sorted(Comparator.comparingDouble((Host host) -> -host.knownUtilisation()))
                .toList();
    }

    private void level() {
        Optional<Relief> next = next();
        while (next.isPresent()) {
            next.get().carryOut(map);
            next = next();
        }
    }

    /** Returns the best move of the busiest node that has one. */
    private Optional<Relief> next() {
        if (map.motionLeft() <= 0) {
            return Optional.empty();
        }
        return busiest().stream()
                .filter(host -> isBusierThan(bounds.to(), host) && map.mayBalance(host))
                .flatMap(host -> best(host).stream())
                .findFirst();
    }

    private Optional<Relief> best(Host from) {
        List<Host> takers = map.willing().stream().filter(map::mayBalanceTo).toList();
        double aim = bounds.to() * mean;
        return from.partitions().stream()
                .filter(partition ->
                        map.isAtRest(partition) && map.weight(partition).isKnown())
                .boxed()
                .flatMap(partition -> takers.stream()
                        .filter(to -> map.admits(to, partition)
                                && map.siblingsOn(to, partition) <= map.siblingsOn(from, partition))
                        .map(to -> Relief.of(partition, map.weight(partition).load(), from, to, aim)))
                .filter(relief -> relief.gain() >= bounds.minGain() * mean)
                .max(Comparator.comparingDouble(Relief::gain).thenComparingDouble(relief -> -relief.peak()));
    }

    /**
     * A move that relieves a node.
     *
     * @param gain by how much it lessens the utilisation of both nodes above the aim
     * @param peak the utilisation of the busier of the two nodes after it
     */
    private record Relief(int partition, Host from, Host to, double gain, double peak) {

        static Relief of(int partition, double load, Host from, Host to, double aim) {
            double fromThen = from.utilisationWith(-load);
            double toThen = to.utilisationWith(load);
            double gain = above(aim, from.utilisation())
                    - above(aim, fromThen)
                    + above(aim, to.utilisation())
                    - above(aim, toThen);
            return new Relief(partition, from, to, gain, Math.max(fromThen, toThen));
        }

        private static double above(double aim, double utilisation) {
            return Math.max(0, utilisation - aim);
        }

        void carryOut(WorkingMap map) {
            String reason = "%s, %s, p%d %.2f"
                    .formatted(
                            map.loadInWords(from),
                            map.loadInWords(to),
                            partition,
                            map.weight(partition).load() / from.capacity() / map.mean());
            map.move(partition, to, Cause.BALANCE, reason);
        }
    }
}
