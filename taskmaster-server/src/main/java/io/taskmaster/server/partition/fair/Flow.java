package io.taskmaster.server.partition.fair;

/** A group or a caller: what is waiting of it, and what it may still take in this round. Single-threaded. */
abstract class Flow<F extends Flow<F>> {

    final Object name;

    /** Its turn among all, while something of it waits or its balance is negative. */
    final Ring.Place<F> amongAll;

    /** Its turn among those that have something unrestricted waiting. */
    final Ring.Place<F> amongUnrestricted;

    /** In bytes. Negative: it has taken more than its rounds came to. */
    long balance = FairQueue.QUANTUM;

    int waiting;
    int unrestricted;

    Flow(Object name) {
        this.name = name;
        this.amongAll = new Ring.Place<>(self());
        this.amongUnrestricted = new Ring.Place<>(self());
    }

    abstract F self();
}
