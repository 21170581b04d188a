package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.stage.Outcome;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the headers that a dead letter keeps if the server accepts no more. */
final class HeadersOfDeadLettersTest {

    /** The largest number of bytes of headers, names included, that the server accepts. */
    private static final int MAX_HEADER_BYTES = 8_192;

    private static final String REASON = "broken ".repeat(100);

    /** Returns the headers of a dead letter whose task had so many bytes of them. */
    private static Map<String, String> dead(int bytes) {
        try (PipelineKit kit = PipelineKit.of(Steps.alone(Outcome.dead(REASON))).start()) {
            kit.enqueue(FIRST.task("a").at("1").headers(Map.of("mine", "x".repeat(bytes - "mine".length()))));
            kit.runUntilIdle();
            return kit.deadLetters(FIRST).tasks().getFirst().headers();
        }
    }

    @Test
    void allFits() {
        assertThat(dead(MAX_HEADER_BYTES / 2))
                .containsEntry(DeadLetter.REASON, REASON)
                .containsKey("mine");
    }

    @Test
    void theReasonIsShortenedBeforeAnythingIsDropped() {
        assertThat(dead(MAX_HEADER_BYTES - 200))
                .containsEntry("mine", "x".repeat(MAX_HEADER_BYTES - 204))
                .containsEntry(DeadLetter.REASON, REASON.substring(0, 64))
                .containsEntry(DeadLetter.ATTEMPTS, "1");
    }

    @Test
    void whatIsDroppedIsSaid() {
        assertThat(dead(MAX_HEADER_BYTES))
                .doesNotContainKey("mine")
                .hasEntrySatisfying(
                        DeadLetter.REASON,
                        reason -> assertThat(reason)
                                .startsWith("broken broken")
                                .endsWith("(no room for its own headers: mine)"));
    }
}
