package io.taskmaster.integration.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that today's server finds all that servers of earlier versions stored. The folder {@code stored} has data
 * folders that they left behind, each with the id of a lease in the file {@code lease}; docs/upgrading.md says how to
 * add one.
 */
final class StoredFolderIT {

    private static final Path STORED = Path.of("src/test/resources/stored");

    private final Path folder;

    StoredFolderIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-22-stopped.zip", "2026-11-22-killed.zip"})
    void theServerFindsAllThatAnEarlierVersionStored(String file) throws IOException, InterruptedException {
        unpack(STORED.resolve(file));
        long leaseId =
                Long.parseLong(Files.readString(folder.resolve("lease"), UTF_8).strip());

        try (ServerProcess server = ServerProcess.start(ServerPlan.in(folder));
                TaskMasterClient client = TaskMasterClient.connect(server.target())) {
            new StoredTasks(client).assertPresent(leaseId);
        }
    }

    @Test
    void theServerFindsAllThatItStoredItself() throws InterruptedException {
        try (ServerProcess server = ServerProcess.start(ServerPlan.in(folder));
                TaskMasterClient client = TaskMasterClient.connect(server.target())) {
            StoredTasks tasks = new StoredTasks(client);
            long leaseId = tasks.write();
            assertThat(server.terminate()).hasValue(0);
            server.start();
            server.awaitServing();

            tasks.assertPresent(leaseId);
        }
    }

    private void unpack(Path archive) throws IOException {
        try (InputStream file = Files.newInputStream(archive);
                ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = folder.resolve(entry.getName()).normalize();
                assertThat(target).startsWithRaw(folder);
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    Files.copy(zip, target);
                }
            }
        }
    }
}
