package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;

/** A queue of a consistency group. Immutable. */
record QueueId(ByteString group, ByteString name) {

    @Override
    public String toString() {
        return (group.isEmpty() ? "" : Shown.bytes(group) + "/") + Shown.bytes(name);
    }
}
