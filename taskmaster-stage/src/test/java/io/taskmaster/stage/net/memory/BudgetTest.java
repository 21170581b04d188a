package io.taskmaster.stage.net.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests of the memory budget of an endpoint, without sockets: simulated connections from seeds, whose peers send
 * messages in pieces or only in part, and read late or never.
 */
final class BudgetTest {

    private static final int WORLDS = 500;
    private static final int MAX_READ = 1_000;
    private static final int MAX_STEPS_WITHOUT_PROGRESS = 50_000;

    /** The number of steps without a byte after which a peer's connection ends. */
    private static final int MAX_IDLE_STEPS = 300;

    @Test
    void whatIsHeldIsBoundedAndNobodyWaitsForEver() {
        for (int seed = 0; seed < WORLDS; seed++) {
            new World(seed).run();
        }
    }

    @Test
    void connectionThatHoldsNothingIsReadWhenNothingIsLeft() {
        Budget budget = new Budget(64_000, 10, new Silent());
        Share large = new Share(budget, () -> {});
        while (budget.hasFree()) {
            assertThat(large.mayRead()).isTrue();
            large.grant(10_000);
        }
        Share small = new Share(budget, () -> {});
        assertThat(small.mayRead()).isTrue();
        assertThat(small.grant(10_000)).isEqualTo(budget.ownBytes()).isGreaterThan(1_000);
        // Beyond its own part it gets one byte, which shows that there is more, and waits.
        small.grant(10_000);
        assertThat(small.inputBytes()).isEqualTo(budget.ownBytes() + 1);
        assertThat(small.mayRead()).isFalse();
        small.begin();
        assertThat(small.mayRead()).isTrue();
        assertThat(budget.isExempt(small)).isTrue();
        assertThat(large.mayRead()).isTrue();
        assertThat(large.grant(10_000)).isEqualTo(1);
        assertThat(large.mayRead()).isFalse();
    }

    @Test
    void thoseThatWaitAreReadInTheirOrder() {
        Budget budget = new Budget(64_000, 10, new Silent());
        fill(budget, new Share(budget, () -> {}));
        List<Integer> turns = new ArrayList<>();
        List<Share> waiting = wait(budget, 5, turns);
        for (int i = 0; i < 4; i++) {
            // Nothing is left; the one that is exempt may complete its message all the same.
            assertThat(turns).hasSize(i + 1);
            Share next = waiting.get(i);
            next.begin();
            assertThat(next.mayRead()).isTrue();
            assertThat(next.grant(5_000)).isEqualTo(5_000);
            next.onMessageTaken();
        }
        assertThat(turns).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void whatComesFreeIsForThoseThatWaitAndNobodyElse() {
        Budget budget = new Budget(64_000, 10, new Silent());
        Share full = new Share(budget, () -> {});
        fill(budget, full);
        Share late = new Share(budget, () -> {});
        assertThat(late.mayRead()).isTrue();
        List<Integer> turns = new ArrayList<>();
        List<Share> waiting = wait(budget, 4, turns);
        assertThat(turns).containsExactly(0);
        full.setInput(full.inputBytes() - 100);
        assertThat(turns).containsExactly(0, 1);
        // It may use its own part.
        assertThat(late.grant(5_000)).isEqualTo(budget.ownBytes());
        // Answers take the bytes that came free.
        budget.take(200);
        Share second = waiting.get(1);
        second.begin();
        assertThat(second.mayRead()).isTrue();
        assertThat(second.grant(5_000)).isEqualTo(1);
        assertThat(second.mayRead()).isFalse();
        // It has kept its place in line.
        full.setInput(full.inputBytes() - 1_000);
        assertThat(turns).containsExactly(0, 1, 1);
        second.begin();
        assertThat(second.grant(5_000)).isBetween(500, 1_000);
        assertThat(second.mayRead()).isTrue();
        assertThat(second.grant(5_000)).isEqualTo(1);
        assertThat(second.mayRead()).isFalse();
        full.setInput(full.inputBytes() - 1_000);
        assertThat(turns).containsExactly(0, 1, 1, 2);
    }

    private static List<Share> wait(Budget budget, int count, List<Integer> turns) {
        List<Share> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            Share share = new Share(budget, () -> turns.add(number));
            share.setInput(budget.ownBytes());
            assertThat(share.mayRead()).isTrue();
            // It gets one byte, which shows that there is more.
            assertThat(share.grant(5_000)).isEqualTo(1);
            assertThat(share.mayRead()).isFalse();
            waiting.add(share);
        }
        return waiting;
    }

    @Test
    void sentMessagesAreRefusedWhenNothingIsLeftAndAnswersAreNot() {
        Budget budget = new Budget(64_000, 10, new Silent());
        Share slow = new Share(budget, () -> {});
        long waiting = 0;
        while (waiting < 100_000 && slow.tryGrowOutput(waiting, waiting + 10_000, false)) {
            waiting += 10_000;
        }
        assertThat(waiting).isBetween(30_000L, 74_000L);
        assertThat(slow.mayOffer()).isFalse();
        assertThat(slow.tryGrowOutput(waiting, waiting + 10_000, true)).isTrue();
        Share other = new Share(budget, () -> {});
        assertThat(other.tryGrowOutput(0, budget.ownBytes(), false)).isTrue();
        assertThat(other.tryGrowOutput(budget.ownBytes(), 10_000, false)).isFalse();
        slow.onOutputReleased(waiting + 10_000, 0);
        assertThat(slow.mayOffer()).isTrue();
        assertThat(other.tryGrowOutput(budget.ownBytes(), 10_000, false)).isTrue();
    }

    @Test
    void whatManyThreadsTakeComesBack() throws InterruptedException {
        Budget budget = new Budget(64_000, 10, new Silent());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int seed = i;
            threads.add(Thread.startVirtualThread(() -> acquireAndRelease(budget, seed)));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofMinutes(3))).isTrue();
        }
        assertThat(budget.waiting()).isZero();
        assertThat(budget.takeUpTo(Integer.MAX_VALUE)).isEqualTo(64_000 - 10 * (2 * budget.ownBytes() + 1));
    }

    private static void acquireAndRelease(Budget budget, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CountDownLatch[] turn = {new CountDownLatch(1)};
        Share share = new Share(budget, () -> turn[0].countDown());
        for (int i = 0; i < 2_000; i++) {
            int message = 1 + random.nextInt(50_000);
            while (share.inputBytes() < message) {
                if (!share.mayRead()) {
                    awaitTurn(turn[0]);
                    turn[0] = new CountDownLatch(1);
                    share.begin();
                }
                share.grant((int) (message - share.inputBytes()));
            }
            boolean always = random.nextBoolean();
            if (share.tryGrowOutput(0, message, always)) {
                share.onOutputReleased(message, 0);
            }
            share.setInput(0);
            share.onMessageTaken();
        }
        share.end();
    }

    private static void awaitTurn(CountDownLatch turn) {
        try {
            assertThat(turn.await(2, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void fill(Budget budget, Share share) {
        share.setInput(budget.ownBytes());
        while (budget.hasFree()) {
            share.grant(10_000);
        }
    }

    private static class Silent implements Budget.Listener {

        @Override
        public void onPressure() {}

        @Override
        public void onOutputReleased() {}

        @Override
        public void scheduleServe() {}
    }

    /** A simulated endpoint. */
    private static final class World extends Silent {

        private final int seed;
        private final SplittableRandom random;
        private final int largestMessage;
        private final long maxBytes;
        private final Budget budget;
        private final List<Peer> peers = new ArrayList<>();
        private final Deque<Peer> called = new ArrayDeque<>();
        private boolean serveScheduled;
        private int stepsWithoutProgress;

        World(int seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            int connections = 1 + random.nextInt(20);
            this.largestMessage = 1 + random.nextInt(random.nextBoolean() ? 300 : 20_000);
            this.maxBytes = connections * (64L + random.nextInt(2_000)) + random.nextInt(20_000);
            this.budget = new Budget(maxBytes, connections, this);
            for (int i = 0; i < connections; i++) {
                peers.add(new Peer());
            }
        }

        @Override
        public void scheduleServe() {
            serveScheduled = true;
        }

        void run() {
            while (!peers.stream().allMatch(Peer::isOver)) {
                if (++stepsWithoutProgress > MAX_STEPS_WITHOUT_PROGRESS) {
                    fail("seed %d: %d wait for ever", seed, budget.waiting());
                }
                step();
                check();
            }
            assertThat(budget.waiting()).as("seed %d: the line", seed).isZero();
            assertThat(budget.isFullOfOutput()).as("seed %d", seed).isFalse();
        }

        private void step() {
            switch (random.nextInt(10)) {
                case 0 -> {
                    if (serveScheduled) {
                        serveScheduled = false;
                        budget.serve();
                    }
                }
                case 1, 2 -> {
                    Peer next = called.poll();
                    if (next != null) {
                        next.takeTurn();
                    }
                }
                default -> peers.get(random.nextInt(peers.size())).step();
            }
        }

        private void check() {
            long read = 0;
            long toSend = 0;
            for (Peer peer : peers) {
                read += Math.max(0, peer.share.inputBytes() - budget.ownBytes() - Budget.PROBE_BYTES);
                toSend += peer.waiting - peer.answers;
            }
            long common = maxBytes - (long) peers.size() * (2 * budget.ownBytes() + Budget.PROBE_BYTES);
            // Beyond the common bytes: one message, and the bytes that were read behind it.
            if (read > common + largestMessage + MAX_READ) {
                fail("seed %d: %d bytes were read (expected: %d)", seed, read, common);
            }
            if (toSend > maxBytes + largestMessage) {
                fail("seed %d: %d bytes beside answers are to be sent (expected: %d)", seed, toSend, maxBytes);
            }
            if (peers.stream().filter(peer -> budget.isExempt(peer.share)).count() > 1) {
                fail("seed %d: more than one is exempt", seed);
            }
        }

        /** A peer, and the connection to it. */
        private final class Peer {

            private final Share share = new Share(budget, () -> called.add(this));
            private final Deque<Integer> messages = new ArrayDeque<>();
            private final boolean stalls = random.nextInt(4) == 0;
            private final boolean reads = random.nextInt(4) > 0;
            private long unread;
            private long rest;
            private boolean hasAsked;
            private long waiting;
            private long answers;
            private int stoodStill;
            private boolean ended;

            Peer() {
                for (int count = random.nextInt(20); count > 0; count--) {
                    messages.add(1 + random.nextInt(largestMessage));
                }
                unread = messages.stream().mapToLong(Integer::longValue).sum();
                if (stalls && unread > 0) {
                    // It never sends the last byte of its last message.
                    unread--;
                }
            }

            boolean isOver() {
                return ended;
            }

            void takeTurn() {
                share.begin();
                if (!ended) {
                    ask();
                }
            }

            void step() {
                if (ended) {
                    return;
                }
                if (waiting > 0 && reads && random.nextBoolean()) {
                    long sent = 1 + random.nextLong(waiting);
                    waiting -= sent;
                    share.onOutputReleased(waiting + sent, waiting);
                    answers = Math.max(0, answers - sent);
                } else if (!messages.isEmpty() && rest >= messages.element()) {
                    offer();
                } else if (hasAsked && unread > 0) {
                    read();
                } else if (!hasAsked && !share.isWaiting()) {
                    ask();
                } else if (!share.isWaiting() && ++stoodStill > MAX_IDLE_STEPS) {
                    end();
                }
            }

            private void ask() {
                if (!hasAsked && share.mayRead()) {
                    hasAsked = true;
                }
            }

            private void read() {
                hasAsked = false;
                stoodStill = 0;
                stepsWithoutProgress = 0;
                int granted = share.grant(1 + random.nextInt(MAX_READ));
                long received = Math.min(Math.min(granted, unread), 1 + random.nextInt(MAX_READ));
                unread -= received;
                rest += received;
                share.setInput(rest);
            }

            private void offer() {
                if (!share.mayOffer()) {
                    if (++stoodStill > MAX_IDLE_STEPS) {
                        end();
                    }
                    return;
                }
                stoodStill = 0;
                int message = messages.remove();
                rest -= message;
                share.setInput(rest);
                share.onMessageTaken();
                int size = 1 + random.nextInt(largestMessage);
                boolean isAnswer = random.nextBoolean();
                if (share.tryGrowOutput(waiting, waiting + size, isAnswer)) {
                    waiting += size;
                    answers += isAnswer ? size : 0;
                }
            }

            private void end() {
                ended = true;
                stepsWithoutProgress = 0;
                share.end();
                share.onOutputReleased(waiting, 0);
                answers = 0;
                waiting = 0;
                rest = 0;
            }
        }
    }
}
