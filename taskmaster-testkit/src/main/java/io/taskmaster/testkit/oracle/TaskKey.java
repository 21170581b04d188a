package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;

/** The identity of a task: its queue and its PID. Immutable. */
record TaskKey(QueueId queue, ByteString pid) {

    @Override
    public String toString() {
        return queue + "#" + Shown.bytes(pid);
    }
}
