package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Sizes;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of names, slots and options of queues that come and go. */
final class QueuesTest {

    private static final QueueKey A = QueueKey.of("g", "a");
    private static final QueueKey B = QueueKey.of("g", "b");
    private static final QueueKey C = QueueKey.of("h", "c");
    private static final QueueOptions PAUSED = new QueueOptions(true, 0, 1);

    private final Queues queues = new Queues(Optional.empty());

    @Test
    void whoWasToldSomethingIsThereAfterTheReplay() {
        queues.create(A, 1);
        queues.options(A, PAUSED);
        queues.options(B, PAUSED);
        queues.options(C, PAUSED);
        queues.options(C, QueueOptions.NONE);
        assertThat(queues.named()).isEqualTo(1);

        queues.createConfigured(7);

        assertThat(queues.all()).extracting(queue -> queue.key).containsExactly(A, B);
        assertThat(queues.all()).extracting(queue -> queue.generation).containsExactly(1L, 7L);
        assertThat(queues.all()).extracting(queue -> queue.options).containsOnly(PAUSED);
        assertThat(queues.named()).isEqualTo(2);
    }

    @Test
    void anAtomSaysHowManyNamesItBrings() {
        queues.create(A, 1);
        queues.create(B, 1);
        assertThat(queues.neededBy(atom(List.of(A, B, C))).queues()).isEqualTo(1);
        assertThat(queues.neededBy(atom(List.of(), new OptionsChange(A, PAUSED), new OptionsChange(C, PAUSED)))
                        .queues())
                .isEqualTo(1);
        assertThat(queues.neededBy(atom(List.of(), new OptionsChange(C, QueueOptions.NONE)))
                        .queues())
                .isZero();
    }

    @Test
    void memoryIsThatOfTheQueuesThatAreThere() {
        Random random = new Random(3);
        for (int i = 0; i < 5_000; i++) {
            QueueKey key = QueueKey.of("g".repeat(random.nextInt(4)), "q".repeat(1 + random.nextInt(30)));
            QueueState queue = queues.get(key);
            if (random.nextInt(4) == 0) {
                queues.options(key, random.nextBoolean() ? PAUSED : QueueOptions.NONE);
            } else if (queue == null) {
                long needed = queues.neededBy(atom(List.of(key))).bytes();
                long before = queues.bytes();
                queues.create(key, 1);
                assertThat(queues.bytes()).isEqualTo(before + needed);
            } else {
                queues.remove(queue);
            }
            long expected = queues.all().stream()
                            .map(created -> created.key.group())
                            .distinct()
                            .mapToLong(QueueBytes::of)
                            .sum()
                    + queues.all().stream()
                            .mapToLong(created -> QueueBytes.of(created.key))
                            .sum();
            long optionsBytes = queues.bytes() - expected;
            assertThat(optionsBytes)
                    .isNotNegative()
                    .satisfies(
                            bytes -> assertThat(bytes % QueueBytes.ofOptions()).isZero());
        }
        List.copyOf(queues.all()).forEach(queues::remove);
        assertThat(queues.bytes() % QueueBytes.ofOptions()).isZero();
    }

    /** Holds for every order in which they come. */
    @Test
    void queuesOfAGroupShareItsName() {
        GroupName group = queues.create(QueueKey.of("group", "m"), 1).key.group();
        assertThat(queues.create(QueueKey.of("group", "z"), 1).key.group()).isSameAs(group);
        assertThat(queues.create(QueueKey.of("group", "a"), 1).key.group()).isSameAs(group);
    }

    @Test
    void aQueueTakesTheSlotOfOneThatHasGone() {
        QueueState a = queues.create(A, 1);
        QueueState b = queues.create(B, 1);
        assertThat(queues.at(0)).isSameAs(a);
        assertThat(queues.at(1)).isSameAs(b);
        assertThat(queues.at(2)).isNull();
        queues.remove(a);
        assertThat(a.isForgotten()).isTrue();
        assertThat(b.isForgotten()).isFalse();
        assertThat(queues.at(0)).isNull();
        assertThat(queues.all()).containsExactly(b);
        assertThat(queues.create(C, 2).slot).isZero();
        assertThat(queues.slots()).isEqualTo(2);
        assertThat(queues.size()).isEqualTo(2);
    }

    @Test
    void whatWasToldToANameIsThatOfItsQueueWheneverItIsThere() {
        queues.options(A, PAUSED);
        QueueState first = queues.create(A, 1);
        assertThat(first.options).isEqualTo(PAUSED);
        queues.options(A, new QueueOptions(false, 9, 1));
        assertThat(first.options).isEqualTo(new QueueOptions(false, 9, 1));
        queues.remove(first);
        assertThat(queues.options(A)).isEqualTo(new QueueOptions(false, 9, 1));
        assertThat(queues.create(A, 2).options).isEqualTo(new QueueOptions(false, 9, 1));
        assertThat(queues.create(B, 2).options).isEqualTo(QueueOptions.NONE);
    }

    @Test
    void neighboursShareTheNameOfTheirGroup() {
        QueueState a = queues.create(A, 1);
        QueueState b = queues.create(QueueKey.of("g", "b"), 1);
        QueueState c = queues.create(C, 1);
        assertThat(b.key).isEqualTo(B);
        assertThat(b.key.group()).isSameAs(a.key.group());
        assertThat(c.key).isEqualTo(C);
    }

    @Test
    void noMoreLeasesRunThanTheRequestAndTheQueueAllow() {
        QueueState queue = queues.create(A, 1);
        queue.sizes(new Sizes(5, 3, 0));
        queue.expired = 1;
        assertThat(queue.remainingLeases(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(queue.remainingLeases(3)).isEqualTo(1);
        queue.options = new QueueOptions(false, 4, 1);
        assertThat(queue.remainingLeases(0)).isEqualTo(2);
        assertThat(queue.remainingLeases(3)).isEqualTo(1);
        assertThat(queue.remainingLeases(9)).isEqualTo(2);
        queue.options = new QueueOptions(true, 4, 1);
        assertThat(queue.remainingLeases(9)).isZero();
    }

    @Test
    void aLeaseMayBeServedByWhatIsReadyUpToItsLargestPidOrByWhatIsStored() {
        SmallPartition partition = new SmallPartition();
        partition.enqueue(A, "m");
        QueueState queue = partition.queue(A);
        assertThat(queue.mayServe(upTo("l", 0))).isFalse();
        assertThat(queue.mayServe(upTo("m", 0))).isTrue();
        partition.enqueue(A, "n");
        partition.lease(A, 1);
        assertThat(queue.mayServe(upTo("m", 0)))
                .as("only one behind it is left")
                .isFalse();
        assertThat(queue.mayServe(upTo("n", 2))).isTrue();
        assertThat(queue.mayServe(upTo("n", 1))).as("no more may be leased").isFalse();
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(queue.mayServe(upTo("m", 0)))
                .as("nobody knows what is stored")
                .isTrue();
        partition.enqueue(B, "a");
        partition.lease(B, 1);
        assertThat(partition.queue(B).mayServe(SmallPartition.leaseOf(Command.Selector.of(B), 1, 1)))
                .as("nothing is left")
                .isFalse();
    }

    @Test
    void theOldestIsLookedForAmongTheHead() {
        SmallPartition partition = new SmallPartition();
        partition.nowMillis = 50;
        partition.enqueue(A, "z");
        partition.nowMillis = 70;
        partition.enqueue(A, "b");
        partition.nowMillis = 90;
        partition.enqueue(A, "a");
        QueueState queue = partition.queue(A);
        assertThat(queue.oldestReadyMillis()).isEqualTo(50);
        partition.dequeue(A, "z");
        assertThat(queue.oldestReadyMillis()).isEqualTo(70);
        for (int i = 0; i < 998; i++) {
            partition.enqueue(A, "c%03d".formatted(i));
        }
        partition.nowMillis = 10;
        partition.enqueue(A, "d");
        assertThat(queue.oldestReadyMillis()).as("behind the first thousand").isEqualTo(70);
        partition.dequeue(A, "a");
        assertThat(queue.oldestReadyMillis()).as("the thousandth").isEqualTo(10);
        assertThat(QueueState.age(10, 15)).contains(5L);
        assertThat(QueueState.age(10, 5)).as("a clock that went back").contains(0L);
        assertThat(QueueState.age(Long.MAX_VALUE, 5)).isEmpty();
    }

    private static Command.Lease upTo(String maxPid, long cap) {
        Command.Lease lease = SmallPartition.leaseOf(Command.Selector.of(A), 1, 1);
        return new Command.Lease(lease.selector(), 1, 1, 1, Optional.of(Pid.of(maxPid)), 0, cap, "w", "here");
    }

    private static ApplyAtom atom(List<QueueKey> changed, OptionsChange... optionsBytes) {
        return new ApplyAtom(
                1,
                changed.stream()
                        .map(key -> new QueueChange(key, 1, false, Sizes.NONE, FifoPid.NONE, List.of()))
                        .toList(),
                List.of(optionsBytes),
                null);
    }
}
