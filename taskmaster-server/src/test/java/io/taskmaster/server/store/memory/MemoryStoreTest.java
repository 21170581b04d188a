package io.taskmaster.server.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreContract;
import io.taskmaster.server.store.Table;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class MemoryStoreTest extends StoreContract {

    @Override
    protected Store open() {
        return new MemoryStore();
    }

    @Test
    void operationsLandWhenTheExecutorRunsThem() {
        Queue<Runnable> steps = new ArrayDeque<>();
        CellKey key = new CellKey(Table.LOG, Bytes.of("row"), 0);
        try (MemoryStore manual = new MemoryStore(steps::add)) {
            CompletableFuture<Boolean> put = manual.putIfAbsent(key, Bytes.of("value"));
            CompletableFuture<?> read = manual.read(List.of(key));
            assertThat(put).isNotDone();

            steps.remove().run();
            assertThat(put).isCompletedWithValue(true);
            assertThat(read).isNotDone();

            steps.remove().run();
            assertThat(read).isCompleted();
        }
    }
}
