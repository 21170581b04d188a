package io.taskmaster.server.partition.fair;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.partition.fair.FairQueue.Origin;
import io.taskmaster.server.partition.fair.FairQueue.Ticket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FairQueueTest {

    private static final long QUANTUM = FairQueue.QUANTUM;
    private static final int LARGEST = 100_000;

    private final FairQueue<String> queue = new FairQueue<>(100);

    @Test
    void anElementOfALoneCallerWaitsForOneTurnOfEveryOtherCaller() {
        for (int i = 0; i < 1_000; i++) {
            add("g", "loader 1", "a" + i, 50_000);
            add("g", "loader 2", "b" + i, 50_000);
        }
        serve(100);
        add("g", "lone", "lone", 100);

        assertThat(serve(3)).contains("lone");
    }

    @Test
    void groupsAreServedInTurnHoweverManyCallersTheyHave() {
        for (int i = 0; i < 1_000; i++) {
            add("crowd", "caller " + i % 50, "crowd", 5_000);
            add("lone", "caller", "lone", 5_000);
        }

        assertThat(serve(100)).filteredOn("lone"::equals).hasSizeBetween(48, 52);
    }

    @Test
    void restrictedElementsWaitAndLetOthersOfTheirCallerOvertake() {
        queue.add(new Origin("g", "c"), "restricted", 1, true);
        queue.add(new Origin("g", "c"), "free", 1, false);
        queue.add(new Origin("g", "c"), "restricted, too", 1, true);

        assertThat(take(false)).isEqualTo("free");
        assertThat(queue.take(false)).isNull();
        assertThat(take(true)).isEqualTo("restricted");
        assertThat(take(true)).isEqualTo("restricted, too");
        assertThat(queue.take(true)).isNull();
    }

    @Test
    void elementsOfACallerKeepTheirOrderWhereNothingIsRestricted() {
        queue.add(new Origin("g", "c"), "1", 1, true);
        queue.add(new Origin("g", "c"), "2", 1, false);
        queue.add(new Origin("g", "c"), "3", 1, true);

        assertThat(List.of(take(true), take(true), take(true))).containsExactly("1", "2", "3");
    }

    /**
     * Verifies that bytes taken are charged to a caller with nothing waiting. Otherwise callers with one request at a
     * time would have equal numbers of requests instead of equal bytes.
     */
    @Test
    void whatACallerTookCountsAlsoWhileItHasNothingWaiting() {
        int[] served = new int[2];
        add("g", "large", "0", 10 * (int) QUANTUM);
        add("g", "small", "1", (int) QUANTUM);
        for (int i = 0; i < 1_100; i++) {
            int index = Integer.parseInt(take(true));
            served[index]++;
            add("g", index == 0 ? "large" : "small", "" + index, index == 0 ? 10 * (int) QUANTUM : (int) QUANTUM);
        }

        assertThat(served[1]).isBetween(9 * served[0], 11 * served[0]);
    }

    @Test
    void whatWasRemovedIsNotServedAndCostsNothing() {
        Ticket<String> removed = add("g", "a", "a1", 1_000_000);
        add("g", "a", "a2", 10);
        add("g", "b", "b1", 10);
        queue.remove(removed);

        assertThat(serve(2)).containsExactlyInAnyOrder("a2", "b1");
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void callersWithMuchWaitingAreAboveTheirPart() {
        Ticket<String> large = add("g", "loader", "1", 1_000);
        add("g", "loader", "2", 1_000);
        Ticket<String> small = add("g", "lone", "3", 100);

        assertThat(queue.isBelowFairShare(large)).isFalse();
        assertThat(queue.isBelowFairShare(small)).isTrue();
    }

    @Test
    void callersOfEqualSizeAreNotBelowTheirPart() {
        Ticket<String> one = add("g", "a", "1", 100);
        Ticket<String> other = add("h", "b", "2", 100);

        assertThat(queue.isBelowFairShare(one)).isFalse();
        assertThat(queue.isBelowFairShare(other)).isFalse();
    }

    @Test
    void tooManyCallersShareALineAndNobodyIsRemembered() {
        for (int i = 0; i < 10_000; i++) {
            add("g" + i % 700, "caller " + i, "" + i, 1);
        }
        assertThat(queue.callers()).isLessThanOrEqualTo(2 * 100 + 1);

        assertThat(serve(10_000)).doesNotHaveDuplicates().hasSize(10_000);
        assertThat(queue.callers()).isZero();
        assertThat(queue.waitingGroups()).isZero();
    }

    @Test
    void callersWhoOweNothingAreForgottenWhileOthersGoOn() {
        for (int i = 0; i < 1_000; i++) {
            add("g", "busy", "busy", 1_000);
        }
        for (int i = 0; i < 50; i++) {
            add("g", "guest " + i, "guest", 20_000);
        }
        serve(1_000);

        assertThat(queue.callers()).isEqualTo(1);
    }

    /** Verifies the number of steps for any number of callers and waiting elements. */
    @Test
    void turnsCostNoMoreStepsThanQuantaOfBytesAreTaken() {
        FairQueue<Integer> fair = new FairQueue<>(2_000);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            fair.add(new Origin(i % 20, i % 1_000), i, cost(random), i % 3 == 0);
        }
        long bytes = 0;
        for (int i = 0; i < 19_000; i++) {
            Ticket<Integer> ticket = Objects.requireNonNull(fair.take(i % 5 > 0 || i > 10_000));
            fair.charge(ticket, ticket.bytes());
            bytes += ticket.bytes();
        }

        // On both levels; where only unrestricted elements may be taken, service opportunities are counted separately.
        assertThat(fair.turns()).isLessThanOrEqualTo(2 * (bytes / QUANTUM + 1_000 + 20));
    }

    /**
     * Compares the queue with a model over some thousand random steps each: additions, some of them restricted, takes
     * and removals.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyCallersOrderIsKeptAndNothingIsLost(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FairQueue<Integer> fair = new FairQueue<>(1 + random.nextInt(20));
        Map<Origin, Queue<Ticket<Integer>>> free = new HashMap<>();
        Map<Origin, Queue<Ticket<Integer>>> restricted = new HashMap<>();
        List<Ticket<Integer>> waiting = new ArrayList<>();
        Map<Integer, Origin> origins = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            int act = random.nextInt(waiting.size() > 200 ? 10 : 6);
            if (act < 3) {
                Origin origin = new Origin(random.nextInt(5), random.nextInt(12));
                boolean isRestricted = random.nextInt(3) == 0;
                Ticket<Integer> ticket = fair.add(origin, step, cost(random), isRestricted);
                origins.put(step, origin);
                waiting.add(ticket);
                (isRestricted ? restricted : free)
                        .computeIfAbsent(origin, _ -> new ArrayDeque<>())
                        .add(ticket);
            } else if (act < 9) {
                boolean restrictedToo = random.nextInt(4) > 0;
                Ticket<Integer> ticket = fair.take(restrictedToo);
                if (ticket == null) {
                    assertThat(waiting).allSatisfy(waiter -> {
                        assertThat(restrictedToo).isFalse();
                        assertThat(restricted.get(origins.get(waiter.element())))
                                .contains(waiter);
                    });
                    continue;
                }
                Origin origin = Objects.requireNonNull(origins.get(ticket.element()));
                Ticket<Integer> firstFree = peek(free, origin);
                Ticket<Integer> firstRestricted = restrictedToo ? peek(restricted, origin) : null;
                assertThat(ticket).isIn(firstFree, firstRestricted);
                if (firstFree != null && firstRestricted != null) {
                    assertThat(ticket.element()).isEqualTo(Math.min(firstFree.element(), firstRestricted.element()));
                }
                drop(ticket, origin, free, restricted, waiting);
                fair.charge(ticket, cost(random));
            } else {
                Ticket<Integer> removed = waiting.get(random.nextInt(waiting.size()));
                fair.remove(removed);
                drop(removed, Objects.requireNonNull(origins.get(removed.element())), free, restricted, waiting);
            }
            assertThat(fair.size()).isEqualTo(waiting.size());
        }
    }

    /**
     * Verifies that callers with elements always waiting get equal bytes, whatever the sizes of their elements, and
     * whatever other callers do.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void theShareOfWhoAlwaysWaitsIsWithinABoundOfFair(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FairQueue<Integer> fair = new FairQueue<>(1_000);
        int busy = 2 + random.nextInt(6);
        boolean groups = random.nextBoolean();
        long[] served = new long[busy];
        int[] largest = new int[busy];
        for (int i = 0; i < busy; i++) {
            largest[i] = 1 << random.nextInt(17);
            for (int k = 0; k < 3; k++) {
                fair.add(origin(groups, i), i, 1 + random.nextInt(largest[i]), false);
            }
        }
        for (int step = 0; step < 50_000; step++) {
            if (random.nextInt(20) == 0) {
                fair.add(
                        new Origin(groups ? 1_000 + random.nextInt(9) : 0, "guest " + random.nextInt(9)),
                        -1,
                        cost(random),
                        false);
            }
            Ticket<Integer> ticket = Objects.requireNonNull(fair.take(true));
            fair.charge(ticket, ticket.bytes());
            int caller = ticket.element();
            if (caller >= 0) {
                served[caller] += ticket.bytes();
                fair.add(origin(groups, caller), caller, 1 + random.nextInt(largest[caller]), false);
            }
            for (int i = 0; i < busy; i++) {
                for (int j = 0; j < i; j++) {
                    long bound = 2 * QUANTUM + Math.max(largest[i], largest[j]);
                    assertThat(Math.abs(served[i] - served[j])).isLessThanOrEqualTo(bound);
                }
            }
        }
    }

    private static Origin origin(boolean groups, int caller) {
        return groups ? new Origin(caller, "caller") : new Origin(0, caller);
    }

    private static int cost(SplittableRandom random) {
        return 1 + random.nextInt(random.nextInt(10) == 0 ? LARGEST : 1_000);
    }

    private static @Nullable Ticket<Integer> peek(Map<Origin, Queue<Ticket<Integer>>> lines, Origin origin) {
        Queue<Ticket<Integer>> line = lines.get(origin);
        return line == null ? null : line.peek();
    }

    private static void drop(
            Ticket<Integer> ticket,
            Origin origin,
            Map<Origin, Queue<Ticket<Integer>>> free,
            Map<Origin, Queue<Ticket<Integer>>> restricted,
            List<Ticket<Integer>> waiting) {
        waiting.remove(ticket);
        free.getOrDefault(origin, new ArrayDeque<>()).remove(ticket);
        restricted.getOrDefault(origin, new ArrayDeque<>()).remove(ticket);
    }

    private Ticket<String> add(String group, String caller, String element, int bytes) {
        return queue.add(new Origin(group, caller), element, bytes, false);
    }

    private String take(boolean restrictedToo) {
        Ticket<String> ticket = Objects.requireNonNull(queue.take(restrictedToo));
        queue.charge(ticket, ticket.bytes());
        return ticket.element();
    }

    private List<String> serve(int count) {
        List<String> served = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            served.add(take(true));
        }
        return served;
    }
}
