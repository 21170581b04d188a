package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static io.taskmaster.testkit.pipeline.Steps.LAST;
import static io.taskmaster.testkit.pipeline.Steps.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of the kit under random faults, from seeds: the trace of a seed is always the same, and no task is lost with
 * any seed.
 */
final class PipelineKitSimulationTest {

    private static final int SEEDS = 1_000;
    private static final int TASKS = 8;

    private static PipelineKit bad(long seed) {
        return PipelineKit.of(Steps.PIPELINE)
                .seed(seed)
                .workers("ann", "bob")
                .trouble(10)
                .crashes(Duration.ofSeconds(3))
                .handling(Duration.ofSeconds(2))
                .start();
    }

    @Test
    void everyTaskArrivesOnceWhateverHappens() {
        Set<Long> worked = new HashSet<>();
        Seeds.each(SEEDS, seed -> {
            try (PipelineKit kit = bad(seed)) {
                Steps.enqueue(kit, TASKS);
                kit.runUntilIdle();
                assertThat(kit).handedOffOnce(FIRST).handedOffOnce(SECOND).hasNoDeadLetters(FIRST);
                assertThat(kit.queue(LAST).payloads())
                        .isEqualTo(IntStream.range(0, TASKS)
                                .mapToObj("t%1$dt%1$d!"::formatted)
                                .toList());
                worked.add(kit.attempts(FIRST));
            }
        });
        if (!Seeds.isOne()) {
            // Otherwise no fault had an effect, and the test shows nothing.
            assertThat(worked).hasSizeGreaterThan(5);
        }
    }

    @Test
    void callsGoWrongByChance() {
        Set<String> fates = new HashSet<>();
        Seeds.each(50, seed -> {
            try (PipelineKit kit =
                    PipelineKit.of(Steps.PIPELINE).seed(seed).trouble(20).start()) {
                Steps.enqueue(kit, TASKS);
                kit.runUntilIdle();
                kit.advance(Duration.ofMinutes(1));
                kit.commits().forEach(commit -> fates.add(commit.fate().toString()));
            }
        });
        if (!Seeds.isOne()) {
            assertThat(fates).containsExactlyInAnyOrder("applied", "failed, OVERLOADED", "refused, NOT_FOUND");
        }
    }

    @Test
    void workersDieByChance() {
        try (PipelineKit kit =
                PipelineKit.of(Steps.PIPELINE).crashes(Duration.ofMinutes(1)).start()) {
            kit.advance(Duration.ofHours(1));
            assertThat(kit.trace().stream()
                            .filter(each -> each.toString().endsWith("crashes at random"))
                            .count())
                    .isBetween(30L, 120L);
        }
    }

    @Test
    void theSameSeedHasTheSameTrace() {
        Seeds.each(20, seed -> assertThat(trace(seed)).isEqualTo(trace(seed)).hasSizeGreaterThan(2 * TASKS));
    }

    @Test
    void otherSeedsHaveOtherOrders() {
        Set<List<String>> orders = new HashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).seed(seed).start()) {
                Steps.enqueue(kit, 5);
                kit.runUntilIdle();
                orders.add(kit.commits().stream()
                        .map(commit -> commit.queue() + " " + commit.pid())
                        .toList());
            }
        }
        assertThat(orders).hasSizeGreaterThan(10);
    }

    private static List<String> trace(long seed) {
        try (PipelineKit kit = bad(seed)) {
            Steps.enqueue(kit, TASKS);
            kit.runUntilIdle();
            return kit.trace().stream().map(KitEvent::toString).toList();
        }
    }
}
