package io.taskmaster.examples.conversion.stage;

import static io.taskmaster.examples.conversion.stage.ConversionQueues.BACKOFF;
import static io.taskmaster.examples.conversion.stage.ConversionQueues.CONVERT;
import static io.taskmaster.examples.conversion.stage.ConversionQueues.CONVERTED;
import static io.taskmaster.examples.conversion.stage.ConversionQueues.GROUP;
import static io.taskmaster.examples.conversion.stage.ConversionQueues.REQUESTED;

import io.taskmaster.client.BatchOperation;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.StageBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;

/**
 * The pipeline of the conversion (paper section 7). A document whose conversion fails is dequeued, and enqueued in the
 * backoff queue of its number of failures, with its due time as the PID. Workers lease from these queues up to the
 * current time. After the last failure it becomes a dead letter, so a document that crashes converters is not retried
 * forever.
 */
public final class ConversionPipeline {

    /**
     * The lease, short so that the documents of a dead worker are soon available again. It is renewed during a
     * conversion.
     */
    private static final Duration LEASE = Duration.ofSeconds(4);

    /** The maximum delay of a retry beyond its due time. */
    private static final Duration PRECISION = Duration.ofMillis(100);

    private final DocumentConverter converter;
    private final Backoff backoff;
    private final InstantSource clock;

    private ConversionPipeline(DocumentConverter converter, Backoff backoff, InstantSource clock) {
        this.converter = converter;
        this.backoff = backoff;
        this.clock = clock;
    }

    /**
     * Creates the pipeline.
     *
     * @param clock roughly synchronized with the clocks of other workers
     * @param conversions the number of conversions at once in one worker, of new documents and of failed ones each
     * @param rate the rate at which one worker takes new documents
     */
    public static Pipeline of(
            DocumentConverter converter, Backoff backoff, InstantSource clock, int conversions, Rate rate) {
        ConversionPipeline conversion = new ConversionPipeline(converter, backoff, clock);
        return Pipeline.in(GROUP)
                .stage(
                        CONVERT,
                        stage -> shaped(stage, conversions)
                                .handler(task -> conversion.attempt(task.payload(), 0))
                                .rate(rate)
                                .maxWait(Duration.ofSeconds(1)))
                .stage(
                        BACKOFF,
                        stage -> shaped(stage, conversions)
                                .handler(task -> conversion.attempt(task.payload(), Integer.parseInt(task.member())))
                                .maxPid(DueTime::upTo)
                                .maxWait(PRECISION))
                .sinks(REQUESTED, CONVERTED)
                .build();
    }

    private static StageBuilder<String> shaped(StageBuilder<String> stage, int conversions) {
        return stage.concurrency(conversions).lease(LEASE).to(CONVERTED, BACKOFF);
    }

    private Outcome attempt(String document, int failures) throws IOException, InterruptedException {
        try {
            converter.convert(document, failures);
            return Outcome.handOff(CONVERTED.task(failures).at(document));
        } catch (ConversionFailedException e) {
            return failed(document, failures + 1, String.valueOf(e.getMessage()));
        }
    }

    private Outcome failed(String document, int failures, String reason) {
        if (failures >= backoff.maxFailures()) {
            return Outcome.dead("failed %d times, the last time: %s".formatted(failures, reason));
        }
        Pid due = DueTime.pid(clock.instant().plus(backoff.delay(failures)), document);
        return Outcome.handOff(
                BACKOFF.task(Integer.toString(failures), document).at(due));
    }

    /**
     * Requests documents for a user. A repeated request has no effect. Returns the number of documents that were not
     * requested before. Blocks.
     */
    public static int request(BlockingClient client, Collection<String> documents) {
        List<BatchOperation> requests = documents.stream()
                .<BatchOperation>map(ConversionPipeline::request)
                .toList();
        int fresh = 0;
        for (BatchResult result : client.batch(requests)) {
            switch (result) {
                case BatchResult.Updated(UpdateResult update) -> fresh += update.success() ? 1 : 0;
                case BatchResult.Failed(TaskMasterException error) -> throw error;
                case BatchResult.Leased _ -> {}
            }
        }
        return fresh;
    }

    private static Update request(String document) {
        Pid pid = Pid.of(document);
        return Update.in(GROUP)
                .enqueue(REQUESTED.task("").ifExists(IfExists.FAIL).enqueue(pid))
                .enqueue(CONVERT.task(document).enqueue(pid))
                .build();
    }
}
