package io.taskmaster.testkit.fault;

/**
 * A system that faults are done to, or a part of one. Called by one thread for each {@link FaultKind.Part part}, so by several at once;
 * for one part, calls take turns, and each fault is undone before the next begins.
 *
 * @param <F> the faults that can be done to it
 */
public interface FaultTarget<F extends Fault> {

    /** Does it; comes back when it is done. */
    void strike(F fault) throws InterruptedException;

    /** Undoes it, as far as we can: a process is started again, and comes back in its own time. */
    void heal(F fault) throws InterruptedException;

    /** Comes back when what it broke works again: only then does the pause before the next fault begin, if there is a real one. */
    default void awaitRecovery(F fault) throws InterruptedException {}
}
