package io.taskmaster.bench.seda;

import java.time.Duration;

/** Some runs that are to be compared. */
interface Experiment {

    /**
     * Runs it and tells what came of it, as a part of a Markdown document.
     *
     * @param each how long each run is measured
     */
    String run(Duration each) throws InterruptedException;
}
