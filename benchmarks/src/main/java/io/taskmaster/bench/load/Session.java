package io.taskmaster.bench.load;

/** What one connection does over and over: single-threaded, owned by the event loop of its connection, or by a thread of its own. */
@FunctionalInterface
public interface Session {

    /**
     * Begins one operation. Its slot is told exactly once how it ended; the next operation of that slot begins then. Up to as many
     * operations as the connection has slots are under way together.
     */
    void begin(Slot slot);

    /** Opens the session of a connection. */
    @FunctionalInterface
    interface Factory {

        /** Called once per connection, before the load starts, on the caller's thread. */
        Session open(Connection connection);
    }
}
