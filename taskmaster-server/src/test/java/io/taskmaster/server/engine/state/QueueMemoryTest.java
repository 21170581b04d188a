package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the account of the memory of idle queues against the heap that they take. */
@EnabledIfSystemProperty(named = "taskmaster.slow", matches = "true")
class QueueMemoryTest {

    private static final int QUEUES = 100_000;

    private static final Payload NO_DATA = new Payload(Bytes.EMPTY, Map.of());

    enum Shape {
        SHORT_NAMES,
        LONG_NAMES,
        LONG_GROUPS,
        ONE_LONG_GROUP,
        OPTIONS,
        LONG_NAMES_WITH_OPTIONS;

        QueueKey key(int i) {
            return switch (this) {
                case SHORT_NAMES, OPTIONS -> QueueKey.of("g", "q%011d".formatted(i));
                case LONG_NAMES, LONG_NAMES_WITH_OPTIONS -> QueueKey.of("g", "%01024d".formatted(i));
                case LONG_GROUPS -> QueueKey.of("%01024d".formatted(i), "q");
                case ONE_LONG_GROUP -> QueueKey.of("g".repeat(1024), "q%011d".formatted(QUEUES - i));
            };
        }

        boolean hasOptions() {
            return this == OPTIONS || this == LONG_NAMES_WITH_OPTIONS;
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void whatIsCountedIsWhatIsTaken(Shape shape) {
        int queues = shape == Shape.SHORT_NAMES || shape == Shape.OPTIONS ? QUEUES : QUEUES / 4;
        PartitionState state = recovered();
        long before = usedHeap();
        for (int i = 0; i < queues; i++) {
            // Objects are new, as they come from the wire: nothing is shared.
            QueueKey key = new QueueKey(
                    GroupName.copyOf(shape.key(i).group().toByteArray()),
                    QueueName.copyOf(shape.key(i).name().toByteArray()));
            long ticket = state.lastTicket() + 1;
            state.apply(
                    new ApplyAtom(
                            ticket,
                            List.of(new QueueChange(
                                    key,
                                    ticket,
                                    false,
                                    new Sizes(1, 0, 0),
                                    FifoPid.NONE,
                                    List.of(new ApplyAtom.Put(Pid.of("p"), new Enqueued(NO_DATA, 1, 0))))),
                            shape.hasOptions()
                                    ? List.of(new OptionsChange(key, new QueueOptions(true, 0, 1)))
                                    : List.of(),
                            null),
                    1_000);
            if (i % 1_000 == 999) {
                flush(state);
            }
        }
        flush(state);
        state.evict(Long.MAX_VALUE);
        long usedBytes = usedHeap() - before;
        long counted = state.queues().bytes() + state.residentBytes();
        System.out.printf(
                Locale.ROOT, "%s: %d bytes a queue taken, %d counted%n", shape, usedBytes / queues, counted / queues);

        assertThat((double) usedBytes / counted).isBetween(0.7, 1.1);
    }

    private static PartitionState recovered() {
        PartitionState state = new PartitionState(new EngineSettings(1, 0, 120_000));
        state.recovered();
        state.hints().loaded(TimeHint.FIRST, List.of(), null);
        return state;
    }

    private static void flush(PartitionState state) {
        FlushRound round = state.takeRound();
        state.tasksFlushed(round.tasks(), 0);
        state.recordsFlushed(round.records());
        state.roundCompleted();
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
