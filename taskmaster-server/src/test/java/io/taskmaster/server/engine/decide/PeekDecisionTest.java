package io.taskmaster.server.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Peek;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Peeked;
import io.taskmaster.command.Reply.PeekedTask;
import io.taskmaster.command.Reply.TaskPhase;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.state.SmallPartition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of peeks: the content and the size of the answer. */
final class PeekDecisionTest {

    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final Payload PAYLOAD = new Payload(Bytes.of("0123456789"), Map.of("key", "value"));
    private static final Payload HEADERS = new Payload(Bytes.EMPTY, PAYLOAD.headers());

    private final SmallPartition partition = new SmallPartition();

    @Test
    void eachTaskIsShownAsItStands() {
        partition.enqueue(QUEUE, PAYLOAD, 0, "a", "b", "c");
        partition.enqueue(QUEUE, PAYLOAD, 9_000, "d");
        partition.lease(QUEUE, 1);
        partition.nowMillis += 50;
        partition.lease(QUEUE, 1);
        partition.nowMillis = 1_000 + SmallPartition.LEASE_MILLIS;
        partition.enqueue(QUEUE, PAYLOAD, partition.nowMillis + 9_000, "e");

        assertThat(peek(new Peek(QUEUE, Pid.EMPTY, 9, 1 << 20, true)).tasks())
                .containsExactly(
                        new PeekedTask(Pid.of("a"), PAYLOAD, 10, TaskPhase.AVAILABLE, 1_000, 0, 1),
                        new PeekedTask(Pid.of("b"), PAYLOAD, 10, TaskPhase.LEASED, 1_000, 31_050, 1),
                        new PeekedTask(Pid.of("c"), PAYLOAD, 10, TaskPhase.AVAILABLE, 1_000, 0, 0),
                        new PeekedTask(Pid.of("d"), PAYLOAD, 10, TaskPhase.AVAILABLE, 1_000, 0, 0),
                        new PeekedTask(Pid.of("e"), PAYLOAD, 10, TaskPhase.DELAYED, 31_000, 40_000, 0));
    }

    @Test
    void theDataAreLeftOutIfNobodyAskedForThem() {
        partition.enqueue(QUEUE, PAYLOAD, 0, "a");
        assertThat(peek(new Peek(QUEUE, Pid.EMPTY, 9, 1 << 20, false)).tasks())
                .containsExactly(new PeekedTask(Pid.of("a"), HEADERS, 10, TaskPhase.AVAILABLE, 1_000, 0, 0));
    }

    @Test
    void itShowsAsMuchAsFitsAndAtLeastOne() {
        partition.enqueue(QUEUE, PAYLOAD, 0, "a", "b", "c");
        int one = (int) Reply.replyBytesOf(QUEUE, Pid.of("a"), PAYLOAD);
        assertThat(seen(9, 2 * one)).isEqualTo("ab, then c");
        assertThat(seen(9, 2 * one - 1)).isEqualTo("a, then b");
        assertThat(seen(9, 1)).isEqualTo("a, then b");
        assertThat(seen(9, 3 * one)).isEqualTo("abc");
        assertThat(seen(2, 3 * one)).isEqualTo("ab, then c");
        assertThat(seen(3, 3 * one)).isEqualTo("abc");
    }

    @Test
    void aDelayIsOverAtItsInstant() {
        partition.enqueue(QUEUE, PAYLOAD, 2_000, "a");
        Peek peek = new Peek(QUEUE, Pid.EMPTY, 9, 1 << 20, true);
        partition.nowMillis = 1_999;
        assertThat(peek(peek).tasks()).extracting(PeekedTask::phase).containsExactly(TaskPhase.DELAYED);
        partition.nowMillis = 2_000;
        assertThat(peek(peek).tasks()).extracting(PeekedTask::phase).containsExactly(TaskPhase.AVAILABLE);
    }

    @Test
    void behindTheEndOfARowsScanNothingIsShown() {
        partition.enqueue(QUEUE, "a", "b", "c");
        Peek peek = new Peek(QUEUE, Pid.EMPTY, 9, 1 << 20, true);
        Peeked peeked = Engine.peeked(partition.state, peek, List.of(), Optional.of(Pid.of("b")), 1_000);
        assertThat(peeked.tasks()).extracting(PeekedTask::pid).containsExactly(Pid.of("a"));
        assertThat(peeked.next()).contains(Pid.of("b"));
    }

    @Test
    void itBeginsWithTheTaskThatItIsAskedToBeginWith() {
        partition.enqueue(QUEUE, "a", "b", "c");
        assertThat(peek(new Peek(QUEUE, Pid.of("b"), 9, 1 << 20, true)).tasks())
                .extracting(PeekedTask::pid)
                .containsExactly(Pid.of("b"), Pid.of("c"));
    }

    @Test
    void ofAQueueWithoutTasksNothingIsReadAndNothingShown() {
        Peek peek = new Peek(QUEUE, Pid.EMPTY, 9, 1 << 20, true);
        Peeked nothing = new Peeked(List.of(), Optional.empty());
        assertThat(peek(peek)).isEqualTo(nothing);
        partition.enqueue(QUEUE, "a");
        partition.flush();
        partition.dequeue(QUEUE, "a");
        assertThat(peek(peek)).isEqualTo(nothing);
        assertThat(Engine.peeked(new SmallPartition().state, peek, List.of(), Optional.of(Pid.of("x")), 1_000))
                .as("which has been forgotten meanwhile")
                .isEqualTo(nothing);
    }

    @Test
    void whereDataAreNotInMemoryTheRowsAreRead() {
        partition.enqueue(QUEUE, "a");
        partition.lease(QUEUE, 1);
        partition.flush();
        Peek peek = new Peek(QUEUE, Pid.of("a"), 9, 1 << 20, true);
        assertThat(partition.decide(peek))
                .isEqualTo(new Decision.Waits(
                        List.of(new Decision.Rows(QUEUE, partition.queue(QUEUE).generation(), Pid.of("a")))));
    }

    private Peeked peek(Peek peek) {
        return partition.answer(Peeked.class, peek);
    }

    /** Returns the PIDs, and the one to go on with. */
    private String seen(int maxTasks, int maxBytes) {
        Peeked peeked = peek(new Peek(QUEUE, Pid.EMPTY, maxTasks, maxBytes, true));
        StringBuilder seen = new StringBuilder();
        peeked.tasks().forEach(task -> seen.append(task.pid()));
        peeked.next().ifPresent(next -> seen.append(", then ").append(next));
        return seen.toString();
    }
}
