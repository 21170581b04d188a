package io.taskmaster.cli.common;

import com.google.common.base.Utf8;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.ObjLongConsumer;

/**
 * A bounded pipeline of enqueuing updates: several in flight at once, settled in the order in which they were sent. It
 * ends with the first update that is refused or fails; later ones may have been applied. Single-threaded: owned by its
 * command.
 */
public final class UpdatesInFlight {

    private final TaskMasterClient client;
    private final int max;
    private final ObjLongConsumer<Update> settled;
    private final ArrayDeque<Sent> sent = new ArrayDeque<>();
    private long enqueued;
    private long collapsed;

    private record Sent(Update update, CompletableFuture<UpdateResult> result) {}

    /**
     * Creates an empty pipeline.
     *
     * @param max the bound on updates in flight
     * @param settled receives each applied update, and the number of tasks so far
     */
    public UpdatesInFlight(TaskMasterClient client, int max, ObjLongConsumer<Update> settled) {
        this.client = client;
        this.max = max;
        this.settled = settled;
    }

    /**
     * Sends an update. Blocks while {@code max} updates are in flight.
     *
     * @throws Refused if an earlier one was refused
     */
    public void send(Update update) throws InterruptedException {
        if (sent.size() == max) {
            settleOldest();
        }
        sent.add(new Sent(update, client.update(update)));
    }

    /**
     * Blocks until all updates are settled.
     *
     * @throws Refused if one was refused
     */
    public void settle() throws InterruptedException {
        while (!sent.isEmpty()) {
            settleOldest();
        }
    }

    public long enqueued() {
        return enqueued;
    }

    /** The number of tasks whose PID was taken, so that the existing task was kept. */
    public long collapsed() {
        return collapsed;
    }

    /** Returns the bytes that a task adds to an update. */
    public static int bytes(Enqueue task) {
        int size = task.data().size() + task.pid().orElse(Pid.EMPTY).size();
        for (Map.Entry<String, String> header : task.headers().entrySet()) {
            size += Utf8.encodedLength(header.getKey()) + Utf8.encodedLength(header.getValue());
        }
        return size;
    }

    private void settleOldest() throws InterruptedException {
        Sent oldest = sent.remove();
        UpdateResult result = reply(oldest.result());
        if (!result.success()) {
            throw new Refused(result);
        }
        long collapsedInResult = result.enqueues().stream()
                .filter(status -> status == Status.COLLAPSED)
                .count();
        collapsed += collapsedInResult;
        enqueued += result.enqueues().size() - collapsedInResult;
        settled.accept(oldest.update(), enqueued + collapsed);
    }

    /** Blocks until a call has returned, and returns its result or throws its error. */
    public static <T> T reply(CompletableFuture<T> call) throws InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TaskMasterException error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Exception for an update that was refused as a whole. */
    public static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Refused(UpdateResult result) {
            super(result.enqueues().stream()
                            .filter(status ->
                                    status != Status.OK && status != Status.COLLAPSED && status != Status.ABORTED)
                            .findFirst()
                            .map(status -> status + ": " + UpdateOutcomes.explain(status))
                            .orElse("rejected")
                    + ", in an update of " + result.enqueues().size() + " tasks");
        }
    }
}
