package io.taskmaster.testkit.history;

import com.google.protobuf.Message;

/**
 * A recipient of calls as they happen. Implementations are thread-safe; an event is recorded when the method returns.
 */
public interface HistorySink {

    /**
     * Records that a call is about to be sent.
     *
     * @param client the name of the caller
     * @param micros now, in microseconds since the epoch
     * @param request a request of the contract
     * @return the number of the call, unique within this sink
     */
    long invoked(String client, long micros, Message request);

    /**
     * Records that the outcome of a call is known.
     *
     * @param number the result of {@link #invoked}
     * @param micros now, in microseconds since the epoch
     */
    void completed(long number, long micros, RecordedOutcome recordedOutcome);
}
