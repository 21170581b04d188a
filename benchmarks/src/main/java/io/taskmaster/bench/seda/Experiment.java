package io.taskmaster.bench.seda;

import java.time.Duration;

/** A set of runs to be compared. */
interface Experiment {

    /**
     * Runs the experiment. Blocks.
     *
     * @param each the measured time of each run
     * @return the result, as a part of a Markdown document
     */
    String run(Duration each) throws InterruptedException;
}
