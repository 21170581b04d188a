package io.taskmaster.server.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.partition.Clock;
import io.taskmaster.server.partition.MemoryBudget;
import io.taskmaster.server.partition.PartitionNode;
import io.taskmaster.server.partition.PartitionSettings;
import io.taskmaster.server.store.rocksdb.RocksDbSettings;
import io.taskmaster.server.store.rocksdb.RocksDbStore;
import io.taskmaster.server.store.rocksdb.ScanStatistics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A node with long queues and little memory, in a process of its own and without RPC, so that the store's statistics are at hand and
 * the heap is as small as that of a server. Prints figures, one {@code name value} a line; {@link BacklogIT} judges them.
 *
 * <p>Arguments: folder, window budget in bytes, workload, and the sizes of the workload.
 */
final class BacklogProgram {

    private static final int PARTITIONS = 256;
    private static final int LOOPS = 2;
    private static final long DIRTY_BYTES = 30 << 20;
    private static final int ENQUEUE_BATCH = 500;
    private static final int LEASE_BATCH = 50;
    private static final int HEAD_BATCH = 5_000;
    private static final int KILOBYTE = 1024;
    private static final QueueKey BARE = QueueKey.of("backlog", "bare");
    private static final QueueKey BURDENED = QueueKey.of("backlog", "burdened");

    private final RocksDbStore store;
    private final DirectClient client;

    private BacklogProgram(RocksDbStore store, DirectClient client) {
        this.store = store;
        this.client = client;
    }

    public static void main(String[] args) {
        try (var store = RocksDbStore.open(Path.of(args[0]), RocksDbSettings.DEFAULTS);
                var node = new PartitionNode(
                        store,
                        "backlog",
                        PARTITIONS,
                        LOOPS,
                        settings(Long.parseLong(args[1])),
                        new MemoryBudget(Long.parseLong(args[1]), DIRTY_BYTES),
                        Clock.system(),
                        Duration.ofSeconds(30))) {
            node.open().join();
            var program = new BacklogProgram(store, new DirectClient(node));
            switch (args[2]) {
                case "order" -> program.order(Long.parseLong(args[3]), Long.parseLong(args[4]));
                case "live-leases" ->
                    program.liveLeases(Long.parseLong(args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
                default -> throw new IllegalArgumentException(args[2]);
            }
            print(
                    "peak.megabytes",
                    ResidentMemory.of(ProcessHandle.current().pid()).peakMegabytes());
        }
    }

    /** As a server of that window budget has them. */
    private static PartitionSettings settings(long windowBytes) {
        PartitionSettings defaults = PartitionSettings.DEFAULTS;
        return new PartitionSettings(
                defaults.engine(),
                defaults.log(),
                defaults.flushIntervalMillis(),
                Math.min(defaults.flushBytes(), DIRTY_BYTES / 4),
                defaults.refillMaxTasks(),
                Math.min(defaults.refillMaxBytes(), windowBytes / 8),
                defaults.writeBytes(),
                defaults.writesInFlight(),
                defaults.indexRows(),
                defaults.retryDelayMillis());
    }

    /** A backlog that came in no order is leased and dequeued in order, task by task without a gap. */
    private void order(long tasks, long leases) {
        long batches = Math.ceilDiv(tasks, ENQUEUE_BATCH);
        long stride = coprimeStride(batches);
        long started = System.nanoTime();
        for (long i = 0; i < batches; i++) {
            long from = i * stride % batches * ENQUEUE_BATCH;
            client.enqueue(
                    BARE, from, Math.min(tasks, from + ENQUEUE_BATCH), ENQUEUE_BATCH, BacklogProgram::pid, KILOBYTE);
        }
        print("enqueued.per.second", tasks / seconds(started));
        ScanStatistics before = store.scanStatistics();
        started = System.nanoTime();
        long leased = 0;
        while (leased < leases) {
            List<Reply.LeasedTask> batch = client.lease(BARE, LEASE_BATCH, Duration.ofMinutes(10));
            for (Reply.LeasedTask task : batch) {
                if (!task.pid().equals(pid(leased))) {
                    throw new AssertionError("leased " + task.pid() + " (expected: " + pid(leased) + ")");
                }
                leased++;
            }
            client.dequeue(BARE, batch);
        }
        print("leased.per.second", leased / seconds(started));
        printScans(before, leased);
    }

    /** Two queues in turn: one begins with live leases, the other does not. */
    private void liveLeases(long live, int segments, int leasesPerSegment) {
        long behind = (long) (segments + 1) * leasesPerSegment * LEASE_BATCH;
        long started = System.nanoTime();
        client.enqueue(BURDENED, 0, live + behind, ENQUEUE_BATCH, BacklogProgram::pid, KILOBYTE);
        client.enqueue(BARE, 0, behind, ENQUEUE_BATCH, BacklogProgram::pid, KILOBYTE);
        print("enqueued.per.second", (live + 2 * behind) / seconds(started));
        started = System.nanoTime();
        for (long leased = 0; leased < live; ) {
            int wanted = (int) Math.min(HEAD_BATCH, live - leased);
            leased += client.lease(BURDENED, wanted, Duration.ofDays(2)).size();
        }
        print("head.leased.per.second", live / seconds(started));

        segment(BARE, leasesPerSegment, 0);
        segment(BURDENED, leasesPerSegment, live);
        ScanStatistics before = store.scanStatistics();
        double[] ratios = new double[segments];
        double bareSeconds = 0;
        double burdenedSeconds = 0;
        for (int i = 0; i < segments; i++) {
            long done = (long) (i + 1) * leasesPerSegment * LEASE_BATCH;
            boolean bareFirst = i % 2 == 0;
            double first = segment(bareFirst ? BARE : BURDENED, leasesPerSegment, done + (bareFirst ? 0 : live));
            double second = segment(bareFirst ? BURDENED : BARE, leasesPerSegment, done + (bareFirst ? live : 0));
            double bare = bareFirst ? first : second;
            double burdened = bareFirst ? second : first;
            ratios[i] = bare / burdened;
            bareSeconds += bare;
            burdenedSeconds += burdened;
        }
        long measured = (long) segments * leasesPerSegment * LEASE_BATCH;
        Arrays.sort(ratios);
        print("bare.per.second", measured / bareSeconds);
        print("burdened.per.second", measured / burdenedSeconds);
        print("ratio.median", ratios[segments / 2]);
        print("ratio.of.sums", bareSeconds / burdenedSeconds);
        printScans(before, 2 * measured);
    }

    /** Leases and dequeues the next tasks of a queue, which are to begin with the given one; the seconds that it took. */
    private double segment(QueueKey queue, int leases, long first) {
        long started = System.nanoTime();
        long next = first;
        for (int i = 0; i < leases; i++) {
            List<Reply.LeasedTask> batch;
            for (int wanted = LEASE_BATCH; wanted > 0; wanted -= batch.size()) {
                batch = client.lease(queue, wanted, Duration.ofMinutes(10));
                for (Reply.LeasedTask task : batch) {
                    if (!task.pid().equals(pid(next++))) {
                        throw new AssertionError(
                                queue + ": leased " + task.pid() + " (expected: " + pid(next - 1) + ")");
                    }
                }
                client.dequeue(queue, batch);
            }
        }
        return seconds(started);
    }

    private void printScans(ScanStatistics before, long leased) {
        ScanStatistics after = store.scanStatistics();
        long rows = after.rows() - before.rows();
        long tombstones = after.tombstones() - before.tombstones();
        print("leased", leased);
        print("scans", after.scans() - before.scans());
        print("rows", rows);
        print("tombstones", tombstones);
        print("hidden", after.hidden() - before.hidden());
        print("steps.per.lease", (rows + tombstones) / (double) leased);
    }

    private static Pid pid(long number) {
        return Pid.wrap("%012d".formatted(number).getBytes(UTF_8));
    }

    /** Steps of this size meet every batch once, far from the one before. */
    private static long coprimeStride(long batches) {
        long stride = batches * 5 / 8 | 1;
        while (gcd(stride, batches) != 1) {
            stride += 2;
        }
        return stride;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    private static void print(String name, double value) {
        System.out.println(String.format(Locale.ROOT, "%s %.2f", name, value));
    }
}
