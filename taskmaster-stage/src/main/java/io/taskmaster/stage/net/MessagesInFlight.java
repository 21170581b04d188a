package io.taskmaster.stage.net;

import java.util.concurrent.atomic.AtomicInteger;

/** The messages of a connection that its sink has and that are not done. Thread-safe. */
final class MessagesInFlight {

    private final int max;
    private final AtomicInteger count = new AtomicInteger();

    /** Set if the connection waits for a message to be done. It is never reset. */
    private volatile boolean awaitsEnds;

    MessagesInFlight(int max) {
        this.max = max;
    }

    int count() {
        return count.get();
    }

    void begin() {
        count.incrementAndGet();
    }

    /** Takes back a {@link #begin}: the sink has refused the message. */
    void cancel() {
        count.decrementAndGet();
    }

    /** Counts a message that is done. Returns true if the connection waits for that and has to be called. */
    boolean end() {
        count.decrementAndGet();
        // Counted before the flag is read. hasCapacity() does the opposite, so that one of the two sees the other.
        return awaitsEnds;
    }

    /** Has {@link #end} return true from here on. */
    void awaitCompletion() {
        awaitsEnds = true;
    }

    /** Returns true if there may be one more; otherwise the connection is called once there may be. */
    boolean hasCapacity() {
        if (count.get() < max) {
            return true;
        }
        awaitsEnds = true;
        // A message that was done before the flag was set has called nothing.
        return count.get() < max;
    }
}
