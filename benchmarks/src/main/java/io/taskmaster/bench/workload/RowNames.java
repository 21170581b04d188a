package io.taskmaster.bench.workload;

/** How rows and their units are called. */
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
