package io.taskmaster.bench.report;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The figures of other queues, <b>measured elsewhere</b>: on another machine of two cores, by another generator (in
 * Go), with 1 KB tasks, 500 operations in flight, clients and server together, median of three runs. A ratio to these
 * figures is indicative only: machines differ, and only ratios within one run prove anything.
 */
public final class Peers {

    /** An operation that the peers were measured with. */
    public enum Discipline {
        /** Enqueues of one task each. */
        ENQUEUE,
        /** Enqueues of 50 tasks each. */
        ENQUEUE_50,
        /** One task leased, then acknowledged. */
        LEASE,
        /** 50 tasks leased, then acknowledged. */
        LEASE_50,
        /** One task moved from a queue to another. */
        HAND_OFF;

        /** The enqueue of this number of tasks at a time; empty if the peers were not measured with it. */
        public static Optional<Discipline> enqueue(int batch) {
            return ofBatch(batch, ENQUEUE, ENQUEUE_50);
        }

        /**
         * The lease and acknowledgement of this number of tasks at a time; empty if the peers were not measured with
         * it.
         */
        public static Optional<Discipline> lease(int batch) {
            return ofBatch(batch, LEASE, LEASE_50);
        }

        /** The move of this number of tasks at a time; empty if the peers were not measured with it. */
        public static Optional<Discipline> handOff(int batch) {
            return batch == 1 ? Optional.of(HAND_OFF) : Optional.empty();
        }

        private static Optional<Discipline> ofBatch(int batch, Discipline single, Discipline fifty) {
            return switch (batch) {
                case 1 -> Optional.of(single);
                case 50 -> Optional.of(fifty);
                default -> Optional.empty();
            };
        }
    }

    /**
     * A queueing system with one configuration. Immutable.
     *
     * @param isDurable whether it syncs data to disk before it acknowledges
     * @param tasksPerSecond the figures, of the disciplines that were measured
     */
    public record Peer(String name, boolean isDurable, Map<Discipline, Integer> tasksPerSecond) {

        /** The tasks per second; 0 if the discipline was not measured. */
        public int rate(Discipline discipline) {
            return tasksPerSecond.getOrDefault(discipline, 0);
        }
    }

    private static final List<Peer> ALL = List.of(
            peer("PostgreSQL 15, SKIP LOCKED", true, 13_900, 54_400, 2_000, 6_800, 1_400),
            peer("River on PostgreSQL 15", true, 4_300, 25_900, 4_900, 0, 0),
            peer("Redis 7, fsync always", true, 32_500, 51_400, 16_100, 75_400, 17_400),
            peer("RabbitMQ 3.10, quorum queue", true, 19_800, 35_100, 6_000, 65_900, 4_700),
            peer("NATS JetStream, sync always", true, 4_200, 4_300, 3_500, 5_500, 1_600),
            peer("beanstalkd -f 0", true, 6_600, 0, 5_700, 0, 3_000),
            peer("Redis 7, fsync every second", false, 44_100, 54_600, 28_900, 81_700, 20_400),
            peer("NATS JetStream, default", false, 79_700, 96_400, 37_200, 103_500, 25_000),
            peer("beanstalkd, default", false, 59_000, 0, 51_300, 0, 27_900),
            peer("RabbitMQ 3.10, classic queue", false, 10_700, 11_900, 16_300, 0, 7_100));

    private Peers() {}

    /** All peers, the durable ones first. */
    public static List<Peer> all() {
        return ALL;
    }

    /** Returns the fastest of the peers that acknowledge after a sync. */
    public static Peer bestDurable(Discipline discipline) {
        return best(discipline, true);
    }

    /** Returns the fastest of the peers that acknowledge before a sync. */
    public static Peer bestUnsynced(Discipline discipline) {
        return best(discipline, false);
    }

    private static Peer best(Discipline discipline, boolean durable) {
        return ALL.stream()
                .filter(peer -> peer.isDurable() == durable)
                .max(Comparator.comparingInt(peer -> peer.rate(discipline)))
                .orElseThrow();
    }

    /** Returns a peer. The figures are in the order of the disciplines, 0 if not measured. */
    private static Peer peer(String name, boolean durable, int... figures) {
        Map<Discipline, Integer> tasksPerSecond = new EnumMap<>(Discipline.class);
        int column = 0;
        for (Discipline discipline : Discipline.values()) {
            if (figures[column] > 0) {
                tasksPerSecond.put(discipline, figures[column]);
            }
            column++;
        }
        return new Peer(name, durable, Map.copyOf(tasksPerSecond));
    }
}
