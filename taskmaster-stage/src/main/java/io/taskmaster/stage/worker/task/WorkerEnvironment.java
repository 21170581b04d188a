package io.taskmaster.stage.worker.task;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.guard.Guard;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * The environment of a worker, which a test can replace by a simulation. Immutable.
 *
 * @param tasks the server
 * @param timer the clock and the alarms
 * @param loop the executor of the short steps of the stages, which never block
 * @param handlers the executor of handlers, which may block. It must run each one at once; permits bound their number
 * @param computing the executor of handlers of computing stages, with a limited number of threads
 * @param random the source of jitter
 * @param tracing the tracing of tasks
 * @param times the listener to waiting and service times; absent: nothing is measured
 */
public record WorkerEnvironment(
        TaskService tasks,
        Timer timer,
        Executor loop,
        Executor handlers,
        Executor computing,
        SplittableGenerator random,
        Tracing tracing,
        Optional<TaskTimes> times) {

    /** Creates an environment with one executor for all handlers, without measurements. */
    public WorkerEnvironment(
            TaskService tasks,
            Timer timer,
            Executor loop,
            Executor handlers,
            SplittableGenerator random,
            Tracing tracing) {
        this(tasks, timer, loop, handlers, handlers, random, tracing, Optional.empty());
    }

    /** Creates an environment with one executor for all handlers, without tracing and measurements. */
    public WorkerEnvironment(
            TaskService tasks, Timer timer, Executor loop, Executor handlers, SplittableGenerator random) {
        this(tasks, timer, loop, handlers, random, Tracing.NONE);
    }

    /** Returns a copy that measures waiting and service times for a listener. */
    public WorkerEnvironment timed(TaskTimes listener) {
        return new WorkerEnvironment(tasks, timer, loop, handlers, computing, random, tracing, Optional.of(listener));
    }

    /** Returns the executor of a stage's handler. */
    public Executor handlersOf(Stage<?> stage) {
        return stage.settings().isComputing() ? computing : handlers;
    }

    /** Returns the tracing of one stage, of which no method throws. */
    public Tracing tracing(Guard guard) {
        Tracing guarded = GuardedTracing.of(tracing, guard);
        return times.<Tracing>map(listener -> new TimedCalls(guarded, listener, timer, guard))
                .orElse(guarded);
    }
}
