package io.taskmaster.server.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.store.StoreInUseException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the data folder, opened by several threads of one process. */
final class DataFolderTest {

    private static final int THREADS = 3;
    private static final int ROUNDS = 500;

    @TempDir
    private Path folder;

    @Test
    void aFolderThatCannotBeOpenedIsFreeForTheNextTry() throws Exception {
        DataFolder.open(folder).close();
        Path db = folder.resolve(DataFolder.DB);
        Files.delete(db);
        // A file in its place, so that every opening fails after it has locked the folder.
        Files.createFile(db);

        ConcurrentLinkedQueue<Exception> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    open(failures);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failures)
                .hasSize(THREADS * ROUNDS)
                .hasOnlyElementsOfTypes(StoreInUseException.class, FileAlreadyExistsException.class);
    }

    private void open(ConcurrentLinkedQueue<Exception> failures) {
        try (DataFolder opened = DataFolder.open(folder)) {
            throw new AssertionError("opened: " + opened.path());
        } catch (IOException | RuntimeException failure) {
            failures.add(failure);
        }
    }
}
