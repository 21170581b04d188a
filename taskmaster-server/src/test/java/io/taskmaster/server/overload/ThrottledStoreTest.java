package io.taskmaster.server.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreContract;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of {@link ThrottledStore}, which keeps the contract of stores. */
final class ThrottledStoreTest extends StoreContract {

    private static final long FAST = 1L << 32;

    @Override
    protected Store open() {
        return new ThrottledStore(new MemoryStore(), FAST);
    }

    @Test
    void changesOfAllKindsShareOneLineInTheOrderInWhichTheyCame() {
        List<Integer> through = new ArrayList<>();
        long started = System.nanoTime();
        try (var slow = new ThrottledStore(new MemoryStore(Runnable::run), 100_000)) {
            List<CompletableFuture<?>> done = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int number = i;
                CellKey key = new CellKey(Table.TASKS, Bytes.of("row-" + i), 0);
                CompletableFuture<?> change = switch (i % 3) {
                    case 0 -> slow.putIfAbsent(key, bytes(1000));
                    case 1 -> slow.write(List.of(new CellWrite.Put(key, new Stamp(1, 1), bytes(1000))));
                    default -> slow.stage(List.of(new CellWrite.Put(key, new Stamp(1, 1), bytes(1000))));
                };
                done.add(change.thenRun(() -> through.add(number)));
            }
            CompletableFuture.allOf(done.toArray(CompletableFuture<?>[]::new)).join();
        }

        assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(200_000_000);
        assertThat(through).isEqualTo(IntStream.range(0, 20).boxed().toList());
    }

    @Test
    void readsDoNotWaitBehindChanges() {
        CellKey key = new CellKey(Table.LOG, Bytes.of("row"), 0);
        try (var slow = new ThrottledStore(new MemoryStore(Runnable::run), 10_000)) {
            CompletableFuture<Boolean> put = slow.putIfAbsent(key, bytes(5_000));

            assertThat(slow.read(List.of(key)).join().getFirst()).isEmpty();
            assertThat(put).isNotDone();
            assertThat(slow.backlogNanos()).isPositive();
        }
    }

    @Test
    void whatIsInTheLineGoesThroughBeforeItCloses() {
        CellKey key = new CellKey(Table.LOG, Bytes.of("row"), 0);
        var slow = new ThrottledStore(new MemoryStore(Runnable::run), 100_000);
        CompletableFuture<Boolean> put = slow.putIfAbsent(key, bytes(5_000));
        slow.close();

        assertThat(put).isCompletedWithValue(true);
        assertThat(slow.sync()).isCompletedExceptionally();
    }

    private static Bytes bytes(int size) {
        return Bytes.wrap(new byte[size]);
    }
}
