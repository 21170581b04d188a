package io.taskmaster.testkit.oracle;

import io.taskmaster.testkit.oracle.model.Micros;
import io.taskmaster.v1.Enqueue;
import org.jspecify.annotations.Nullable;

/** A task of the {@link ReferenceService}. Times are milliseconds. Single-threaded. */
final class ReferenceTask {

    Enqueue brought;
    long notBefore;
    int attempt;

    /** The id of the newest lease; 0 if there is none. */
    long leaseId;

    long expires;

    @Nullable
    Enqueue next;

    ReferenceTask(Enqueue brought) {
        this.brought = brought;
        this.notBefore = notBefore(brought);
    }

    static long notBefore(Enqueue enqueue) {
        return enqueue.hasNotBefore() ? Micros.of(enqueue.getNotBefore()) / 1_000 : 0;
    }

    ReferenceTask copy() {
        ReferenceTask copy = new ReferenceTask(brought);
        copy.notBefore = notBefore;
        copy.attempt = attempt;
        copy.leaseId = leaseId;
        copy.expires = expires;
        copy.next = next;
        return copy;
    }

    boolean isLeased(long now) {
        return leaseId != 0 && now < expires;
    }

    boolean isDelayed(long now) {
        return !isLeased(now) && now < notBefore;
    }

    boolean isAvailable(long now) {
        return !isLeased(now) && !isDelayed(now);
    }
}
