package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.taskmaster.harness.machine.UnreliableDisk;
import io.taskmaster.harness.machine.UnreliableDisk.Call;
import io.taskmaster.harness.machine.UnreliableDisk.ErrorNumber;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.testkit.Health;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a server whose disk fails in every way, one after the other, and recovers. The server recovers by itself
 * each time, reports its health while it does not serve, and has everything that it acknowledged, even after a loss of
 * power. System property: {@code taskmaster.seed}.
 */
final class StoreFaultIT {

    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime() & Integer.MAX_VALUE);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int ANSWERS = 20;
    private static final String OPEN_AGAIN = "the store is open again";

    @TempDir
    private Path folder = Path.of("");

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void whateverTheDiskDoesTheServerGoesOnByItselfAndLosesNothing() throws Exception {
        Optional<UnreliableDisk> failing = UnreliableDisk.in(folder);
        assumeTrue(failing.isPresent(), "no cc: there is no disk that fails");
        UnreliableDisk disk = failing.orElseThrow();
        ServerPlan plan = plan(disk.root());
        try (ServerProcess server = ServerProcess.start(disk.under(plan));
                FaultyDiskLoad load = new FaultyDiskLoad(server.target(), random.split())) {
            load.work(ANSWERS, () -> failASync(disk, plan, load));
            load.work(ANSWERS, () -> fail(disk, server, load, Call.WRITE, ErrorNumber.EROFS));
            load.work(ANSWERS, () -> fail(disk, server, load, Call.WRITE, ErrorNumber.EDQUOT));
            load.work(ANSWERS, () -> fail(disk, server, load, Call.CREATE, ErrorNumber.EMFILE));
            assertThat(server.starts()).isOne();
            server.kill();
            disk.losePower(random);
            server.start();
            server.awaitServing();

            assertThat(load.drain()).as("seed %d", SEED).isEmpty();
        }
    }

    private static ServerPlan plan(Path folder) {
        return ServerPlan.in(folder).with("partitions", "4").with("flush.interval", "100ms");
    }

    /** Fails one sync of the write-ahead log, which once took the server down for good. */
    private static void failASync(UnreliableDisk disk, ServerPlan plan, FaultyDiskLoad load) {
        disk.failOnce(Call.SYNC, ErrorNumber.EIO, ".log");
        await().atMost(LIMIT).until(() -> reportedBy(plan) > 0);
        assertThat(disk.isToFail(Call.SYNC)).isFalse();
        load.awaitAnswers(ANSWERS);
    }

    private static void fail(
            UnreliableDisk disk, ServerProcess server, FaultyDiskLoad load, Call call, ErrorNumber error) {
        disk.fail(call, error, "");
        load.bringBallast();
        awaitServing(server, false);
        disk.heal();
        awaitServing(server, true);
        load.awaitAnswers(ANSWERS);
    }

    private static void awaitServing(ServerProcess server, boolean expected) {
        await().atMost(LIMIT).until(() -> Health.serves(server.address()) == expected);
    }

    private static long reportedBy(ServerPlan plan) {
        try {
            return Files.readAllLines(plan.log()).stream()
                    .filter(line -> line.contains(OPEN_AGAIN))
                    .count();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
