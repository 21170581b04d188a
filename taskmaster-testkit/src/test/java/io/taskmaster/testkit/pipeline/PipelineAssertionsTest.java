package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static io.taskmaster.testkit.pipeline.Steps.LAST;
import static io.taskmaster.testkit.pipeline.Steps.SECOND;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of each assertion: it holds and fails as it should. */
final class PipelineAssertionsTest {

    private final PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start();

    @AfterEach
    void close() {
        kit.close();
    }

    private static void fails(ThrowingCallable assertion, String... says) {
        var thrown = assertThatThrownBy(assertion).isInstanceOf(AssertionError.class);
        for (String each : says) {
            thrown.hasMessageContaining(each);
        }
    }

    @Test
    void idle() {
        assertThat(kit).isIdle();
        kit.enqueue(FIRST.task("a").at("1").notBefore(kit.now().plus(Duration.ofHours(1))));
        fails(() -> assertThat(kit).isIdle(), "no task left for a stage", "steps/first");
        kit.runUntilIdle();
        assertThat(kit).isIdle();
    }

    @Test
    void handOffs() {
        fails(() -> assertThat(kit).handedOffOnce(FIRST), "hand-offs from first");
        kit.enqueue(FIRST.task("a").at("1"), FIRST.task("").at("2"));
        kit.runUntilIdle();
        assertThat(kit).handedOffOnce(FIRST).handedOff(FIRST, "1", SECOND).handedOff(SECOND, "1", LAST);
        fails(
                () -> assertThat(kit).handedOffOnce(SECOND),
                "not of [second[2]]",
                "second[2]: dead, nothing (applied)",
                "second[1]: handed off to last[1] (applied)");
        fails(() -> assertThat(kit).handedOff(FIRST, "1", LAST), "to [last]");
        fails(() -> assertThat(kit).handedOff(FIRST, "1", SECOND, LAST), "to [second, last]");
        fails(() -> assertThat(kit).handedOff(SECOND, "2", LAST), "second[2]");

        kit.enqueue(FIRST.task("again").at("1"));
        kit.runUntilIdle();
        fails(() -> assertThat(kit).handedOffOnce(FIRST), "not of [first[1]]");
    }

    @Test
    void handOffsThatAreDoubledCountTwice() {
        Pipeline twice = Steps.alone(
                Outcome.handOff(LAST.task("once").at("once"), LAST.task("again").at("again")));
        try (PipelineKit doubled = PipelineKit.of(twice).start()) {
            doubled.enqueue(FIRST.task("a").at("1"));
            doubled.runUntilIdle();
            assertThat(doubled).handedOff(FIRST, "1", LAST, LAST);
            fails(() -> assertThat(doubled).handedOff(FIRST, "1", LAST), "to [last]");
            fails(() -> assertThat(doubled).handedOff(FIRST, "1", LAST, LAST, LAST), "to [last, last, last]");
        }
    }

    @Test
    void attempts() {
        Steps.enqueue(kit, 2);
        kit.runUntilIdle();
        assertThat(kit).hasAttempts(FIRST, 2).hasAttempts(LAST, 0);
        fails(() -> assertThat(kit).hasAttempts(FIRST, 1), "1 attempts of first, but there were 2");
    }

    @Test
    void deadLetters() {
        assertThat(kit).hasNoDeadLetters(SECOND);
        kit.enqueue(FIRST.task("").at("1"));
        kit.runUntilIdle();
        assertThat(kit).hasNoDeadLetters(FIRST);
        assertThat(kit.deadLetters(SECOND)).hasDead("1", "nothing");
        fails(() -> assertThat(kit).hasNoDeadLetters(SECOND), "second.dead[1] AVAILABLE, nothing");
        fails(() -> assertThat(kit.deadLetters(SECOND)).hasDead("1", "something"));
        fails(() -> assertThat(kit.deadLetters(SECOND)).hasDead("2", "nothing"));
    }

    @Test
    void contents() {
        kit.worker().crash();
        kit.enqueue(
                FIRST.task("b").at("2"),
                FIRST.task("a").at("1"),
                FIRST.task("c").at("3").notBefore(kit.now().plus(Duration.ofHours(1))));
        QueueContents<String> first = kit.queue(FIRST);
        assertThat(first)
                .hasSize(3)
                .hasPids("1", "2", "3")
                .containsExactly("a", "b", "c")
                .containsExactlyInAnyOrder("c", "b", "a")
                .hasAvailable(2)
                .hasDelayed(1)
                .hasLeased(0);
        fails(() -> assertThat(first).isEmpty(), "first[1] AVAILABLE", "first[3] DELAYED until 2030-01-01T01:00:00Z");
        fails(() -> assertThat(first).hasSize(2));
        fails(() -> assertThat(first).hasPids("1", "2"));
        fails(() -> assertThat(first).containsExactly("b", "a", "c"));
        fails(() -> assertThat(first).containsExactlyInAnyOrder("b", "a"));
        fails(() -> assertThat(first).hasAvailable(3));
        fails(() -> assertThat(first).hasLeased(1));
        fails(() -> assertThat(first).hasDelayed(0));
        assertThatCode(() -> assertThat(kit.queue(LAST)).isEmpty()).doesNotThrowAnyException();
    }
}
