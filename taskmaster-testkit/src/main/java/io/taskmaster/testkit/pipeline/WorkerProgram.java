package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.local.LocalStages;

/** The program of a worker process, which creates the pipeline. Called at every start of a worker of a kit. */
@FunctionalInterface
public interface WorkerProgram {

    /**
     * Creates the pipeline that the worker runs.
     *
     * @param local the local stages of this process, in virtual time: with no stage yet
     * @param timer virtual time, for handlers that finish tasks later; its alarms do not ring once the process has died
     */
    Pipeline start(LocalStages local, Timer timer);
}
