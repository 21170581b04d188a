package io.taskmaster.examples.crawl.run;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.index.IndexView;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.examples.crawl.site.SiteServer;
import io.taskmaster.examples.crawl.stage.CrawlPipeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One run: starts what is needed, begins the crawl or goes on with it, watches until every stage is empty, and sums up. Whatever is
 * killed meanwhile is started again; if this process is killed, the next run goes on. Single-threaded, except {@link #stop}.
 */
public final class CrawlRun {

    private static final Duration LOOK_EVERY = Duration.ofMillis(250);
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Plan plan;
    private final PrintWriter out;
    private final Progress progress;
    private final Children children;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * @param live whether {@code out} is a terminal
     */
    public CrawlRun(Plan plan, PrintWriter out, boolean live) {
        this.plan = plan;
        this.out = out;
        this.progress = new Progress(out, live, System::nanoTime);
        this.children = new Children(plan.folder());
    }

    /** Ends the run and all its processes, from another thread. Idempotent; blocks. */
    public void stop() {
        stopped.countDown();
        children.close();
    }

    /** Whether somebody wanted the run to end early. */
    public boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /**
     * Crawls to the end.
     *
     * @throws DemoException if something cannot be kept running
     */
    public void run() throws IOException, InterruptedException {
        plan.folder().create();
        try (SiteServer site = SiteServer.start(plan.folder().site());
                Children all = children) {
            String server = plan.server().orElseGet(() -> ServerProcess.start(all, plan.store()));
            try (TaskMasterClient client =
                    TaskMasterClient.builder(server).deadline(DEADLINE).build()) {
                crawl(client.blocking(), server, site);
            }
        }
    }

    private void crawl(BlockingClient client, String server, SiteServer site) throws IOException, InterruptedException {
        awaitServer(client);
        if (plan.fresh()) {
            wipe(client);
        }
        boolean resumed = !persist(() -> CrawlPipeline.begin(client, Site.GUAVA));
        Facts before = facts(client);
        long begin = System.nanoTime();
        if (resumed && Snapshot.take(client).isIdle()) {
            out.println("This crawl is complete; --fresh starts a new one.");
        } else {
            out.println(resumed ? "Going on with the crawl." : "Crawling the Javadoc of Guava.");
            plan.workers().forEach((stage, count) -> startWorkers(stage, count, server, site));
            watch(client);
        }
        if (!isStopped()) {
            summarise(facts(client), before, Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    /** The queues first: an index without queues is merely written again, queues without an index would count as done. */
    private void wipe(BlockingClient client) throws IOException {
        client.delete(QueueSelector.matching(Queues.GROUP, ".*"));
        plan.folder().deleteIndex();
    }

    private void awaitServer(BlockingClient client) throws IOException {
        long begin = System.nanoTime();
        persist(() -> {
            if (System.nanoTime() - begin > START_LIMIT.toNanos()) {
                throw new DemoException("server: silent for %d s".formatted(START_LIMIT.toSeconds()));
            }
            return Snapshot.take(client);
        });
    }

    private void startWorkers(StageName stage, int count, String server, SiteServer site) {
        for (int i = 1; i <= count; i++) {
            String name = stage.word() + "-" + i;
            children.start(name, plan.worker(stage, name, server, site.address()));
        }
    }

    private void watch(BlockingClient client) throws IOException, InterruptedException {
        try {
            while (true) {
                Snapshot now = persist(() -> Snapshot.take(client));
                try (IndexView index = IndexView.open(plan.folder().index())) {
                    progress.show(now, index.pages());
                }
                if (now.isIdle() || stopped.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } finally {
            progress.end();
        }
    }

    private Facts facts(BlockingClient client) throws IOException {
        try (IndexView index = IndexView.open(plan.folder().index())) {
            return persist(() -> Facts.gather(client, index));
        }
    }

    private void summarise(Facts facts, Facts before, Duration took) {
        double seconds = took.toMillis() / 1000.0;
        long rate = Math.round((facts.handOffs() - before.handOffs()) / Math.max(seconds, 0.001));
        out.printf(
                "Took %.1f s; %d processes had to be restarted; index in %s%n",
                seconds, children.restarts(), plan.folder().index());
        if (facts.dead() > 0) {
            out.printf("%d tasks were given up: see the queues whose names end in .dead%n", facts.dead());
        }
        out.println(facts.line(rate));
        out.flush();
    }

    /** Asks again while the server is away, for as long as its process can be kept alive. Only for what is harmless twice. */
    private <T> T persist(Question<T> question) throws IOException {
        while (true) {
            children.check();
            try {
                return question.ask();
            } catch (TaskMasterException error) {
                Advice advice = error.code().advice();
                boolean passing = advice == Advice.RETRY_LATER || advice == Advice.OUTCOME_UNKNOWN;
                if (!passing || isStopped()) {
                    throw error;
                }
            }
        }
    }

    /** What the server, or the index, can be asked. */
    private interface Question<T> {

        T ask() throws IOException;
    }
}
