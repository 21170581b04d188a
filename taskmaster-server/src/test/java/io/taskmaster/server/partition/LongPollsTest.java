package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of requests that wait in a partition for tasks. */
final class LongPollsTest extends OnePartition {

    @Test
    void longPollIsWokenByAnEnqueue() {
        Answer<Reply.Leased> poll = submit(leaseCommand(5, 10_000));
        assertThat(poll.replies).isEmpty();
        update(enqueue("a"));
        assertThat(poll.get().tasks()).hasSize(1);
    }

    @Test
    void longPollsThatEndWhenADelayDoesAreAnsweredOnce() {
        submit(new Update(
                GroupName.EMPTY,
                List.of(new Enqueue(
                        QUEUE.name(),
                        Optional.of(Pid.of("a")),
                        new Payload(Bytes.EMPTY, Map.of()),
                        IfExists.COLLAPSE,
                        loop.nowMillis() + 1_000)),
                List.of(),
                List.of(),
                List.of()));
        Answer<Reply.Leased> first = submit(leaseCommand(1, 1_000));
        Answer<Reply.Leased> second = submit(leaseCommand(1, 1_000));
        loop.pass(2_000);
        assertThat(first.get().tasks().size() + second.get().tasks().size()).isEqualTo(1);
    }

    /**
     * Verifies that a waiter takes the first of all tasks in the queue, although each task becomes due in a piece of
     * its own.
     */
    @Test
    void whoWaitsForDelaysGetsTheFirstOfAllThatAreOver() {
        long dueMillis = loop.nowMillis() + 1_000;
        Payload half = new Payload(Bytes.wrap(new byte[ACTIVATION_BYTES]), Map.of());
        for (String pid : List.of("b", "a")) {
            submit(new Update(
                    GroupName.EMPTY,
                    List.of(new Enqueue(QUEUE.name(), Optional.of(Pid.of(pid)), half, IfExists.COLLAPSE, dueMillis++)),
                    List.of(),
                    List.of(),
                    List.of()));
        }
        Answer<Reply.Leased> poll = submit(leaseCommand(1, 10_000));
        loop.jump(2_000);
        assertThat(poll.get().tasks()).extracting(task -> task.pid().toString()).containsExactly("a");
    }

    @Test
    void longPollIsWokenByAnExpiry() {
        update(enqueue("a"));
        lease(1);
        Answer<Reply.Leased> poll = submit(leaseCommand(5, 50_000));
        loop.pass(29_000);
        assertThat(poll.replies).isEmpty();
        loop.pass(1_001);
        assertThat(poll.get().tasks()).hasSize(1);
    }

    @Test
    void ofManyLongPollsOneIsWokenPerTaskInTheOrderOfArrival() {
        List<Answer<Reply.Leased>> polls = IntStream.range(0, 20)
                .mapToObj(i -> this.<Reply.Leased>submit(i % 2 == 0 ? leaseCommand(1, 10_000) : patternLease()))
                .toList();
        for (int i = 0; i < polls.size(); i++) {
            update(enqueue("%02d".formatted(i)));
            assertThat(polls.get(i).get().tasks())
                    .extracting(task -> task.pid().toString())
                    .containsExactly("%02d".formatted(i));
            assertThat(polls.subList(i + 1, polls.size())).allMatch(poll -> poll.replies.isEmpty());
        }
    }

    @Test
    void watchersAreNotToldAllOfOneTask() {
        List<Answer<Reply.Watched>> watchers = IntStream.range(0, 20)
                .mapToObj(i -> this.<Reply.Watched>submit(new Command.Watch(patternLease())))
                .toList();
        update(enqueue("a"));
        assertThat(repliesOf(watchers)).isEqualTo(1);
        update(enqueue("b"), enqueue("c"));
        assertThat(repliesOf(watchers)).isEqualTo(4);

        loop.pass(60);
        assertThat(repliesOf(watchers)).as("nobody came for the tasks").isGreaterThan(4);
        lease(10);
        int repliesBefore = repliesOf(watchers);
        loop.pass(1_000);
        assertThat(repliesOf(watchers)).as("somebody did").isEqualTo(repliesBefore);
    }

    @Test
    void longPollEndsEmptyWhenItsTimeIsOver() {
        Answer<Reply.Leased> poll = submit(leaseCommand(5, 1_000));
        loop.pass(1_001);
        assertThat(poll.get().tasks()).isEmpty();
    }

    private static int repliesOf(List<Answer<Reply.Watched>> watchers) {
        return (int)
                watchers.stream().filter(watcher -> !watcher.replies.isEmpty()).count();
    }

    private static Lease patternLease() {
        Selector selector =
                new Selector(Optional.of(QUEUE.group()), List.of(), Optional.of(NamePattern.compile("[a-z]+")));
        return new Lease(selector, 1, 1 << 20, 30_000, Optional.empty(), 10_000, 0, "worker", "here");
    }
}
