package io.taskmaster.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.NodeRef;
import io.taskmaster.placement.PartitionLoad;
import io.taskmaster.server.cluster.UnsteadyStore.Fate;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of the load reports in the store. */
final class LoadCellsTest {

    private static final long A_WHILE_MILLIS = 60_000;

    private final MemoryStore memory = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final UnsteadyStore store = new UnsteadyStore(memory, loop);
    private final LoadCells cells = new LoadCells(store, new StoreCalls(loop, 3));

    @Test
    void theReportsOfAllNodesAreRead() {
        assertThat(done(cells.read())).isEmpty();
        done(cells.put(report("a", 1, 10)));
        done(cells.put(report("b", 2, 3)));
        done(cells.put(report("a", 1, 20)));

        assertThat(done(cells.read())).containsExactly(report("a", 1, 20), report("b", 2, 3));
    }

    @Test
    void aReportThatLandsLateDoesNotReplaceALaterOne() {
        store.next(Fate.HELD);
        CompletableFuture<Void> late = cells.put(report("a", 1, 10));
        done(cells.put(report("a", 2, 11)));
        store.land();
        loop.pass(A_WHILE_MILLIS);

        assertThat(late).isCompleted();
        assertThat(done(cells.read())).containsExactly(report("a", 2, 11));
    }

    @Test
    void aReportIsPutDespiteFailures() {
        store.next(Fate.REFUSED, Fate.LOST);
        done(cells.put(report("a", 1, 10)));

        assertThat(done(cells.read())).containsExactly(report("a", 1, 10));
    }

    @Test
    void aStoreThatIsAwayIsAFailure() {
        store.all(Fate.LOST);

        assertThatThrownBy(() -> done(cells.put(report("a", 1, 10)))).hasCauseInstanceOf(StoreException.class);
        assertThatThrownBy(() -> done(cells.read())).hasCauseInstanceOf(StoreException.class);
    }

    @Test
    void reportsThatCannotBeReadAreLeftOut() {
        done(cells.put(report("a", 1, 10)));
        Bytes later = Bytes.wrap(new byte[] {2, 9});
        memory.write(List.of(new CellWrite.Put(ClusterRows.load("b"), new Stamp(Stamp.MAX_EPOCH, 1), later)))
                .join();

        assertThat(done(cells.read())).containsExactly(report("a", 1, 10));
    }

    @Test
    void aReportIsOfOneNodeOnly() {
        NodeRef node = new NodeRef("a", 1, "a:1");
        NodeRef other = new NodeRef("a", 2, "a:1");

        assertThatThrownBy(() -> new LoadReport(node, 1, List.of(load(0, other))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a#0000000000000002 (expected: of a#0000000000000001)");
    }

    private static LoadReport report(String id, long incarnation, long beat) {
        NodeRef node = new NodeRef(id, incarnation, id + ":1");
        return new LoadReport(node, beat, List.of(load(0, node), load(7, node)));
    }

    private static PartitionLoad load(int partition, NodeRef node) {
        return new PartitionLoad(partition, node, 0.5, Duration.ofSeconds(90), 4, 1 << 20);
    }

    private <T> T done(CompletableFuture<T> future) {
        loop.pass(A_WHILE_MILLIS);
        assertThat(future).isDone();
        return future.join();
    }
}
