package io.taskmaster.testkit.history;

import com.google.protobuf.Message;

/** Takes note of calls while they happen. Implementations are thread-safe, and have taken note when a method returns. */
public interface HistorySink {

    /**
     * A call is about to be sent.
     *
     * @param client who asks
     * @param micros now, in microseconds since the epoch
     * @param request a request of the contract
     * @return what tells the call apart from others of this sink
     */
    long invoked(String client, long micros, Message request);

    /**
     * The outcome of a call is known.
     *
     * @param number what {@link #invoked} returned
     * @param micros now, in microseconds since the epoch
     */
    void completed(long number, long micros, Outcome outcome);
}
