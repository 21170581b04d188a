package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;

/** Conversions of the contract's times to microseconds, clamped at {@link Span#FAR}. */
public final class Micros {

    private static final long PER_SECOND = 1_000_000;

    private Micros() {}

    public static long of(Timestamp time) {
        return of(time.getSeconds(), time.getNanos());
    }

    public static long of(Duration span) {
        return of(span.getSeconds(), span.getNanos());
    }

    private static long of(long seconds, int nanos) {
        long bounded = Math.clamp(seconds, -Span.FAR / PER_SECOND, Span.FAR / PER_SECOND);
        return bounded * PER_SECOND + nanos / 1_000;
    }
}
