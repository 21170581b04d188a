package io.taskmaster.bench.workload;

import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.store.RawLoad;
import io.taskmaster.bench.store.RawStore;

/**
 * Writes to the store without a server: the limit that the store sets for the server. Immutable.
 *
 * @param batch the number of rows per operation, each as large as a task
 */
public record RawWorkload(int batch) implements Workload.OnStore {

    /** The batch that is the limit of enqueues of many tasks. */
    static final int COMPARED_BATCH = 50;

    static String rowOf(int batch) {
        return "raw x" + batch;
    }

    @Override
    public String row() {
        return rowOf(batch);
    }

    @Override
    public Row run(Scene scene, RawStore store) throws InterruptedException {
        Load load = scene.load();
        RawLoad raw = new RawLoad(batch, scene.data(), load.outstanding(batch), load.timing());
        return Row.rate(row(), store.unit(raw), store.write(raw));
    }
}
