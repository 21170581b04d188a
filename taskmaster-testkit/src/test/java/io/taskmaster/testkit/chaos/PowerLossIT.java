package io.taskmaster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.taskmaster.testkit.machine.UnreliableDisk;
import io.taskmaster.testkit.process.ServerPlan;
import io.taskmaster.testkit.process.ServerProcess;
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
 * A server that is killed under load while the power goes, so that only what it synced is left; the oracle judges what clients were told. It is
 * killed without that, too: then what it had not synced is there when it comes up, and is gone at the next loss of power all the same.
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

    /** A kill does not show it: the page cache survives that. */
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
        PatchedServer.compile("io/taskmaster/server/" + file, text, bug, classes);
        assertThat(suffer(disk.orElseThrow(), 1, Optional.of(classes)))
                .as("seed %d", SEED)
                .isNotEmpty();
    }

    /** What was wrong in the end. */
    private List<String> suffer(UnreliableDisk on, int losses, Optional<Path> patch) throws Exception {
        ServerPlan plan = ServerPlan.in(on.root())
                .with("partitions", "4")
                .with("flush.interval", "100ms")
                .with("window.bytes", "2MiB");
        try (ServerProcess server =
                        ServerProcess.start(on.under(patch.map(plan::withPatch).orElse(plan)));
                DiskLoad load = new DiskLoad(server.target(), random.split())) {
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
