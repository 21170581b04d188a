package io.taskmaster.trace;

import static io.taskmaster.trace.TraceHeaders.PARENT;
import static io.taskmaster.trace.TraceHeaders.STATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TraceHeadersTest {

    private static final Map<String, String> TRACE = Map.of(PARENT, "00-1", STATE, "a=b");

    @Test
    void traceGoesBesideTheHeadersOfTheTask() {
        assertThat(TraceHeaders.with(Map.of("mine", "1"), TRACE))
                .isEqualTo(Map.of("mine", "1", PARENT, "00-1", STATE, "a=b"));
        assertThat(TraceHeaders.with(Map.of(), Map.of(PARENT, "00-1", "other", "2")))
                .isEqualTo(Map.of(PARENT, "00-1"));
    }

    @Test
    void whatTheTaskSaysOfItsTraceStays() {
        Map<String, String> own = Map.of(PARENT, "00-2");
        assertThat(TraceHeaders.with(own, TRACE)).isEqualTo(own);
    }

    @Test
    void stateWithoutItsParentIsNotMixedWithThatOfAnother() {
        assertThat(TraceHeaders.with(Map.of(STATE, "x=y"), Map.of(PARENT, "00-1")))
                .isEqualTo(Map.of(PARENT, "00-1"));
        assertThat(TraceHeaders.with(Map.of(), Map.of(STATE, "x=y"))).isEmpty();
    }

    @Test
    void whatThereIsNoPlaceForIsLeftOut() {
        Map<String, String> some = entries(TraceHeaders.MAX_ENTRIES - 1);
        assertThat(TraceHeaders.with(some, TRACE)).containsKey(PARENT).doesNotContainKey(STATE);
        Map<String, String> all = entries(TraceHeaders.MAX_ENTRIES);
        assertThat(TraceHeaders.with(all, TRACE)).isEqualTo(all);
        Map<String, String> more = entries(64);
        assertThat(TraceHeaders.with(more, TRACE)).isEqualTo(more);
    }

    @Test
    void whatThereAreNoBytesForIsLeftOut() {
        int parent = PARENT.length() + "00-1".length();
        Map<String, String> some = Map.of("é", "é".repeat((TraceHeaders.MAX_BYTES - parent) / 2 - 1));
        assertThat(TraceHeaders.with(some, TRACE)).containsKey(PARENT).doesNotContainKey(STATE);
        Map<String, String> full = Map.of("é", "é".repeat((TraceHeaders.MAX_BYTES - parent) / 2));
        assertThat(TraceHeaders.with(full, TRACE)).isEqualTo(full);
    }

    @Test
    void deadLetterWithTraceHasRoomForItsHeaders() {
        LeasedTask task = new LeasedTask(
                QueueKey.of("g", "\u0001".repeat(1_024)),
                Pid.of("p"),
                Bytes.EMPTY,
                TraceHeaders.with(entries(TraceHeaders.MAX_ENTRIES - 1), TRACE),
                1,
                Instant.EPOCH,
                Integer.MAX_VALUE,
                Instant.EPOCH);
        Map<String, String> dead =
                DeadLetter.of(task, "x".repeat(DeadLetter.MAX_REASON_BYTES)).headers();
        assertThat(dead).hasSizeLessThanOrEqualTo(64);
        assertThat(bytesOf(dead) - bytesOf(task.headers())).isLessThan((8 << 10) - TraceHeaders.MAX_BYTES);
    }

    private static long bytesOf(Map<String, String> headers) {
        return headers.entrySet().stream()
                .mapToLong(header -> (header.getKey() + header.getValue()).getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    private static Map<String, String> entries(int count) {
        Map<String, String> entries = new HashMap<>();
        for (int i = 0; i < count; i++) {
            entries.put("header" + i, "v");
        }
        return entries;
    }
}
