package io.taskmaster.server.partition.fair;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deficit round robin between flows. The first one is served while its balance is positive, and pays for all that it
 * takes, so its balance may become negative. Then it moves behind all others and gets a quantum. A flow with nothing
 * waiting but a negative balance stays until its rounds have paid for it; otherwise a caller with one request at a time
 * would always start with a fresh balance. A flow moves back at most once for each quantum of bytes that was taken, so
 * finding the next flow costs an amortized constant number of steps per quantum. Single-threaded.
 */
final class DeficitRoundRobin<F extends CallerQueue<F>> {

    private final Ring<F> all = new Ring<>();
    private final Ring<F> unrestricted = new Ring<>();
    private final Consumer<F> forget;
    private long turns;

    /**
     * Creates the rounds.
     *
     * @param forget notified of a flow that has nothing waiting and owes nothing
     */
    DeficitRoundRobin(Consumer<F> forget) {
        this.forget = forget;
    }

    void added(F flow, boolean restricted) {
        flow.waiting++;
        if (!flow.inAll.isLinked()) {
            all.add(flow.inAll);
        }
        if (!restricted && flow.unrestricted++ == 0) {
            unrestricted.add(flow.inUnrestricted);
        }
    }

    /** Removes one waiting element of a flow. To be followed by {@link #settle}. */
    void removed(F flow, boolean restricted) {
        flow.waiting--;
        if (!restricted && --flow.unrestricted == 0) {
            unrestricted.remove(flow.inUnrestricted);
        }
    }

    /** Charges a flow, if it is still known. */
    void settle(F flow, long bytes) {
        if (flow.inAll.isLinked()) {
            flow.balance -= bytes;
            forgetIfIdle(flow);
        }
    }

    /**
     * Returns the next flow to be served: one with an element that can be taken; null if there is none.
     *
     * @param includeRestricted true if restricted elements can be taken
     */
    @Nullable
    F next(boolean includeRestricted) {
        return includeRestricted ? nextOfAll() : nextUnrestricted();
    }

    private @Nullable F nextOfAll() {
        for (F flow = all.first(); flow != null; flow = all.first()) {
            if (flow.waiting > 0 && flow.balance > 0) {
                return flow;
            }
            // The loop ends: a flow without anything waiting is forgotten once its balance is paid, and the balance of
            // any other becomes positive after some rounds.
            flow.balance += FairQueue.QUANTUM;
            turns++;
            all.moveToEnd(flow.inAll);
            forgetIfIdle(flow);
        }
        return null;
    }

    private @Nullable F nextUnrestricted() {
        for (F flow = unrestricted.first(); flow != null; flow = unrestricted.first()) {
            if (flow.balance > 0) {
                return flow;
            }
            flow.balance += FairQueue.QUANTUM;
            turns++;
            unrestricted.moveToEnd(flow.inUnrestricted);
        }
        return null;
    }

    /** The number of service opportunities used up: the total cost in steps. */
    long turns() {
        return turns;
    }

    private void forgetIfIdle(F flow) {
        if (flow.waiting == 0 && flow.balance >= 0) {
            all.remove(flow.inAll);
            forget.accept(flow);
        }
    }
}
