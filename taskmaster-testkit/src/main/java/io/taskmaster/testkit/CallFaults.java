package io.taskmaster.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Message;
import io.taskmaster.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The faults that a test plans for the clients of a server. Each plan is for a number of future calls that match a
 * predicate. If several plans match a call, the earliest one applies. Retries of a client count as calls. Thread-safe.
 *
 * <p>Faults are not random: with clients whose calls are sequential, the same test sees the same faults.
 */
public final class CallFaults {

    /** A fault that is planned for a number of calls. */
    private static final class Plan {

        private final Predicate<? super Message> matching;
        private final CallFault fault;
        private int remaining;

        Plan(Predicate<? super Message> matching, int times, CallFault fault) {
            this.matching = matching;
            this.fault = fault;
            this.remaining = times;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Plan> plans = new ArrayList<>();

    @GuardedBy("lock")
    private final List<HeldReplies> holds = new ArrayList<>();

    CallFaults() {}

    /**
     * Refuses the next calls with {@link ErrorCode#PARTITION_OPENING}, after which clients retry soon. The calls are
     * not applied.
     */
    public void refuse(Predicate<? super Message> matching, int times) {
        refuse(matching, times, ErrorCode.PARTITION_OPENING);
    }

    /**
     * Refuses the next calls. They are not applied.
     *
     * @param code one after which a call was not applied
     */
    public void refuse(Predicate<? super Message> matching, int times, ErrorCode code) {
        add(matching, times, new CallFault.Refuse(code));
    }

    /** Applies the next calls and loses their replies: clients receive {@code OUTCOME_UNKNOWN}. */
    public void loseReplies(Predicate<? super Message> matching, int times) {
        add(matching, times, new CallFault.LoseReply());
    }

    /**
     * Applies the next calls at once and delays their replies.
     *
     * @param span by the machine's clock, as the deadlines of clients
     */
    public void delayReplies(Predicate<? super Message> matching, int times, Duration span) {
        add(matching, times, new CallFault.DelayReply(span));
    }

    /**
     * Applies the next calls and holds their replies until the test releases them: time enough for a crash, or for
     * calls of another client.
     */
    public HeldReplies holdReplies(Predicate<? super Message> matching, int times) {
        HeldReplies held = new HeldReplies();
        add(matching, times, new CallFault.HoldReply(held));
        lock.lock();
        try {
            holds.add(held);
        } finally {
            lock.unlock();
        }
        return held;
    }

    private void add(Predicate<? super Message> matching, int times, CallFault fault) {
        if (times < 1) {
            throw new IllegalArgumentException("times: " + times + " (expected: 1 or more)");
        }
        lock.lock();
        try {
            plans.add(new Plan(matching, times, fault));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of calls for which a fault is still planned. */
    public int pending() {
        lock.lock();
        try {
            return plans.stream().mapToInt(plan -> plan.remaining).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Cancels all plans, and releases the held replies. */
    public void clear() {
        lock.lock();
        try {
            plans.clear();
        } finally {
            lock.unlock();
        }
        release();
    }

    /** Releases the held replies. */
    void release() {
        List<HeldReplies> all;
        lock.lock();
        try {
            all = List.copyOf(holds);
            holds.clear();
        } finally {
            lock.unlock();
        }
        // Outside of the lock: the release of a reply runs code of gRPC.
        all.forEach(HeldReplies::close);
    }

    /** Returns the fault of this call, and counts the call against its plan. */
    Optional<CallFault> next(Message request) {
        lock.lock();
        try {
            for (Iterator<Plan> inOrder = plans.iterator(); inOrder.hasNext(); ) {
                Plan plan = inOrder.next();
                if (plan.matching.test(request)) {
                    plan.remaining--;
                    if (plan.remaining == 0) {
                        inOrder.remove();
                    }
                    return Optional.of(plan.fault);
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }
}
