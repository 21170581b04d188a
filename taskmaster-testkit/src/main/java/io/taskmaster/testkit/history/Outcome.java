package io.taskmaster.testkit.history;

import com.google.protobuf.Message;

/** What a client was told about a call. Immutable. */
public sealed interface Outcome {

    /** The call was answered. */
    record Replied(Message reply) implements Outcome {}

    /**
     * The call had no effect, and never will: it was refused, or never sent.
     *
     * @param code the name of the gRPC status
     * @param reason the reason of its {@code ErrorInfo}; empty if it has none
     */
    record Failed(String code, String reason) implements Outcome {}

    /**
     * The call may have had its effect, or not, or may yet have it.
     *
     * @param code the name of the gRPC status
     * @param reason the reason of its {@code ErrorInfo}; empty if it has none
     */
    record Unknown(String code, String reason) implements Outcome {}
}
