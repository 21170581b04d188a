package io.taskmaster.simulation.load;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.taskmaster.simulation.world.World;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.ServiceClass;
import io.taskmaster.v1.UpdateRequest;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A generator of random updates with all kinds of elements, hand-offs, and repeated request ids. The data of each task
 * is unique. Single-threaded: owned by the simulation.
 */
final class RandomUpdates {

    /**
     * The least invented lease id. Smaller ids are never invented, since they might be those of a lease whose reply was
     * lost.
     */
    private static final long NEVER_GRANTED = 1L << 40;

    private static final List<IfExists> IF_EXISTS =
            List.of(IfExists.COLLAPSE, IfExists.REPLACE, IfExists.RERUN, IfExists.FAIL);

    private final World world;
    private final RandomGenerator random;
    private final Knowledge knowledge;
    private final List<ByteString> queues;
    private final List<ByteString> pids;
    private final int maxDataBytes;
    private int payloads;

    RandomUpdates(World world, RandomGenerator random, Knowledge knowledge, List<ByteString> queues) {
        this.world = world;
        this.random = random;
        this.knowledge = knowledge;
        this.queues = queues;
        this.pids = Stream.of("a", "b", "c", "d", "e", "f", "h", "i", "k", "m", "p", "t", "x", "")
                .limit(2 + random.nextInt(13))
                .map(ByteString::copyFromUtf8)
                .toList();
        this.maxDataBytes = random.nextBoolean() ? 30 : 600;
    }

    UpdateRequest next(ByteString group) {
        Optional<UpdateRequest> again = knowledge.anotherTime(random);
        if (again.isPresent()) {
            return again.get();
        }
        Optional<LeasedTask> lease = knowledge.lease(random);
        UpdateRequest.Builder update = UpdateRequest.newBuilder()
                .setGroup(lease.map(LeasedTask::getGroup).orElse(group));
        if (lease.isPresent() && random.nextInt(4) == 0) {
            // A hand-off, as workers send it.
            update.addDequeue(dequeue(lease.get())).addEnqueue(enqueue(update.getGroup()));
        } else {
            int elements = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(5);
            for (int i = 0; i < elements; i++) {
                add(update, lease);
            }
        }
        if (random.nextInt(3) == 0) {
            update.setRequestId(ByteString.copyFromUtf8("id " + ++payloads));
        }
        update.setServiceClass(random.nextInt(5) == 0 ? ServiceClass.BULK : ServiceClass.INTERACTIVE);
        return knowledge.sent(update.build());
    }

    private void add(UpdateRequest.Builder update, Optional<LeasedTask> lease) {
        LeasedTask task =
                random.nextInt(12) == 0 ? madeUp(update.getGroup()) : lease.orElseGet(() -> madeUp(update.getGroup()));
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> update.addEnqueue(enqueue(update.getGroup()));
            case 3 ->
                update.addEnqueue(enqueue(update.getGroup()).toBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid()));
            case 4 -> update.addDequeue(Dequeue.newBuilder().setQueue(queue()).setPid(pid(update.getGroup())));
            case 5 -> update.addRelease(release(task));
            case 6, 7 ->
                update.addRenew(Renew.newBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid())
                        .setLeaseId(task.getLeaseId())
                        .setLease(Durations.fromMillis(leaseMillis())));
            default -> update.addDequeue(dequeue(task));
        }
    }

    private LeasedTask madeUp(ByteString group) {
        return LeasedTask.newBuilder()
                .setQueue(queue())
                .setPid(pid(group))
                .setLeaseId(NEVER_GRANTED + random.nextInt(20))
                .build();
    }

    private static Dequeue dequeue(LeasedTask task) {
        return Dequeue.newBuilder()
                .setQueue(task.getQueue())
                .setPid(task.getPid())
                .setLeaseId(task.getLeaseId())
                .build();
    }

    private Release release(LeasedTask task) {
        Release.Builder release = Release.newBuilder()
                .setQueue(task.getQueue())
                .setPid(task.getPid())
                .setLeaseId(random.nextInt(8) == 0 ? 0 : task.getLeaseId())
                .setUntried(random.nextInt(3) == 0);
        if (random.nextInt(3) == 0) {
            release.setNotBefore(Timestamps.fromMillis(notBeforeMillis()));
        }
        return release.build();
    }

    private Enqueue enqueue(ByteString group) {
        Enqueue.Builder enqueue = Enqueue.newBuilder()
                .setQueue(queue())
                .setData(ByteString.copyFromUtf8("#" + ++payloads + ".".repeat(random.nextInt(maxDataBytes))))
                .setIfExists(IF_EXISTS.get(random.nextInt(IF_EXISTS.size())));
        if (random.nextInt(10) < 7) {
            enqueue.setPid(pid(group));
        }
        if (random.nextInt(5) == 0) {
            enqueue.putHeaders("of", "" + payloads);
        }
        if (random.nextInt(5) == 0) {
            enqueue.setNotBefore(Timestamps.fromMillis(notBeforeMillis()));
        }
        return enqueue.build();
    }

    /** Returns an instant, mostly one within 300 ms. */
    private long notBeforeMillis() {
        return world.clockMillis() + (random.nextInt(4) == 0 ? 5_000 : random.nextInt(300) - 30);
    }

    long leaseMillis() {
        return random.nextInt(4) == 0 ? 10_000 : 1 + random.nextInt(200);
    }

    ByteString pid(ByteString group) {
        return knowledge.assignedPid(random, group).orElseGet(() -> pids.get(random.nextInt(pids.size())));
    }

    private ByteString queue() {
        return queues.get(random.nextInt(queues.size()));
    }
}
