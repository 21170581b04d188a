package io.taskmaster.server.partition;

/** What a partition is at. */
enum Phase {
    /** Nobody has told it to open. */
    NEW,
    OPENING,
    SERVING,
    /** It takes on nothing more, and settles what is in flight. */
    DRAINING,
    /** Its epoch is over. It is opened again under another one, unless the node ends. */
    STOPPED,
    /** What is stored of it cannot be read: it stays closed. */
    DAMAGED
}
