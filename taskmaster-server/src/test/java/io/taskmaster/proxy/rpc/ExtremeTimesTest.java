package io.taskmaster.proxy.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.rpc.mapping.RequestMapper;
import io.taskmaster.proxy.rpc.mapping.UpdateMapper;
import io.taskmaster.server.partition.LoopedNode;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Tests of times and durations from one end of protobuf's types to the other, in every field of the contract that has
 * one, from the message through a node of several partitions. Each is refused as the caller's fault, or takes effect as
 * specified. A node at rest does nothing, whatever it waits for: loop ticks are counted, not time.
 */
final class ExtremeTimesTest {

    private static final int SEEDS = 60;
    private static final int STEPS = 60;
    private static final int PARTITIONS = 3;
    private static final ByteString QUEUE = ByteString.copyFromUtf8("q");

    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;

    /** The limits of the years 1 to 9999, and values outside. */
    private static final long[] SECONDS = {
        Long.MIN_VALUE,
        Long.MIN_VALUE / 1_000,
        -62_135_596_801L,
        -62_135_596_800L,
        -1,
        0,
        1,
        1_000,
        Integer.MAX_VALUE,
        Long.MAX_VALUE / 1_000_000_000,
        Long.MAX_VALUE / 1_000_000_000 + 1,
        253_402_300_799L,
        253_402_300_800L,
        Long.MAX_VALUE / 1_000,
        Long.MAX_VALUE / 1_000 + 1,
        Long.MAX_VALUE
    };

    private static final int[] NANOS = {Integer.MIN_VALUE, -1, 0, 1, 999_999_999, 1_000_000_000, Integer.MAX_VALUE};

    /** A sink that records the replies to a request. */
    private static final class Told implements ReplySink {

        private final List<Reply> replies = new ArrayList<>();

        @Override
        public void reply(Reply reply) {
            replies.add(reply);
        }

        @Override
        public void fail(TaskMasterException error) {
            throw new AssertionError(error);
        }
    }

    /** A simulated node, with its caller's knowledge of its tasks. */
    private static final class World {

        final SplittableRandom random;
        final TurnedLoop loop = new TurnedLoop();
        final MemoryStore store = new MemoryStore();
        final RequestMapper mapper = new RequestMapper();
        final Map<Pid, Long> notBefore = new HashMap<>();
        final List<LeasedTask> leased = new ArrayList<>();
        LoopedNode node;
        int refused;
        int taken;

        World(long seed) {
            random = new SplittableRandom(seed);
            node = open();
        }

        private LoopedNode open() {
            // Little memory, so that tasks are evicted, and their instants are known from the stored index alone.
            LoopedNode opened = new LoopedNode(
                    store,
                    "test",
                    PARTITIONS,
                    List.of(loop),
                    PartitionSettings.DEFAULTS,
                    new MemoryBudget(2_000, 1 << 20, 1 << 20, Long.MAX_VALUE),
                    new Random(random.nextLong()),
                    reason -> {
                        throw new AssertionError(reason);
                    });
            var done = opened.open();
            loop.tick();
            assertThat(done).isCompleted();
            return opened;
        }

        void restart() {
            var drained = node.drain();
            loop.pass(HOUR);
            assertThat(drained).isCompleted();
            node = open();
        }

        /**
         * Submits the command of a request, and checks that the request is refused exactly if a field is out of range.
         */
        private void ask(boolean isValid, Supplier<Command> request, Told deliver) {
            Command command;
            try {
                command = request.get();
            } catch (TaskMasterException invalid) {
                assertThat(invalid.code()).isIn(ErrorCode.INVALID_FIELD, ErrorCode.DURATION_OUT_OF_RANGE);
                assertThat(isValid).as("%s", invalid).isFalse();
                refused++;
                return;
            }
            assertThat(isValid).as("%s", command).isTrue();
            taken++;
            node.node().submit(GroupName.EMPTY, command, deliver);
            loop.tick();
        }

        void step() {
            switch (random.nextInt(6)) {
                case 0, 1 -> enqueue();
                case 2 -> lease();
                case 3 -> renew();
                case 4 -> release();
                default -> loop.pass(random.nextLong(2 * HOUR));
            }
        }

        private void enqueue() {
            Timestamp time = time();
            Pid pid = Pid.of("p" + random.nextInt(20));
            Told deliver = new Told();
            ask(
                    isTime(time),
                    () -> UpdateMapper.map(UpdateRequest.newBuilder()
                            .addEnqueue(Enqueue.newBuilder()
                                    .setQueue(QUEUE)
                                    .setPid(ByteString.copyFrom(pid.unsafeArray()))
                                    .setNotBefore(time))
                            .build()),
                    deliver);
            deliver.replies.forEach(reply -> {
                if (((Reply.Updated) reply).enqueues().equals(List.of(Reply.Status.OK))) {
                    notBefore.put(pid, millis(time));
                }
            });
        }

        private void lease() {
            Duration length = span();
            Duration wait = span();
            Told deliver = new Told();
            long before = loop.nowMillis();
            ask(
                    isSpan(length, 1, Limits.LEASE_MILLIS) && isSpan(wait, 0, Limits.WAIT_MILLIS),
                    () -> mapper.lease(
                            LeaseRequest.newBuilder()
                                    .setQueues(QueueSelector.newBuilder().addNames(QUEUE))
                                    .setLease(length)
                                    .setWait(wait)
                                    .build(),
                            "here"),
                    deliver);
            loop.pass(Limits.WAIT_MILLIS);
            for (Reply reply : deliver.replies) {
                for (LeasedTask task : ((Reply.Leased) reply).tasks()) {
                    assertThat(task.expiresMillis())
                            .isBetween(before + millis(length), loop.nowMillis() + millis(length));
                    assertThat(notBefore.getOrDefault(task.pid(), 0L)).isLessThanOrEqualTo(loop.nowMillis());
                    leased.add(task);
                }
            }
        }

        private void renew() {
            if (leased.isEmpty()) {
                return;
            }
            LeasedTask task = leased.get(random.nextInt(leased.size()));
            Duration length = span();
            ask(
                    isSpan(length, 1, Limits.LEASE_MILLIS),
                    () -> UpdateMapper.map(UpdateRequest.newBuilder()
                            .addRenew(Renew.newBuilder()
                                    .setQueue(QUEUE)
                                    .setPid(ByteString.copyFrom(task.pid().unsafeArray()))
                                    .setLeaseId(task.leaseId())
                                    .setLease(length))
                            .build()),
                    new Told());
        }

        private void release() {
            if (leased.isEmpty()) {
                return;
            }
            LeasedTask task = leased.remove(random.nextInt(leased.size()));
            Timestamp time = time();
            Told deliver = new Told();
            ask(
                    isTime(time),
                    () -> UpdateMapper.map(UpdateRequest.newBuilder()
                            .addRelease(Release.newBuilder()
                                    .setQueue(QUEUE)
                                    .setPid(ByteString.copyFrom(task.pid().unsafeArray()))
                                    .setLeaseId(task.leaseId())
                                    .setNotBefore(time))
                            .build()),
                    deliver);
            deliver.replies.forEach(reply -> {
                if (((Reply.Updated) reply).releases().equals(List.of(Reply.Status.OK))) {
                    notBefore.put(task.pid(), millis(time));
                }
            });
        }

        private Timestamp time() {
            return Timestamp.newBuilder()
                    .setSeconds(seconds())
                    .setNanos(nanos())
                    .build();
        }

        private Duration span() {
            return Duration.newBuilder().setSeconds(seconds()).setNanos(nanos()).build();
        }

        private long seconds() {
            return random.nextInt(3) == 0 ? random.nextLong(2_000) : SECONDS[random.nextInt(SECONDS.length)];
        }

        private int nanos() {
            return random.nextInt(3) > 0 ? 0 : NANOS[random.nextInt(NANOS.length)];
        }
    }

    @Test
    void everyTimeIsRefusedOrKept() {
        int refused = 0;
        int taken = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed);
            try {
                for (int i = 0; i < STEPS; i++) {
                    world.step();
                }
            } catch (RuntimeException | AssertionError failed) {
                throw new AssertionError("seed " + seed, failed);
            }
            refused += world.refused;
            taken += world.taken;
        }
        assertThat(refused).isGreaterThan(SEEDS);
        assertThat(taken).isGreaterThan(SEEDS);
    }

    @Test
    void aNodeAtRestDoesNothingWhateverItWaitsFor() {
        for (long seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed);
            for (int i = 0; i < STEPS; i++) {
                world.step();
            }
            assertQuiescent(world, seed);
            world.restart();
            assertQuiescent(world, seed);
        }
    }

    /**
     * Asserts rest: once leases and delays of days are over, and everything is written, only work that is due in years
     * is left.
     */
    private static void assertQuiescent(World world, long seed) {
        world.loop.pass(20 * DAY);
        long turns = world.loop.ticks();
        world.loop.pass(20 * DAY);
        assertThat(world.loop.ticks()).as("of seed %d, turns", seed).isEqualTo(turns);
    }

    private static boolean isTime(Timestamp time) {
        return time.getSeconds() >= -62_135_596_800L
                && time.getSeconds() <= 253_402_300_799L
                && isFraction(time.getNanos());
    }

    private static boolean isSpan(Duration span, long minMillis, long maxMillis) {
        return span.getSeconds() >= 0
                && span.getSeconds() <= maxMillis / 1_000
                && isFraction(span.getNanos())
                && millis(span) >= minMillis
                && millis(span) <= maxMillis;
    }

    private static boolean isFraction(int nanos) {
        return nanos >= 0 && nanos < 1_000_000_000;
    }

    private static long millis(Duration span) {
        return span.getSeconds() * 1_000 + Math.ceilDiv(span.getNanos(), 1_000_000);
    }

    private static long millis(Timestamp time) {
        return time.getSeconds() * 1_000 + Math.ceilDiv(time.getNanos(), 1_000_000);
    }
}
