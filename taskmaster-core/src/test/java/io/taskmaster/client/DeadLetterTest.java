package io.taskmaster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DeadLetterTest {

    private static final QueueName DEAD = QueueName.of("q.dead");
    private static final Map<String, String> HEADERS = Map.of("traceparent", "00-1-2-3");

    @Test
    void deadLetterIsTheTaskWithAReason() {
        Enqueue dead = DeadLetter.of(task("q", HEADERS), "no use");

        assertThat(dead.queue()).isEqualTo(DEAD);
        assertThat(dead.pid()).contains(Pid.of("p"));
        assertThat(dead.data()).isEqualTo(Bytes.of("data"));
        assertThat(dead.ifExists()).isEqualTo(IfExists.REPLACE);
        assertThat(dead.headers())
                .isEqualTo(Map.of(
                        "traceparent", "00-1-2-3", "dead-reason", "no use", "dead-origin", "q", "dead-attempts", "3"));
    }

    @Test
    void whereThereIsLittleRoomTheReasonIsShort() {
        Enqueue dead = DeadLetter.withShortReason(task("q", HEADERS), "no use ".repeat(100));

        assertThat(dead.headers()).containsEntry("traceparent", "00-1-2-3").hasSize(4);
        assertThat(dead.headers().get("dead-reason"))
                .startsWith("no use no use")
                .hasSize(64);
    }

    @Test
    void whereThereIsNoneItSaysWhichHeadersAreLost() {
        Map<String, String> headers = Map.of("b", "large", "a", "larger");

        assertThat(DeadLetter.withoutHeaders(task("q", headers), "no use").headers())
                .containsOnlyKeys("dead-reason", "dead-origin", "dead-attempts")
                .containsEntry("dead-reason", "no use (no room for its own headers: a, b)");
        String reason = DeadLetter.withoutHeaders(task("q", headers), "no use ".repeat(1_000))
                .headers()
                .getOrDefault("dead-reason", "");
        assertThat(reason).endsWith(" (no room for its own headers: a, b)").hasSizeLessThan(600);
    }

    @Test
    void whatComesBackIsTheTaskAsItWas() {
        Enqueue dead = DeadLetter.of(task("q", HEADERS), "no use");
        Enqueue back = DeadLetter.back(task("q.dead", dead.headers()));

        assertThat(back)
                .isEqualTo(Enqueue.of(QueueName.of("q"), Pid.of("p"), Bytes.of("data"))
                        .headers(HEADERS));
    }

    @Test
    void namesThatAreNotTextDieAndComeBackToo() {
        QueueName bytes = QueueName.wrap(new byte[] {(byte) 0xff, 0, 7});
        QueueName dead = DeadLetter.queueOf(bytes);

        assertThat(DeadLetter.isQueueOf(dead)).isTrue();
        assertThat(DeadLetter.isQueueOf(bytes)).isFalse();
        assertThat(DeadLetter.originOf(dead)).isEqualTo(bytes);
        assertThatThrownBy(() -> DeadLetter.originOf(bytes)).hasMessageContaining("expected: a dead-letter queue");
    }

    @Test
    void longReasonIsCutBetweenCharacters() {
        String reason = "x" + "é".repeat(DeadLetter.MAX_REASON_BYTES);
        String cut = DeadLetter.of(task("q", Map.of()), reason).headers().getOrDefault(DeadLetter.REASON, "");

        assertThat(reason).startsWith(cut);
        assertThat(Bytes.of(cut).size()).isEqualTo(DeadLetter.MAX_REASON_BYTES - 1);
    }

    private static LeasedTask task(String queue, Map<String, String> headers) {
        return new LeasedTask(
                new QueueKey(GroupName.EMPTY, QueueName.of(queue)),
                Pid.of("p"),
                Bytes.of("data"),
                headers,
                7,
                Instant.EPOCH,
                3,
                Instant.EPOCH);
    }
}
