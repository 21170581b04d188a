package io.taskmaster.simulation.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.Reply.Listed;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.command.Reply.Updated;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.simulation.world.OwnerProcess;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests of the {@link Judge} with histories written by hand. */
final class JudgeTest {

    private static final QueueKey QUEUE = new QueueKey(GroupName.of("g"), QueueName.of("q"));
    /** The dedup window of these tests. */
    private static final long WINDOW_MILLIS = 1_000;

    private static final Pid A = Pid.of("a");
    private static final Payload DATA = new Payload(Bytes.of("data"), Map.of());

    private static final Command ENQUEUE = new Command.Update(
            QUEUE.group(),
            List.of(new Command.Enqueue(QUEUE.name(), Optional.of(A), DATA, Command.IfExists.COLLAPSE, 0)),
            List.of(),
            List.of(),
            List.of());
    private static final Command ASSIGNED = new Command.Update(
            QUEUE.group(),
            List.of(new Command.Enqueue(QUEUE.name(), Optional.empty(), DATA, Command.IfExists.FAIL, 0)),
            List.of(),
            List.of(),
            List.of(),
            Optional.of(Bytes.of("id")));
    private static final Reply ENQUEUED = updated(Status.OK, true);
    private static final Reply COLLAPSED = updated(Status.COLLAPSED, true);
    private static final Command DEQUEUE = new Command.Update(
            QUEUE.group(), List.of(), List.of(new Command.Dequeue(QUEUE.name(), A, 0)), List.of(), List.of());
    private static final Reply DEQUEUED = updated(Status.OK, false);
    private static final Command LIST = new Command.ListQueues(Selector.of(QUEUE), 0, 0, 10, Optional.empty());
    private static final Reply ONE_TASK = listed(1, 0);
    private static final Reply NO_TASK = new Listed(List.of(), false);
    private static final Command LEASE =
            new Command.Lease(Selector.of(QUEUE), 1, 1_000, 100, Optional.empty(), 0, 0, "w", "here");

    private final World world = new World(1, true);
    private final History history = new History();
    private final TreeMap<Long, OwnerProcess> owners = new TreeMap<>();
    private final OwnerProcess first = owner();
    private final OwnerProcess second = owner();

    JudgeTest() {
        world.heal();
    }

    @Test
    void whatWasAcknowledgedIsThereAtTheEnd() {
        answered(first, ENQUEUE, ENQUEUED);
        answered(second, LIST, ONE_TASK);
        accept();
    }

    @Test
    void aLostTaskIsFoundOut() {
        answered(first, ENQUEUE, ENQUEUED);
        answered(second, LIST, NO_TASK);
        refuse();
    }

    @Test
    void aTaskThatComesBackIsFoundOut() {
        answered(first, ENQUEUE, ENQUEUED);
        answered(first, DEQUEUE, DEQUEUED);
        answered(second, LIST, ONE_TASK);
        refuse();
    }

    @Test
    void aTaskThatIsDequeuedTwiceIsFoundOut() {
        answered(first, ENQUEUE, ENQUEUED);
        answered(first, DEQUEUE, DEQUEUED);
        answered(second, DEQUEUE, DEQUEUED);
        refuse();
    }

    @Test
    void whatNobodyAnsweredMayHaveHappenedOrNot() {
        ask(first, ENQUEUE);
        answered(second, LIST, ONE_TASK);
        accept();
    }

    @Test
    void whatNobodyAnsweredHappensAtOnceOrNever() {
        ask(first, ENQUEUE);
        answered(second, LIST, NO_TASK);
        answered(second, LIST, ONE_TASK);
        refuse();
    }

    @Test
    void whatWasCertainlyNotDoneLeavesNothing() {
        ask(first, ENQUEUE).fail(new TaskMasterException(ErrorCode.PARTITION_OPENING, "opening"));
        answered(second, LIST, ONE_TASK);
        refuse();
    }

    @Test
    void anUnansweredDequeueExplainsThatATaskIsGone() {
        answered(first, ENQUEUE, ENQUEUED);
        ask(first, DEQUEUE);
        answered(second, LIST, NO_TASK);
        accept();
    }

    @Test
    void aLeaseOfWhichNobodyHeardHoldsUntilItExpires() {
        answered(first, ENQUEUE, ENQUEUED);
        ask(first, LEASE);
        answered(second, LIST, listed(0, 1));
        answered(second, LEASE, new Leased(List.of()));
        pass(200);
        answered(second, LEASE, leased(9, 2));
        accept();
    }

    @Test
    void aLeaseThatTwoHoldIsFoundOut() {
        answered(first, ENQUEUE, ENQUEUED);
        answered(first, LEASE, leased(8, 1));
        answered(second, LEASE, leased(9, 2));
        refuse();
    }

    /** The first answer was lost. */
    @Test
    void anIdThatIsUsedAgainAfterItsWindowBringsASecondTask() {
        ask(first, ASSIGNED);
        pass(2 * WINDOW_MILLIS);
        answered(second, ASSIGNED, assigned(9));
        answered(second, LIST, listed(2, 0));
        accept();
    }

    @Test
    void anIdThatIsUsedAgainWithinItsWindowBringsNone() {
        ask(first, ASSIGNED);
        answered(second, ASSIGNED, assigned(9));
        answered(second, LIST, listed(2, 0));
        refuse();
    }

    @Test
    void aDeposedOwnerAnswersNothingThatNeedsTheLog() {
        answered(first, ENQUEUE, ENQUEUED);
        answered(second, LIST, ONE_TASK);
        answered(first, ENQUEUE, COLLAPSED);
        refuse();
    }

    @Test
    void aDeposedOwnerMayShowWhatItKnew() {
        answered(first, ENQUEUE, ENQUEUED);
        answered(second, DEQUEUE, DEQUEUED);
        answered(first, LIST, ONE_TASK);
        accept();
    }

    @Test
    void aBrokenInvariantIsFoundOut() {
        ask(first, LIST).fail(new TaskMasterException(ErrorCode.INTERNAL, "broken"));
        refuse();
    }

    private void accept() {
        assertThat(Judge.judge(history, owners, WINDOW_MILLIS)).isPositive();
    }

    private void refuse() {
        assertThatThrownBy(() -> Judge.judge(history, owners, WINDOW_MILLIS)).isInstanceOf(Violation.class);
    }

    private OwnerProcess owner() {
        OwnerProcess process = new OwnerProcess(world, "O" + (owners.size() + 1));
        owners.put(owners.size() + 1L, process);
        return process;
    }

    private Call ask(OwnerProcess owner, Command command) {
        Call call = new Call(world, history.size() + 1, owner, command, history::answered);
        history.invoked(call);
        owner.in(1, () -> {});
        pass(1);
        return call;
    }

    private void answered(OwnerProcess owner, Command command, Reply reply) {
        ask(owner, command).reply(reply);
        pass(1);
    }

    private void pass(long millis) {
        world.in(millis * 1_000, () -> {});
        while (world.hasEvents()) {
            world.step();
        }
    }

    private static Updated updated(Status status, boolean enqueue) {
        return new Updated(
                true,
                enqueue ? List.of(status) : List.of(),
                enqueue ? List.of() : List.of(status),
                List.of(),
                List.of(),
                enqueue ? List.of(A) : List.of());
    }

    private static Updated assigned(int number) {
        return new Updated(true, List.of(Status.OK), List.of(), List.of(), List.of(), List.of(Pid.copyOf(new byte[] {
            (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, (byte) number, 0, 0, 0, 0
        })));
    }

    private static Listed listed(long available, long leased) {
        return new Listed(List.of(new Summary(QUEUE, available, leased, 0)), false);
    }

    private Leased leased(long id, int attempt) {
        long now = first.clockMillis();
        return new Leased(List.of(new LeasedTask(QUEUE, A, DATA, id, now + 100, attempt, World.clockMillisAt(0))));
    }
}
