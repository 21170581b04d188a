package io.taskmaster.wire;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;

/** The mapping of {@code java.time} to protobuf's well-known types and back. Stateless. */
public final class TimeMapper {

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private TimeMapper() {}

    /** Maps a duration. The two forms differ for negative durations: in protobuf both parts carry the sign. */
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
