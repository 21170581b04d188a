package io.taskmaster.server.cli;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.ObjLongConsumer;

/**
 * Updates that enqueue, several on their way at once, settled in the order in which they were sent. The first that is refused or fails ends it: those
 * that were sent after it may have been applied. Single-threaded.
 */
final class UpdatesInFlight {

    private final TaskMasterClient client;
    private final int max;
    private final ObjLongConsumer<Update> settled;
    private final ArrayDeque<Sent> sent = new ArrayDeque<>();
    private long enqueued;
    private long collapsed;

    private record Sent(Update update, CompletableFuture<UpdateResult> result) {}

    /**
     * @param max how many may be on their way
     * @param settled hears of each that was applied, and how many tasks that makes in all
     */
    UpdatesInFlight(TaskMasterClient client, int max, ObjLongConsumer<Update> settled) {
        this.client = client;
        this.max = max;
        this.settled = settled;
    }

    /**
     * Blocks while as many as may be are on their way.
     *
     * @throws Refused if one before it was
     */
    void send(Update update) throws InterruptedException {
        if (sent.size() == max) {
            settleOldest();
        }
        sent.add(new Sent(update, client.update(update)));
    }

    /**
     * Waits for all.
     *
     * @throws Refused if one was
     */
    void settle() throws InterruptedException {
        while (!sent.isEmpty()) {
            settleOldest();
        }
    }

    long enqueued() {
        return enqueued;
    }

    /** How many found their PID taken, and left what is there. */
    long collapsed() {
        return collapsed;
    }

    private void settleOldest() throws InterruptedException {
        Sent oldest = sent.remove();
        UpdateResult result = reply(oldest.result());
        if (!result.success()) {
            throw new Refused(result);
        }
        long here = result.enqueues().stream()
                .filter(status -> status == Status.COLLAPSED)
                .count();
        collapsed += here;
        enqueued += result.enqueues().size() - here;
        settled.accept(oldest.update(), enqueued + collapsed);
    }

    /** What a call brought, waited for. */
    static <T> T reply(CompletableFuture<T> call) throws InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TaskMasterException error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** An update was refused as a whole. */
    static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Refused(UpdateResult result) {
            super(result.enqueues().stream()
                            .filter(status ->
                                    status != Status.OK && status != Status.COLLAPSED && status != Status.ABORTED)
                            .findFirst()
                            .map(status -> status + ": " + Outcomes.explain(status))
                            .orElse("refused")
                    + ", in an update of " + result.enqueues().size() + " tasks");
        }
    }
}
