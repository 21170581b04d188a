package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.StageStatus.Phase;
import io.taskmaster.stage.worker.task.CallTrace;
import io.taskmaster.stage.worker.task.TaskTimes;
import io.taskmaster.stage.worker.task.TaskTrace;
import io.taskmaster.stage.worker.task.Tracing;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of application code that throws, at each place where a worker calls it, and of the reaction of a worker to a
 * bug of its own.
 */
final class WorkerGuardTest extends OneStage {

    private static final int MANY = 8;

    /** An exception that cannot be logged. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new StackOverflowError("no message");
        }
    }

    /** Returns a proxy that calls the methods of a tracing, and throws at the end of one of them. */
    private static <T> T throwing(Class<T> type, T real, String method) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, called, arguments) -> {
                    Object result = invoke(real, called, arguments);
                    if ((type.getSimpleName() + "." + called.getName()).equals(method)) {
                        throw new IllegalStateException("planted");
                    }
                    return switch (result) {
                        case CallTrace trace -> throwing(CallTrace.class, trace, method);
                        case TaskTrace trace -> throwing(TaskTrace.class, trace, method);
                        case Scope scope -> throwing(Scope.class, scope, method);
                        case null, default -> result;
                    };
                }));
    }

    private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void enqueueMany() {
        for (int i = 0; i < MANY; i++) {
            tasks.enqueue("in", "p" + i, "data");
        }
    }

    private Worker start(WorkerEnvironment world, UnaryOperator<StageBuilder<String>> settings) {
        return Worker.start(pipeline(settings), world);
    }

    private WorkerEnvironment traced(Tracing tracing) {
        WorkerEnvironment plain = world();
        return new WorkerEnvironment(
                plain.tasks(), plain.timer(), plain.loop(), plain.handlers(), plain.random(), tracing);
    }

    /**
     * Returns an outcome by the number of the task: one is retried, one held for a while, one dead, the others handed
     * on.
     */
    private Outcome outcome(Task<String> task) {
        int number = task.pid().toString().charAt(1) - '0';
        boolean isFirst = seen.stream().noneMatch(other -> other.pid().equals(task.pid()));
        seen.add(task);
        try (Scope _ = task.enter()) {
            return switch (number) {
                case 0 -> isFirst ? Outcome.retry("once") : Outcome.done();
                case 1 -> isFirst ? Outcome.hold(SHORT, "once") : Outcome.done();
                case 2 -> Outcome.dead("dead");
                default -> Outcome.handOff(OUT.task("on"));
            };
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Tracing.call",
                "Tracing.uncalled",
                "CallTrace.task",
                "CallTrace.enter",
                "CallTrace.returned",
                "TaskTrace.enter",
                "TaskTrace.headers",
                "TaskTrace.concluded",
                "TaskTrace.refused",
                "TaskTrace.ended",
                "Scope.close"
            })
    void tracingThatThrowsHoldsUpNothing(String method) {
        enqueueMany();
        tasks.refuse(ErrorCode.OVERLOADED);
        Worker worker = start(
                traced(throwing(Tracing.class, new Silent(), method)),
                stage -> stage.handler(this::outcome)
                        .to(OUT)
                        .concurrency(1)
                        .perKey(lease -> lease.pid().equals(Pid.of("p7")) ? null : "", 1)
                        .retry(RetryPolicy.DEFAULT.delays(SHORT, SHORT)));
        for (int i = 0; i < 3 * MANY; i++) {
            runHandlers();
        }
        StageStatus status = status(worker);
        assertThat(status.phase()).isEqualTo(Phase.RUNNING);
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(tasks.pids("in.dead")).containsExactly("p2", "p7");
        assertThat(tasks.pids("out")).containsExactly("p3", "p4", "p5", "p6");
        assertThat(status.running() + status.settling()).isZero();
    }

    /** A tracing whose traces are distinct objects, like those of an application. */
    private static final class Silent implements Tracing {

        @Override
        public CallTrace call(Stage<?> stage, List<? extends Task<?>> tasks) {
            return new CallTrace() {
                @Override
                public TaskTrace task(int index) {
                    return trace();
                }

                @Override
                public Scope enter() {
                    return Scope.NONE;
                }

                @Override
                public void returned() {}
            };
        }

        @Override
        public TaskTrace uncalled(Stage<?> stage, Task<?> task) {
            return trace();
        }

        private static TaskTrace trace() {
            return new TaskTrace() {
                @Override
                public Scope enter() {
                    return Scope.NONE;
                }

                @Override
                public Map<String, String> headers() {
                    return Map.of();
                }

                @Override
                public void concluded(Outcome outcome, Optional<Throwable> cause) {}

                @Override
                public void refused(String why) {}

                @Override
                public void ended(End end, String reason) {}
            };
        }
    }

    @Test
    void timesThatThrowHoldUpNothing() {
        enqueueMany();
        TaskTimes times = new TaskTimes() {
            @Override
            public void waited(Stage<?> stage, Task<?> task, long waitNanos) {
                throw new Unspeakable();
            }

            @Override
            public void handled(Stage<?> stage, long serviceNanos) {
                throw new Unspeakable();
            }
        };
        start(world().timed(times), stage -> stage.handler(_ -> Outcome.done()));
        runHandlers();
        assertThat(tasks.pids("in")).isEmpty();
    }

    @Test
    void exceptionThatCannotBeSpokenOfIsARetry() {
        tasks.enqueue("in", "p", "data");
        Worker worker = start(stage -> stage.handler(_ -> {
            throw new Unspeakable();
        }));
        runHandlers();
        assertThat(status(worker).phase()).isEqualTo(Phase.RUNNING);
        assertThat(status(worker).retried()).isEqualTo(1);
    }

    @Test
    void lastPidThatCannotBeToldIsAskedForAgain() {
        enqueueMany();
        boolean[] isBroken = {true};
        Worker worker = start(stage -> stage.handler(_ -> Outcome.done()).maxPid(_ -> {
            if (isBroken[0]) {
                throw WorkerGuardTest.<RuntimeException>sneaky(new Exception("checked, and undeclared"));
            }
            return Pid.of("z");
        }));
        runHandlers();
        assertThat(status(worker).trouble()).isPresent();
        isBroken[0] = false;
        runHandlers();
        runHandlers();
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(status(worker).trouble()).isEmpty();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The JVM does not check checked exceptions.
    private static <X extends Throwable> X sneaky(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void brokenStageStopsEndsItsLeasesAndSaysSo() {
        enqueueMany();
        WorkerEnvironment plain = world();
        WorkerEnvironment broken = new WorkerEnvironment(
                plain.tasks(),
                plain.timer(),
                plain.loop(),
                handler -> {
                    if (!handlers.isEmpty()) {
                        throw new RejectedExecutionException("a second thread");
                    }
                    handlers.add(handler);
                },
                new SplittableRandom(3),
                Tracing.NONE);
        Worker worker = start(
                broken,
                stage -> stage.handler(_ -> Outcome.done())
                        .concurrency(2)
                        .prefetch(2)
                        .lease(LEASE));
        time.run(SHORT);

        StageStatus status = status(worker);
        assertThat(status.phase()).isEqualTo(Phase.FAILED);
        assertThat(status.failure()).hasValueSatisfying(why -> assertThat(why).contains("a second thread"));
        long leases = tasks.leases();
        time.run(SHORT);
        assertThat(tasks.pids("in").stream().filter(pid -> tasks.isReleased("in", pid) && tasks.isOffered("in", pid)))
                .as("no handler has them")
                .contains("p2", "p3");
        time.run(LEASE.multipliedBy(2));
        assertThat(tasks.pids("in")).allMatch(pid -> !tasks.isLeased("in", pid));
        assertThat(tasks.leases()).as("it leases no more").isEqualTo(leases);

        CompletableFuture<Void> drained = worker.drain(Duration.ofMinutes(1));
        time.run(SHORT);
        assertThat(drained).isCompleted();
        assertThat(status(worker).phase()).isEqualTo(Phase.FAILED);
    }
}
