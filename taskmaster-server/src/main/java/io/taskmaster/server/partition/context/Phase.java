package io.taskmaster.server.partition.context;

/**
 * The phase of a partition.
 *
 * <pre>{@code
 * state    | event                                    | next state | effect
 * ---------+------------------------------------------+------------+-------------------------------------------------
 * NEW      | open()                                   | OPENING    | takeover and recovery begin
 * OPENING  | recovered                                | SERVING    | requests are accepted
 * SERVING  | drain()                                  | DRAINING   | requests fail with SHUTTING_DOWN
 * DRAINING | everything settled, epoch closed         | STOPPED    | the record says that the epoch ended clean
 * SERVING, | deposed, outcome unknown, store broken,  | STOPPED    | the node opens the partition again
 * DRAINING | broken invariant                         |            |
 * NEW,     | drain()                                  | STOPPED    | there is nothing to settle
 * OPENING  |                                          |            |
 * any      | stop(), as before each reopening         | STOPPED    | as after a crash
 * any      | close(): stored data are corrupt         | DAMAGED    | requests fail with the reason until a restart
 * DRAINING | given away, and settled, epoch closed    | AWAY       | requests fail with NOT_OWNER
 * any      | close(): another node owns the partition | AWAY       | requests fail with NOT_OWNER
 * }</pre>
 */
public enum Phase {
    /** Created, and not opened yet. */
    NEW,
    OPENING,
    SERVING,
    /** Accepts no more requests, and settles those in flight. */
    DRAINING,
    /** The epoch is over. The node opens the partition again under another one, unless it is shutting down. */
    STOPPED,
    /** The stored data cannot be read: the partition stays closed. */
    DAMAGED,
    /** Another node owns the partition. */
    AWAY
}
