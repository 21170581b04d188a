package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.harness.fault.Fault;
import io.taskmaster.harness.fault.Fault.DiskFailure;
import io.taskmaster.harness.fault.FaultScript;
import io.taskmaster.harness.fault.FaultScript.Episode;
import io.taskmaster.harness.relay.ByteFlow;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of short runs. System property: {@code taskmaster.seed}. */
final class ChaosIT {

    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime() & Integer.MAX_VALUE);

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter output = new StringWriter();
    private final ChaosScreen chaosScreen = new ChaosScreen(new PrintWriter(output), new PrintWriter(output), false);

    @Test
    void aServerThatKeepsItsPromisesIsClean() throws Exception {
        ChaosReport report = run(
                Optional.empty(),
                episode(2_000, 2_300, new Fault.Kill()),
                episode(3_000, 4_000, new Fault.KillWorker(0)),
                episode(4_000, 5_000, new Fault.Disconnect()),
                episode(6_000, 7_000, new Fault.Stop()),
                episode(6_000, 11_000, new Fault.StopWorker(1)),
                episode(8_000, 9_500, new Fault.Stall(Set.of(ByteFlow.REPLIES))),
                episode(10_000, 10_100, new Fault.Kill()),
                // Killed again during its recovery.
                episode(10_800, 10_900, new Fault.Kill()),
                episode(12_000, 14_000, new Fault.Slow(Duration.ofMillis(100))),
                episode(13_000, 13_500, new Fault.KillWorker(2)),
                episode(14_000, 14_500, new Fault.Restart()),
                // Set as soon as the server has started.
                episode(15_000, 17_000, new Fault.Clock(Duration.ofHours(-1))),
                episode(18_000, 18_100, new Fault.Stop()),
                episode(20_000, 21_000, new Fault.Disk(DiskFailure.READ_ONLY)),
                episode(22_000, 23_000, new Fault.Descriptors()),
                episode(24_500, 25_500, new Fault.Clock(Duration.ofHours(1))));

        assertThat(report.problems()).as(output::toString).isEmpty();
        assertThat(report.faults().keySet()).containsExactlyInAnyOrderElementsOf(ChaosStoreKind.ROCKSDB.faults());
        assertThat(report.chaosCounters().handOffs())
                .isGreaterThan(report.settings().tokens());
        assertThat(report.checked().undecided()).isZero();
    }

    /**
     * Plants a queue that syncs twice a second and answers at once. The simulation plants the same bug in every build.
     */
    @Slow
    @Test
    void aServerThatAnswersBeforeItsLogIsDurableIsNot() throws Exception {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        BugCompiler.compile(
                "io/taskmaster/server/partition/log/LogWriter.java",
                ": store.putIfAbsent(row.key.cell(), row.bytes);",
                """
                : CompletableFuture.supplyAsync(() -> {
                    CompletableFuture.delayedExecutor(500, java.util.concurrent.TimeUnit.MILLISECONDS)
                            .execute(() -> store.putIfAbsent(row.key.cell(), row.bytes));
                    return true;
                });
                """,
                classes);
        ChaosReport report = run(
                Optional.of(classes),
                episode(2_000, 2_000, new Fault.Kill()),
                episode(6_000, 6_000, new Fault.Kill()),
                episode(10_000, 10_000, new Fault.Kill()));

        assertThat(report.problems())
                .as(output::toString)
                .anyMatch(problem -> problem.startsWith(Promise.NOTHING_LOST.name())
                        || problem.startsWith(Promise.NOTHING_DUPLICATED.name()));
    }

    /**
     * Plants the former behavior: time waited for a wall clock that was set back. {@code ClockIT} plants the same in
     * every build.
     */
    @Slow
    @Test
    void aServerWhoseTimeWaitsForTheWallClockIsNot() throws Exception {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        BugCompiler.compile(
                "io/taskmaster/server/partition/loop/EngineClock.java",
                "jumps ? wallMicros : unslewed - correction(ahead, elapsedMicros)",
                "Math.max(last.micros, wallMicros)",
                classes);
        ChaosReport report = run(Optional.of(classes), episode(3_000, 8_000, new Fault.Clock(Duration.ofHours(-1))));

        assertThat(report.problems())
                .as(output::toString)
                .anyMatch(problem -> problem.startsWith("a lease of 0.5 s did not expire"))
                .anyMatch(problem -> problem.startsWith(Promise.AVAILABLE_IS_OFFERED.name())
                        || problem.startsWith(Promise.SIZES_ARE_EXACT.name()));
    }

    private ChaosReport run(Optional<Path> patch, Episode... episodes) throws IOException, InterruptedException {
        FaultScript script = new FaultScript(SEED, Duration.ofMinutes(3), List.of(episodes));
        ChaosSettings usual = ChaosSettings.of(script.length(), SEED, folder.resolve("run"));
        return ChaosRun.run(patch.map(usual::withPatch).orElse(usual), script, chaosScreen);
    }

    private static Episode episode(long beginMillis, long endMillis, Fault fault) {
        return new Episode(Duration.ofMillis(beginMillis), Duration.ofMillis(endMillis), fault);
    }
}
