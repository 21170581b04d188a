package io.taskmaster.server.engine.state;

import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Enqueued;
import java.util.Optional;

/** Changes of the state that tests of other packages need, and that only an atom or a read makes otherwise. */
public final class StateFixture {

    private StateFixture() {}

    public static Queues noQueues() {
        return new Queues(Optional.empty());
    }

    public static void create(Queues queues, QueueKey key) {
        queues.create(key, 1);
    }

    public static void remove(Queues queues, QueueState queue) {
        queues.remove(queue);
    }

    public static void setOptions(Queues queues, QueueKey key, QueueOptions options) {
        queues.options(key, options);
    }

    /** Gives the first ready task of a queue as many attempts as that of another one has. */
    public static void copyAttempts(QueueState from, QueueState to) {
        to.ready.firstEntry().getValue().attempt = from.ready.firstEntry().getValue().attempt;
    }

    public static void loadData(Task task, Enqueued data) {
        task.load(data);
    }
}
