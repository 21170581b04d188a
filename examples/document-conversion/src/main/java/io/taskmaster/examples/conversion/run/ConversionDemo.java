package io.taskmaster.examples.conversion.run;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.examples.conversion.stage.ConversionPipeline;
import io.taskmaster.examples.conversion.stage.ConversionQueues;
import io.taskmaster.examples.conversion.worker.ConversionWorkerCommand;
import io.taskmaster.examples.demo.Demo;
import io.taskmaster.examples.demo.DemoPace;
import io.taskmaster.examples.demo.NextStep;
import io.taskmaster.examples.demo.QueueSizes;
import io.taskmaster.examples.demo.QueueTasks;
import io.taskmaster.examples.demo.ShellWord;
import io.taskmaster.examples.demo.WorkerOptions;
import io.taskmaster.examples.demo.process.DemoException;
import io.taskmaster.examples.demo.process.DemoFolder;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The conversion as a demo, which ends when every document is converted or denied. Single-threaded: owned by its run.
 */
public final class ConversionDemo implements Demo {

    /** The word of its command. */
    public static final String COMMAND = "conversion";

    private static final String UPLOADS = "uploads";
    private static final String CONVERTED = "converted";

    private final DemoFolder folder;
    private final int documents;
    private final int workers;
    private final int converters;
    private final DemoPace pace;

    /**
     * Creates the demo.
     *
     * @param documents the number of documents to convert, besides the poisonous one
     * @param converters the number of converters of each worker
     * @param pace the pace at which new documents are converted
     */
    public ConversionDemo(DemoFolder folder, int documents, int workers, int converters, DemoPace pace) {
        this.folder = folder;
        this.documents = documents;
        this.workers = workers;
        this.converters = converters;
        this.pace = pace;
    }

    @Override
    public String name() {
        return "conversion";
    }

    @Override
    public String opening() {
        return "Converting documents.";
    }

    @Override
    public GroupName group() {
        return ConversionQueues.GROUP;
    }

    @Override
    public void forget() throws IOException {
        folder.delete(UPLOADS);
        folder.delete(CONVERTED);
    }

    @Override
    public boolean begin(BlockingClient client) throws IOException {
        List<String> names = Uploads.bring(folder.own(UPLOADS), documents, folder.passing("site.zip"));
        return ConversionPipeline.request(client, names) > 0;
    }

    @Override
    public Map<String, List<String>> workers(String server) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (int i = 1; i <= workers; i++) {
            String name = "worker-" + i;
            List<String> arguments = new ArrayList<>(List.of(
                    COMMAND,
                    "worker",
                    "--uploads=" + folder.own(UPLOADS),
                    "--converted=" + folder.own(CONVERTED),
                    "--converters=" + converters,
                    "--rate=" + pace.of(workers)));
            arguments.addAll(WorkerOptions.of(name, server));
            all.put(name, arguments);
        }
        return all;
    }

    @Override
    public Look look(BlockingClient client) {
        DocumentCounts now = DocumentCounts.of(QueueSizes.take(client, ConversionQueues.GROUP));
        if (!now.addUp()) {
            throw new DemoException("documents: " + now + " (expected: each in one place)");
        }
        return new Look(now.line(), now.isOver());
    }

    @Override
    public String result() {
        return "Markdown in " + folder.own(CONVERTED);
    }

    @Override
    public List<String> sum(BlockingClient client, Duration took) {
        QueueSizes queues = QueueSizes.take(client, ConversionQueues.GROUP);
        DocumentCounts counts = DocumentCounts.of(queues);
        long failures = counts.denied() * ConversionWorkerCommand.BACKOFF.maxFailures();
        for (PeekedTask task : QueueTasks.of(
                client, new QueueKey(ConversionQueues.GROUP, QueueName.of(ConversionQueues.CONVERTED.name())))) {
            failures += ConversionQueues.CONVERTED.codec().decode(task.data());
        }
        List<String> lines = new ArrayList<>();
        for (QueueSummary queue : queues.queues()) {
            if (DeadLetter.isQueueOf(queue.queue().name())) {
                QueueTasks.of(client, queue.queue()).forEach(dead -> lines.add(denial(dead)));
            }
        }
        lines.add("%d documents requested, %d converted, %d denied, %d failures"
                .formatted(counts.requested(), counts.converted(), counts.denied(), failures));
        return lines;
    }

    private static String denial(PeekedTask dead) {
        return "Denied: %s, %s".formatted(dead.data(), dead.headers().getOrDefault(DeadLetter.REASON, ""));
    }

    @Override
    public NextStep next(String again) {
        return new NextStep("ls " + ShellWord.of(folder.own(CONVERTED).toString()), "lists the documents in Markdown");
    }

    @Override
    public void close() {}
}
