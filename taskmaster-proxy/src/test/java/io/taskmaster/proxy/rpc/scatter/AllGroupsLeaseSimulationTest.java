package io.taskmaster.proxy.rpc.scatter;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.proxy.rpc.FakeCaller;
import io.taskmaster.proxy.rpc.SteppedRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Simulation of several concurrent leases over all groups, while partitions decide, commit and break down, tasks are
 * enqueued, time passes and callers disconnect, in an order that a seed determines. The guarantees are checked after
 * every step.
 */
final class AllGroupsLeaseSimulationTest {

    private static final int SEEDS = 3000;
    private static final int STEPS = 300;
    private static final int MAX_WAIT_MILLIS = 500;

    @Test
    void nobodyGetsTooMuchAndNothingStaysBehind() {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                new Run(new SplittableRandom(seed)).run(outcomes);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(outcomes.keySet()).containsExactly("error", "gone", "nothing", "tasks");
        assertThat(outcomes.values()).allMatch(times -> times > SEEDS / 100);
    }

    /** A caller with its lease, and the number of tasks granted when it disconnected; -1 before. */
    private record Asker(FakeCaller caller, Lease lease, AtomicInteger grantedWhenCancelled) {

        String name() {
            return lease.worker();
        }
    }

    private static final class Run {

        private final SplittableRandom random;
        private final SteppedRouter node;
        private final AtomicInteger cursor = new AtomicInteger();
        private final List<Asker> askers = new ArrayList<>();

        Run(SplittableRandom random) {
            this.random = random;
            this.node = new SteppedRouter(random.nextInt(1, 9));
        }

        void run(Map<String, Integer> outcomes) {
            int steps = random.nextInt(STEPS);
            for (int i = 0; i < steps; i++) {
                step();
                askers.forEach(this::check);
            }
            drain();
            for (Asker asker : askers) {
                outcomes.merge(outcome(asker), 1, Integer::sum);
            }
        }

        private void step() {
            int partition = random.nextInt(node.partitions());
            switch (random.nextInt(40)) {
                case 0, 1 -> ask();
                case 2, 3 -> node.enqueue(partition, random.nextInt(300));
                case 4 -> node.pass(random.nextInt(MAX_WAIT_MILLIS / 5));
                case 5 -> node.wake(partition);
                case 6 -> rarely(() -> node.breakDown(partition));
                case 7 -> rarely(() -> node.refusing.add(partition));
                case 8 -> node.refusing.clear();
                case 9 -> rarely(this::leave);
                case 10 -> node.take(partition);
                default -> {
                    if (random.nextBoolean()) {
                        node.decide(partition);
                    } else {
                        node.commit(partition);
                    }
                }
            }
        }

        private void rarely(Runnable step) {
            if (random.nextInt(4) == 0) {
                step.run();
            }
        }

        private void ask() {
            int waitMillis = random.nextInt(3) == 0 ? 0 : random.nextInt(1, MAX_WAIT_MILLIS);
            Lease lease = AllGroupsLeaseTest.lease(
                    "asker " + askers.size(), random.nextInt(1, 5), random.nextInt(100, 1000), waitMillis);
            var asker = new Asker(new FakeCaller(), lease, new AtomicInteger(-1));
            askers.add(asker);
            AllGroupsLease.submit(node, node, lease, asker.caller, cursor);
        }

        private void leave() {
            if (!askers.isEmpty()) {
                Asker asker = askers.get(random.nextInt(askers.size()));
                if (!asker.caller.isCancelled() && !asker.caller.isAnswered()) {
                    asker.grantedWhenCancelled.set(node.grantedTo(asker.name()).size());
                    asker.caller.cancel();
                }
            }
        }

        private void check(Asker asker) {
            List<LeasedTask> granted = node.grantedTo(asker.name());
            long bytes = granted.stream().mapToLong(LeasedTask::replyBytes).sum();
            assertThat(granted).hasSizeLessThanOrEqualTo(asker.lease.maxTasks());
            assertThat(granted.size() <= 1 || bytes <= asker.lease.maxBytes())
                    .as("%d tasks of %d bytes for %s", granted.size(), bytes, asker.lease)
                    .isTrue();
            assertThat(node.undecidedLeases(asker.name())).isLessThanOrEqualTo(1);
            if (asker.caller.isCancelled()) {
                assertThat(granted).hasSize(asker.grantedWhenCancelled.get());
            }
            if (asker.caller.isAnswered()) {
                assertThat(node.unanswered(asker.name())).isZero();
                List<LeasedTask> received = asker.caller.tasks == null ? List.of() : asker.caller.tasks;
                assertThat(received)
                        .containsExactlyInAnyOrderElementsOf(granted.stream()
                                .filter(task -> !node.lost.contains(task))
                                .toList());
            }
        }

        /**
         * Runs until nothing is left to do. Callers without an answer then wait for tasks only, and every caller has an
         * answer once the time is up.
         */
        private void drain() {
            node.refusing.clear();
            node.run();
            for (Asker asker : askers) {
                check(asker);
                assertThat(asker.caller.isAnswered() || !node.hasAvailable()).isTrue();
                assertThat(asker.caller.isAnswered() || !asker.caller.isCancelled())
                        .isTrue();
            }
            node.pass(MAX_WAIT_MILLIS);
            node.run();
            for (Asker asker : askers) {
                check(asker);
                assertThat(asker.caller.isAnswered()).isTrue();
            }
            assertThat(node.watches()).isZero();
        }

        private static String outcome(Asker asker) {
            if (asker.caller.isCancelled()) {
                return "gone";
            } else if (asker.caller.tasks == null) {
                return "error";
            }
            return asker.caller.tasks.isEmpty() ? "nothing" : "tasks";
        }
    }
}
