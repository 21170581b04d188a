package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** PIDs of a fixed form: eight bytes in which a number's order is the order of the tasks. */
final class Pids {

    private static final int RANDOM_BYTES = 16;

    private Pids() {}

    static ByteString of(long number) {
        byte[] bytes = new byte[Long.BYTES];
        ByteBuffer.wrap(bytes).putLong(number);
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    /** The number of such a PID; -1 for any other. */
    static long number(ByteString pid) {
        return pid.size() == Long.BYTES ? pid.asReadOnlyByteBuffer().getLong() : -1;
    }

    /** One of so many that two are never equal: longer than the numbered ones, and spread evenly among them. */
    static ByteString random(SplittableRandom random) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return UnsafeByteOperations.unsafeWrap(bytes);
    }
}
