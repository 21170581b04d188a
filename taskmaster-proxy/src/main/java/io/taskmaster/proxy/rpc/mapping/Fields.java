package io.taskmaster.proxy.rpc.mapping;

import com.google.common.base.Utf8;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.config.Limits;

/**
 * Checks and mappings of single fields of requests. A field is named by its path, in which {@code #} stands for the
 * index of the element that holds it; the name is built only when a message needs it. Thread-safe: stateless.
 */
public final class Fields {

    private static final int MILLIS_PER_SECOND = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    /** The beginning of the year 1, in seconds since 1970. */
    private static final long MIN_TIME_SECONDS = -62_135_596_800L;

    /** The end of the year 9999, in seconds since 1970. */
    private static final long MAX_TIME_SECONDS = 253_402_300_799L;

    private Fields() {}

    public static GroupName group(ByteString value, String path) {
        if (value.size() > Limits.NAME_BYTES) {
            throw invalid(ErrorCode.NAME_TOO_LONG, path, bytes(value), expectedAtMost(Limits.NAME_BYTES));
        }
        return value.isEmpty() ? GroupName.EMPTY : GroupName.wrap(ProtoBytes.arrayOf(value));
    }

    public static QueueName queue(ByteString value, String path, int index) {
        if (value.isEmpty()) {
            throw invalid(ErrorCode.QUEUE_NAME_EMPTY, at(path, index), "empty", "a name");
        }
        if (value.size() > Limits.NAME_BYTES) {
            throw invalid(ErrorCode.NAME_TOO_LONG, at(path, index), bytes(value), expectedAtMost(Limits.NAME_BYTES));
        }
        return QueueName.wrap(ProtoBytes.arrayOf(value));
    }

    static Pid pid(ByteString value, String path, int index) {
        if (value.size() > Limits.PID_BYTES) {
            throw invalid(ErrorCode.PID_TOO_LONG, at(path, index), bytes(value), expectedAtMost(Limits.PID_BYTES));
        }
        return Pid.wrap(ProtoBytes.arrayOf(value));
    }

    /** Returns the duration of a lease, in milliseconds; a part of a millisecond counts as a whole one. */
    static long leaseMillis(Duration value, String path, int index) {
        long millis = millis(value, Limits.LEASE_MILLIS, path, index);
        if (millis <= 0) {
            throw outOfRange(value, Limits.LEASE_MILLIS, path, index);
        }
        return millis;
    }

    /** Returns the duration of a wait, in milliseconds, rounded up; 0 is allowed. */
    static long waitMillis(Duration value, String path) {
        return millis(value, Limits.WAIT_MILLIS, path, 0);
    }

    /** Returns an instant, in milliseconds since 1970, rounded up; an instant before 1970 counts as 0. */
    static long timeMillis(Timestamp value, String path, int index) {
        long seconds = value.getSeconds();
        int nanos = value.getNanos();
        if (seconds < MIN_TIME_SECONDS || seconds > MAX_TIME_SECONDS || nanos < 0 || nanos >= NANOS_PER_SECOND) {
            throw invalid(
                    ErrorCode.INVALID_FIELD,
                    at(path, index),
                    seconds + " s " + nanos + " ns",
                    "a time in the years 1 to 9999");
        }
        long millis = seconds * MILLIS_PER_SECOND + (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
        return Math.max(0, millis);
    }

    private static long millis(Duration value, long maxMillis, String path, int index) {
        long seconds = value.getSeconds();
        int nanos = value.getNanos();
        // Seconds are checked against the limit first, so that the product does not overflow.
        if (seconds < 0 || seconds > maxMillis / MILLIS_PER_SECOND || nanos < 0 || nanos >= NANOS_PER_SECOND) {
            throw outOfRange(value, maxMillis, path, index);
        }
        long millis = seconds * MILLIS_PER_SECOND + (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
        if (millis > maxMillis) {
            throw outOfRange(value, maxMillis, path, index);
        }
        return millis;
    }

    /**
     * Returns an unsigned number of the contract.
     *
     * @param absent the value that zero stands for
     */
    static int count(int value, int absent, int max, ErrorCode errorCode, String path) {
        if (Integer.compareUnsigned(value, max) > 0) {
            throw invalid(errorCode, path, Integer.toUnsignedString(value), expectedAtMost(max));
        }
        return value == 0 ? absent : value;
    }

    /** Returns the length of a text in bytes of UTF-8. */
    static long utf8Length(String text) {
        try {
            return Utf8.encodedLength(text);
        } catch (IllegalArgumentException unpairedSurrogate) {
            // Cannot come over the wire, where strings are UTF-8; each such character would be replaced by one byte.
            return text.length();
        }
    }

    public static TaskMasterException invalid(ErrorCode code, String field, String value, String expected) {
        return TaskMasterException.withoutStackTrace(
                code, field + ": " + value + " (expected: " + expected + ")", null, null);
    }

    static String at(String path, int index) {
        return path.replace("#", Integer.toString(index));
    }

    public static String expectedAtMost(long limit) {
        return "at most " + limit;
    }

    private static String bytes(ByteString value) {
        return value.size() + " bytes";
    }

    private static TaskMasterException outOfRange(Duration value, long maxMillis, String path, int index) {
        return invalid(
                ErrorCode.DURATION_OUT_OF_RANGE,
                at(path, index),
                value.getSeconds() + " s " + value.getNanos() + " ns",
                "positive, at most " + maxMillis + " ms");
    }
}
