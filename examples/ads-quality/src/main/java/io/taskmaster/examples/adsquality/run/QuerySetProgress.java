package io.taskmaster.examples.adsquality.run;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.examples.adsquality.stage.AdsQualityPipeline;
import io.taskmaster.examples.adsquality.stage.AdsQualityQueues;
import io.taskmaster.examples.demo.QueueSizes;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.TaskQueue;
import java.util.stream.Collectors;

/**
 * The progress of all query sets at one moment. Immutable.
 *
 * @param phases the number of sets in each phase, as text
 * @param judged the number of queries that are done
 * @param aggregated the number of advertisers that are rated
 * @param dead the number of dead letters
 */
record QuerySetProgress(long sets, long loaded, String phases, long judged, long aggregated, long dead) {

    static QuerySetProgress of(QueueSizes queues) {
        String phases = AdsQualityPipeline.COORDINATION.stream()
                .filter(phase -> queues.tasksIn(QueueName.of(phase)) > 0)
                .map(phase -> " %s %d".formatted(phase, queues.tasksIn(QueueName.of(phase))))
                .collect(Collectors.joining(","));
        return new QuerySetProgress(
                queues.tasksIn(QueueName.of(AdsQualityQueues.SETS.name())),
                queues.tasksIn(QueueName.of(AdsQualityQueues.LOADED.name())),
                phases,
                inFamily(queues, AdsQualityQueues.JUDGED),
                inFamily(queues, AdsQualityQueues.AGGREGATED),
                queues.tasksIn(DeadLetter::isQueueOf));
    }

    private static long inFamily(QueueSizes queues, TaskQueue<?> family) {
        return queues.tasksIn(name -> name.toString().startsWith(family.name() + "/"));
    }

    boolean isOver() {
        return loaded == sets;
    }

    /** Returns the progress as a line for people. */
    String line() {
        return "%d queries judged, %d advertisers rated, %d of %d sets loaded;%s%s"
                .formatted(
                        judged, aggregated, loaded, sets, phases, dead == 0 ? "" : "; dead letters %d".formatted(dead));
    }
}
