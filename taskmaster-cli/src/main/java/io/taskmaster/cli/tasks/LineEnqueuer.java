package io.taskmaster.cli.tasks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.cli.common.UpdatesInFlight;
import io.taskmaster.cli.common.UpdatesInFlight.Refused;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.proxy.program.ExitStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A loader of lines, many to an update. Lines with PIDs may be enqueued in any order, so several updates are in flight
 * at once. Lines without PIDs are enqueued in their order, so each update waits for the one before. The loader stops at
 * the first update that is refused or fails, and reports its position: all lines before the updates in flight are
 * enqueued. Single-threaded: owned by its command.
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
     * Creates a loader.
     *
     * @param updates supplies an empty update with the options of the command
     * @param batch the number of lines in an update
     * @param anyOrder whether several updates may be in flight
     */
    LineEnqueuer(TaskMasterClient client, Supplier<UpdateBuilder> updates, int batch, boolean anyOrder) {
        this.client = client;
        this.updates = updates;
        this.batch = batch;
        this.maxInFlight = anyOrder ? PIPELINED : 1;
    }

    ExitStatus run(Terminal terminal, boolean json, Function<String, Enqueue> task)
            throws IOException, InterruptedException {
        TransferProgress transferProgress = TransferProgress.ofInput(terminal, "enqueue", terminal.in());
        var inFlight = new UpdatesInFlight(client, maxInFlight, (_, done) -> transferProgress.to(done));
        try (transferProgress) {
            // Not closed, since standard input belongs to the process.
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
        int batched = 0;
        long bytes = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Enqueue next = task.apply(line);
            update.enqueue(next);
            batched++;
            bytes += UpdatesInFlight.bytes(next);
            if (batched == batch || bytes >= MAX_BATCH_BYTES) {
                inFlight.send(update.build());
                update = updates.get();
                batched = 0;
                bytes = 0;
            }
        }
        if (batched > 0) {
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
