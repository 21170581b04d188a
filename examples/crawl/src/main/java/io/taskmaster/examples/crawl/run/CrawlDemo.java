package io.taskmaster.examples.crawl.run;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.examples.crawl.index.IndexView;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.examples.crawl.stage.CrawlPipeline;
import io.taskmaster.examples.crawl.stage.CrawlQueues;
import io.taskmaster.examples.crawl.stage.CrawlStage;
import io.taskmaster.examples.demo.Demo;
import io.taskmaster.examples.demo.DemoPace;
import io.taskmaster.examples.demo.NextStep;
import io.taskmaster.examples.demo.WorkerOptions;
import io.taskmaster.examples.demo.process.DemoFolder;
import io.taskmaster.model.GroupName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The crawl as a demo, which ends when every stage is empty. It serves the site. Single-threaded: owned by its run. */
public final class CrawlDemo implements Demo {

    private static final String INDEX = "index";

    private final DemoFolder folder;
    private final Map<CrawlStage, Integer> pools;
    private final DemoPace pace;
    private final SiteServer site;

    /** The results of earlier runs. */
    private @Nullable CrawlTotals before;

    private CrawlDemo(DemoFolder folder, Map<CrawlStage, Integer> pools, DemoPace pace, SiteServer site) {
        this.folder = folder;
        this.pools = new EnumMap<>(pools);
        this.pace = pace;
        this.site = site;
    }

    /**
     * Opens the demo.
     *
     * @param pools the number of processes of each stage
     * @param pace the pace at which pages are fetched
     */
    public static CrawlDemo open(DemoFolder folder, Map<CrawlStage, Integer> pools, DemoPace pace) throws IOException {
        return new CrawlDemo(folder, pools, pace, SiteServer.start(folder.passing("site.zip")));
    }

    /** Returns the folder of the Lucene index. */
    public static Path index(DemoFolder folder) {
        return folder.own(INDEX);
    }

    @Override
    public String name() {
        return "crawl";
    }

    @Override
    public String opening() {
        return "Crawling the Javadoc of Guava.";
    }

    @Override
    public GroupName group() {
        return CrawlQueues.GROUP;
    }

    @Override
    public void forget() throws IOException {
        folder.delete(INDEX);
    }

    @Override
    public boolean begin(BlockingClient client) {
        return CrawlPipeline.begin(client, Site.GUAVA);
    }

    @Override
    public Map<String, List<String>> workers(String server) {
        Map<String, List<String>> workers = new LinkedHashMap<>();
        pools.forEach((stage, count) -> {
            for (int i = 1; i <= count; i++) {
                String name = stage.word() + "-" + i;
                workers.put(name, worker(stage, name, server));
            }
        });
        return workers;
    }

    private List<String> worker(CrawlStage stage, String name, String server) {
        List<String> arguments = new ArrayList<>(List.of(
                "worker",
                "--stage=" + stage,
                "--site=" + site.address(),
                "--index=" + index(folder),
                "--rate=" + pace.of(pools.getOrDefault(CrawlStage.FETCH, 1))));
        arguments.addAll(WorkerOptions.of(name, server));
        return arguments;
    }

    @Override
    public Look look(BlockingClient client) throws IOException {
        CrawlSnapshot now = CrawlSnapshot.take(client);
        try (IndexView index = IndexView.open(index(folder))) {
            if (before == null) {
                before = CrawlTotals.gather(client, index);
            }
            return new Look(now.line(index.pages()), now.isIdle());
        }
    }

    @Override
    public String result() {
        return "index in " + index(folder);
    }

    @Override
    public List<String> sum(BlockingClient client, Duration took) throws IOException {
        CrawlTotals totals;
        try (IndexView index = IndexView.open(index(folder))) {
            totals = CrawlTotals.gather(client, index);
        }
        long handedOffBefore = before == null ? 0 : before.handOffs();
        double seconds = Math.max(took.toMillis() / 1000.0, 0.001);
        String line = totals.line(Math.round((totals.handOffs() - handedOffBefore) / seconds));
        return totals.dead() == 0
                ? List.of(line)
                : List.of("%d dead letters: see the queues whose names end in .dead".formatted(totals.dead()), line);
    }

    @Override
    public NextStep next(String again) {
        return new NextStep(again + " --query \"immutable list\"", "searches the index");
    }

    @Override
    public void close() throws IOException {
        site.close();
    }
}
