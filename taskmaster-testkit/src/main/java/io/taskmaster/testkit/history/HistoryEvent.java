package io.taskmaster.testkit.history;

import com.google.protobuf.Message;

/** A line of a history file. Immutable. */
sealed interface HistoryEvent {

    /** The number of the call, unique within its file. */
    long number();

    /** An event of a call that is about to be sent. */
    record Invoked(long number, String client, long micros, Message request) implements HistoryEvent {}

    /** An event of a call whose outcome is known. */
    record Completed(long number, long micros, RecordedOutcome recordedOutcome) implements HistoryEvent {}
}
