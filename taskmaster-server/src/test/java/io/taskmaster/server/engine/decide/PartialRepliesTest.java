package io.taskmaster.server.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Release;
import io.taskmaster.command.Command.Renew;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Counts;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Deleted;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.Reply.Listed;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.state.SmallPartition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of commands that are decided in parts, and of those that cannot be and take long. */
final class PartialRepliesTest {

    private static final QueueName QUEUE = QueueName.of("q");
    private static final Pid PID = Pid.of("p");

    private final PartialReplies partialReplies = new PartialReplies();

    @Test
    void theAnswerIsThatOfAllPartsInTheirOrder() {
        add(new Listed(List.of(summary("a")), true));
        assertThat(partialReplies.with(new Listed(List.of(summary("b")), false)))
                .isEqualTo(new Listed(List.of(summary("a"), summary("b")), false));
        assertThat(new PartialReplies().with(new Listed(List.of(), true))).isEqualTo(new Listed(List.of(), true));
    }

    @Test
    void deletionsAreAnsweredSo() {
        add(new Deleted(List.of(summary("a"))));
        add(new Deleted(List.of(summary("b"))));
        assertThat(partialReplies.with(new Deleted(List.of(summary("c")))))
                .isEqualTo(new Deleted(List.of(summary("a"), summary("b"), summary("c"))));
    }

    @Test
    void leasesAreAnsweredSo() {
        add(new Leased(List.of(leased("a"))));
        assertThat(partialReplies.with(new Leased(List.of(leased("b")))))
                .isEqualTo(new Leased(List.of(leased("a"), leased("b"))));
    }

    @Test
    void whatIsDecidedInOnePieceHasNoParts() {
        Reply.Description total = new Reply.Description(
                summary("a"),
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Counts.NONE,
                0,
                QueueOptions.NONE,
                List.of());
        for (Reply full : List.of(
                new Reply.Updated(true, List.of(), List.of(), List.of(), List.of(), List.of()),
                new Reply.Watched(true),
                new Reply.Described(List.of(), total, 0),
                new Reply.Peeked(List.of(), Optional.empty()),
                new Reply.Configured())) {
            assertThatThrownBy(() -> partialReplies.with(full)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void oneEffectIsEnoughWhateverComesBehindIt() {
        assertThat(partialReplies.hasEffect()).isFalse();
        add(new Deleted(List.of()));
        assertThat(partialReplies.hasEffect()).as("nothing was deleted").isFalse();
        partialReplies.add(new Decision.Done(ApplyAtom.empty(1), new Deleted(List.of())));
        add(new Deleted(List.of()));
        assertThat(partialReplies.hasEffect()).isTrue();
    }

    @Test
    void anUpdateIsLargeByAllOfItsElements() {
        Update four = update(
                List.of(enqueue(0)),
                List.of(new Dequeue(QUEUE, PID, 0)),
                List.of(new Renew(QUEUE, PID, 1, 1)),
                List.of(new Release(QUEUE, PID, 0, 0, false)));
        assertThat(PartialReplies.isLarge(four, 3)).isTrue();
        assertThat(PartialReplies.isLarge(four, 4)).isFalse();
    }

    @Test
    void anUpdateIsLargeByTheDataOfAllItsEnqueues() {
        assertThat(PartialReplies.isLarge(update(List.of(enqueue(1 << 20), enqueue(1 << 20))), 9))
                .isFalse();
        assertThat(PartialReplies.isLarge(update(List.of(enqueue(1 << 20), enqueue((1 << 20) + 1))), 9))
                .isTrue();
    }

    @Test
    void whatCanBeDoneInPartsIsNeverLarge() {
        Command all = new Command.Delete(new Command.Selector(Optional.empty(), List.of(), Optional.empty()));
        assertThat(PartialReplies.isLarge(all, 0)).isFalse();
    }

    private void add(Reply reply) {
        partialReplies.add(new Decision.Done(null, reply));
    }

    private static Summary summary(String queue) {
        return new Summary(QueueKey.of(queue), 1, 0, 0);
    }

    private static LeasedTask leased(String pid) {
        return new LeasedTask(QueueKey.of("q"), Pid.of(pid), SmallPartition.DATA, 1, 1, 1, 1);
    }

    private static Enqueue enqueue(int bytes) {
        Payload payload = new Payload(Bytes.wrap(new byte[bytes]), Map.of());
        return new Enqueue(QUEUE, Optional.of(PID), payload, IfExists.COLLAPSE, 0);
    }

    private static Update update(List<Enqueue> enqueues) {
        return update(enqueues, List.of(), List.of(), List.of());
    }

    private static Update update(
            List<Enqueue> enqueues, List<Dequeue> dequeues, List<Renew> renewals, List<Release> releases) {
        return new Update(GroupName.of("g"), enqueues, dequeues, renewals, releases);
    }
}
