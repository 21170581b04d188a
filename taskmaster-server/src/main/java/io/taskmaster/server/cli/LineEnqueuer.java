package io.taskmaster.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.ExitStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Enqueues lines, many to an update. Lines with PIDs say themselves where they belong, so several updates are on their way at once;
 * lines without are queued in the order in which they came, so each update waits for the one before. Stops at the first that is
 * refused or fails, and says how far it came: all lines before those that were on their way are in. Single-threaded.
 */
final class LineEnqueuer {

    static final int MAX_BATCH = 10_000;
    private static final int PIPELINED = 8;
    private static final long MAX_BATCH_BYTES = 8L << 20;

    private final TaskMasterClient client;
    private final Supplier<UpdateBuilder> updates;
    private final int batch;
    private final int maxInFlight;
    private final ArrayDeque<CompletableFuture<UpdateResult>> inFlight = new ArrayDeque<>();
    private long enqueued;
    private long collapsed;

    /**
     * @param updates where each update starts from
     */
    LineEnqueuer(TaskMasterClient client, Supplier<UpdateBuilder> updates, int batch, boolean anyOrder) {
        this.client = client;
        this.updates = updates;
        this.batch = batch;
        this.maxInFlight = anyOrder ? PIPELINED : 1;
    }

    ExitStatus run(Terminal terminal, boolean json, Function<String, Enqueue> task)
            throws IOException, InterruptedException {
        // Not closed: standard input is not ours.
        var lines = new BufferedReader(new InputStreamReader(terminal.in(), UTF_8));
        try {
            if (terminal.interactive()) {
                try (ProgressBar bar = new ProgressBarBuilder()
                        .setTaskName("enqueue")
                        .setInitialMax(-1)
                        .showSpeed()
                        .build()) {
                    send(lines, task, () -> bar.stepTo(enqueued + collapsed));
                }
            } else {
                send(lines, task, () -> {});
            }
        } catch (Refused e) {
            report(terminal, json);
            terminal.err().println("taskmaster: " + e.getMessage());
            return ExitStatus.FAILURE;
        } catch (TaskMasterException e) {
            report(terminal, json);
            throw e;
        }
        report(terminal, json);
        return ExitStatus.OK;
    }

    private void send(BufferedReader lines, Function<String, Enqueue> task, Runnable progress)
            throws IOException, InterruptedException {
        UpdateBuilder update = updates.get();
        int gathered = 0;
        long bytes = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            update.enqueue(task.apply(line));
            gathered++;
            bytes += line.length();
            if (gathered == batch || bytes >= MAX_BATCH_BYTES) {
                start(update.build(), progress);
                update = updates.get();
                gathered = 0;
                bytes = 0;
            }
        }
        if (gathered > 0) {
            start(update.build(), progress);
        }
        while (!inFlight.isEmpty()) {
            settleOldest(progress);
        }
    }

    private void start(Update update, Runnable progress) throws InterruptedException {
        if (inFlight.size() == maxInFlight) {
            settleOldest(progress);
        }
        inFlight.add(client.update(update));
    }

    private void settleOldest(Runnable progress) throws InterruptedException {
        UpdateResult result;
        try {
            result = inFlight.remove().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TaskMasterException error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
        long here = collapsed;
        for (Status status : result.enqueues()) {
            if (status == Status.COLLAPSED) {
                collapsed++;
            } else if (!result.success() && status != Status.OK && status != Status.ABORTED) {
                throw new Refused(status + ": " + Outcomes.explain(status) + ", in an update of "
                        + result.enqueues().size() + " lines");
            }
        }
        enqueued += result.enqueues().size() - (collapsed - here);
        progress.run();
    }

    private void report(Terminal terminal, boolean json) {
        if (json) {
            var object = new JsonObject();
            object.addProperty("enqueued", enqueued);
            object.addProperty("collapsed", collapsed);
            terminal.out().println(object);
        } else {
            terminal.out().println(enqueued + " enqueued, " + collapsed + " collapsed");
        }
    }

    /** An update that was refused as a whole. */
    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }
}
