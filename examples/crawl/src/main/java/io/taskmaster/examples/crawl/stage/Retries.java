package io.taskmaster.examples.crawl.stage;

import io.taskmaster.stage.Task;
import java.util.Map;

/** The number of retries of a page, carried in its tasks so that the sum survives every process. */
public final class Retries {

    private static final String HEADER = "retries";

    private Retries() {}

    /** Returns the retries at all stages so far, this one included. */
    public static int upTo(Task<?> task) {
        return Integer.parseInt(task.headers().getOrDefault(HEADER, "0")) + at(task);
    }

    /** Returns the retries at this stage. */
    static int at(Task<?> task) {
        return task.attempt() - 1;
    }

    /** Returns the header for the next stage. */
    static Map<String, String> header(Task<?> task) {
        return Map.of(HEADER, Integer.toString(upTo(task)));
    }
}
