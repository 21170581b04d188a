package io.taskmaster.server.partition.read;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.select.PatternMatchJob;
import io.taskmaster.server.engine.select.PatternMatchSlice;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.partition.loop.PartitionLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The resolution of selectors to queues where that is too much work for one loop tick. Names are matched against the
 * pattern off the loop, a slice at a time, while the partition continues. A selector that is too costly altogether is
 * refused before any name is matched. All waiters for the same selector share one pass (ADR 14). Single-threaded: owned
 * by the partition's loop.
 *
 * <pre>{@code
 * state    | event                               | next state | effect
 * ---------+-------------------------------------+------------+-----------------------------------------------------
 * (none)   | choose()                            | pricing    | a pass begins
 * pricing  | more names to count                 | pricing    | the next slice, in another loop tick
 * pricing  | all counted                         | matching   | if too costly, limited waiters are refused
 * matching | a slice to match                    | matching   | matched off the loop, learned on it
 * matching | nothing left to match               | (none)     | known() to all waiters, in this tick
 * any      | no waiter is left                   | (none)     | the pass ends
 * any      | stop()                              | (none)     | ended() to all waiters
 * }</pre>
 */
public final class SelectorResolution {

    /** A waiter that cannot go on before a selector is resolved. */
    public interface Waiter {

        /** Returns true if the outcome is not needed any more: the caller is gone. */
        boolean isCancelled();

        /** Returns true if the selector is to be refused when it is too costly. */
        boolean isLimited();

        /** Notifies that the selector is resolved, in this loop tick. */
        void known();

        /** Notifies that the selector will not be resolved. */
        void refused(TaskMasterException error);

        /** Notifies that the epoch has ended. */
        void ended();
    }

    private record Pass(Selector selector, PatternMatchJob patternMatchJob, List<Waiter> waiters) {}

    private final PartitionLoop loop;
    private final SelectorCache selectorCache;
    private final Map<Selector, Pass> passes = new HashMap<>();
    private boolean stopped;

    public SelectorResolution(PartitionLoop loop, SelectorCache selectorCache) {
        this.loop = loop;
        this.selectorCache = selectorCache;
    }

    /** Notifies the waiter once the selector, which has a pattern, is resolved. */
    public void choose(Selector selector, Waiter waiter) {
        if (stopped) {
            waiter.ended();
            return;
        }
        Pass pass = passes.get(selector);
        if (pass == null) {
            pass = new Pass(selector, selectorCache.beginMatching(selector), new ArrayList<>(1));
            passes.put(selector, pass);
            Pass begun = pass;
            loop.execute(() -> estimateCost(begun));
        }
        pass.waiters.add(waiter);
    }

    private void estimateCost(Pass pass) {
        if (isDone(pass)) {
            return;
        }
        if (!pass.patternMatchJob.estimateSlice()) {
            loop.execute(() -> estimateCost(pass));
            return;
        }
        if (pass.patternMatchJob.cost() > NamePattern.MAX_STEPS) {
            refuse(pass, pass.waiters.stream().filter(Waiter::isLimited).toList(), tooCostly(pass.patternMatchJob));
        }
        match(pass);
    }

    private void match(Pass pass) {
        if (isDone(pass)) {
            return;
        }
        selectorCache.beginTick();
        PatternMatchSlice slice = pass.patternMatchJob.next();
        if (slice == null) {
            // Ended before the waiters are notified: they may choose the same selector again.
            end(pass);
            pass.waiters.forEach(Waiter::known);
        } else if (slice.names() == 0) {
            loop.execute(() -> match(pass));
        } else {
            loop.compute(() -> {
                slice.run();
                loop.execute(() -> {
                    pass.patternMatchJob.apply(slice);
                    match(pass);
                });
            });
        }
    }

    /** Returns true if the pass is over; refuses the waiters that are gone, and ends the pass if none is left. */
    private boolean isDone(Pass pass) {
        if (stopped) {
            return true;
        }
        refuse(pass, pass.waiters.stream().filter(Waiter::isCancelled).toList(), allCancelled());
        if (pass.waiters.isEmpty()) {
            end(pass);
        }
        return pass.waiters.isEmpty();
    }

    private static void refuse(Pass pass, List<Waiter> refused, TaskMasterException error) {
        pass.waiters.removeAll(refused);
        refused.forEach(waiter -> waiter.refused(error));
    }

    private void end(Pass pass) {
        passes.remove(pass.selector);
        selectorCache.endMatching(pass.selector);
    }

    private static TaskMasterException tooCostly(PatternMatchJob patternMatchJob) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.PATTERN_TOO_COSTLY,
                "queues.name_re: " + patternMatchJob.instructions() + " instructions, " + patternMatchJob.cost()
                        + " steps to match the names of the existing queues (expected: at most "
                        + NamePattern.MAX_STEPS
                        + "; name the group, start with a literal prefix of the names, or use fewer repetitions)",
                null,
                null);
    }

    private static TaskMasterException allCancelled() {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.READ_FAILED, "the caller cancelled the request", null, null);
    }

    /** Ends all passes. */
    public void stop() {
        stopped = true;
        List<Pass> all = List.copyOf(passes.values());
        passes.clear();
        all.forEach(pass -> pass.waiters.forEach(Waiter::ended));
    }
}
