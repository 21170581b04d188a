package io.taskmaster.examples.adsquality.run;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.examples.adsquality.market.AdServer;
import io.taskmaster.examples.adsquality.market.Market;
import io.taskmaster.examples.adsquality.stage.AdsQualityPipeline;
import io.taskmaster.examples.adsquality.stage.AdsQualityQueues;
import io.taskmaster.examples.adsquality.worker.WorkerRole;
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
import io.taskmaster.model.QueueName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ads-quality flow as a demo, which ends when every query set is loaded. It serves the ads. Single-threaded: owned
 * by its run.
 */
public final class AdsQualityDemo implements Demo {

    /** The word of its command. */
    public static final String COMMAND = "ads-quality";

    private static final String REPORTS = "reports";
    private static final String JOURNAL = "journal";

    private final DemoFolder folder;
    private final int workers;
    private final DemoPace pace;
    private final AdServer ads;

    private AdsQualityDemo(DemoFolder folder, int workers, DemoPace pace, AdServer ads) {
        this.folder = folder;
        this.workers = workers;
        this.pace = pace;
        this.ads = ads;
    }

    /**
     * Opens the demo.
     *
     * @param pace the pace at which queries are issued
     */
    public static AdsQualityDemo open(DemoFolder folder, int workers, DemoPace pace) throws IOException {
        return new AdsQualityDemo(folder, workers, pace, AdServer.start());
    }

    @Override
    public String name() {
        return "measurement";
    }

    @Override
    public String opening() {
        return "Measuring the quality of ads.";
    }

    @Override
    public GroupName group() {
        return AdsQualityQueues.GROUP;
    }

    @Override
    public void forget() throws IOException {
        folder.delete(REPORTS);
        folder.delete(JOURNAL);
    }

    @Override
    public boolean begin(BlockingClient client) {
        boolean anything = false;
        for (Market market : Market.ALL) {
            anything |= AdsQualityPipeline.begin(client, market);
        }
        return anything;
    }

    @Override
    public Map<String, List<String>> workers(String server) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        all.put("coordinator", worker(WorkerRole.COORDINATOR, "coordinator", server));
        for (int i = 1; i <= workers; i++) {
            String name = "worker-" + i;
            all.put(name, worker(WorkerRole.WORKER, name, server));
        }
        return all;
    }

    private List<String> worker(WorkerRole role, String name, String server) {
        List<String> arguments = new ArrayList<>(List.of(
                COMMAND,
                "worker",
                "--role=" + role,
                "--ads=" + ads.address(),
                "--rate=" + pace.of(workers),
                "--reports=" + folder.own(REPORTS)));
        arguments.addAll(WorkerOptions.of(name, server));
        return arguments;
    }

    @Override
    public Look look(BlockingClient client) {
        QueueSizes queues = QueueSizes.take(client, AdsQualityQueues.GROUP);
        for (String phase : AdsQualityPipeline.COORDINATION) {
            QueueName dead = DeadLetter.queueOf(QueueName.of(phase));
            if (queues.tasksIn(dead) > 0) {
                // The sets of these tasks would never be loaded.
                throw new DemoException("%s: %d sets (expected: none; --fresh starts a new measurement)"
                        .formatted(dead, queues.tasksIn(dead)));
            }
        }
        QuerySetProgress now = QuerySetProgress.of(queues);
        return new Look(now.line(), now.isOver());
    }

    @Override
    public String result() {
        return "tables in %s, events in %s".formatted(folder.own(REPORTS), folder.own(JOURNAL));
    }

    @Override
    public List<String> sum(BlockingClient client, Duration took) throws IOException {
        Files.createDirectories(folder.own(JOURNAL));
        for (Market market : Market.ALL) {
            Path file = folder.own(JOURNAL).resolve(market.name() + ".txt");
            Files.write(
                    file,
                    QueueTasks.of(client, AdsQualityQueues.of(AdsQualityQueues.JOURNAL, market.name())).stream()
                            .map(AdsQualityDemo::line)
                            .toList());
        }
        QuerySetProgress progress = QuerySetProgress.of(QueueSizes.take(client, AdsQualityQueues.GROUP));
        return List.of("%d query sets loaded, %d queries judged, %d advertisers rated, %d dead letters"
                .formatted(progress.loaded(), progress.judged(), progress.aggregated(), progress.dead()));
    }

    private static String line(PeekedTask entry) {
        return entry.enqueued() + " " + AdsQualityQueues.JOURNAL.codec().decode(entry.data());
    }

    @Override
    public NextStep next(String again) {
        return new NextStep(
                "cat " + ShellWord.of(folder.own(REPORTS).resolve("coffee.md").toString()),
                "shows the ranking of a query set");
    }

    @Override
    public void close() {
        ads.close();
    }
}
