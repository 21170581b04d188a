package io.taskmaster.simulation.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.store.Table;
import io.taskmaster.simulation.store.Tampering;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.TinySettings;
import io.taskmaster.simulation.world.World;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of a partition that changes owners thousands of times: the cost of a start, the size of the record and the
 * stored data do not grow with the number of epochs. The cost is counted in events of the simulator and in bytes, not
 * in time.
 */
final class ManyEpochsTest {

    private static final int EPOCHS = 2_000;

    /** The number of epochs whose worst is compared: enough for a scrub and for a sweep. */
    private static final int SPAN = 300;

    private static final int MAX_EVENTS = 20_000;

    /**
     * The share of crashing owners that live for a flush round first: one in this number. Without any, no owner could
     * bring the record up to date.
     */
    private static final int LIVES_LONGER = 10;

    private static final QueueKey QUEUE = QueueKey.of("g", "q");

    private final World world = new World(11, false);
    private final Deployment deployment = new Deployment(
            world,
            PartitionOwner.factory(world, TinySettings.draw(world)),
            Scenario.crashing(Map.of()),
            Integer.MAX_VALUE);
    private int answers;

    /** The end of an owner, and its work before. */
    enum Life {
        CRASHES_IDLE,
        CRASHES_AFTER_AN_UPDATE,
        CRASHES_AFTER_A_ROUND,
        CLOSES_IDLE,
        CLOSES_AFTER_AN_UPDATE,
        MIXED;

        private static final List<Life> UNMIXED =
                Stream.of(values()).filter(life -> life != MIXED).toList();
    }

    ManyEpochsTest() {
        world.heal();
    }

    @ParameterizedTest
    @EnumSource
    void whatAStartCostsDoesNotGrow(Life life) {
        Worst early = new Worst();
        Worst late = new Worst();
        int logAtHalf = 0;
        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
            long before = world.events();
            Deployment.Member member = deployment.start();
            await(member.owner()::isServing);
            long events = world.events() - before;
            live(
                    member,
                    life == Life.MIXED ? Life.UNMIXED.get(world.random.nextInt(Life.UNMIXED.size())) : life,
                    epoch);
            if (epoch > SPAN && epoch <= 2 * SPAN) {
                early.see(events, deployment);
            } else if (epoch > EPOCHS - SPAN) {
                late.see(events, deployment);
            }
            if (epoch == EPOCHS / 2) {
                logAtHalf = deployment.rows().size(Table.LOG);
            }
        }
        assertThat(late.events)
                .as("events of a start, at first %d", early.events)
                .isLessThanOrEqualTo(early.events * 5 / 4);
        // Numbers of epochs and rounds grow by a byte each.
        assertThat(late.recordBytes).as("bytes of the record").isLessThanOrEqualTo(early.recordBytes + 32);
        assertThat(deployment.rows().size(Table.LOG) - logAtHalf)
                .as("rows of the log: a fence for each epoch, and what is not trimmed yet")
                .isLessThanOrEqualTo(EPOCHS / 2 + SPAN);
    }

    private static final class Worst {

        private long events;
        private int recordBytes;

        void see(long start, Deployment deployment) {
            events = Math.max(events, start);
            recordBytes = Math.max(recordBytes, deployment.rows().maxRecordBytes(Tampering.PARTITION + 1));
        }
    }

    private void live(Deployment.Member member, Life life, int epoch) {
        boolean works = life != Life.CRASHES_IDLE && life != Life.CLOSES_IDLE;
        if (works) {
            int expected = answers + 1;
            member.owner().submit(enqueue(epoch), counting());
            await(() -> answers == expected);
        }
        switch (life) {
            case CLOSES_IDLE, CLOSES_AFTER_AN_UPDATE -> {
                member.owner().close();
                await(member.owner()::isStopped);
            }
            case CRASHES_AFTER_A_ROUND -> liveForARound();
            case CRASHES_IDLE, CRASHES_AFTER_AN_UPDATE -> {
                if (epoch % LIVES_LONGER == 0) {
                    liveForARound();
                }
            }
            case MIXED -> throw new IllegalArgumentException("none of these");
        }
        member.process().crash("the next one is to come");
        while (world.hasEvents()) {
            world.step();
        }
    }

    private void liveForARound() {
        long until = world.micros() + 1_000_000;
        while (world.hasEventsBefore(until)) {
            world.step();
        }
    }

    /** Returns an enqueue under one of five PIDs, so that the stored data stays the same size. */
    private static Command enqueue(int epoch) {
        return new Command.Update(
                QUEUE.group(),
                List.of(new Command.Enqueue(
                        QUEUE.name(),
                        Optional.of(Pid.of("task " + epoch % 5)),
                        new Command.Payload(Bytes.of("of epoch %6d".formatted(epoch)), Map.of()),
                        Command.IfExists.REPLACE,
                        0)),
                List.of(),
                List.of(),
                List.of());
    }

    private ReplySink counting() {
        return new ReplySink() {
            @Override
            public void reply(Reply answer) {
                answers++;
            }

            @Override
            public void fail(TaskMasterException exception) {
                throw new AssertionError(exception);
            }
        };
    }

    private void await(BooleanSupplier condition) {
        for (int i = 0; !condition.getAsBoolean(); i++) {
            assertThat(i).isLessThan(MAX_EVENTS);
            assertThat(world.hasEvents()).isTrue();
            world.step();
            world.throwIfBroken();
        }
    }
}
