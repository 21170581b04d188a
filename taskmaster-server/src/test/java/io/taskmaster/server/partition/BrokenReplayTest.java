package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.format.AtomCodec;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.RowBuffer;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of a log whose rows are intact, and whose replay breaks an invariant of the engine. */
final class BrokenReplayTest {

    private static final long MILLIS_BEFORE_REOPENING = 100;

    private final MemoryStore store = new MemoryStore();

    @Test
    void aReplayThatBreaksAnInvariantIsRepeatedOnce() {
        var first = new TurnedLoop();
        CompletableFuture<Void> before = open(first);
        first.pass(60_000);
        before.join();
        append(new QueueChange(
                QueueKey.of("q"),
                1,
                false,
                Sizes.NONE,
                FifoPid.NONE,
                List.of(new ApplyAtom.Put(Pid.of("more than the sizes say"), new Enqueued(payload(), 0, 0)))));

        var loop = new TurnedLoop();
        CompletableFuture<Void> opened = open(loop);
        loop.pass(MILLIS_BEFORE_REOPENING);
        assertThat(opened).as("the first failure may be one of the process").isNotDone();
        loop.pass(60_000);

        assertThat(opened).isCompletedExceptionally();
        assertThat(opened.exceptionNow()).isInstanceOfSatisfying(StoreException.class, failure -> {
            assertThat(failure.outcome()).isEqualTo(Outcome.CORRUPT);
            assertThat(failure).hasMessageContaining("the log of partition 0 cannot be replayed: ticket ");
        });
    }

    private CompletableFuture<Void> open(TurnedLoop loop) {
        PartitionNode node = new PartitionNode(
                new ClaimedStore(store, Claim.alone("test"), 1),
                new LoopedNode.Given(List.of(loop)),
                PartitionSettings.DEFAULTS,
                new MemoryBudget(1 << 20, 1 << 20, 1 << 20, 1_000),
                new SimpleMeterRegistry(),
                new Random(1),
                Duration.ZERO);
        return node.open();
    }

    /** Writes one more row to the log, as the last owner would. */
    private void append(QueueChange change) {
        Cell cell = store.read(List.of(PartitionRecordCodec.key(0)))
                .join()
                .getFirst()
                .orElseThrow();
        PartitionRecord record = PartitionRecordCodec.decode(0, cell.value());
        byte[] atom = new AtomCodec().encode(new ApplyAtom(1_000, List.of(change)));
        RowBuffer row = new RowBuffer(record.nonce(), 10_000);
        row.add(1_000, atom, 0, atom.length);
        LogKey key = LogKey.startOf(0, record.epoch());
        while (store.read(List.of(key.cell())).join().getFirst().isPresent()) {
            key = key.next();
        }
        assertThat(store.putIfAbsent(key.cell(), row.seal(key)).join()).isTrue();
    }

    private static Payload payload() {
        return new Payload(Bytes.of("data"), Map.of());
    }
}
