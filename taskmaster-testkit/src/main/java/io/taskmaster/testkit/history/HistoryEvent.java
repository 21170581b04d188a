package io.taskmaster.testkit.history;

import com.google.protobuf.Message;

/** A line of a history file. Immutable. */
sealed interface HistoryEvent {

    /** What tells the calls of one file apart. */
    long number();

    /** A call is about to be sent. */
    record Invoked(long number, String client, long micros, Message request) implements HistoryEvent {}

    /** The outcome of a call is known. */
    record Completed(long number, long micros, Outcome outcome) implements HistoryEvent {}
}
