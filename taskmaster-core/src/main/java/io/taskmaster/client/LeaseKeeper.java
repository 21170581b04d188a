package io.taskmaster.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.KeptLease.Loss;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A keeper that renews leases while their tasks are worked on. A renewal makes a lease expire one length from then on.
 * It is due after a third of that, which leaves time for two more. One alarm serves all leases: when it rings, every
 * lease that is due within the next sixth is renewed with it, many leases of a group in one update. It has no thread of
 * its own.
 *
 * <p>A lease is kept until its {@link KeptLease}, the keeper or the client is closed; or until it is lost, because the
 * server says so, or because it has expired without a confirmed renewal. {@link KeptLease#lost()} then completes.
 *
 * <p>Safety comes from fencing, not from renewal. A worker that was paused may still be working although another worker
 * has its task, and neither it nor its keeper can know in time. So commit the result in the update that dequeues the
 * task under its lease (paper section 3.4): it is refused if the lease was lost, however late that is noticed. Keeping
 * a lease only makes useless work rare. Effects outside TaskMaster need a fence of their own, such as the lease id,
 * which grows with every lease of a task.
 *
 * <p>Thread-safe. Actions that call other code (renewals, futures, alarms) run after the lock is released.
 */
public final class LeaseKeeper implements AutoCloseable {

    /**
     * The maximum number of renewals per update. At the limits of PIDs and names that is a sixth of the largest update.
     */
    static final int MAX_BATCH = 1_000;

    /** The minimum length. A pause of the network or of this process would lose shorter leases. */
    static final Duration MIN_LENGTH = Duration.ofMillis(100);

    /** A sender of renewals, such as a client. Thread-safe. */
    @FunctionalInterface
    public interface Renewer {

        /** Sends an update that contains only renewals. */
        CompletableFuture<UpdateResult> renew(Update renewals, long timeoutNanos);
    }

    private final Renewer client;
    private final Timer timer;
    private final Duration length;
    private final long thirdNanos;
    private final long sixthNanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<KeptLease> leases = new LinkedHashSet<>();

    /** The number of the alarm that counts; earlier ones have no effect. */
    @GuardedBy("lock")
    private long alarm;

    @GuardedBy("lock")
    private boolean alarmSet;

    @GuardedBy("lock")
    private long alarmNanos;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * Creates a keeper with a simulated clock, for tests. Other callers use {@link TaskMasterClient#keepLeases}.
     *
     * @param length the length of a lease from each renewal on
     */
    public LeaseKeeper(Renewer client, Timer timer, Duration length) {
        if (length.compareTo(MIN_LENGTH) < 0) {
            throw new IllegalArgumentException("length: %s (expected: %s or more)".formatted(length, MIN_LENGTH));
        }
        this.client = client;
        this.timer = timer;
        this.length = length;
        this.thirdNanos = length.toNanos() / 3;
        this.sixthNanos = length.toNanos() / 6;
    }

    /**
     * Keeps the lease of a task from now on. Call it as soon as the task is leased. The first renewal is due after a
     * third of the time that is left by this machine's clock, and at most a third of the length. So a lease much
     * shorter than the length requires synchronized clocks.
     *
     * @throws IllegalStateException if the keeper is closed
     */
    public KeptLease keep(LeasedTask task) {
        long now = timer.nanoTime();
        Duration remaining = Duration.between(timer.now(), task.leaseExpires());
        long remainingNanos =
                remaining.isNegative() ? 0 : remaining.compareTo(length) < 0 ? remaining.toNanos() : length.toNanos();
        // The clocks of client and server may differ, so the lease counts as held for a whole length from now, unless a
        // renewal tells otherwise.
        KeptLease lease = new KeptLease(this, task, now + remainingNanos / 3, now + length.toNanos());
        List<Runnable> after = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("keeper: closed (expected: open)");
            }
            leases.add(lease);
            setAlarm(lease.dueNanos, now, after);
        } finally {
            lock.unlock();
        }
        after.forEach(Runnable::run);
        return lease;
    }

    void drop(KeptLease lease) {
        lock.lock();
        try {
            leases.remove(lease);
        } finally {
            lock.unlock();
        }
    }

    /** Stops all renewals: the leases expire by themselves. Idempotent. Does not block. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            leases.clear();
        } finally {
            lock.unlock();
        }
    }

    private void ring(long number) {
        List<Runnable> after = new ArrayList<>();
        lock.lock();
        try {
            // Another alarm was set for an earlier time, and does the work of this one.
            if (number != alarm) {
                return;
            }
            alarmSet = false;
            long now = timer.nanoTime();
            dropEnded(now, after);
            renewDue(now, after);
            setNextAlarm(now, after);
        } finally {
            lock.unlock();
        }
        after.forEach(Runnable::run);
    }

    @GuardedBy("lock")
    private void dropEnded(long now, List<Runnable> after) {
        for (Iterator<KeptLease> each = leases.iterator(); each.hasNext(); ) {
            KeptLease lease = each.next();
            // A renewal in flight may still confirm the lease, so its reply or timeout decides.
            if (!lease.inRenewal && lease.heldUntilNanos - now <= 0) {
                each.remove();
                Loss loss = new Loss(Status.LEASE_EXPIRED, lease.lastError);
                after.add(() -> lease.complete(loss));
            }
        }
    }

    @GuardedBy("lock")
    private void renewDue(long now, List<Runnable> after) {
        Map<GroupName, List<KeptLease>> byGroup = new HashMap<>();
        for (KeptLease lease : leases) {
            // Leases that are due soon join this update: few alarms and few updates for many leases.
            if (lease.inRenewal || lease.dueNanos - now > sixthNanos) {
                continue;
            }
            lease.inRenewal = true;
            GroupName group = lease.task().queue().group();
            List<KeptLease> batch = byGroup.computeIfAbsent(group, any -> new ArrayList<>());
            batch.add(lease);
            if (batch.size() == MAX_BATCH) {
                byGroup.remove(group);
                after.add(() -> renew(batch, now));
            }
        }
        byGroup.values().forEach(batch -> after.add(() -> renew(batch, now)));
    }

    private void renew(List<KeptLease> batch, long now) {
        UpdateBuilder update = Update.in(batch.getFirst().task().queue().group());
        batch.forEach(lease -> update.renew(lease.task(), length));
        // With a timeout of a third, a renewal that fails leaves time for another one before the lease expires.
        var unused = client.renew(update.build(), thirdNanos)
                .whenComplete((result, error) -> settle(batch, now, result, error));
    }

    /**
     * Processes the reply to a batch of renewals.
     *
     * @param sentNanos the time at which they were sent. The server counts from a later moment, so the estimate is safe
     */
    private void settle(
            List<KeptLease> batch, long sentNanos, @Nullable UpdateResult result, @Nullable Throwable error) {
        List<Runnable> after = new ArrayList<>();
        lock.lock();
        try {
            long now = timer.nanoTime();
            for (int i = 0; i < batch.size(); i++) {
                KeptLease lease = batch.get(i);
                lease.inRenewal = false;
                if (result == null || i >= result.renewals().size()) {
                    lease.lastError = Optional.of(reason(error));
                    lease.dueNanos = now + sixthNanos;
                } else if (result.renewals().get(i) == Status.OK) {
                    lease.lastError = Optional.empty();
                    lease.dueNanos = sentNanos + thirdNanos;
                    lease.heldUntilNanos = sentNanos + length.toNanos();
                } else if (leases.remove(lease)) {
                    Loss loss = new Loss(result.renewals().get(i), Optional.empty());
                    after.add(() -> lease.complete(loss));
                }
            }
            dropEnded(now, after);
            setNextAlarm(now, after);
        } finally {
            lock.unlock();
        }
        after.forEach(Runnable::run);
    }

    private static TaskMasterException reason(@Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException wrapped ? wrapped.getCause() : error;
        return cause instanceof TaskMasterException known
                ? known
                : new TaskMasterException(
                        ErrorCode.INTERNAL, "renewal: no status (expected: a status for each lease)", null, cause);
    }

    @GuardedBy("lock")
    private void setNextAlarm(long now, List<Runnable> after) {
        OptionalLong delay = leases.stream()
                .filter(lease -> !lease.inRenewal)
                .mapToLong(lease -> Math.min(lease.dueNanos - now, lease.heldUntilNanos - now))
                .min();
        if (delay.isPresent()) {
            setAlarm(now + delay.getAsLong(), now, after);
        }
    }

    /** Sets the alarm for this time, unless it rings earlier anyway. */
    @GuardedBy("lock")
    private void setAlarm(long atNanos, long now, List<Runnable> after) {
        if (alarmSet && alarmNanos - atNanos <= 0) {
            return;
        }
        alarmSet = true;
        alarmNanos = atNanos;
        alarm++;
        long number = alarm;
        after.add(() -> timer.schedule(() -> ring(number), Math.max(0, atNanos - now)));
    }
}
