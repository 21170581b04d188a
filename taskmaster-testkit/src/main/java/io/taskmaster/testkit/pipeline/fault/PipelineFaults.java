package io.taskmaster.testkit.pipeline.fault;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.stage.TaskQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The faults that a test plans for a kit, each at one point: the nth attempt or the nth commit of a stage since the
 * start of the kit, by whichever worker. A call that is repeated counts again.
 *
 * <p>Each fault happens once. A fault that never happens fails the test when the kit is closed; so does one that could
 * not happen at its point, since the commit was refused or the worker was dead.
 *
 * <pre>{@code
 * state   | event                                      | next state | effect
 * --------+--------------------------------------------+------------+------------------------------------
 * planned | its attempt                                | happened   | the handler or the worker is hit
 * planned | its commit                                 | due        | the commit may be sent
 * due     | the fault can happen                       | happened   | the worker or the reply is hit
 * due     | the commit is refused, the worker is dead  | missed     | listed in pending()
 * }</pre>
 *
 * A worker that crashes is started again after {@code PipelineKitBuilder.restartAfter}. Single-threaded: owned by the
 * test.
 */
public final class PipelineFaults {

    /** A point of a kit's run: the nth attempt or commit of a stage. */
    private record Point(String action, String stage, int nth) {
        @Override
        public String toString() {
            return action + " " + nth + " of " + stage;
        }
    }

    /** A fault of a commit that is being made. */
    public record Due(String point, CommitFault fault) {
        @Override
        public String toString() {
            return point + ": " + fault;
        }
    }

    private final Map<Point, AttemptFault> attempts = new LinkedHashMap<>();
    private final Map<Point, CommitFault> commits = new LinkedHashMap<>();
    private final List<String> missed = new ArrayList<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Predicate<TaskQueue<?>> isOfStage;

    /** @param isOfStage whether a stage works on the queue */
    public PipelineFaults(Predicate<TaskQueue<?>> isOfStage) {
        this.isOfStage = isOfStage;
    }

    /**
     * Returns the point at which a handler is passed a task.
     *
     * @param stage the stage, by its input
     * @param nth from 1, over all tasks of the stage
     */
    public AtAttempt atAttempt(TaskQueue<?> stage, int nth) {
        return new AtAttempt(point("attempt", stage, nth));
    }

    /**
     * Returns the point at which a worker settles a task.
     *
     * @param stage the stage, by its input
     * @param nth from 1, over all tasks of the stage
     */
    public AtCommit atCommit(TaskQueue<?> stage, int nth) {
        return new AtCommit(point("commit", stage, nth));
    }

    private Point point(String action, TaskQueue<?> stage, int nth) {
        Point point = new Point(action, stage.toString(), nth);
        if (!isOfStage.test(stage)) {
            throw new IllegalArgumentException(
                    "%s: not the input of a stage (expected: the input of a stage)".formatted(point));
        }
        int passed = counts.getOrDefault(action + " " + stage, 0);
        if (nth <= passed) {
            throw new IllegalArgumentException(
                    "%s: already passed (expected: %d or later)".formatted(point, passed + 1));
        }
        if (attempts.containsKey(point) || commits.containsKey(point)) {
            throw consumed(point);
        }
        return point;
    }

    private static IllegalArgumentException consumed(Point point) {
        return new IllegalArgumentException("%s: has a fault already (expected: one fault)".formatted(point));
    }

    /**
     * Returns the faults that have not happened: first those that were missed, then the planned ones in the order in
     * which they were planned, attempts first.
     */
    public List<String> pending() {
        Stream<String> ahead = Stream.concat(attempts.entrySet().stream(), commits.entrySet().stream())
                .map(planned -> planned.getKey() + ": " + planned.getValue());
        return Stream.concat(missed.stream(), ahead).toList();
    }

    /** Counts an attempt, and returns its fault. */
    public Optional<AttemptFault> attempt(TaskQueue<?> stage) {
        return Optional.ofNullable(attempts.remove(next("attempt", stage)));
    }

    /** Counts a commit, and returns its fault. */
    public Optional<Due> commit(TaskQueue<?> stage) {
        Point point = next("commit", stage);
        return Optional.ofNullable(commits.remove(point)).map(fault -> new Due(point.toString(), fault));
    }

    /** Records that a fault could not happen. */
    public void miss(Due due, String reason) {
        missed.add("%s (missed: %s)".formatted(due, reason));
    }

    private Point next(String action, TaskQueue<?> stage) {
        return new Point(action, stage.toString(), counts.merge(action + " " + stage, 1, Integer::sum));
    }

    /** A point at which a handler is passed a task. */
    public final class AtAttempt {

        private final Point point;

        private AtAttempt(Point point) {
            this.point = point;
        }

        /**
         * Makes the task available to others, as if its lease had expired during a pause of the worker. The handler
         * works on, in vain.
         */
        public PipelineFaults loseLease() {
            return plan(new AttemptFault.LoseLease());
        }

        /** Kills the worker process. */
        public PipelineFaults crash() {
            return plan(new AttemptFault.Crash());
        }

        /** Fails the attempt: the handler is not called, and the task is retried as after an exception. */
        public PipelineFaults fail(String reason) {
            return plan(new AttemptFault.Fail(reason));
        }

        private PipelineFaults plan(AttemptFault fault) {
            if (attempts.putIfAbsent(point, fault) != null) {
                throw consumed(point);
            }
            return PipelineFaults.this;
        }
    }

    /** A point at which a worker settles a task. */
    public final class AtCommit {

        private final Point point;

        private AtCommit(Point point) {
            this.point = point;
        }

        /** Refuses the call with {@code OVERLOADED}; it is not applied. The worker retries it. */
        public PipelineFaults refuse() {
            return refuse(ErrorCode.OVERLOADED);
        }

        /**
         * Refuses the call; it is not applied.
         *
         * @param code one after which a call was not applied
         */
        public PipelineFaults refuse(ErrorCode code) {
            if (code.advice() == Advice.OUTCOME_UNKNOWN) {
                throw new IllegalArgumentException(
                        "code: %s (expected: a code that means that nothing was done)".formatted(code));
            }
            return plan(new CommitFault.Refuse(code));
        }

        /** Applies the call, and lets the worker receive {@code OUTCOME_UNKNOWN}. */
        public PipelineFaults loseReply() {
            return plan(new CommitFault.LoseReply());
        }

        /** Applies the call, and delays the reply. */
        public PipelineFaults delayReply(Duration span) {
            return plan(new CommitFault.DelayReply(span));
        }

        /** Kills the worker process before the call is sent. */
        public PipelineFaults crashBefore() {
            return plan(new CommitFault.CrashBefore());
        }

        /** Applies the call, and kills the worker process before it receives the reply. */
        public PipelineFaults crashAfter() {
            return plan(new CommitFault.CrashAfter());
        }

        private PipelineFaults plan(CommitFault fault) {
            if (commits.putIfAbsent(point, fault) != null) {
                throw consumed(point);
            }
            return PipelineFaults.this;
        }
    }
}
