package io.taskmaster.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.taskmaster.harness.fault.FaultScript.Episode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

final class FaultRunTest {

    private static final Fault KILL = new Fault.Kill();
    private static final Fault CUT = new Fault.Disconnect();

    private final List<String> done = new CopyOnWriteArrayList<>();

    /** A target that records its faults. */
    private final Recording target = new Recording();

    private final class Recording implements FaultTarget<Fault> {
        @Override
        public void strike(Fault fault) {
            done.add("+" + fault.kind().word());
        }

        @Override
        public void heal(Fault fault) {
            done.add("-" + fault.kind().word());
        }
    }

    @Test
    void doesWhatTheScriptSaysInItsOrderAndNotEarlier() throws InterruptedException {
        List<FaultRun.Event> events = new CopyOnWriteArrayList<>();
        try (FaultRun run = FaultRun.start(
                script(episode(20, 400, KILL), episode(150, 250, CUT), episode(500, 510, KILL)), target, events::add)) {
            run.await();
        }

        assertThat(done).containsExactly("+kill", "+disconnect", "-disconnect", "-kill", "+kill", "-kill");
        assertThat(events).hasSize(6);
        assertThat(events.getFirst().at()).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        assertThat(events.getLast())
                .matches(event -> event.healed() && event.fault().equals(KILL));
    }

    @Test
    void closingUndoesWhatIsDoneAndDoesNoMore() {
        FaultRun run =
                FaultRun.start(script(episode(0, 100_000, KILL), episode(200_000, 200_000, KILL)), target, _ -> {});
        await().until(() -> done.size() == 1);
        run.close();
        run.close();

        assertThat(done).containsExactly("+kill", "-kill");
    }

    @Test
    void pausesBeginWhenTheTargetHasRecoveredAndTheEndStays() throws InterruptedException {
        Semaphore recovered = new Semaphore(0);
        FaultTarget<Fault> slow = new FaultTarget<>() {
            @Override
            public void strike(Fault fault) {
                target.strike(fault);
            }

            @Override
            public void heal(Fault fault) {
                target.heal(fault);
            }

            @Override
            public void awaitRecovery(Fault fault) throws InterruptedException {
                recovered.acquire();
            }
        };
        Duration length = Duration.ofSeconds(60);
        FaultScript script = new FaultScript(
                0, length, List.of(episode(0, 10, KILL), episode(1_600, 1_600, KILL), episode(59_990, 60_000, KILL)));
        try (FaultRun run = FaultRun.start(script, slow, _ -> {})) {
            await().until(() -> done.size() == 2);
            await().during(Duration.ofMillis(100)).until(() -> done.size() == 2);
            recovered.release();
            await().until(() -> done.size() == 4);
            await().during(Duration.ofMillis(100)).until(() -> done.size() == 4);
            recovered.release();
            run.await();
        }
        assertThat(done).hasSize(4);
    }

    @Test
    void aTargetThatCannotIsAnErrorThatEndsTheRun() {
        FaultTarget<Fault> broken = new FaultTarget<>() {
            @Override
            public void strike(Fault fault) {
                throw new IllegalStateException("no such process");
            }

            @Override
            public void heal(Fault fault) {}
        };
        try (FaultRun run =
                FaultRun.start(script(episode(0, 1, KILL), episode(100_000, 100_000, CUT)), broken, _ -> {})) {
            assertThatThrownBy(run::await).hasMessageContaining("no such process");
        }
    }

    private static FaultScript script(Episode... episodes) {
        return new FaultScript(0, Duration.ofMinutes(5), List.of(episodes));
    }

    private static Episode episode(long beginMillis, long endMillis, Fault fault) {
        return new Episode(Duration.ofMillis(beginMillis), Duration.ofMillis(endMillis), fault);
    }
}
