package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;

/** The identity of a task: its queue and its PID. Immutable. */
public record TaskKey(QueueId queue, ByteString pid) {

    @Override
    public String toString() {
        return queue + "#" + Rendering.bytes(pid);
    }
}
