package io.taskmaster.examples.crawl.stage;

import io.taskmaster.stage.Task;
import java.util.Map;

/** How often a page had to be worked on again, carried with its tasks so that the sum survives every process. */
public final class Retries {

    private static final String HEADER = "retries";

    private Retries() {}

    /** Those of all stages so far, this one included. */
    public static int upTo(Task<?> task) {
        return Integer.parseInt(task.headers().getOrDefault(HEADER, "0")) + at(task);
    }

    /** Those of this stage alone. */
    static int at(Task<?> task) {
        return task.attempt() - 1;
    }

    /** The header for the next stage. */
    static Map<String, String> header(Task<?> task) {
        return Map.of(HEADER, Integer.toString(upTo(task)));
    }
}
