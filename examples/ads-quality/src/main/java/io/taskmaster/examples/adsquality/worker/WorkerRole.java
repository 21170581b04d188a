package io.taskmaster.examples.adsquality.worker;

import io.taskmaster.examples.adsquality.stage.AdsQualityPipeline;
import java.util.List;

/** The role of a worker process. */
public enum WorkerRole {
    COORDINATOR,
    WORKER;

    /** Returns the names of the stages that it runs. */
    String[] stages() {
        List<String> stages = switch (this) {
            case COORDINATOR -> AdsQualityPipeline.COORDINATION;
            case WORKER -> AdsQualityPipeline.WORK;
        };
        return stages.toArray(String[]::new);
    }
}
