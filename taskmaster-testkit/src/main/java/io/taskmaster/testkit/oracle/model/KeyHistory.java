package io.taskmaster.testkit.oracle.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The history of one (queue, PID), ordered by invocation. Single-threaded; not changed after the projection. */
public final class KeyHistory {

    private final TaskKey key;
    private final List<KeyOperation> operations = new ArrayList<>(4);

    /** True if enqueues of unknown outcome may or may not have been assigned this PID. */
    boolean isGuessed;

    KeyHistory(TaskKey key) {
        this.key = key;
    }

    public TaskKey key() {
        return key;
    }

    public List<KeyOperation> operations() {
        return operations;
    }

    void add(KeyOperation operation) {
        operations.add(operation);
    }

    void sort() {
        operations.sort(Comparator.comparingLong(operation -> operation.span().from()));
    }
}
