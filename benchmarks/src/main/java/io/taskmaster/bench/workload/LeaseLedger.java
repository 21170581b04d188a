package io.taskmaster.bench.workload;

import io.taskmaster.v1.LeasedTask;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A record of the leases of one queue that was filled with tasks 0 to n-1 before the first lease, and receives no more.
 * This makes checks possible that need no knowledge of the server: no task is leased twice; a reply is in ascending
 * order; and a lease that is sent after another was answered returns only tasks behind those of the other. Thread-safe.
 */
final class LeaseLedger {

    private final AtomicIntegerArray leases;
    private final AtomicLong leased = new AtomicLong();
    private final AtomicLong highest = new AtomicLong(-1);

    LeaseLedger(int tasks) {
        this.leases = new AtomicIntegerArray(tasks);
    }

    /** The last task known to be leased: a lease sent from now on must return only later ones. */
    long floor() {
        return highest.get();
    }

    /** The number of tasks that have not been seen leased yet. */
    long remaining() {
        return leases.length() - leased.get();
    }

    /**
     * Records the tasks of a lease that was sent at this floor.
     *
     * @return the fault of the reply; empty if it has none
     */
    Optional<String> note(List<LeasedTask> tasks, long floor) {
        long last = floor;
        for (LeasedTask task : tasks) {
            long number = Pids.number(task.getPid());
            if (number < 0 || number >= leases.length()) {
                return Optional.of("check: leased a task that was never enqueued");
            }
            if (leases.incrementAndGet((int) number) > 1) {
                return Optional.of("check: leased a task twice");
            }
            if (number <= last) {
                return Optional.of("check: leased out of order");
            }
            last = number;
        }
        leased.addAndGet(tasks.size());
        highest.accumulateAndGet(last, Math::max);
        return Optional.empty();
    }
}
