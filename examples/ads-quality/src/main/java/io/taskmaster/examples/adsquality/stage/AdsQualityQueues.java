package io.taskmaster.examples.adsquality.stage;

import io.taskmaster.examples.adsquality.measure.AdvertiserSample;
import io.taskmaster.examples.adsquality.measure.Judgement;
import io.taskmaster.examples.adsquality.measure.Quality;
import io.taskmaster.examples.adsquality.measure.Query;
import io.taskmaster.examples.adsquality.measure.ServedAds;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.TaskQueue;

/**
 * The queues of the ads-quality flow. All are in one consistency group, because every hand-off is one update. A
 * coordination queue has one task for each query set, whose PID is the name of the set. The others are families with
 * one queue for each set.
 */
public final class AdsQualityQueues {

    public static final GroupName GROUP = GroupName.of("ads-quality");

    /** Coordination: sets that are to begin. */
    public static final TaskQueue<Bytes> FETCHING = TaskQueue.of("fetching", Codec.bytes());

    /** Coordination: sets whose queries are in the first pipeline, with the number of these. */
    public static final TaskQueue<Integer> QUERYING = TaskQueue.of("querying", number());

    /** Coordination: sets whose queries are done. */
    public static final TaskQueue<Bytes> PROCESSING = TaskQueue.of("processing", Codec.bytes());

    /** Coordination: sets whose samples are in the second pipeline, with the number of these. */
    public static final TaskQueue<Integer> AGGREGATING = TaskQueue.of("aggregating", number());

    /** Coordination: sets whose results are to be stored. */
    public static final TaskQueue<Bytes> LOADING = TaskQueue.of("loading", Codec.bytes());

    /** First pipeline: queries to send to the ad server. */
    public static final TaskQueue<Query> ISSUE = TaskQueue.family("issue", Codec.text(Query::text, Query::parse));

    /** First pipeline: ads to judge. */
    public static final TaskQueue<ServedAds> JUDGE =
            TaskQueue.family("judge", Codec.text(ServedAds::text, ServedAds::parse));

    /** Second pipeline: the judgements on one advertiser. */
    public static final TaskQueue<AdvertiserSample> AGGREGATE =
            TaskQueue.family("aggregate", Codec.text(AdvertiserSample::text, AdvertiserSample::parse));

    /** The result of each query. The tasks stay. */
    public static final TaskQueue<Judgement> JUDGED =
            TaskQueue.family("judged", Codec.text(Judgement::text, Judgement::parse));

    /** The result of each advertiser. The tasks stay. */
    public static final TaskQueue<Quality> AGGREGATED =
            TaskQueue.family("aggregated", Codec.text(Quality::text, Quality::parse));

    /** The journal of events, in the order of their commits. The tasks stay. */
    public static final TaskQueue<String> JOURNAL = TaskQueue.family("journal", Codec.utf8());

    /** Every set that ever began, with the number of its queries. The tasks stay. */
    public static final TaskQueue<Integer> SETS = TaskQueue.of("sets", number());

    /** Every set that is done. The tasks stay. */
    public static final TaskQueue<Bytes> LOADED = TaskQueue.of("loaded", Codec.bytes());

    private AdsQualityQueues() {}

    /** Returns the queue of a set. */
    public static QueueKey of(TaskQueue<?> family, String set) {
        return new QueueKey(GROUP, QueueName.of(family.name() + "/" + set));
    }

    private static Codec<Integer> number() {
        return Codec.text(String::valueOf, Integer::valueOf);
    }
}
