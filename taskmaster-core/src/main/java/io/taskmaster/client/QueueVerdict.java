package io.taskmaster.client;

/** The verdict on queues in which tasks wait, from the least urgent to the most urgent one. */
public enum QueueVerdict {
    /** Nothing is to be said. */
    FINE,
    /** Nobody ever leased from it, as far as the server knows, or it is for dead letters. */
    KEPT,
    /** It is paused, and has available tasks. */
    PAUSED,
    /** Of a family: what waits takes longer than a second at the rate at which tasks are dequeued. */
    BEHIND,
    /** It was worked on, has available tasks, and nobody has leased one for a long time. */
    STUCK
}
