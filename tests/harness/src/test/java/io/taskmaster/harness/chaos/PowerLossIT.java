package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.taskmaster.harness.machine.UnreliableDisk;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.tests.Profile;
import io.taskmaster.tests.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a server that is killed under load together with a loss of power, so that only synced data is left; the
 * oracle judges the replies to clients. It is also killed without a loss of power: then data that it had not synced are
 * there when it starts, and are lost at the next loss of power nevertheless.
 *
 * <p>System properties: {@code taskmaster.power.losses}, {@code taskmaster.seed}.
 */
final class PowerLossIT {

    private static final int LOSSES = Integer.getInteger("taskmaster.power.losses", Profile.isSlow() ? 10 : 2);
    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime() & Integer.MAX_VALUE);
    private static final int ANSWERS = 60;

    @TempDir
    private Path folder = Path.of("");

    private final SplittableRandom random = new SplittableRandom(SEED);
    private Optional<UnreliableDisk> disk = Optional.empty();

    @BeforeEach
    void compile() {
        disk = UnreliableDisk.in(folder);
        assumeTrue(disk.isPresent(), "no cc: what is not synced cannot be lost here");
    }

    @Test
    void whatWasAcknowledgedIsThereWhenThePowerComesBack() throws Exception {
        assertThat(suffer(disk.orElseThrow(), LOSSES, Optional.empty()))
                .as("seed %d", SEED)
                .isEmpty();
    }

    /** Plants a missing sync. A kill does not reveal it: the page cache survives that. */
    @Test
    void aLogThatIsNotSyncedIsFoundOut() throws Exception {
        assertFoundOut("store/rocksdb/Writer.java", "setSync(true)", "setSync(false)");
    }

    @Slow
    @Test
    void aStagedRoundThatIsBelievedBeforeItIsSyncedIsFoundOut() throws Exception {
        assertFoundOut(
                "store/rocksdb/Flusher.java",
                "database.flush(families, space);",
                "if (families.isEmpty()) { database.flush(families, space); }");
    }

    @Slow
    @Test
    void aFolderThatIsNotSyncedIsFoundOut() throws Exception {
        assertFoundOut("store/rocksdb/Durably.java", "names.force(true);", "names.size();");
    }

    private void assertFoundOut(String file, String text, String bug) throws Exception {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        BugCompiler.compile("io/taskmaster/server/" + file, text, bug, classes);
        assertThat(suffer(disk.orElseThrow(), 1, Optional.of(classes)))
                .as("seed %d", SEED)
                .isNotEmpty();
    }

    /** Returns the discrepancies after the losses. */
    private List<String> suffer(UnreliableDisk on, int losses, Optional<Path> patch) throws Exception {
        ServerPlan plan = ServerPlan.in(on.root())
                .with("partitions", "4")
                .with("flush.interval", "100ms")
                .with("window.bytes", "2MiB");
        try (ServerProcess server =
                        ServerProcess.start(on.under(patch.map(plan::withPatch).orElse(plan)));
                FaultyDiskLoad load = new FaultyDiskLoad(server.target(), random.split())) {
            for (int loss = 1; loss <= losses; loss++) {
                load.work(ANSWERS, server::kill);
                if (loss % 2 == 0) {
                    server.start();
                    server.awaitServing();
                    load.work(ANSWERS, server::kill);
                }
                on.losePower(random);
                server.start();
                server.awaitServing();
            }
            return load.drain();
        } catch (IllegalStateException doesNotServe) {
            if (patch.isEmpty()) {
                throw doesNotServe;
            }
            return List.of(String.valueOf(doesNotServe.getMessage()));
        }
    }
}
