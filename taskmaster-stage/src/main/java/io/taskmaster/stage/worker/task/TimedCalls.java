package io.taskmaster.stage.worker.task;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.guard.Guard;
import io.taskmaster.time.Deadlines;
import java.util.List;

/** A decorator of {@link Tracing} that measures calls of handlers for a {@link TaskTimes} listener. Thread-safe. */
final class TimedCalls implements Tracing {

    private static final String SUBJECT = "listener for times of tasks";

    private final Tracing tracing;
    private final TaskTimes times;
    private final Timer timer;
    private final Guard guard;

    /**
     * Creates the decorator.
     *
     * @param timer the timer by which the worker records when it received a task
     */
    TimedCalls(Tracing tracing, TaskTimes times, Timer timer, Guard guard) {
        this.tracing = tracing;
        this.times = times;
        this.timer = timer;
        this.guard = guard;
    }

    @Override
    public CallTrace call(Stage<?> stage, List<? extends Task<?>> tasks) {
        return new TimedCall(stage, tasks, tracing.call(stage, tasks));
    }

    @Override
    public TaskTrace uncalled(Stage<?> stage, Task<?> task) {
        return tracing.uncalled(stage, task);
    }

    /** The timing of one call, which may never be made. */
    private final class TimedCall implements CallTrace {

        private final Stage<?> stage;
        private final List<? extends Task<?>> tasks;
        private final CallTrace trace;
        private volatile boolean begun;
        private volatile long startNanos;

        TimedCall(Stage<?> stage, List<? extends Task<?>> tasks, CallTrace trace) {
            this.stage = stage;
            this.tasks = tasks;
            this.trace = trace;
        }

        @Override
        public TaskTrace task(int index) {
            return trace.task(index);
        }

        @Override
        @MustBeClosed
        public Scope enter() {
            long nowNanos = timer.nanoTime();
            tasks.forEach(task -> guard.run(SUBJECT, () -> times.waited(stage, task, waitNanos(task, nowNanos))));
            // The time that the listener took is not part of the service time.
            startNanos = timer.nanoTime();
            begun = true;
            return trace.enter();
        }

        private long waitNanos(Task<?> task, long nowNanos) {
            long receivedNanos = ((RunningTask<?>) task).inFlightTask().receivedNanos();
            return Deadlines.nanos(stage.settings().queued(task.lease())) + nowNanos - receivedNanos;
        }

        @Override
        public void returned() {
            if (begun) {
                guard.run(SUBJECT, () -> times.handled(stage, timer.nanoTime() - startNanos));
            }
            trace.returned();
        }
    }
}
