package io.taskmaster.examples.conversion.stage;

import io.taskmaster.model.GroupName;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.TaskQueue;

/** The queues of the conversion. All are in one consistency group, because every hand-off is one update. */
public final class ConversionQueues {

    public static final GroupName GROUP = GroupName.of("conversion");

    /** Documents to convert. The PID is the name of the document. */
    public static final TaskQueue<String> CONVERT = TaskQueue.of("convert", Codec.utf8());

    /**
     * Documents that failed, with one queue for each number of consecutive failures. The PID begins with the time of
     * the next attempt.
     */
    public static final TaskQueue<String> BACKOFF = TaskQueue.family("backoff", Codec.utf8());

    /** Every document that was ever requested, by name. The tasks stay, so a repeated request has no effect. */
    public static final TaskQueue<String> REQUESTED = TaskQueue.of("requested", Codec.utf8());

    /** Every document that was converted, by name, with the number of failures before. The tasks stay. */
    public static final TaskQueue<Integer> CONVERTED =
            TaskQueue.of("converted", Codec.text(String::valueOf, Integer::valueOf));

    private ConversionQueues() {}
}
