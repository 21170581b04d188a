package io.taskmaster.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.server.ExitStatus;
import io.taskmaster.server.cli.UpdatesInFlight.Refused;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.function.Function;
import java.util.function.Supplier;

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
        Progress progress = Progress.ofInput(terminal, "enqueue", terminal.in());
        var inFlight = new UpdatesInFlight(client, maxInFlight, (_, done) -> progress.to(done));
        try (progress) {
            // Not closed: standard input is not ours.
            send(new BufferedReader(new InputStreamReader(terminal.in(), UTF_8)), task, inFlight);
            return ExitStatus.OK;
        } catch (Refused e) {
            terminal.err().println("taskmaster: " + e.getMessage());
            return ExitStatus.FAILURE;
        } finally {
            report(terminal, json, inFlight);
        }
    }

    private void send(BufferedReader lines, Function<String, Enqueue> task, UpdatesInFlight inFlight)
            throws IOException, InterruptedException {
        UpdateBuilder update = updates.get();
        int gathered = 0;
        long bytes = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            update.enqueue(task.apply(line));
            gathered++;
            bytes += line.length();
            if (gathered == batch || bytes >= MAX_BATCH_BYTES) {
                inFlight.send(update.build());
                update = updates.get();
                gathered = 0;
                bytes = 0;
            }
        }
        if (gathered > 0) {
            inFlight.send(update.build());
        }
        inFlight.settle();
    }

    private static void report(Terminal terminal, boolean json, UpdatesInFlight inFlight) {
        if (json) {
            var object = new JsonObject();
            object.addProperty("enqueued", inFlight.enqueued());
            object.addProperty("collapsed", inFlight.collapsed());
            terminal.out().println(object);
        } else {
            terminal.out().println(inFlight.enqueued() + " enqueued, " + inFlight.collapsed() + " collapsed");
        }
    }
}
