package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.model.Absences;
import io.taskmaster.testkit.oracle.model.Interval;
import io.taskmaster.testkit.oracle.model.KeyHistory;
import io.taskmaster.testkit.oracle.model.QueueHistory;
import io.taskmaster.testkit.oracle.model.Span;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A cache of the facts that are certain about the tasks of each queue, by time. Computed on first use. Single-threaded.
 */
public final class Certainties {

    /**
     * The certain facts about the tasks of a queue. Lists ascend by {@link Interval#from}; the intervals of one task
     * within a list are disjoint.
     *
     * @param present the task is in the queue
     * @param available the task may be leased: it is there, due, and under no lease
     * @param leased the task is under a lease
     * @param lives the times during which a task may be there
     */
    public record OfQueue(
            List<Interval> present, List<Interval> available, List<Interval> leased, List<Absences.Life> lives) {}

    private final Explainer explainer;
    private final OracleSettings settings;
    private final Map<QueueHistory, OfQueue> byQueue = new HashMap<>();

    public Certainties(Explainer explainer, OracleSettings settings) {
        this.explainer = explainer;
        this.settings = settings;
    }

    public OfQueue of(QueueHistory queue) {
        return byQueue.computeIfAbsent(queue, this::workOut);
    }

    private OfQueue workOut(QueueHistory queue) {
        OfQueue all = new OfQueue(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (KeyHistory key : queue.keys) {
            if (explainer.isSettled(key)) {
                // Nothing is certain about a task without an explanation, so it may be there at any time.
                all.lives.add(new Absences.Life(key, Long.MIN_VALUE, Span.FAR));
                continue;
            }
            all.lives.add(Absences.life(queue, key));
            KeyCertainties certainties = new KeyCertainties(queue, key, settings);
            all.present.addAll(certainties.present());
            all.available.addAll(certainties.available());
            all.leased.addAll(certainties.leased());
        }
        Comparator<Interval> byStart = Comparator.comparingLong(Interval::from);
        all.present.sort(byStart);
        all.available.sort(byStart);
        all.leased.sort(byStart);
        return all;
    }
}
