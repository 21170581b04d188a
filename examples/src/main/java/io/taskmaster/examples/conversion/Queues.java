package io.taskmaster.examples.conversion;

import io.taskmaster.model.GroupName;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.TaskQueue;

/** The queues of the conversion. All live in one consistency group, because every hand-off is one update. */
public final class Queues {

    public static final GroupName GROUP = GroupName.of("conversion");

    /** Documents to convert, by name, which is the PID. */
    public static final TaskQueue<String> CONVERT = TaskQueue.of("convert", Codec.utf8());

    /** Documents that failed: one queue for each number of failures in a row. The PID begins with the time when it is tried again. */
    public static final TaskQueue<String> BACKOFF = TaskQueue.family("backoff", Codec.utf8());

    /** Every document ever asked for, by name: its tasks stay, so asking twice is asking once. */
    public static final TaskQueue<String> REQUESTED = TaskQueue.of("requested", Codec.utf8());

    /** Every document that was converted, by name, and how often it had failed before: its tasks stay. */
    public static final TaskQueue<Integer> CONVERTED =
            TaskQueue.of("converted", Codec.text(String::valueOf, Integer::valueOf));

    private Queues() {}
}
