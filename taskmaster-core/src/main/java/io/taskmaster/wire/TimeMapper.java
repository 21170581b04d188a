package io.taskmaster.wire;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;

/** Spans and points of time: {@code java.time} and protobuf's well-known types. */
public final class TimeMapper {

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private TimeMapper() {}

    /** The two differ for negative spans: in protobuf both parts carry the sign. */
    public static com.google.protobuf.Duration toProto(Duration span) {
        long seconds = span.getSeconds();
        int nanos = span.getNano();
        if (seconds < 0 && nanos > 0) {
            seconds++;
            nanos -= NANOS_PER_SECOND;
        }
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(seconds)
                .setNanos(nanos)
                .build();
    }

    public static Timestamp toProto(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    public static Duration toDuration(com.google.protobuf.Duration span) {
        return Duration.ofSeconds(span.getSeconds(), span.getNanos());
    }

    public static Instant toInstant(Timestamp instant) {
        return Instant.ofEpochSecond(instant.getSeconds(), instant.getNanos());
    }
}
