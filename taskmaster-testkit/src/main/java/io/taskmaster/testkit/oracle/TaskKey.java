package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;

/** Where a task lives. Immutable. */
record TaskKey(QueueId queue, ByteString pid) {

    @Override
    public String toString() {
        return queue + "#" + Shown.bytes(pid);
    }
}
