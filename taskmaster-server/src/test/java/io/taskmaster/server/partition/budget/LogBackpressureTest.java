package io.taskmaster.server.partition.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LogBackpressureTest {

    private static final int WAIT_MILLIS = 20;
    private static final int ATOM_BYTES = 1000;

    private final LogBackpressure logBackpressure = new LogBackpressure(WAIT_MILLIS);
    private final LogBackpressure.Share share = logBackpressure.share();
    private long nowMillis = 1_000_000;
    private long tickets;

    @Test
    void itBeginsWithSomeTasksAndNeverAllowsLess() {
        assertThat(logBackpressure.limit()).isEqualTo(LogBackpressure.MIN_BYTES);
        assertThat(share.isFull(LogBackpressure.MIN_BYTES - 1)).isFalse();
        assertThat(share.isFull(LogBackpressure.MIN_BYTES)).isTrue();

        measured(1, 1);
        measured(LogBackpressure.MIN_BYTES, 100_000);
        assertThat(logBackpressure.limit()).isEqualTo(LogBackpressure.MIN_BYTES);
    }

    @Test
    void aBoundThatIsMetGrowsWhileTheLogKeepsUpAndOneThatIsNotStays() {
        grow(50);
        long limit = logBackpressure.limit();
        assertThat(limit).isGreaterThan(100 * LogBackpressure.MIN_BYTES);

        measured(1, 1);
        assertThat(logBackpressure.limit()).isEqualTo(limit);
    }

    @Test
    void whatWaitedTooLongShowsHowMuchMayWait() {
        grow(50);
        keepWaiting(100_000, 4 * WAIT_MILLIS);

        assertThat(logBackpressure.limit()).isCloseTo(25_000, withPercentage(10));
    }

    /** Verifies that a single wait is not taken as a measure of the store's throughput. */
    @Test
    void aSingleLongWaitLowersTheBoundByItsPartOnly() {
        growWithin(50, 1);
        measured(100_000, WAIT_MILLIS);
        assertThat(logBackpressure.limit()).isGreaterThan(100_000);

        measured(100_000, 8 * WAIT_MILLIS);
        assertThat(logBackpressure.limit()).isBetween(40_000L, logBackpressure.limit());
    }

    /**
     * Verifies that a distant log, which is slow even for a single byte, is allowed more: less load would not make it
     * faster.
     */
    @Test
    void aLogThatIsSlowByNatureIsGivenTwiceWhatIsUsual() {
        measured(1, 50);
        growWithin(50, 100);
        assertThat(logBackpressure.limit()).isGreaterThan(100 * LogBackpressure.MIN_BYTES);

        keepWaiting(100_000, 200);
        assertThat(logBackpressure.limit()).isCloseTo(50_000, withPercentage(10));
    }

    @Test
    void aLogThatBecomesSlowByNatureIsFoundOut() {
        grow(30);
        saturate(29_000, () -> 1_000);
        assertThat(logBackpressure.limit()).isEqualTo(LogBackpressure.MIN_BYTES);
        // Until the shortest waits of before are forgotten, and the usual wait has adapted.
        saturate(120_000, () -> 70);

        assertThat(logBackpressure.limit()).isGreaterThan(100 * LogBackpressure.MIN_BYTES);
    }

    @Test
    void aLogThatIsHeldUpForAWhileIsNotSlowByNature() {
        grow(50);
        for (int i = 0; i < 100; i++) {
            saturate(1_000, () -> 5);
            saturate(60, () -> 40);
        }
        growWithin(1, 2 * WAIT_MILLIS);
        keepWaiting(100_000, 4 * WAIT_MILLIS);

        assertThat(logBackpressure.limit()).isCloseTo(25_000, withPercentage(10));
    }

    /** Verifies that jitter, which does not depend on the load, does not lower the bound for ever. */
    @Test
    void aLogWhoseWaitsJitterIsNotStarved() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 500; i++) {
            measured(1_000, 4 + random.nextInt(2 * WAIT_MILLIS));
        }
        saturate(60_000, () -> 4 + random.nextInt(2 * WAIT_MILLIS));

        assertThat(logBackpressure.limit()).isGreaterThan(10 * LogBackpressure.MIN_BYTES);
    }

    /** Checks saturated stores of various speeds, shared by various numbers of partitions. */
    @ParameterizedTest(name = "{0} partitions, {1} bytes/ms, {2} ms away")
    @CsvSource({
        "1, 10, 0",
        "1, 100, 5",
        "1, 1000, 0",
        "1, 1000, 40",
        "1, 20000, 3",
        "1, 20000, 200",
        "8, 2000, 1",
        "8, 20000, 30",
        "256, 2000, 1",
        "256, 20000, 5"
    })
    void theStoreIsKeptBusyAndNobodyWaitsForLong(int partitions, int bytesPerMilli, int latencyMillis) {
        var store = new SimulatedStore(partitions, bytesPerMilli, latencyMillis);
        store.run(20_000);
        store.accepted = 0;
        store.maxWaitMillis = 0;
        store.run(60_000);

        assertThat(store.accepted).as("bytes taken").isGreaterThan((long) (0.9 * 60_000 * bytesPerMilli));
        // The minimum that all partitions may have waiting can alone exceed what the store takes in time; the store
        // then counts as slow by nature.
        long minBytes =
                Math.max(LogBackpressure.MIN_BYTES, partitions * (LogBackpressure.MIN_SHARE_BYTES + ATOM_BYTES));
        long minLatency = latencyMillis + minBytes / bytesPerMilli;
        assertThat(store.maxWaitMillis)
                .isLessThanOrEqualTo(Math.max(
                        4 * WAIT_MILLIS, 2 * LogBackpressure.MAX_USUAL_FACTOR * (minLatency + 1) + WAIT_MILLIS));
    }

    /**
     * Verifies that with three groups in one partition and one in another, each group gets a quarter, and not each
     * partition a half.
     */
    @Test
    void theBoundIsDividedAmongGroupsAndNotAmongPartitions() {
        grow(50);
        long limit = logBackpressure.limit();
        LogBackpressure.Share three = logBackpressure.share();
        three.waiting(3);
        three.appended(1, limit, nowMillis);
        share.waiting(1);
        share.appended(++tickets, limit, nowMillis);

        assertThat(three.isFull(limit * 3 / 4 - 1)).isFalse();
        assertThat(three.isFull(limit * 3 / 4 + 1)).isTrue();
        assertThat(share.isFull(limit / 4 - 1)).isFalse();
        assertThat(share.isFull(limit / 4 + 1)).isTrue();
    }

    @Test
    void groupsOfAPartitionWithNothingInTheLogDoNotCount() {
        grow(50);
        long limit = logBackpressure.limit();
        LogBackpressure.Share released = logBackpressure.share();
        released.waiting(9);
        released.appended(1, limit, nowMillis);
        released.committed(1, 0, nowMillis);
        share.appended(++tickets, limit - 1, nowMillis);
        assertThat(share.isFull(limit - 1)).isFalse();

        released.appended(2, limit, nowMillis);
        assertThat(share.isFull(limit - 1)).isTrue();
        released.release();
        assertThat(share.isFull(limit - 1)).isFalse();
    }

    /** Verifies that on a saturated store a partition gets the sum of the parts of its groups. */
    @Test
    void partitionsGetOfTheStoreWhatTheirGroupsComeTo() {
        var store = new SimulatedStore(3, 2_000, 5);
        store.logs.get(1).share.waiting(3);
        store.run(20_000);
        store.logs.forEach(log -> log.accepted = 0);
        store.run(60_000);

        long all = store.logs.stream().mapToLong(log -> log.accepted).sum();
        assertThat((double) store.logs.get(1).accepted / all).isBetween(0.57, 0.63);
        assertThat((double) store.logs.get(0).accepted / all).isBetween(0.17, 0.23);
    }

    private void grow(int times) {
        measured(1, 1);
        growWithin(times, WAIT_MILLIS);
    }

    /** Keeps as many bytes waiting as the bound allows, whatever it is, for this long. */
    private void saturate(long millis, IntSupplier wait) {
        for (long end = nowMillis + millis; nowMillis < end; ) {
            assertThat(share.isFull(logBackpressure.limit())).isTrue();
            measured(logBackpressure.limit(), wait.getAsInt());
        }
    }

    private void growWithin(int times, long millis) {
        for (int i = 0; i < times; i++) {
            assertThat(share.isFull(logBackpressure.limit())).isTrue();
            measured(logBackpressure.limit(), millis);
        }
    }

    /** Measures so often that earlier values, which may be larger than any store's, are forgotten. */
    private void keepWaiting(long bytes, long millis) {
        for (int i = 0; i < 40 * (int) LogBackpressure.MEAN_WINDOW; i++) {
            measured(bytes, millis);
        }
    }

    private void measured(long bytes, long millis) {
        share.appended(++tickets, bytes, nowMillis);
        nowMillis += millis;
        share.committed(tickets, 0, nowMillis);
    }

    /**
     * A simulated store with a fixed throughput in bytes per millisecond, which serves one atom after the other and
     * answers after a latency.
     */
    private static final class SimulatedStore {

        private record Atom(long ticket, int bytes, long sinceMillis, double throughMillis) {}

        private static final class Log {
            private final LogBackpressure.Share share;
            private final ArrayDeque<Atom> waiting = new ArrayDeque<>();
            private long waitingBytes;
            private long accepted;
            private long tickets;

            private Log(LogBackpressure.Share share) {
                this.share = share;
            }
        }

        private final SplittableRandom random = new SplittableRandom(7);
        private final List<Log> logs;
        private final double bytesPerMilli;
        private final int latencyMillis;
        private long nowMillis = 1_000_000;
        private double freeAtMillis;
        private long accepted;
        private long maxWaitMillis;

        private SimulatedStore(int partitions, double bytesPerMilli, int latencyMillis) {
            LogBackpressure logBackpressure = new LogBackpressure(WAIT_MILLIS);
            this.logs = Stream.generate(() -> new Log(logBackpressure.share()))
                    .limit(partitions)
                    .toList();
            this.bytesPerMilli = bytesPerMilli;
            this.latencyMillis = latencyMillis;
        }

        private void run(int millis) {
            for (int i = 0; i < millis; i++) {
                nowMillis++;
                // The first log is random, so that no log is favoured.
                int first = random.nextInt(logs.size());
                for (int j = 0; j < logs.size(); j++) {
                    Log log = logs.get((first + j) % logs.size());
                    commit(log);
                    append(log);
                }
            }
        }

        private void append(Log log) {
            // As many clients as would let the store lag by many times the allowed wait, without the bound.
            double clients = bytesPerMilli * (latencyMillis + 20 * WAIT_MILLIS) / logs.size() + ATOM_BYTES;
            while ((double) log.waitingBytes < clients && !log.share.isFull(log.waitingBytes)) {
                int bytes = 1 + random.nextInt(2 * ATOM_BYTES);
                freeAtMillis = Math.max(freeAtMillis, (double) nowMillis) + bytes / bytesPerMilli;
                log.waiting.add(new Atom(++log.tickets, bytes, nowMillis, freeAtMillis + latencyMillis));
                log.waitingBytes += bytes;
            }
            log.share.appended(log.tickets, log.waitingBytes, nowMillis);
        }

        private void commit(Log log) {
            long ticket = 0;
            for (Atom atom = log.waiting.peek();
                    atom != null && atom.throughMillis <= (double) nowMillis;
                    atom = log.waiting.peek()) {
                log.waiting.remove();
                log.waitingBytes -= atom.bytes;
                accepted += atom.bytes;
                log.accepted += atom.bytes;
                maxWaitMillis = Math.max(maxWaitMillis, nowMillis - atom.sinceMillis);
                ticket = atom.ticket;
            }
            if (ticket > 0) {
                log.share.committed(ticket, log.waitingBytes, nowMillis);
            }
        }
    }
}
