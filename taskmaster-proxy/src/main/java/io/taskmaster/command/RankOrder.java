package io.taskmaster.command;

/**
 * The criterion by which queues are ranked. The value that is compared changes only when something happens to a queue,
 * and not as time goes by: rates decay alike, and of ages the instants are compared. So the place behind which a page
 * ended is still a place when the next page is requested.
 */
public enum RankOrder {
    /** Group, then name. */
    NAME,
    AVAILABLE,
    LEASED,
    DELAYED,
    /** The tasks of all states. */
    TASKS,
    /** Age of the oldest available task, as far as known; none is the youngest. */
    OLDEST,
    ENQUEUE_RATE,
    LEASE_RATE,
    DEQUEUE_RATE,
    EXPIRED_LEASES
}
