package io.taskmaster.server.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.partition.ClaimedStore;
import io.taskmaster.server.partition.PartitionNode;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.store.rocksdb.RocksDbSettings;
import io.taskmaster.server.store.rocksdb.RocksDbStore;
import io.taskmaster.server.store.rocksdb.ScanStatistics;
import io.taskmaster.time.Clock;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A node with long queues and little memory, in a process of its own and without RPC, so that the statistics of the
 * store are accessible and the heap is as small as that of a server. It prints figures, one {@code figure name value}
 * per line; {@link BacklogIT} judges them.
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
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int KILOBYTE = 1024;
    private static final int DELAYED_BYTES = 100;
    private static final QueueKey BARE = QueueKey.of("backlog", "bare");
    private static final QueueKey BURDENED = QueueKey.of("backlog", "burdened");

    private final RocksDbStore store;
    private final DirectClient client;
    private long rowsBehindLeases;

    private BacklogProgram(RocksDbStore store, DirectClient client) {
        this.store = store;
        this.client = client;
    }

    public static void main(String[] args) {
        try (var store = RocksDbStore.open(Path.of(args[0]), RocksDbSettings.DEFAULTS);
                var node = new PartitionNode(
                        new ClaimedStore(store, Claim.alone("backlog"), PARTITIONS),
                        LOOPS,
                        PartitionSettings.DEFAULTS.within(Long.parseLong(args[1]), DIRTY_BYTES),
                        new MemoryBudget(Long.parseLong(args[1]), DIRTY_BYTES, 1 << 20, Long.MAX_VALUE),
                        new CompositeMeterRegistry(),
                        Clock.system(),
                        Duration.ofSeconds(30))) {
            node.open().join();
            var program = new BacklogProgram(store, new DirectClient(node));
            switch (args[2]) {
                case "order" -> program.order(Long.parseLong(args[3]), Long.parseLong(args[4]));
                case "live-leases" ->
                    program.liveLeases(Long.parseLong(args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
                case "delayed" ->
                    program.delayed(Long.parseLong(args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
                default -> throw new IllegalArgumentException(args[2]);
            }
            print("peak.megabytes", (double)
                    ResidentMemory.of(ProcessHandle.current().pid()).peakMegabytes());
        }
    }

    /**
     * Leases and dequeues a backlog that was enqueued in random order, and checks that the tasks come in order and
     * without a gap.
     */
    private void order(long tasks, long leases) {
        long batches = Math.ceilDiv(tasks, ENQUEUE_BATCH);
        long started = System.nanoTime();
        for (long i = 0; i < batches; i++) {
            long from = scattered(i, batches) * ENQUEUE_BATCH;
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

    /** Uses two queues alternately: one begins with live leases, the other does not. */
    private void liveLeases(long live, int segments, int leasesPerSegment) {
        long started = System.nanoTime();
        client.enqueue(BURDENED, 0, live, ENQUEUE_BATCH, BacklogProgram::pid, KILOBYTE);
        print("enqueued.per.second", live / seconds(started));
        printPeak("peak.megabytes.enqueued");
        started = System.nanoTime();
        for (long leased = 0; leased < live; ) {
            int wanted = (int) Math.min(HEAD_BATCH, live - leased);
            leased += client.lease(BURDENED, wanted, Duration.ofDays(2)).size();
        }
        print("head.leased.per.second", live / seconds(started));
        printPeak("peak.megabytes.leased");
        compare(live, segments, leasesPerSegment);
    }

    /** Uses two queues alternately: one has delayed tasks before all others, the other does not. */
    private void delayed(long delayed, int segments, int leasesPerSegment) {
        long started = System.nanoTime();
        long tomorrow = Clock.system().wallMillis() + Duration.ofDays(1).toMillis();
        client.enqueue(BURDENED, 0, delayed, ENQUEUE_BATCH, BacklogProgram::pid, DELAYED_BYTES, tomorrow);
        print("enqueued.per.second", delayed / seconds(started));
        printPeak("peak.megabytes.enqueued");
        compare(delayed, segments, leasesPerSegment);
    }

    /**
     * Leases and dequeues from both queues, a segment of each alternately.
     *
     * @param burden the number of tasks at the head of the one queue that cannot be leased
     */
    private void compare(long burden, int segments, int leasesPerSegment) {
        long behind = (long) (segments + 1) * leasesPerSegment * LEASE_BATCH;
        // Alternately, so that the store has both in the same state of compaction.
        for (long done = 0; done < behind; done += HEAD_BATCH) {
            long next = Math.min(behind, done + HEAD_BATCH);
            client.enqueue(BURDENED, burden + done, burden + next, ENQUEUE_BATCH, BacklogProgram::pid, KILOBYTE);
            client.enqueue(BARE, done, next, ENQUEUE_BATCH, BacklogProgram::pid, KILOBYTE);
        }

        segment(BARE, leasesPerSegment, 0);
        segment(BURDENED, leasesPerSegment, burden);
        ScanStatistics before = store.scanStatistics();
        rowsBehindLeases = 0;
        List<Cost> bare = new ArrayList<>();
        List<Cost> burdened = new ArrayList<>();
        for (int i = 0; i < segments; i++) {
            long done = (long) (i + 1) * leasesPerSegment * LEASE_BATCH;
            if (i % 2 == 0) {
                bare.add(segment(BARE, leasesPerSegment, done));
                burdened.add(segment(BURDENED, leasesPerSegment, burden + done));
            } else {
                burdened.add(segment(BURDENED, leasesPerSegment, burden + done));
                bare.add(segment(BARE, leasesPerSegment, done));
            }
        }
        long measured = (long) segments * leasesPerSegment * LEASE_BATCH;
        print("bare.per.second", measured / sum(bare, Cost::seconds));
        print("burdened.per.second", measured / sum(burdened, Cost::seconds));
        // Other activity of the machine disturbs a segment of one queue or the other; the median is insensitive to
        // that.
        print("rate.ratio", medianRatio(bare, burdened, Cost::seconds));
        print("cpu.ratio", medianRatio(bare, burdened, Cost::cpuSeconds));
        print("cpu.ratio.of.sums", sum(bare, Cost::cpuSeconds) / sum(burdened, Cost::cpuSeconds));
        print("rate.ratio.of.sums", sum(bare, Cost::seconds) / sum(burdened, Cost::seconds));
        print("rows.behind.leases", (double) rowsBehindLeases);
        printScans(before, 2 * measured);
    }

    /** The cost of a segment: wall-clock time, and CPU time of all cores. */
    private record Cost(double seconds, double cpuSeconds) {}

    /** Leases and dequeues the next tasks of a queue, which must begin with the given one. */
    private Cost segment(QueueKey queue, int leases, long first) {
        long rows = store.scanStatistics().rows();
        long cpuStarted = SYSTEM.getProcessCpuTime();
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
        if (queue.equals(BURDENED)) {
            rowsBehindLeases += store.scanStatistics().rows() - rows;
        }
        return new Cost(seconds(started), (SYSTEM.getProcessCpuTime() - cpuStarted) / 1e9);
    }

    private static double sum(List<Cost> costs, ToDoubleFunction<Cost> of) {
        return costs.stream().mapToDouble(of).sum();
    }

    private static double medianRatio(List<Cost> bare, List<Cost> burdened, ToDoubleFunction<Cost> of) {
        double[] ratios = IntStream.range(0, bare.size())
                .mapToDouble(i -> of.applyAsDouble(bare.get(i)) / of.applyAsDouble(burdened.get(i)))
                .sorted()
                .toArray();
        return (ratios[(ratios.length - 1) / 2] + ratios[ratios.length / 2]) / 2;
    }

    private void printScans(ScanStatistics before, long leased) {
        ScanStatistics after = store.scanStatistics();
        long rows = after.rows() - before.rows();
        long tombstones = after.tombstones() - before.tombstones();
        print("leased", (double) leased);
        print("scans", (double) (after.scans() - before.scans()));
        print("rows", (double) rows);
        print("tombstones", (double) tombstones);
        print("hidden", (double) (after.hidden() - before.hidden()));
        print("steps.per.lease", (rows + tombstones) / (double) leased);
    }

    static Pid pid(long number) {
        return Pid.wrap("%012d".formatted(number).getBytes(UTF_8));
    }

    /** Returns the i-th number of a permutation of {@code count} numbers in which neighbours are far apart. */
    static long scattered(long i, long count) {
        long stride = count * 5 / 8 | 1;
        while (gcd(stride, count) != 1) {
            stride += 2;
        }
        return i * stride % count;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    private static void printPeak(String name) {
        print(name, (double) ResidentMemory.of(ProcessHandle.current().pid()).peakMegabytes());
    }

    private static void print(String name, double value) {
        System.out.println(String.format(Locale.ROOT, "figure %s %.2f", name, value));
    }
}
