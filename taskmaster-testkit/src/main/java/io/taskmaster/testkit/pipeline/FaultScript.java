package io.taskmaster.testkit.pipeline;

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
 * What is to go wrong in a kit, and where: at the nth time since its start that a handler of a stage gets a task, or that the end of a task of a stage is
 * committed, by whichever worker. A call that is repeated counts again. Each fault happens once, and one that never does fails the test when the kit is
 * {@linkplain PipelineKit#close() closed}: also one that could not happen where it was to, since the commit was refused, or the worker dead. A worker that crashes is started again a little later
 * ({@link PipelineKitBuilder#restartAfter}). Single-threaded: owned by the test.
 */
public final class FaultScript {

    private record Point(String what, String stage, int nth) {
        @Override
        public String toString() {
            return what + " " + nth + " of " + stage;
        }
    }

    /** A fault of a commit that is just made. */
    record Due(String where, CommitFault fault) {
        @Override
        public String toString() {
            return where + ": " + fault;
        }
    }

    private final Map<Point, AttemptFault> attempts = new LinkedHashMap<>();
    private final Map<Point, CommitFault> commits = new LinkedHashMap<>();
    private final List<String> missed = new ArrayList<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Predicate<TaskQueue<?>> isOfStage;

    /**
     * @param isOfStage whether a stage works on it
     */
    FaultScript(Predicate<TaskQueue<?>> isOfStage) {
        this.isOfStage = isOfStage;
    }

    /**
     * Where a handler gets a task.
     *
     * @param stage by its input
     * @param nth from 1, all tasks of the stage counted together
     */
    public AtAttempt atAttempt(TaskQueue<?> stage, int nth) {
        return new AtAttempt(point("attempt", stage, nth));
    }

    /**
     * Where a worker commits what came of a task.
     *
     * @param stage by its input
     * @param nth from 1, all tasks of the stage counted together
     */
    public AtCommit atCommit(TaskQueue<?> stage, int nth) {
        return new AtCommit(point("commit", stage, nth));
    }

    private Point point(String what, TaskQueue<?> stage, int nth) {
        Point point = new Point(what, stage.toString(), nth);
        if (!isOfStage.test(stage)) {
            throw new IllegalArgumentException(
                    "%s: no stage works on it (expected: the input of one)".formatted(point));
        }
        int passed = counts.getOrDefault(what + " " + stage, 0);
        if (nth <= passed) {
            throw new IllegalArgumentException("%s: is over (expected: %d or later)".formatted(point, passed + 1));
        }
        if (attempts.containsKey(point) || commits.containsKey(point)) {
            throw taken(point);
        }
        return point;
    }

    private static IllegalArgumentException taken(Point point) {
        return new IllegalArgumentException("%s: has a fault already (expected: one)".formatted(point));
    }

    /** The faults that have not happened: first those that could not, then those to come in the order in which they were asked for, attempts first. */
    public List<String> pending() {
        Stream<String> ahead = Stream.concat(attempts.entrySet().stream(), commits.entrySet().stream())
                .map(planned -> planned.getKey() + ": " + planned.getValue());
        return Stream.concat(missed.stream(), ahead).toList();
    }

    /** A handler gets a task; it counts. */
    Optional<AttemptFault> attempt(TaskQueue<?> stage) {
        return Optional.ofNullable(attempts.remove(next("attempt", stage)));
    }

    /** The end of a task is committed; it counts. */
    Optional<Due> commit(TaskQueue<?> stage) {
        Point point = next("commit", stage);
        return Optional.ofNullable(commits.remove(point)).map(fault -> new Due(point.toString(), fault));
    }

    /** It could not happen. */
    void miss(Due due, String why) {
        missed.add("%s (missed: %s)".formatted(due, why));
    }

    private Point next(String what, TaskQueue<?> stage) {
        return new Point(what, stage.toString(), counts.merge(what + " " + stage, 1, Integer::sum));
    }

    /** A moment at which a handler gets a task. */
    public final class AtAttempt {

        private final Point point;

        private AtAttempt(Point point) {
            this.point = point;
        }

        /** The task is available to others, as if its lease had ended in a pause of the worker; the handler works on, in vain. */
        public FaultScript loseLease() {
            return plan(new AttemptFault.LoseLease());
        }

        /** The worker process dies. */
        public FaultScript crash() {
            return plan(new AttemptFault.Crash());
        }

        /** The handler does not see the task, which is tried again as after an exception. */
        public FaultScript fail(String reason) {
            return plan(new AttemptFault.Fail(reason));
        }

        private FaultScript plan(AttemptFault fault) {
            if (attempts.putIfAbsent(point, fault) != null) {
                throw taken(point);
            }
            return FaultScript.this;
        }
    }

    /** A moment at which a worker commits what came of a task. */
    public final class AtCommit {

        private final Point point;

        private AtCommit(Point point) {
            this.point = point;
        }

        /** It is not done: the server has too much to do. The worker tries it again. */
        public FaultScript refuse() {
            return refuse(ErrorCode.OVERLOADED);
        }

        /**
         * It is not done.
         *
         * @param code one that says so
         */
        public FaultScript refuse(ErrorCode code) {
            if (code.advice() == Advice.OUTCOME_UNKNOWN) {
                throw new IllegalArgumentException(
                        "code: %s (expected: one after which nothing was done)".formatted(code));
            }
            return plan(new CommitFault.Refuse(code));
        }

        /** It is done, but the worker is told that the outcome is unknown. */
        public FaultScript loseReply() {
            return plan(new CommitFault.LoseReply());
        }

        /** It is done, but the worker is told so much later. */
        public FaultScript delayReply(Duration span) {
            return plan(new CommitFault.DelayReply(span));
        }

        /** The worker process dies; the server never hears of it. */
        public FaultScript crashBefore() {
            return plan(new CommitFault.CrashBefore());
        }

        /** It is done, and the worker process dies without having been told. */
        public FaultScript crashAfter() {
            return plan(new CommitFault.CrashAfter());
        }

        private FaultScript plan(CommitFault fault) {
            if (commits.putIfAbsent(point, fault) != null) {
                throw taken(point);
            }
            return FaultScript.this;
        }
    }
}
