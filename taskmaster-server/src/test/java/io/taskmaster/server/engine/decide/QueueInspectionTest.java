package io.taskmaster.server.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Configure;
import io.taskmaster.command.Command.Delete;
import io.taskmaster.command.Command.Describe;
import io.taskmaster.command.Command.ListQueues;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Configured;
import io.taskmaster.command.Reply.Deleted;
import io.taskmaster.command.Reply.Described;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.command.Reply.LeaseSample;
import io.taskmaster.command.Reply.Listed;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.state.SmallPartition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of list, describe and delete: all of a description, and commands over many queues. */
final class QueueInspectionTest {

    private static final QueueKey QUEUE = QueueKey.of("g", "q");
    private static final QueueKey OTHER = QueueKey.of("g", "r");
    private static final Selector GROUP = new Selector(Optional.of(GroupName.of("g")), List.of(), Optional.empty());

    private final SmallPartition partition = new SmallPartition();

    @Test
    void aDescriptionSaysHowFastTasksComeAndGo() {
        partition.enqueue(QUEUE, "a", "b", "c", "d", "e", "f");
        partition.lease(QUEUE, 3);
        partition.nowMillis += 600;
        partition.dequeue(QUEUE, "a");
        Description description = described(Selector.of(QUEUE), 0).queues().getFirst();
        double kept = Math.exp(-.01);
        assertThat(description.enqueueRate()).isCloseTo(.1 * kept, within(1e-9));
        assertThat(description.leaseRate()).isCloseTo(.05 * kept, within(1e-9));
        assertThat(description.dequeueRate()).isCloseTo(1 / 60.0, withinPercentage(.001));
        assertThat(description.meanLeaseMillis()).contains(600.0);
        assertThat(description.oldestAvailableAgeMillis()).contains(600L);
        assertThat(description.summary()).isEqualTo(new Summary(QUEUE, 3, 2, 0));
        assertThat(description.generation()).isEqualTo(partition.queue(QUEUE).generation());
        assertThat(description.leasedSample()).as("nobody asked for them").isEmpty();
    }

    @Test
    void aDescriptionSaysHowManyLeasesRanOutAndWhatTheQueueWasTold() {
        partition.enqueue(QUEUE, "a", "b");
        partition.lease(QUEUE, 2);
        partition.answer(Reply.Configured.class, new Command.Configure(QUEUE, new QueueOptions(true, 7, 1)));
        partition.nowMillis += SmallPartition.LEASE_MILLIS;
        Description description = described(Selector.of(QUEUE), 9).queues().getFirst();
        assertThat(description.counts().expired()).isEqualTo(2);
        assertThat(description.options()).isEqualTo(new QueueOptions(true, 7, 1));
        assertThat(description.oldestAvailableAgeMillis()).contains(SmallPartition.LEASE_MILLIS);
        assertThat(description.meanLeaseMillis()).isEmpty();
        assertThat(description.leasedSample()).as("none of them runs").isEmpty();
    }

    @Test
    void theTotalIsThatOfAllQueuesShownOrNot() {
        partition.enqueue(QUEUE, "a", "b", "c");
        partition.nowMillis += 600;
        partition.enqueue(OTHER, "a", "b", "c");
        partition.lease(QUEUE, 1);
        partition.lease(OTHER, 1);
        partition.dequeue(QUEUE, "a");
        partition.nowMillis += 200;
        partition.dequeue(OTHER, "a");
        for (Selector selector : List.of(GROUP, names("q", "r"))) {
            Described described = answer(new Describe(selector, 0, 1));
            assertThat(described.queues())
                    .extracting(one -> one.summary().queue())
                    .containsExactly(QUEUE);
            assertThat(described.matched()).isEqualTo(2);
            Description total = described.total();
            assertThat(total.summary()).isEqualTo(new Summary(QueueKey.of("", ""), 4, 0, 0));
            assertThat(total.enqueueRate())
                    .isCloseTo(.05 * Math.exp(-.8 / 60) + .05 * Math.exp(-.2 / 60), withinPercentage(.001));
            assertThat(total.leaseRate()).isCloseTo(2 / 60.0 * Math.exp(-.2 / 60), withinPercentage(.001));
            assertThat(total.dequeueRate()).isCloseTo(1 / 60.0 * Math.exp(-.2 / 60) + 1 / 60.0, withinPercentage(.001));
            assertThat(total.meanLeaseMillis()).contains(100.0);
            assertThat(total.oldestAvailableAgeMillis()).contains(800L);
        }
        partition.dequeue(QUEUE, "b");
        partition.dequeue(QUEUE, "c");
        assertThat(answer(new Describe(names("q", "r"), 0, 9)).queues()).hasSize(1);
        Described without = answer(new Describe(GROUP, 0, 9));
        assertThat(without.matched()).as("a queue without tasks is none").isEqualTo(1);
        assertThat(without.total().meanLeaseMillis()).contains(200.0);
    }

    @Test
    void delayedTasksAreCountedAmongTheTotalUntilTheyAreDue() {
        partition.enqueue(QUEUE, SmallPartition.DATA, 5_000, "a", "b");
        partition.enqueue(QUEUE, SmallPartition.DATA, 9_000, "c");
        assertThat(described(GROUP, 0).total().summary()).isEqualTo(new Summary(QueueKey.of("", ""), 0, 0, 3));
        partition.nowMillis = 5_000;
        assertThat(described(GROUP, 0).total().summary()).isEqualTo(new Summary(QueueKey.of("", ""), 2, 0, 1));
    }

    @Test
    void theSampleIsOfThoseThatRunOutFirst() {
        partition.enqueue(QUEUE, SmallPartition.DATA, 40_000, "z");
        partition.enqueue(QUEUE, "a", "b", "c");
        long first = partition.lease(QUEUE, 1).getFirst().leaseId();
        partition.nowMillis += 100;
        long second = partition.lease(QUEUE, 2).getFirst().leaseId();
        LeaseSample a = new LeaseSample(Pid.of("a"), first, "w", "here", 1_000, 31_000, 1);
        LeaseSample b = new LeaseSample(Pid.of("b"), second, "w", "here", 1_100, 31_100, 1);
        LeaseSample c = new LeaseSample(Pid.of("c"), second, "w", "here", 1_100, 31_100, 1);
        assertThat(described(GROUP, 2).queues().getFirst().leasedSample()).containsExactly(a, b);
        assertThat(described(GROUP, 4).queues().getFirst().leasedSample()).containsExactly(a, b, c);
    }

    @Test
    void leasesThatAreNotInMemoryAreReadForTheSampleAsFarAsItGoes() {
        partition.enqueue(QUEUE, "a", "b", "c", "d");
        partition.enqueue(OTHER, "a");
        partition.lease(QUEUE, 3);
        partition.lease(OTHER, 1);
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        long generation = partition.queue(QUEUE).generation();

        assertThat(partition.decide(new Describe(Selector.of(QUEUE), 2, 9)))
                .isEqualTo(new Decision.Waits(List.of(
                        new Decision.TaskRow(QUEUE, generation, Pid.of("a"), false),
                        new Decision.TaskRow(QUEUE, generation, Pid.of("b"), false))));
        assertThat(((Decision.Waits) partition.decide(new Describe(Selector.of(QUEUE), 9, 9))).needs())
                .as("there are no more")
                .hasSize(3);
        assertThat(partition.decide(new Describe(Selector.of(QUEUE), 0, 9))).isInstanceOf(Decision.Done.class);
    }

    @Test
    void whatIsInMemoryIsSampledBeforeAnythingIsRead() {
        partition.enqueue(QUEUE, "a", "b", "c");
        partition.lease(QUEUE, 3);
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        partition.nowMillis += 100;
        partition.enqueueNext(QUEUE);
        partition.lease(QUEUE, 1);
        long generation = partition.queue(QUEUE).generation();
        assertThat(partition.decide(new Describe(Selector.of(QUEUE), 2, 9)))
                .isEqualTo(new Decision.Waits(List.of(new Decision.TaskRow(QUEUE, generation, Pid.of("a"), false))));
        assertThat(described(Selector.of(QUEUE), 1).queues().getFirst().leasedSample())
                .extracting(LeaseSample::leasedMillis)
                .containsExactly(partition.nowMillis);
    }

    @Test
    void whereMostInstantsMayBeThoseOfDelayedTasksNoneAreReadForTheSample() {
        partition.enqueue(QUEUE, "a");
        partition.enqueue(QUEUE, SmallPartition.DATA, 20_000, "z");
        partition.lease(QUEUE, 1);
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(described(Selector.of(QUEUE), 5).queues().getFirst().leasedSample())
                .isEmpty();
    }

    @Test
    void listsGoOnInPartsWhereManyQueuesAreLookedAtInVain() {
        for (int i = 0; i < 6_000; i++) {
            partition.enqueue(QueueKey.of("g", "q%04d".formatted(i)), "a");
        }
        partition.enqueue(QueueKey.of("g", "q0007"), "b");
        partition.enqueue(QueueKey.of("g", "q5500"), "b");
        ListQueues list = new ListQueues(GROUP, 2, 0, 3, Optional.empty());
        Decision.Partly partly = (Decision.Partly) partition.decide(list);
        assertThat(partly.part().reply())
                .isEqualTo(new Listed(List.of(new Summary(QueueKey.of("g", "q0007"), 2, 0, 0)), false));
        assertThat(partly.remainder())
                .isEqualTo(new ListQueues(GROUP, 2, 0, 2, Optional.of(QueueKey.of("g", "q4999"))));
        assertThat(partition.answer(Listed.class, partly.remainder()))
                .isEqualTo(new Listed(List.of(new Summary(QueueKey.of("g", "q5500"), 2, 0, 0)), false));
    }

    @Test
    void aQueueWithoutTasksIsShownAsLongAsItIsSetToSomething() {
        QueueOptions paused = new QueueOptions(true, 0, 1);
        partition.enqueue(OTHER, "a");
        partition.answer(Configured.class, new Configure(QUEUE, paused));

        for (int round = 0; round < 3; round++) {
            Summary empty = new Summary(QUEUE, 0, 0, 0);
            assertThat(answer(list(0, 0, 9)).queues()).containsExactly(empty, new Summary(OTHER, 1, 0, 0));
            assertThat(answer(list(1, 0, 9)).queues()).containsExactly(new Summary(OTHER, 1, 0, 0));
            assertThat(answer(new Describe(GROUP, 0, 9)).matched()).isEqualTo(2);
            Described described = described(Selector.of(QUEUE), 1);
            assertThat(described.matched()).isEqualTo(1);
            assertThat(described.queues()).extracting(Description::summary).containsExactly(empty);
            assertThat(described.queues()).extracting(Description::options).containsExactly(paused);
            partition.enqueue(QUEUE, "p" + round);
            partition.dequeue(QUEUE, "p" + round);
        }
        assertThat(answer(new Delete(Selector.of(QUEUE))).queues())
                .as("holding tasks")
                .isEmpty();

        partition.answer(Configured.class, new Configure(QUEUE, QueueOptions.NONE));
        assertThat(answer(list(0, 0, 9)).queues()).hasSize(1);
        assertThat(answer(new Describe(GROUP, 0, 9)).matched()).isEqualTo(1);
    }

    @Test
    void aListSaysWhetherThereAreMore() {
        partition.enqueue(QUEUE, "a");
        partition.enqueue(OTHER, "a", "b");
        partition.lease(OTHER, 1);
        assertThat(answer(list(0, 1, 1))).isEqualTo(new Listed(List.of(new Summary(QUEUE, 1, 0, 0)), true));
        assertThat(answer(list(0, 1, 2)).more()).isFalse();
        assertThat(answer(list(2, 1, 9)).queues()).containsExactly(new Summary(OTHER, 1, 1, 0));
        assertThat(answer(list(0, 2, 9)).queues()).isEmpty();
    }

    @Test
    void aThousandQueuesAreDeletedAtOnceAndTheOthersInFurtherParts() {
        for (int i = 0; i < 1_200; i++) {
            partition.enqueue(QueueKey.of("g", "q%04d".formatted(i)), "a");
        }
        Delete delete = new Delete(GROUP);
        Decision.Partly partly = (Decision.Partly) partition.decide(delete);
        assertThat(partition.answer(Deleted.class, delete, partly.part()).queues())
                .hasSize(1_000);
        assertThat(partly.remainder()).isEqualTo(new Delete(GROUP, Optional.of(QueueKey.of("g", "q0999"))));
        assertThat(partition.answer(Deleted.class, partly.remainder()).queues()).hasSize(200);
        assertThat(partition.answer(Listed.class, list(0, 0, 9)).queues()).isEmpty();
    }

    private Described described(Selector selector, int sample) {
        return answer(new Describe(selector, sample, 9));
    }

    private Described answer(Describe describe) {
        return partition.answer(Described.class, describe);
    }

    private Deleted answer(Delete delete) {
        return partition.answer(Deleted.class, delete);
    }

    private Listed answer(ListQueues list) {
        return partition.answer(Listed.class, list);
    }

    private static ListQueues list(long minTasks, long minAvailable, int maxQueues) {
        return new ListQueues(GROUP, minTasks, minAvailable, maxQueues, Optional.empty());
    }

    private static Selector names(String... names) {
        return new Selector(
                GROUP.group(), List.of(names).stream().map(QueueName::of).toList(), Optional.empty());
    }
}
