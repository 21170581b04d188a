package io.taskmaster.cli;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A stream that simulates workers and producers: they make changes whenever a piece of the archive was written, which
 * includes each time between two pages of an export.
 */
final class BusyClients extends FilterOutputStream {

    private final BlockingClient client;
    private final QueueKey queue;
    private int turns;

    BusyClients(BlockingClient client, QueueKey queue, OutputStream out) {
        super(out);
        this.client = client;
        this.queue = queue;
    }

    /** The number of times that they have made changes. */
    int turns() {
        return turns;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        turn();
    }

    /**
     * Dequeues odd tasks from the head, releases every other even one, and enqueues new ones at the end and at the
     * head.
     */
    private void turn() {
        turns++;
        for (LeasedTask task : client.lease(LeaseRequest.from(queue).maxTasks(100))) {
            if (number(task.pid()) % 2 == 1) {
                client.dequeue(task);
            } else if (number(task.pid()) % 4 == 0) {
                client.release(task);
            }
        }
        client.enqueue(queue, Pid.of("new" + turns), Bytes.EMPTY);
        client.enqueue(queue, Pid.of("000" + turns), Bytes.EMPTY);
    }

    private static int number(Pid pid) {
        String text = pid.toString();
        return text.startsWith("new") ? 1 : Integer.parseInt(text);
    }
}
