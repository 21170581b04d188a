package io.taskmaster.proxy.rpc.scatter;

import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Watch;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.time.Clock;
import io.taskmaster.time.Deadlines;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A lease over the groups of all partitions, in two alternating phases: round and watch.
 *
 * <p>A <em>round</em> asks the partitions round-robin, from a cursor on. Each is asked for no more than what is still
 * missing, so the call never leases more than its client asked for. The next partition is asked as soon as one has
 * decided; the durable replies are awaited together. A round ends when enough tasks or bytes are decided, every
 * partition was asked, or the call is cancelled.
 *
 * <p>A long poll whose round finds nothing <em>watches</em> all partitions without leasing. Once a partition has
 * something, all watches are cancelled, and when the last has ended, a new round begins at that partition. Leasing at
 * several partitions at once would hold tasks that the client did not ask for.
 *
 * <pre>{@code
 * state   | event                              | next   | effect
 * round   | all answered, some tasks           | done   | replies with them, even if some partitions failed
 * round   | all answered, no task, an error    | done   | fails
 * round   | all answered, no task, time left   | watch  | submits a watch to each partition
 * round   | all answered, no task, otherwise   | done   | replies with no tasks
 * watch   | a partition has something or fails | watch  | cancels the other watches
 * watch   | the last watch ended               | round  | begins where something was found, else at the cursor
 * watch   | the last watch ended, cancelled    | done   | replies with no tasks
 * }</pre>
 *
 * <p>Invariant: no watch is left when a round begins or the call is answered. Thread-safe.
 */
public final class AllGroupsLease {

    private final Router router;
    private final Clock clock;
    private final Lease lease;
    private final ReplySink sink;
    private final AtomicInteger cursor;
    private final long deadlineNanos;

    private AllGroupsLease(Router router, Clock clock, Lease lease, ReplySink sink, AtomicInteger cursor) {
        this.router = router;
        this.clock = clock;
        this.lease = lease;
        this.sink = sink;
        this.cursor = cursor;
        this.deadlineNanos = Deadlines.afterNanos(clock.nanos(), Deadlines.nanos(lease.waitMillis()));
    }

    /**
     * Begins a lease.
     *
     * @param cursor the partition to begin with, shared by all such leases: the one after the partition that gave tasks
     *     last
     */
    public static void submit(Router router, Clock clock, Lease lease, ReplySink sink, AtomicInteger cursor) {
        AllGroupsLease call = new AllGroupsLease(router, clock, lease, sink, cursor);
        call.new LeaseRound().start(Math.floorMod(cursor.get(), router.partitions()));
    }

    private void ended(List<LeasedTask> tasks, @Nullable TaskMasterException error) {
        long remainingMillis = (deadlineNanos - clock.nanos()) / 1_000_000;
        // Tasks count more than an error: they are leased, and without a reply no worker would have them until the
        // leases expire.
        if (!tasks.isEmpty()) {
            sink.reply(new Reply.Leased(tasks));
        } else if (error != null) {
            sink.fail(error);
        } else if (remainingMillis > 0 && !sink.isCancelled()) {
            new PartitionsWatch().begin(remainingMillis);
        } else {
            sink.reply(new Reply.Leased(List.of()));
        }
    }

    private Lease with(int tasks, int bytes, long waitMillis, boolean first) {
        return new Lease(
                lease.selector(),
                tasks,
                bytes,
                lease.leaseMillis(),
                lease.maxPid(),
                waitMillis,
                lease.maxLeasedPerQueue(),
                lease.worker(),
                lease.address(),
                first);
    }

    /**
     * One round over all partitions. Its plain fields are handed from one partition's loop to the next by the
     * submission of the next lease, so only one thread writes them at a time.
     */
    private final class LeaseRound {

        private final Queue<LeasedTask> tasks = new ConcurrentLinkedQueue<>();
        private final AtomicReference<@Nullable TaskMasterException> error = new AtomicReference<>();
        // One more than the partitions in flight, until no further one will be asked: else the round could end between
        // two of them.
        private final AtomicInteger outstanding = new AtomicInteger(1);
        private int queried;
        private int missing = lease.maxTasks();
        private long remainingBytes = lease.maxBytes();

        void start(int partition) {
            queried++;
            outstanding.incrementAndGet();
            router.submit(
                    partition,
                    with(missing, (int) remainingBytes, 0, missing == lease.maxTasks()),
                    new LeaseSink(partition));
        }

        private void continueFrom(int partition) {
            if (missing > 0 && remainingBytes > 0 && queried < router.partitions() && !sink.isCancelled()) {
                start((partition + 1) % router.partitions());
            } else {
                countDown();
            }
        }

        private void countDown() {
            if (outstanding.decrementAndGet() == 0) {
                ended(new ArrayList<>(tasks), error.get());
            }
        }

        private final class LeaseSink implements ReplySink {

            private final int partition;
            private boolean decided;

            LeaseSink(int partition) {
                this.partition = partition;
            }

            @Override
            public void decided(Reply reply) {
                List<LeasedTask> leased = ((Reply.Leased) reply).tasks();
                decided = true;
                missing -= leased.size();
                for (LeasedTask task : leased) {
                    remainingBytes -= task.replyBytes();
                }
                if (!leased.isEmpty()) {
                    cursor.set(partition + 1);
                }
                continueFrom(partition);
            }

            @Override
            public void reply(Reply reply) {
                tasks.addAll(((Reply.Leased) reply).tasks());
                answered();
            }

            @Override
            public void fail(TaskMasterException failure) {
                error.accumulateAndGet(failure, ReplyMerger::failed);
                answered();
            }

            private void answered() {
                // A partition that fails before it decides must not end the round: the others may have tasks.
                if (!decided) {
                    continueFrom(partition);
                }
                countDown();
            }

            @Override
            public boolean isBulk() {
                return sink.isBulk();
            }

            @Override
            public String caller() {
                return sink.caller();
            }

            @Override
            public boolean isCancelled() {
                return sink.isCancelled();
            }
        }
    }

    /** A watch over all partitions that ends once one of them has something to lease. */
    private final class PartitionsWatch {

        private final AtomicInteger outstanding = new AtomicInteger(router.partitions());
        private final AtomicBoolean done = new AtomicBoolean();
        private final AtomicInteger foundAt = new AtomicInteger(-1);

        /**
         * Ends the watch of each partition. A watch that is woken in vain waits anew, so an element may be set any
         * number of times.
         */
        private final AtomicReferenceArray<@Nullable Runnable> cancels =
                new AtomicReferenceArray<>(router.partitions());

        void begin(long waitMillis) {
            // This comes before the first watch, so a client that goes away during the loop ends those that follow as
            // well.
            sink.waits(this::end);
            Watch watch = new Watch(with(lease.maxTasks(), lease.maxBytes(), waitMillis, true));
            for (int partition = 0; partition < router.partitions(); partition++) {
                router.submit(partition, watch, new WatchSink(partition));
            }
        }

        private void end() {
            done.set(true);
            for (int partition = 0; partition < cancels.length(); partition++) {
                Runnable cancel = cancels.getAndSet(partition, null);
                if (cancel != null) {
                    cancel.run();
                }
            }
        }

        private final class WatchSink implements ReplySink {

            private final int partition;

            WatchSink(int partition) {
                this.partition = partition;
            }

            @Override
            public void waits(Runnable cancel) {
                cancels.set(partition, cancel);
                // Set before the check: either this call sees that the watch is over, or end() sees what was set.
                if (done.get()) {
                    end();
                }
            }

            @Override
            public void reply(Reply reply) {
                if (((Reply.Watched) reply).found()) {
                    foundAt.compareAndSet(-1, partition);
                    end();
                }
                answered();
            }

            @Override
            public void fail(TaskMasterException failure) {
                // A partition that cannot be watched is asked again by the round, which reports what is wrong.
                end();
                answered();
            }

            private void answered() {
                if (outstanding.decrementAndGet() > 0) {
                    return;
                }
                if (sink.isCancelled()) {
                    sink.reply(new Reply.Leased(List.of()));
                } else {
                    int partition = foundAt.get();
                    new LeaseRound()
                            .start(partition < 0 ? Math.floorMod(cursor.get(), router.partitions()) : partition);
                }
            }

            @Override
            public boolean isBulk() {
                return sink.isBulk();
            }

            @Override
            public String caller() {
                return sink.caller();
            }

            @Override
            public boolean isCancelled() {
                return done.get() || sink.isCancelled();
            }
        }
    }
}
