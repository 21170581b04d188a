package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static io.taskmaster.testkit.pipeline.Steps.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.testkit.virtual.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WorkerProcessTest {

    private static PipelineKitBuilder slow() {
        return PipelineKit.of(Steps.PIPELINE).handling(Duration.ofSeconds(10)).workers("ann", "bob");
    }

    @Test
    void whatADeadWorkerHasIsDoneByAnotherOnceItsLeasesEnd() {
        try (PipelineKit kit = slow().start()) {
            Steps.enqueue(kit, 32);
            kit.advance(Duration.ofSeconds(1));
            assertThat(kit.queue(FIRST).leased()).hasSizeGreaterThan(16);
            kit.worker("ann").crash();
            assertThat(kit.worker("ann").isAlive()).isFalse();

            kit.runUntilIdle();
            assertThat(kit.queue(LAST)).hasSize(32);
            assertThat(kit).handedOffOnce(FIRST);
            assertThat(Duration.between(VirtualTime.START, kit.now()))
                    .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(120));
        }
    }

    @Test
    void aDeadWorkerDoesNothingUntilItIsStarted() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
            kit.advance(Duration.ofSeconds(1));
            kit.worker().crash();
            Steps.enqueue(kit, 3);
            kit.advance(Duration.ofSeconds(1));
            assertThat(kit.queue(FIRST)).hasAvailable(3);
            kit.advance(Duration.ofDays(1));
            assertThat(kit.queue(FIRST)).hasAvailable(3);
            assertThat(kit).hasAttempts(FIRST, 0);

            kit.worker().start();
            kit.runUntilIdle();
            assertThat(kit.queue(LAST)).hasSize(3);
        }
    }

    @Test
    void aWorkerThatIsDrainedLosesNoTime() {
        try (PipelineKit kit = slow().start()) {
            Steps.enqueue(kit, 32);
            kit.advance(Duration.ofSeconds(1));
            kit.drain(kit.worker("ann"), Duration.ofSeconds(25));
            assertThat(kit.worker("ann").isAlive()).isFalse();
            kit.runUntilIdle();
            assertThat(kit.queue(LAST)).hasSize(32);
            assertThat(Duration.between(VirtualTime.START, kit.now())).isLessThan(Duration.ofSeconds(60));
            assertThatThrownBy(() -> kit.drain(kit.worker("ann"), Duration.ZERO))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void nobodyWaitsForAWorkerThatDiesWhileItIsDrained() {
        try (PipelineKit kit = slow().start()) {
            Steps.enqueue(kit, 32);
            kit.advance(Duration.ofSeconds(1));
            kit.timer()
                    .schedule(
                            () -> kit.worker("ann").crash(),
                            Duration.ofMillis(1).toNanos());
            assertThatThrownBy(() -> kit.drain(kit.worker("ann"), Duration.ofSeconds(25)))
                    .hasMessageContaining("worker ann: died");
            assertThat(Duration.between(VirtualTime.START, kit.now())).isLessThan(Duration.ofSeconds(2));
        }
    }

    @Test
    void aPausedStageLeasesNothing() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
            kit.worker().pause("first");
            kit.advance(Duration.ofMinutes(1));
            Steps.enqueue(kit, 3);
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit.queue(FIRST)).hasAvailable(3);
            kit.worker().resume("first");
            kit.runUntilIdle();
            assertThat(kit.queue(LAST)).hasSize(3);
        }
    }

    @Test
    void whatADyingWorkerHasSentIsWrittenDown() {
        try (PipelineKit kit =
                PipelineKit.of(Steps.PIPELINE).network(Duration.ofSeconds(10)).start()) {
            Steps.enqueue(kit, 1);
            while (kit.attempts(FIRST) == 0) {
                kit.advance(Duration.ofMillis(100));
            }
            kit.worker().crash();
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit.commits()).hasSize(1);
            assertThat(kit).handedOffOnce(FIRST);
        }
    }

    @Test
    void messagesTakeTheirTimeAndAreWaitedFor() {
        Seeds.each(20, seed -> {
            try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE)
                    .seed(seed)
                    .network(Duration.ofSeconds(5))
                    .start()) {
                Steps.enqueue(kit, 8);
                kit.runUntilIdle();
                assertThat(kit.commits()).hasSize(16);
                assertThat(Duration.between(VirtualTime.START, kit.now())).isGreaterThan(Duration.ofSeconds(5));
            }
        });
    }

    @Test
    void aWorkerThatCrashesByScriptComesBackInTime() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE)
                .restartAfter(Duration.ofMinutes(10))
                .start()) {
            kit.faults().atAttempt(FIRST, 1).crash();
            Steps.enqueue(kit, 1);
            kit.advance(Duration.ofMinutes(9));
            assertThat(kit.worker().isAlive()).isFalse();
            assertThat(kit).hasAttempts(FIRST, 1);
            kit.advance(Duration.ofMinutes(2));
            assertThat(kit.worker().isAlive()).isTrue();
            assertThat(kit).isIdle().hasAttempts(FIRST, 2);
        }
    }

    @Test
    void aWorkerThatIsKilledStaysDeadWhateverItDiedOfBefore() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE)
                .restartAfter(Duration.ofMinutes(10))
                .start()) {
            kit.faults().atAttempt(FIRST, 1).crash();
            Steps.enqueue(kit, 1);
            kit.advance(Duration.ofMinutes(1));
            kit.worker().start();
            kit.worker().crash();
            kit.advance(Duration.ofHours(1));
            assertThat(kit.worker().isAlive()).isFalse();
        }
    }

    @Test
    void aWorkerThatIsKilledWhileItIsAwayDoesNotComeBack() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE)
                .restartAfter(Duration.ofMinutes(10))
                .start()) {
            kit.faults().atAttempt(FIRST, 1).crash();
            Steps.enqueue(kit, 1);
            kit.advance(Duration.ofMinutes(1));
            kit.worker().crash();
            kit.advance(Duration.ofHours(1));
            assertThat(kit.worker().isAlive()).isFalse();
        }
    }

    @Test
    void workersHaveNames() {
        assertThatThrownBy(() -> PipelineKit.of(Steps.PIPELINE).workers("a", "a"))
                .isInstanceOf(IllegalArgumentException.class);
        try (PipelineKit kit = slow().start()) {
            assertThatThrownBy(kit::worker).hasMessageContaining("[ann, bob]");
            assertThatThrownBy(() -> kit.worker("eve")).hasMessageContaining("[ann, bob]");
        }
    }
}
