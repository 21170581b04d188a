package io.taskmaster.server.engine;

import io.taskmaster.server.engine.pattern.NamePattern;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Names to be matched against a pattern, which touches nothing but the names and may happen on any thread. Made and taken back by a {@link Look}, on the loop; run once in between.
 */
public final class Matching implements Runnable {

    private final NamePattern pattern;
    private final List<QueueState> queues = new ArrayList<>();
    private final BitSet matched = new BitSet();
    private long steps;

    Matching(NamePattern pattern) {
        this.pattern = pattern;
    }

    void add(QueueState queue, long atMostSteps) {
        queues.add(queue);
        steps += atMostSteps;
    }

    /** How many names there are. */
    public int names() {
        return queues.size();
    }

    /** How much work it is, at most. */
    public long steps() {
        return steps;
    }

    @Override
    public void run() {
        for (int i = 0; i < queues.size(); i++) {
            matched.set(i, pattern.matches(queues.get(i).key.name()));
        }
    }

    /** What came of it is known from now on, of those queues that are still there. */
    void tell(Choice choice) {
        for (int i = 0; i < queues.size(); i++) {
            QueueState queue = queues.get(i);
            if (!queue.isForgotten()) {
                choice.learn(queue, matched.get(i));
            }
        }
    }
}
