package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.PeekResult.State;
import io.taskmaster.model.Pid;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/** Assertions on the contents of a queue. A failure shows all of them. */
@SuppressWarnings("varargs") // Payloads are only read.
public final class QueueContentsAssert<T> extends AbstractAssert<QueueContentsAssert<T>, QueueContents<T>> {

    QueueContentsAssert(QueueContents<T> actual) {
        super(actual, QueueContentsAssert.class);
    }

    public QueueContentsAssert<T> isEmpty() {
        return hasSize(0);
    }

    public QueueContentsAssert<T> hasSize(int tasks) {
        isNotNull();
        return require(actual.tasks().size() == tasks, tasks + " tasks");
    }

    /** Verifies the payloads, in the order of the PIDs. */
    @SafeVarargs
    public final QueueContentsAssert<T> containsExactly(T... payloads) {
        isNotNull();
        Assertions.assertThat(actual.payloads()).as(actual::toString).containsExactly(payloads);
        return this;
    }

    /** Verifies the payloads, in any order. */
    @SafeVarargs
    public final QueueContentsAssert<T> containsExactlyInAnyOrder(T... payloads) {
        isNotNull();
        Assertions.assertThat(actual.payloads()).as(actual::toString).containsExactlyInAnyOrder(payloads);
        return this;
    }

    /** Verifies the PIDs, in order. */
    public QueueContentsAssert<T> hasPids(String... pids) {
        isNotNull();
        List<Pid> expected = Arrays.stream(pids).map(Pid::of).toList();
        return require(actual.pids().equals(expected), "PIDs " + expected);
    }

    /** Verifies the number of tasks that a worker could lease now. */
    public QueueContentsAssert<T> hasAvailable(int tasks) {
        return has(State.AVAILABLE, tasks);
    }

    /** Verifies the number of leased tasks. */
    public QueueContentsAssert<T> hasLeased(int tasks) {
        return has(State.LEASED, tasks);
    }

    /** Verifies the number of delayed tasks. */
    public QueueContentsAssert<T> hasDelayed(int tasks) {
        return has(State.DELAYED, tasks);
    }

    private QueueContentsAssert<T> has(State state, int tasks) {
        isNotNull();
        long found =
                actual.tasks().stream().filter(task -> task.state() == state).count();
        return require(found == tasks, "%d %s".formatted(tasks, state));
    }

    /** Verifies that there is a dead letter of this PID, with this reason. */
    public QueueContentsAssert<T> hasDead(String pid, String reason) {
        isNotNull();
        return require(
                actual.tasks().stream()
                        .anyMatch(task -> task.pid().equals(Pid.of(pid))
                                && task.reason().filter(reason::equals).isPresent()),
                "a dead letter [%s], %s".formatted(pid, reason));
    }

    private QueueContentsAssert<T> require(boolean fulfilled, String expected) {
        if (!fulfilled) {
            failWithMessage("%s%n(expected: %s)", actual, expected);
        }
        return this;
    }
}
