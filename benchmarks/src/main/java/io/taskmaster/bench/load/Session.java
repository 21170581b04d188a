package io.taskmaster.bench.load;

/**
 * An operation that one connection repeats. Single-threaded: owned by the event loop of its connection, or by a thread
 * of its own.
 */
@FunctionalInterface
public interface Session {

    /**
     * Starts one operation. The session notifies the slot exactly once of the outcome; the slot then starts its next
     * operation. Up to as many operations are in flight as the connection has slots.
     */
    void begin(Slot slot);

    /** A factory of sessions, one for each connection. */
    @FunctionalInterface
    interface Factory {

        /**
         * Opens the session of a connection. Called once per connection, before the load starts, on the thread that
         * starts it.
         */
        Session open(LoadConnection loadConnection);
    }
}
