package io.taskmaster.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of {@link MeteredStore}, which must keep the contract of the store that it measures. */
final class MeteredStoreTest extends StoreContract {

    private static final CellKey ROW = new CellKey(Table.TASKS, Bytes.of("row"), 0);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Override
    protected Store open() {
        return new MeteredStore(new MemoryStore(), meters);
    }

    @Test
    void whatIsDoneIsTimedAndCounted() {
        try (Store store = open()) {
            store.write(List.of(
                            new CellWrite.Put(ROW, new Stamp(1, 1), Bytes.of("12345")),
                            new CellWrite.Delete(ROW, new Stamp(1, 1))))
                    .join();
            store.read(List.of(ROW)).join();
            store.read(List.of(ROW)).join();
        }
        assertThat(timed("write", "done")).isEqualTo(1);
        assertThat(timed("read", "done")).isEqualTo(2);
        assertThat(meters.get("taskmaster.store.written")
                        .tag("operation", "write")
                        .counter()
                        .count())
                .isEqualTo(5);
    }

    @Test
    void whatFailsIsTimedUnderItsOutcome() {
        RefusingStore refusing = new RefusingStore();
        refusing.refuse(1);
        try (Store store = new MeteredStore(refusing, meters)) {
            assertThat(store.putIfAbsent(ROW, Bytes.of("value"))).isCompletedExceptionally();
            assertThat(store.putIfAbsent(ROW, Bytes.of("value"))).isCompletedWithValue(true);
        }
        assertThat(timed("put_if_absent", "refused")).isEqualTo(1);
        assertThat(timed("put_if_absent", "done")).isEqualTo(1);
    }

    private long timed(String operation, String outcome) {
        return meters.get("taskmaster.store.operations")
                .tags("operation", operation, "outcome", outcome)
                .timer()
                .count();
    }
}
