package io.taskmaster.client;

/** The verdict on queues in which tasks wait, from the least to the most urgent. */
public enum QueueVerdict {
    /** No problem. */
    FINE,
    /** No worker has ever leased from it, as far as the server knows, or it is a dead-letter queue. */
    KEPT,
    /** It is paused and has available tasks. */
    PAUSED,
    /** For a family: its backlog takes longer than a second at the present rate of dequeues. */
    BEHIND,
    /** Workers leased from it before, it has available tasks, and none was leased for a long time. */
    STUCK
}
