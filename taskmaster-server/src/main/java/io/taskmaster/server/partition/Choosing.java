package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.Choices;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.Look;
import io.taskmaster.server.engine.Matching;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out which queues selectors choose, where that is more work than others should wait for. The names are matched beside the loop, a slice at a time, while the partition goes
 * on; what is too much work altogether is refused before any of it is done. All who wait for the same selector share one pass. Single-threaded: owned by the partition's loop.
 */
final class Choosing {

    /** One who cannot go on before a selector is known. */
    interface Waiter {

        /** Whether the outcome matters to nobody any more. */
        boolean isGone();

        /** Whether a selector is refused that is too much work. */
        boolean isLimited();

        /** The selector is known in this turn. */
        void known();

        /** It will not be. */
        void refused(TaskMasterException why);

        /** The epoch ended. */
        void ended();
    }

    private record Pass(Selector selector, Look look, List<Waiter> waiters) {}

    private final PartitionLoop loop;
    private final Choices choices;
    private final Map<Selector, Pass> passes = new HashMap<>();
    private boolean stopped;

    Choosing(PartitionLoop loop, Choices choices) {
        this.loop = loop;
        this.choices = choices;
    }

    /** Tells the waiter once the selector, which has a pattern, is known. */
    void choose(Selector selector, Waiter waiter) {
        if (stopped) {
            waiter.ended();
            return;
        }
        Pass pass = passes.get(selector);
        if (pass == null) {
            pass = new Pass(selector, choices.look(selector), new ArrayList<>(1));
            passes.put(selector, pass);
            Pass begun = pass;
            loop.execute(() -> price(begun));
        }
        pass.waiters.add(waiter);
    }

    private void price(Pass pass) {
        if (isOver(pass)) {
            return;
        }
        if (!pass.look.priceOn()) {
            loop.execute(() -> price(pass));
            return;
        }
        if (pass.look.price() > Look.MAX_STEPS) {
            refuse(pass, pass.waiters.stream().filter(Waiter::isLimited).toList(), tooCostly(pass.look));
        }
        match(pass);
    }

    private void match(Pass pass) {
        if (isOver(pass)) {
            return;
        }
        choices.turnBegins();
        Matching slice = pass.look.next();
        if (slice == null) {
            end(pass);
            pass.waiters.forEach(Waiter::known);
        } else if (slice.names() == 0) {
            loop.execute(() -> match(pass));
        } else {
            loop.compute(() -> {
                slice.run();
                loop.execute(() -> {
                    pass.look.learn(slice);
                    match(pass);
                });
            });
        }
    }

    /** Whether nobody waits for it. */
    private boolean isOver(Pass pass) {
        if (stopped) {
            return true;
        }
        refuse(pass, pass.waiters.stream().filter(Waiter::isGone).toList(), nobodyWaits());
        if (pass.waiters.isEmpty()) {
            end(pass);
        }
        return pass.waiters.isEmpty();
    }

    private static void refuse(Pass pass, List<Waiter> refused, TaskMasterException why) {
        pass.waiters.removeAll(refused);
        refused.forEach(waiter -> waiter.refused(why));
    }

    private void end(Pass pass) {
        passes.remove(pass.selector);
        choices.looked(pass.selector);
    }

    private static TaskMasterException tooCostly(Look look) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.PATTERN_TOO_COSTLY,
                "queues.name_re: " + look.instructions() + " instructions, " + look.price()
                        + " steps for the names of the queues that are there (expected: at most " + Look.MAX_STEPS
                        + "; name the group, begin with what the names begin with, or repeat less)",
                null,
                null);
    }

    private static TaskMasterException nobodyWaits() {
        return TaskMasterException.withoutStackTrace(ErrorCode.READ_FAILED, "the caller is gone", null, null);
    }

    /** Nothing comes of it any more. */
    void stop() {
        stopped = true;
        List<Pass> all = List.copyOf(passes.values());
        passes.clear();
        all.forEach(pass -> pass.waiters.forEach(Waiter::ended));
    }
}
