package io.taskmaster.testkit.oracle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All that happened to one (queue, PID), by the time of invocation. Single-threaded; not changed once it is projected. */
final class KeyHistory {

    private final TaskKey key;
    private final List<KeyOperation> operations = new ArrayList<>(4);

    /** Whether unknown enqueues may or may not have been assigned this PID. */
    boolean guessed;

    KeyHistory(TaskKey key) {
        this.key = key;
    }

    TaskKey key() {
        return key;
    }

    List<KeyOperation> operations() {
        return operations;
    }

    void add(KeyOperation operation) {
        operations.add(operation);
    }

    void sort() {
        operations.sort(Comparator.comparingLong(operation -> operation.span().from()));
    }
}
