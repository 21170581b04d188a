package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.guard.Guard;
import io.taskmaster.stage.local.admission.AdmissionCheck;
import io.taskmaster.stage.local.admission.Candidate;
import io.taskmaster.stage.local.credit.FairCredits;
import io.taskmaster.stage.local.credit.FairCredits.Entry;
import io.taskmaster.stage.local.pool.WorkerPool;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entrance of a stage with a boundary: the admission rule first, then credits of a {@link FairCredits}.
 * Thread-safe.
 *
 * <p>A producer has its credits before it checks whether the gate is closed; a drain closes the gate before it reads
 * the credits. So once the gate is closed and no credits are taken, no producer is still entering. A producer that is
 * refused because of the close may have held the last credits, and has to check whether the stage is over.
 */
final class AdmissionGate {

    /** The most control events that may wait in one stage. */
    static final int MAX_CONTROLS = 1_024;

    /** The longest wait for one of those places. */
    private static final Duration MAX_CONTROL_WAIT = Duration.ofSeconds(30);

    /** The number of spin hints to the processor: about two microseconds on current x86 processors, less on others. */
    private static final int MAX_SPINS = 64;

    private final Timer timer;
    private final Guard guard;
    private final PriorityLanes priorityLanes;
    private final FairCredits fairCredits;
    private final FairCredits controls;
    private final @Nullable AdmissionCheck admission;
    private final boolean needsWaits;
    private final boolean needsResponseTimes;

    AdmissionGate(Boundary<?> boundary, PriorityLanes priorityLanes, Timer timer, Guard guard) {
        this.timer = timer;
        this.guard = guard;
        this.priorityLanes = priorityLanes;
        this.fairCredits = new FairCredits(boundary.capacity(), timer);
        this.controls = new FairCredits(MAX_CONTROLS, timer);
        this.admission =
                boundary.admission().map(rule -> rule.begin(timer.nanoTime())).orElse(null);
        this.needsWaits = admission != null && admission.needsWaits();
        this.needsResponseTimes = admission != null && admission.needsResponseTimes();
    }

    boolean needsWaits() {
        return needsWaits;
    }

    boolean needsResponseTimes() {
        return needsResponseTimes;
    }

    /** Passes the wait of an event to the admission rule; called only if it {@linkplain #needsWaits wants waits}. */
    void waited(long sinceNanos) {
        long nowNanos = timer.nanoTime();
        notifyRule(control -> control.waited(nowNanos - sinceNanos, nowNanos));
    }

    /**
     * Passes the response time of an event to the admission rule; called only if it {@linkplain #needsResponseTimes
     * wants answers}.
     */
    void answered(ServiceClass serviceClass, long nanos, long nowNanos) {
        notifyRule(control -> control.answered(serviceClass, nanos, nowNanos));
    }

    private void notifyRule(Consumer<AdmissionCheck> notification) {
        if (admission != null) {
            guard.run("an admission rule", () -> notification.accept(admission));
        }
    }

    /**
     * Takes credits for an event, if the admission rule admits it. Does not block.
     *
     * @return the cause of a refusal; null if the event has its credits
     */
    @Nullable
    Cause enter(int cost, ServiceClass serviceClass) {
        // Such an event never fits, so its producer must not wait for credits, and the rule must not count it.
        if (cost > fairCredits.capacity()) {
            return Cause.TOO_LARGE;
        }
        if (admission != null && !admission.admits(candidate(cost, serviceClass))) {
            // A closed stage overflows nowhere, so CLOSED is reported even if the rule was the first to refuse.
            return isClosed() ? Cause.CLOSED : Cause.NOT_ADMITTED;
        }
        return causeOf(fairCredits.enter(cost));
    }

    private Candidate candidate(int cost, ServiceClass serviceClass) {
        return new Candidate(
                cost,
                serviceClass,
                fairCredits.taken(),
                priorityLanes.size(serviceClass),
                fairCredits.capacity(),
                timer.nanoTime());
    }

    /**
     * Takes credits without asking the admission rule, for an event that it has admitted already. Does not block.
     *
     * @return the cause of a refusal; null if the event has its credits
     */
    @Nullable
    Cause retryEnter(int cost) {
        return causeOf(fairCredits.enter(cost));
    }

    /**
     * Takes credits as soon as they are free and all earlier waiters have theirs. Blocks.
     *
     * @param help does work that may free credits, and returns false if there was none
     * @return the cause of a refusal; null if the event has its credits
     */
    @Nullable
    Cause enterWithin(int cost, Duration max, BooleanSupplier help) {
        try {
            return causeOf(await(fairCredits, cost, max, help));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Cause.INTERRUPTED;
        }
    }

    /**
     * Takes a credit for a control event, as soon as there is one. Blocks. Returns false if the gate is closed.
     *
     * @throws IllegalStateException if there was none for {@link #MAX_CONTROL_WAIT}: control events are not being
     *     handled
     */
    boolean enterControl(BooleanSupplier help) throws InterruptedException {
        Entry entry = controls.enter(1);
        if (entry == Entry.FULL) {
            entry = await(controls, 1, MAX_CONTROL_WAIT, help);
        }
        if (entry == Entry.FULL) {
            throw new IllegalStateException(
                    "control events: %d not handled within %s (expected: a handler that keeps up)"
                            .formatted(MAX_CONTROLS, MAX_CONTROL_WAIT));
        }
        return entry == Entry.IN;
    }

    private static Entry await(FairCredits credits, int cost, Duration max, BooleanSupplier help)
            throws InterruptedException {
        // A worker that only blocked might wait for credits that no other thread is left to free, so it helps
        // meanwhile.
        if (WorkerPool.isAtWork()) {
            return credits.await(cost, max.toNanos(), help);
        }
        spin();
        Entry entry = credits.enter(cost);
        return entry == Entry.FULL ? credits.await(cost, max.toNanos(), null) : entry;
    }

    /**
     * Spins for a moment, in which a quick stage frees credits for many events. A producer that queued at once would be
     * woken for a few of them at a time.
     */
    private static void spin() {
        for (int i = 0; i < MAX_SPINS; i++) {
            Thread.onSpinWait();
        }
    }

    private static @Nullable Cause causeOf(Entry entry) {
        return switch (entry) {
            case IN -> null;
            case FULL -> Cause.FULL;
            case CLOSED -> Cause.CLOSED;
        };
    }

    void leave(int cost) {
        fairCredits.leave(cost);
    }

    void leaveControl() {
        controls.leave(1);
    }

    void close() {
        fairCredits.close();
        controls.close();
    }

    boolean isClosed() {
        return fairCredits.isClosed();
    }

    /** The number of credits that are missing for an event. */
    long shortage(int cost) {
        return fairCredits.taken() + cost - fairCredits.capacity();
    }

    /** Returns whether no event can enter any more, and all have left. */
    boolean isDrained() {
        return fairCredits.isClosed() && controls.isClosed() && fairCredits.taken() == 0 && controls.taken() == 0;
    }

    long taken() {
        return fairCredits.taken();
    }

    /** The current limits of the admission rule; empty if there is no rule, or it throws. */
    Map<String, Double> limits() {
        Map<String, Double> limits = new HashMap<>();
        notifyRule(control -> limits.putAll(Map.copyOf(control.limits(timer.nanoTime()))));
        return limits;
    }
}
