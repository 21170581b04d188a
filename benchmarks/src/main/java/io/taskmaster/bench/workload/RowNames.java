package io.taskmaster.bench.workload;

/** The names of rows, and the descriptions of their operations. */
final class RowNames {

    private RowNames() {}

    static String batched(String name, int batch) {
        return batch == 1 ? name : name + " x" + batch;
    }

    static String updateOf(int batch) {
        return "one operation = one update that enqueues " + tasks(batch);
    }

    static String tasks(int count) {
        return count == 1 ? "1 task" : count + " tasks";
    }
}
