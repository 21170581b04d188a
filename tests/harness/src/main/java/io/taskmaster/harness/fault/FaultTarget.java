package io.taskmaster.harness.fault;

/**
 * A system that suffers faults, or a part of one.
 *
 * <p>Called by one thread for each {@link FaultKind.Part part}, so by several at once. For one part, calls are
 * sequential, and each fault is undone before the next one begins.
 *
 * @param <F> the faults that it can suffer
 */
public interface FaultTarget<F extends Fault> {

    /** Injects a fault; returns when that is done. */
    void strike(F fault) throws InterruptedException;

    /** Undoes a fault as far as possible: a process is started again, and recovers in its own time. */
    void heal(F fault) throws InterruptedException;

    /**
     * Waits until the part that the fault broke works again. Only then does the pause before the next fault begin, if
     * it is one for recovery.
     */
    default void awaitRecovery(F fault) throws InterruptedException {}
}
