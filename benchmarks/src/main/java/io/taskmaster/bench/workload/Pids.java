package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** PIDs of a fixed form: eight bytes, big-endian, so that the order of the numbers is the order of the tasks. */
public final class Pids {

    private static final int RANDOM_BYTES = 16;

    private Pids() {}

    public static ByteString of(long number) {
        byte[] bytes = new byte[Long.BYTES];
        ByteBuffer.wrap(bytes).putLong(number);
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    /** Returns the number of such a PID; -1 for any other. */
    public static long number(ByteString pid) {
        return pid.size() == Long.BYTES ? pid.asReadOnlyByteBuffer().getLong() : -1;
    }

    /** Returns a random PID of 16 bytes: no two are ever equal, and they are spread evenly among the numbered ones. */
    static ByteString random(SplittableRandom random) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return UnsafeByteOperations.unsafeWrap(bytes);
    }
}
