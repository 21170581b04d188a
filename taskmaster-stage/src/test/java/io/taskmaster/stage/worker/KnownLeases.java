package io.taskmaster.stage.worker;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Dequeue;
import io.taskmaster.client.Update.Release;
import io.taskmaster.client.Update.Renewal;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.stage.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A record of what workers know of their leases, from the replies that they receive, and of the commits that they send
 * all the same. Single-threaded.
 */
final class KnownLeases {

    /** The time until a reply is processed, in nanoseconds: the maximum delay of the loop of a simulated worker. */
    private static final long STEP_NANOS = 100_000;

    private final SimulatedTime time;
    private final Map<Long, Long> heldUntilNanos = new HashMap<>();
    private final Map<Long, Long> endedSinceNanos = new HashMap<>();
    private final Set<Long> released = new HashSet<>();
    private final Set<Long> delayed = new HashSet<>();
    private final List<String> inVain = new ArrayList<>();
    private long answeredNanos = -1;

    KnownLeases(SimulatedTime time) {
        this.time = time;
    }

    void leased(LeasedTask task, Duration length) {
        heldUntilNanos.put(task.leaseId(), time.nanoTime() + length.toNanos());
    }

    void renewed(Update update, long sentNanos, UpdateResult result) {
        for (int i = 0; i < update.renewals().size(); i++) {
            Renewal renewal = update.renewals().get(i);
            switch (result.renewals().get(i)) {
                case OK ->
                    heldUntilNanos.put(
                            renewal.leaseId(), sentNanos + renewal.length().toNanos());
                case LEASE_EXPIRED -> heldUntilNanos.put(renewal.leaseId(), time.nanoTime());
                default -> end(renewal.leaseId());
            }
        }
    }

    /**
     * Records a commit. One that is sent as soon as another one was answered was requested earlier, and has waited in
     * the queue.
     */
    void sent(Update commit) {
        for (long lease : leasesOf(commit).toArray()) {
            long endedSince = endedSinceNanos.getOrDefault(lease, Long.MAX_VALUE);
            if (endedSince < time.nanoTime() - STEP_NANOS && answeredNanos != time.nanoTime()) {
                inVain.add(commit.toString());
            }
        }
        for (Release release : commit.releases()) {
            released.add(release.leaseId());
            if (release.notBefore().isPresent()) {
                delayed.add(release.leaseId());
            }
        }
    }

    void answered() {
        answeredNanos = time.nanoTime();
    }

    void committed(Update commit, UpdateResult result) {
        if (result.success() || isRefused(result)) {
            leasesOf(commit).forEach(this::end);
        }
    }

    private static boolean isRefused(UpdateResult refusal) {
        return Stream.concat(refusal.dequeues().stream(), refusal.releases().stream())
                .anyMatch(status -> status != Status.OK);
    }

    private static LongStream leasesOf(Update commit) {
        return LongStream.concat(
                commit.dequeues().stream().mapToLong(Dequeue::leaseId),
                commit.releases().stream().mapToLong(Release::leaseId));
    }

    private void end(long lease) {
        endedSinceNanos.putIfAbsent(lease, time.nanoTime());
    }

    /** Returns whether its worker does not work on the task any more, and knows that. */
    boolean isOver(LeasedTask task) {
        long lease = task.leaseId();
        return endedSinceNanos.containsKey(lease)
                || released.contains(lease)
                || heldUntilNanos.getOrDefault(lease, 0L) <= time.nanoTime();
    }

    /** The leases whose tasks were released for later, so that others may overtake them. */
    Set<Long> delayed() {
        return delayed;
    }

    /** The commits that were requested although their lease was known to be lost, or over. */
    List<String> inVain() {
        return inVain;
    }
}
