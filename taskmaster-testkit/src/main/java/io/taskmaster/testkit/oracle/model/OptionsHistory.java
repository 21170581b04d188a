package io.taskmaster.testkit.oracle.model;

import io.taskmaster.testkit.oracle.model.RecordedOperation.Configuring;
import io.taskmaster.v1.QueueOptions;
import java.util.ArrayList;
import java.util.List;

/** The options that a queue may have had at a time. Single-threaded. */
public final class OptionsHistory {

    private static final QueueOptions NONE = QueueOptions.getDefaultInstance();

    private final List<Configuring> configurations;

    public OptionsHistory(QueueHistory queue) {
        this.configurations = queue.configurations;
    }

    public boolean certainlyNone(Span span) {
        return configurations.isEmpty()
                || possible(span).stream().allMatch(options -> !options.getPaused() && options.getMaxLeased() == 0);
    }

    /** Returns all options that may have held at some instant of the span. */
    public List<QueueOptions> possible(Span span) {
        long latestBegin = Long.MIN_VALUE;
        for (Configuring configure : configurations) {
            if (configure.span().isBefore(span)) {
                latestBegin = Math.max(latestBegin, configure.span().from());
            }
        }
        List<QueueOptions> possible = new ArrayList<>();
        // No configuration certainly came before the span, so the queue may still be without options.
        if (latestBegin == Long.MIN_VALUE) {
            possible.add(NONE);
        }
        for (Configuring configure : configurations) {
            // A configuration may hold until another one has certainly replaced it: one that began after its end, and
            // ended before the span.
            boolean replaced = configure.span().until() < latestBegin;
            if (!replaced && configure.span().from() <= span.until()) {
                possible.add(configure.request().getOptions());
            }
        }
        return possible;
    }
}
