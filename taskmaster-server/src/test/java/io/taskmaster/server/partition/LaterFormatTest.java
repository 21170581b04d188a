package io.taskmaster.server.partition;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.UnknownLayoutException;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Tests of a node on data that a later version of TaskMaster wrote: it says so in one line, and calls nothing damaged.
 */
final class LaterFormatTest {

    private static final int PARTITIONS = 8;

    private final MemoryStore store = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final Logger logger = (Logger) LoggerFactory.getLogger(PartitionNode.class.getPackageName());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        store.close();
    }

    @Test
    void dataOfALaterVersionAreNotCalledDamaged() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            writeLaterRecord(partition);
        }

        CompletableFuture<Void> opened = open();

        assertThatThrownBy(opened::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(UnknownLayoutException.class)
                .hasMessageContaining("stored data is of a later version")
                .hasMessageContaining("format 9, written by a later version of TaskMaster (expected: at most format 2;")
                .hasMessageNotContaining("damaged")
                .satisfies(failure -> assertThat(Nodes.statusOf(failure).code()).isEqualTo(3));
        assertThat(errors()).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).contains("format 9").doesNotContain("damaged");
            assertThat(line.getThrowableProxy()).as("stack trace").isNull();
        });
    }

    @Test
    void onePartitionOfALaterVersionIsClosedAndTheOthersServe() {
        writeLaterRecord(3);

        assertThat(open()).isCompleted();

        assertThat(errors())
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("partition 3 is closed")
                                .contains("format 9"),
                        line -> assertThat(line).startsWith("1 of 8 partitions"));
    }

    private CompletableFuture<Void> open() {
        PartitionNode node = new PartitionNode(
                new ClaimedStore(store, Claim.alone("test"), PARTITIONS),
                new LoopedNode.Given(List.of(loop)),
                PartitionSettings.DEFAULTS,
                new MemoryBudget(1 << 20, 1 << 20, 1 << 20, 1_000),
                new SimpleMeterRegistry(),
                new Random(1),
                Duration.ZERO);
        CompletableFuture<Void> opened = node.open();
        loop.pass(1_000);
        return opened;
    }

    private void writeLaterRecord(int partition) {
        byte[] record = PartitionRecordCodec.encode(PartitionRecord.UNOWNED).toByteArray();
        record[0] = 9;
        boolean isNew = requireNonNull(store.putIfAbsent(PartitionRecordCodec.key(partition), Bytes.wrap(record))
                .join());
        assertThat(isNew).isTrue();
    }

    private List<ILoggingEvent> errors() {
        return log.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
                .toList();
    }
}
