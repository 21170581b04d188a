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
 * Faults that the clients of a server are going to see, asked for beforehand: each one is for the next calls of its kind, as many as were
 * said. Of several that fit a call, the one asked for first counts. A client's own retries are calls too. Thread-safe.
 *
 * <p>A fault needs no chance: with clients that call one after the other, the same test sees the same faults.
 */
public final class CallFaults {

    private static final class Plan {

        private final Predicate<? super Message> which;
        private final CallFault fault;
        private int left;

        Plan(Predicate<? super Message> which, int times, CallFault fault) {
            this.which = which;
            this.fault = fault;
            this.left = times;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Plan> plans = new ArrayList<>();

    @GuardedBy("lock")
    private final List<HeldReplies> holds = new ArrayList<>();

    CallFaults() {}

    /** The next calls are not done; their clients are told to come back soon ({@link ErrorCode#PARTITION_OPENING}). */
    public void refuse(Predicate<? super Message> which, int times) {
        refuse(which, times, ErrorCode.PARTITION_OPENING);
    }

    /**
     * The next calls are not done, and this is their answer.
     *
     * @param code one that says that nothing was done
     */
    public void refuse(Predicate<? super Message> which, int times, ErrorCode code) {
        add(which, times, new CallFault.Refuse(code));
    }

    /** The next calls are done, but their answers are lost: clients are told that the outcome is unknown. */
    public void loseReplies(Predicate<? super Message> which, int times) {
        add(which, times, new CallFault.LoseReply());
    }

    /**
     * The next calls are done at once, but their answers come late.
     *
     * @param span by the machine's clock, as the deadlines of clients
     */
    public void delayReplies(Predicate<? super Message> which, int times, Duration span) {
        add(which, times, new CallFault.DelayReply(span));
    }

    /** The next calls are done, but nobody is told before the test says so: enough time for a crash, or for somebody else. */
    public HeldReplies holdReplies(Predicate<? super Message> which, int times) {
        HeldReplies held = new HeldReplies();
        add(which, times, new CallFault.HoldReply(held));
        lock.lock();
        try {
            holds.add(held);
        } finally {
            lock.unlock();
        }
        return held;
    }

    private void add(Predicate<? super Message> which, int times, CallFault fault) {
        if (times < 1) {
            throw new IllegalArgumentException("times: " + times + " (expected: 1 or more)");
        }
        lock.lock();
        try {
            plans.add(new Plan(which, times, fault));
        } finally {
            lock.unlock();
        }
    }

    /** How many calls are yet to see a fault that was asked for. */
    public int pending() {
        lock.lock();
        try {
            return plans.stream().mapToInt(plan -> plan.left).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Takes back what no call has seen yet, and lets go of the answers that are held. */
    public void clear() {
        lock.lock();
        try {
            plans.clear();
        } finally {
            lock.unlock();
        }
        letGo();
    }

    /** Lets go of the answers that are held. */
    void letGo() {
        List<HeldReplies> all;
        lock.lock();
        try {
            all = List.copyOf(holds);
            holds.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(HeldReplies::close);
    }

    /** What becomes of this call; it counts. */
    Optional<CallFault> next(Message request) {
        lock.lock();
        try {
            for (Iterator<Plan> inOrder = plans.iterator(); inOrder.hasNext(); ) {
                Plan plan = inOrder.next();
                if (plan.which.test(request)) {
                    plan.left--;
                    if (plan.left == 0) {
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
