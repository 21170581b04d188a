package io.taskmaster.server.partition.fair;

/**
 * A group or a caller: the number of its waiting elements, and the bytes that it may still take in this round.
 * Single-threaded.
 */
abstract class CallerQueue<F extends CallerQueue<F>> {

    final Object name;

    /** Its place in the round-robin order of all, while it has elements waiting or its balance is negative. */
    final Ring.Place<F> inAll;

    /** Its place in the order of those with an unrestricted element waiting. */
    final Ring.Place<F> inUnrestricted;

    /** The balance in bytes. Negative: it has taken more than its rounds gave it. */
    long balance = FairQueue.QUANTUM;

    int waiting;
    int unrestricted;

    CallerQueue(Object name) {
        this.name = name;
        this.inAll = new Ring.Place<>(self());
        this.inUnrestricted = new Ring.Place<>(self());
    }

    abstract F self();
}
