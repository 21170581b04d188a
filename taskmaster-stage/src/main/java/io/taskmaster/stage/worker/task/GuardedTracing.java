package io.taskmaster.stage.worker.task;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.guard.Guard;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A decorator of the application's {@link Tracing} of which no method throws. A call or a task whose tracing failed
 * goes on without a trace. Thread-safe.
 */
final class GuardedTracing implements Tracing {

    private static final String SUBJECT = "tracing";

    private final Tracing tracing;
    private final Guard guard;

    private GuardedTracing(Tracing tracing, Guard guard) {
        this.tracing = tracing;
        this.guard = guard;
    }

    static Tracing of(Tracing tracing, Guard guard) {
        return Tracing.NONE.equals(tracing) ? tracing : new GuardedTracing(tracing, guard);
    }

    @Override
    public CallTrace call(Stage<?> stage, List<? extends Task<?>> tasks) {
        CallTrace trace = guard.get(SUBJECT, () -> tracing.call(stage, tasks), CallTrace.NONE);
        return CallTrace.NONE.equals(trace) ? trace : new GuardedCall(trace);
    }

    @Override
    public TaskTrace uncalled(Stage<?> stage, Task<?> task) {
        return guarded(guard.get(SUBJECT, () -> tracing.uncalled(stage, task), TaskTrace.NONE));
    }

    private TaskTrace guarded(TaskTrace trace) {
        return TaskTrace.NONE.equals(trace) ? trace : new GuardedTask(trace);
    }

    private Scope guarded(Scope scope) {
        return Scope.NONE.equals(scope) ? scope : () -> guard.run(SUBJECT, scope::close);
    }

    /** The guarded trace of one call of a handler. */
    private final class GuardedCall implements CallTrace {

        private final CallTrace trace;

        GuardedCall(CallTrace trace) {
            this.trace = trace;
        }

        @Override
        public TaskTrace task(int index) {
            return guarded(guard.get(SUBJECT, () -> trace.task(index), TaskTrace.NONE));
        }

        @Override
        @MustBeClosed
        @SuppressWarnings("MustBeClosedChecker") // Closing this scope closes the other.
        public Scope enter() {
            return guarded(guard.get(SUBJECT, trace::enter, Scope.NONE));
        }

        @Override
        public void returned() {
            guard.run(SUBJECT, trace::returned);
        }
    }

    /** The guarded trace of an attempt on one task. */
    private final class GuardedTask implements TaskTrace {

        private final TaskTrace trace;

        GuardedTask(TaskTrace trace) {
            this.trace = trace;
        }

        @Override
        @MustBeClosed
        @SuppressWarnings("MustBeClosedChecker") // Closing this scope closes the other.
        public Scope enter() {
            return guarded(guard.get(SUBJECT, trace::enter, Scope.NONE));
        }

        @Override
        public Map<String, String> headers() {
            return guard.get(SUBJECT, () -> Map.copyOf(trace.headers()), Map.of());
        }

        @Override
        public void concluded(Outcome outcome, Optional<Throwable> cause) {
            guard.run(SUBJECT, () -> trace.concluded(outcome, cause));
        }

        @Override
        public void refused(String reason) {
            guard.run(SUBJECT, () -> trace.refused(reason));
        }

        @Override
        public void ended(End end, String reason) {
            guard.run(SUBJECT, () -> trace.ended(end, reason));
        }
    }
}
