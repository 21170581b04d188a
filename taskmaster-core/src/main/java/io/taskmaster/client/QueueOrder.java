package io.taskmaster.client;

/** By what queues are ranked. */
public enum QueueOrder {
    /** Group, then name. */
    NAME,
    AVAILABLE,
    LEASED,
    DELAYED,
    /** Of all states. */
    TASKS,
    /** Age of the oldest available task; without any it is 0. */
    OLDEST,
    ENQUEUE_RATE,
    LEASE_RATE,
    DEQUEUE_RATE,
    EXPIRED_LEASES
}
