package io.taskmaster.placement;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The bounds within which {@link Placement} decides. {@link #DEFAULT} is for the partitions of the task queue.
 * Immutable.
 *
 * @param motion the bounds of planned moves
 * @param balance the bounds of balancing
 * @param deaths the patience with silent nodes
 * @param slowStart the time after which a fresh node may have twice as many partitions more than before: 1, 2, 4, …; a
 *     cold process is slow, and its partitions wait for it. 10 s
 * @param idleLoad the load of a partition without work, so that an idle cluster is placed by number. 0.0002 of a
 *     processor
 * @param siblings sets of partitions that are to be on different nodes, as far as there are nodes: the copies of one
 *     group that is spread
 */
public record PlacementPolicy(
        Motion motion,
        Balance balance,
        Deaths deaths,
        Duration slowStart,
        double idleLoad,
        List<Set<Integer>> siblings) {

    /** The policy for the partitions of the task queue. */
    public static final PlacementPolicy DEFAULT = new PlacementPolicy(
            Motion.DEFAULT, Balance.DEFAULT, Deaths.DEFAULT, Duration.ofSeconds(10), 0.0002, List.of());

    public PlacementPolicy {
        siblings = siblings.stream().map(Set::copyOf).toList();
        if (!(idleLoad > 0) || !slowStart.isPositive()) {
            throw new IllegalArgumentException(
                    "idle load: %s, slow start: %s (expected: positive)".formatted(idleLoad, slowStart));
        }
    }

    /** Returns this policy with other siblings. */
    public PlacementPolicy withSiblings(List<Set<Integer>> sets) {
        return new PlacementPolicy(motion, balance, deaths, slowStart, idleLoad, sets);
    }

    /** Returns this policy with another balance. */
    public PlacementPolicy withBalance(Balance other) {
        return new PlacementPolicy(motion, other, deaths, slowStart, idleLoad, siblings);
    }

    /** Returns this policy with other bounds of planned moves. */
    public PlacementPolicy withMotion(Motion other) {
        return new PlacementPolicy(other, balance, deaths, slowStart, idleLoad, siblings);
    }

    /**
     * The bounds of planned moves. Each costs its callers a short gap, and both nodes work.
     *
     * @param share the share of all partitions that may be in motion at once; 0.01
     * @param few the number that may be in motion in any case; 8
     * @param perNode the number that may be in motion from or to one node when balancing may add another; 2
     * @param draining the number that may leave a node at once that is to be empty; 8
     * @param coolDown the time in which a partition is not moved again, except from a node that is to be empty, by an
     *     operator, or by a death; 10 min
     * @param limit the time after which a move that the new owner did not carry out goes elsewhere; 30 s
     */
    public record Motion(double share, int few, int perNode, int draining, Duration coolDown, Duration limit) {

        static final Motion DEFAULT = new Motion(0.01, 8, 2, 8, Duration.ofMinutes(10), Duration.ofSeconds(30));

        public Motion {
            if (!(share >= 0 && share <= 1) || few < 1 || perNode < 1 || draining < 1) {
                throw new IllegalArgumentException(
                        "moves at once: share %s, few %d, per node %d, draining %d (expected: a share, and at least 1)"
                                .formatted(share, few, perNode, draining));
            }
        }

        /** Returns the number of partitions that may be in motion at once. */
        public int atOnce(int partitions) {
            return Math.max(few, (int) (share * partitions));
        }
    }

    /**
     * The bounds of balancing. It begins above one bound and goes on to a lower one, so that a cluster close to the
     * first does not move back and forth.
     *
     * @param every the time between two rounds; 60 s
     * @param above the load of the busiest node, as a multiple of the mean, above which balancing begins; 1.2
     * @param to the multiple at which it ends; 1.1
     * @param negligible the load above the mean, as a share of a node's capacity, up to which nothing is done; 0.02
     * @param minGain the part of the mean load that a move must gain at least, so that partitions without work stay;
     *     0.002
     * @param minMeasured the time for which a load must have been measured to count; 60 s
     */
    public record Balance(
            Duration every, double above, double to, double negligible, double minGain, Duration minMeasured) {

        static final Balance DEFAULT =
                new Balance(Duration.ofSeconds(60), 1.2, 1.1, 0.02, 0.002, Duration.ofSeconds(60));

        public Balance {
            if (!(above >= to && to >= 1) || !(negligible >= 0) || !(minGain > 0)) {
                throw new IllegalArgumentException(
                        "balance: above %s, to %s, negligible %s, gain %s (expected: above >= to >= 1, a positive gain)"
                                .formatted(above, to, negligible, minGain));
            }
        }
    }

    /**
     * The patience with silent nodes.
     *
     * @param patience the silence after which the controller calls a node dead; 10 s
     * @param many the share of the nodes whose death at once is more likely a fault of the controller's view; 1/3
     * @param manyPatience the multiple of the patience after which so many are believed to be dead all the same; 3
     * @param restart the time since its last sign of life in which another life of a node gets all of its partitions
     *     back; 30 s
     */
    public record Deaths(Duration patience, double many, int manyPatience, Duration restart) {

        static final Deaths DEFAULT = new Deaths(Duration.ofSeconds(10), 1.0 / 3, 3, Duration.ofSeconds(30));

        public Deaths {
            if (!(many > 0 && many <= 1) || manyPatience < 1) {
                throw new IllegalArgumentException("many deaths: share %s, patience times %d (expected: a share, and 1)"
                        .formatted(many, manyPatience));
            }
        }
    }
}
