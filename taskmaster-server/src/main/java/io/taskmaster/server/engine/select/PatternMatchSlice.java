package io.taskmaster.server.engine.select;

import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.server.engine.state.QueueState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A slice of names to be matched against a pattern. Matching touches nothing but the names and may run on any thread.
 * The slice is made and taken back by a {@link PatternMatchJob}, on the loop; it runs once in between.
 */
public final class PatternMatchSlice implements Runnable {

    private final NamePattern pattern;
    private final List<QueueState> queues = new ArrayList<>();
    private final BitSet matched = new BitSet();
    private long steps;

    PatternMatchSlice(NamePattern pattern) {
        this.pattern = pattern;
    }

    void add(QueueState queue, long maxSteps) {
        queues.add(queue);
        steps += maxSteps;
    }

    /** The number of names. */
    public int names() {
        return queues.size();
    }

    /** The work, at most, in steps. */
    public long steps() {
        return steps;
    }

    @Override
    public void run() {
        for (int i = 0; i < queues.size(); i++) {
            matched.set(i, pattern.matches(queues.get(i).key().name()));
        }
    }

    /** Records the outcome for those queues that are still there. */
    void applyTo(SelectorMatch selectorMatch) {
        for (int i = 0; i < queues.size(); i++) {
            QueueState queue = queues.get(i);
            if (!queue.isForgotten()) {
                selectorMatch.record(queue, matched.get(i));
            }
        }
    }
}
