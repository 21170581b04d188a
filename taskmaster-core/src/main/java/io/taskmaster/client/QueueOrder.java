package io.taskmaster.client;

/** The order of a ranking of queues. */
public enum QueueOrder {
    /** By group, then by name. */
    NAME,
    AVAILABLE,
    LEASED,
    DELAYED,
    /** By the number of tasks in all states. */
    TASKS,
    /** By the age of the oldest available task; 0 if there is none. */
    OLDEST,
    ENQUEUE_RATE,
    LEASE_RATE,
    DEQUEUE_RATE,
    EXPIRED_LEASES
}
