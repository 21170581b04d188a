package io.taskmaster.testkit.pipeline;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.util.Locale;

/** An event of a kit. Its text is a line of the {@linkplain PipelineKit#trace() trace}. Immutable. */
public sealed interface KitEvent permits Commit, KitEvent.Attempt, KitEvent.Incident {

    /** Returns the time since the kit began. */
    Duration at();

    /** Returns the name of the worker process. */
    String worker();

    /**
     * An attempt: a handler is passed a task.
     *
     * @param attempt 1 for the first lease of the task
     */
    record Attempt(Duration at, String worker, QueueKey queue, Pid pid, int attempt) implements KitEvent {
        @Override
        public String toString() {
            return line(this, "%s: attempt %d".formatted(task(queue, pid), attempt));
        }
    }

    /** The start or end of a worker, or a fault. */
    record Incident(Duration at, String worker, String what) implements KitEvent {
        @Override
        public String toString() {
            return line(this, what);
        }
    }

    static String task(QueueKey queue, Pid pid) {
        return queue.name() + "[" + pid + "]";
    }

    static String line(KitEvent kitEvent, String description) {
        return String.format(
                Locale.ROOT, "%14.6f s  %s  %s", kitEvent.at().toNanos() / 1e9, kitEvent.worker(), description);
    }
}
