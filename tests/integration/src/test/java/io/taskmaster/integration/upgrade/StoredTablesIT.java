package io.taskmaster.integration.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.integration.hbase.SharedHBase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that today's server finds all that servers of earlier versions stored in HBase. The folder {@code stored} has
 * the cells that they left behind; docs/upgrading.md says how to add some.
 */
@ExtendWith(SharedHBase.class)
final class StoredTablesIT {

    private static final Path STORED = Path.of("src/test/resources/stored");

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-22-stopped", "2026-11-22-killed"})
    void theServerFindsAllThatAnEarlierVersionStored(String name, @TempDir Path folder)
            throws IOException, InterruptedException, ExecutionException {
        String prefix = name + ".";
        long leaseId = StoredTables.restore(STORED.resolve(name + ".cells.gz"), SharedHBase.zookeeper(), prefix);

        // The node that wrote them: another one would wait until its heartbeat is missed.
        try (ServerProcess server = ServerProcess.start(ServerPlan.in(folder)
                        .withStore("hbase")
                        .with("hbase.zookeeper", SharedHBase.zookeeper())
                        .with("hbase.table-prefix", prefix)
                        .with("node.id", "stored")
                        .with("partitions", "16"));
                TaskMasterClient client = TaskMasterClient.connect(server.target())) {
            StoredTasks tasks = new StoredTasks(client);
            tasks.assertPresent(leaseId);
            assertThat(server.terminate()).hasValue(0);
        }
    }
}
