package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.RefusingStore;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.UnknownLayoutException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LayoutVersionTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final CellKey KEY = new CellKey(Table.META, Bytes.wrap(new byte[] {0, 0, 'l'}), 0);

    private final RefusingStore store = new RefusingStore();

    @Test
    void isWrittenWhenTheTablesAreFirstUsed() {
        assertThat(LayoutVersion.settle(store)).succeedsWithin(TIMEOUT);
        assertThat(store.compareAndSet(KEY, Optional.of(Bytes.wrap(new byte[] {1})), Bytes.wrap(new byte[] {2})))
                .succeedsWithin(TIMEOUT)
                .isEqualTo(true);

        assertThat(LayoutVersion.settle(store))
                .failsWithin(TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(UnknownLayoutException.class)
                .withMessageContaining("layout of the tables: 2 (expected: 1)");
    }

    @Test
    void isOnlyReadLater() {
        assertThat(LayoutVersion.settle(store)).succeedsWithin(TIMEOUT);
        store.refuse(1);

        assertThat(LayoutVersion.settle(store)).succeedsWithin(TIMEOUT);
        assertThat(store.putIfAbsent(KEY, Bytes.wrap(new byte[] {1})))
                .failsWithin(TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class);
    }
}
