package io.taskmaster.examples.demo;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A reader of the tasks of a queue. Exact for queues whose tasks stay. */
public final class QueueTasks {

    private static final int PAGE = 1_000;

    private QueueTasks() {}

    /** Returns all tasks of a queue, in PID order, with their data. Blocks. */
    public static List<PeekedTask> of(BlockingClient client, QueueKey queue) {
        List<PeekedTask> tasks = new ArrayList<>();
        Optional<Pid> from = Optional.of(Pid.EMPTY);
        while (from.isPresent()) {
            PeekResult some = client.peek(
                    PeekRequest.of(queue).from(from.get()).maxTasks(PAGE).withData(true));
            tasks.addAll(some.tasks());
            from = some.next();
        }
        return tasks;
    }
}
