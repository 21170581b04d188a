package io.taskmaster.examples.adsquality.stage;

import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.AGGREGATE;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.AGGREGATED;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.AGGREGATING;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.FETCHING;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.GROUP;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.ISSUE;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.JOURNAL;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.JUDGE;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.JUDGED;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.LOADED;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.LOADING;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.PROCESSING;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.QUERYING;
import static io.taskmaster.examples.adsquality.stage.AdsQualityQueues.SETS;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.examples.adsquality.market.Market;
import io.taskmaster.examples.adsquality.measure.AdvertiserSample;
import io.taskmaster.examples.adsquality.measure.Judgement;
import io.taskmaster.examples.adsquality.measure.Quality;
import io.taskmaster.examples.adsquality.measure.Query;
import io.taskmaster.examples.adsquality.measure.ServedAds;
import io.taskmaster.examples.demo.QueueTasks;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The ads-quality flow (paper section 7). One task for each query set goes through the coordination queues:
 *
 * <pre>
 * fetching     puts the queries into the first pipeline      issue -> judge -> judged
 * querying     waits until that has drained
 * processing   puts samples of the results into the second   aggregate -> aggregated
 * aggregating  waits until that has drained
 * loading      stores the results
 * </pre>
 *
 * <p>The tasks with which a phase begins, and the coordination task of the next one, are enqueued in the update that
 * dequeues the coordination task of this one. So a coordinator that dies has either done a step or not begun it, and
 * another one continues.
 */
public final class AdsQualityPipeline {

    /** The stages that lead sets from phase to phase. */
    public static final List<String> COORDINATION = names(FETCHING, QUERYING, PROCESSING, AGGREGATING, LOADING);

    /** The stages that do the work. */
    public static final List<String> WORK = names(ISSUE, JUDGE, AGGREGATE);

    /** The lease, short so that the tasks of a dead worker are soon available again. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    private static final int AT_ONCE = 4;

    /**
     * The retry policy of sets that wait at a barrier. Each coordinator that dies meanwhile counts as an attempt, and
     * is no fault of the set.
     */
    private static final RetryPolicy BARRIER_RETRY = RetryPolicy.DEFAULT.maxAttempts(Integer.MAX_VALUE);

    /** The number of sets that may wait at a barrier at once: each takes a place. */
    private static final int SETS_AT_ONCE = 1_000;

    private final BlockingClient client;
    private final Repositories repositories;

    private AdsQualityPipeline(BlockingClient client, Repositories repositories) {
        this.client = client;
        this.repositories = repositories;
    }

    /**
     * Creates the pipeline.
     *
     * @param adServer the address of the ad server
     * @param rate the rate at which one worker sends queries to it
     */
    public static Pipeline of(BlockingClient client, URI adServer, Rate rate, Repositories repositories) {
        AdsQualityPipeline flow = new AdsQualityPipeline(client, repositories);
        Barrier queried = new Barrier(client, List.of(ISSUE, JUDGE), JUDGED);
        Barrier aggregated = new Barrier(client, List.of(AGGREGATE), AGGREGATED);
        return Pipeline.in(GROUP)
                .stage(
                        FETCHING,
                        stage -> coordination(stage, AT_ONCE)
                                .handler(AdsQualityPipeline::fetch)
                                .to(ISSUE, QUERYING, JOURNAL))
                .stage(
                        QUERYING,
                        stage -> coordination(stage, SETS_AT_ONCE)
                                .handler(task ->
                                        queried.pass(task, PROCESSING.task(Bytes.EMPTY), journal(task, "processing")))
                                .to(PROCESSING, JOURNAL))
                .stage(
                        PROCESSING,
                        stage -> coordination(stage, AT_ONCE)
                                .handler(flow::process)
                                .to(AGGREGATE, AGGREGATING, JOURNAL))
                .stage(
                        AGGREGATING,
                        stage -> coordination(stage, SETS_AT_ONCE)
                                .handler(task ->
                                        aggregated.pass(task, LOADING.task(Bytes.EMPTY), journal(task, "loading")))
                                .to(LOADING, JOURNAL))
                .stage(
                        LOADING,
                        stage ->
                                coordination(stage, AT_ONCE).handler(flow::load).to(LOADED, JOURNAL))
                .stage(
                        ISSUE,
                        stage -> shaped(stage, AT_ONCE)
                                .handler(new IssueHandler(adServer))
                                .rate(rate)
                                .to(JUDGE))
                .stage(
                        JUDGE,
                        stage -> shaped(stage, AT_ONCE)
                                .handler(AdsQualityPipeline::judge)
                                .to(JUDGED, JOURNAL))
                .stage(
                        AGGREGATE,
                        stage -> shaped(stage, AT_ONCE)
                                .handler(AdsQualityPipeline::aggregate)
                                .to(AGGREGATED, JOURNAL))
                .sinks(SETS, JUDGED, AGGREGATED, LOADED, JOURNAL)
                .build();
    }

    private static <T> StageBuilder<T> coordination(StageBuilder<T> stage, int atOnce) {
        return shaped(stage, atOnce).retry(BARRIER_RETRY);
    }

    private static <T> StageBuilder<T> shaped(StageBuilder<T> stage, int atOnce) {
        return stage.concurrency(atOnce).lease(LEASE).maxWait(Duration.ofSeconds(1));
    }

    private static Outcome fetch(Task<Bytes> task) {
        return Market.named(set(task))
                .map(market -> fetch(task, market.queries()))
                .orElseGet(() -> Outcome.dead("set: %s (expected: a market)".formatted(set(task))));
    }

    private static Outcome fetch(Task<Bytes> task, List<Query> queries) {
        List<NewTask<?>> next = new ArrayList<>();
        queries.forEach(query -> next.add(ISSUE.task(set(task), query).last()));
        next.add(QUERYING.task(queries.size()));
        next.add(journal(task, "querying " + queries.size()));
        return Outcome.handOff(next);
    }

    private static Outcome judge(Task<ServedAds> task) {
        Query query = task.payload().query();
        return Outcome.handOff(
                JUDGED.task(task.member(), task.payload().judge()).at(query.pid()),
                entry(task.member(), "judged " + query.number()));
    }

    private Outcome process(Task<Bytes> task) {
        List<Judgement> judgements = kept(JUDGED, set(task));
        List<AdvertiserSample> samples = AdvertiserSample.of(judgements);
        List<NewTask<?>> next = new ArrayList<>();
        samples.forEach(sample -> next.add(AGGREGATE.task(set(task), sample).last()));
        next.add(AGGREGATING.task(samples.size()));
        next.add(journal(task, "aggregating " + samples.size()));
        return Outcome.handOff(next);
    }

    private static Outcome aggregate(Task<AdvertiserSample> task) {
        Quality quality = task.payload().aggregate();
        return Outcome.handOff(
                AGGREGATED.task(task.member(), quality).at(quality.advertiser()),
                entry(task.member(), "aggregated " + quality.advertiser()));
    }

    private Outcome load(Task<Bytes> task) throws IOException {
        repositories.store(set(task), kept(AGGREGATED, set(task)));
        return Outcome.handOff(LOADED.task(Bytes.EMPTY), journal(task, "loaded"));
    }

    private <T> List<T> kept(TaskQueue<T> family, String set) {
        return QueueTasks.of(client, AdsQualityQueues.of(family, set)).stream()
                .map(task -> family.codec().decode(task.data()))
                .toList();
    }

    /** Returns the name of the set, which is the PID in a coordination queue. */
    private static String set(Task<?> task) {
        return task.pid().toString();
    }

    private static NewTask<String> journal(Task<?> task, String what) {
        return entry(set(task), what);
    }

    private static NewTask<String> entry(String set, String what) {
        return JOURNAL.task(set, what).last();
    }

    private static List<String> names(TaskQueue<?>... stages) {
        return List.of(stages).stream().map(TaskQueue::name).toList();
    }

    /** Begins the measurement of a query set. Returns false if it has begun already. Blocks. Idempotent. */
    public static boolean begin(BlockingClient client, Market market) {
        Pid set = Pid.of(market.name());
        int queries = market.queries().size();
        return client.update(Update.in(GROUP)
                        .enqueue(SETS.task(queries).ifExists(IfExists.FAIL).enqueue(set))
                        .enqueue(FETCHING.task(Bytes.EMPTY).enqueue(set))
                        .build())
                .success();
    }
}
