package io.taskmaster.stage.worker.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.stage.BatchHandler.Finish;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.task.InFlightTask.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler, with one task or a batch. Each task gets exactly one conclusion, whatever the handler does: a
 * task without an outcome when the handler returns is tried again, unless the stage {@linkplain Stage#finishesLater
 * finishes later}. Thread-safe.
 *
 * <p>The call is over when the handler has returned and no outcome is to come: every task is concluded, or the call was
 * cancelled. {@link Listener#returned} is then called once, after all conclusions.
 */
public final class Attempt<T> implements Runnable, Finish<T> {

    /** The receiver of the events of an attempt, called on the handler's threads. */
    public interface Listener<T> {

        void concluded(InFlightTask<T> task, HandlerResult handlerResult);

        /**
         * Ends the attempt: the handler has returned, or was never called, and no outcome counts any more. Always the
         * last call.
         */
        void returned(Attempt<T> attempt);
    }

    private final Stage<T> stage;
    private final List<RunningTask<T>> tasks;
    private final CallTrace trace;
    private final long startedNanos;
    private final Listener<T> listener;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<Task<T>> open = Collections.newSetFromMap(new IdentityHashMap<>());

    @GuardedBy("lock")
    private @Nullable Thread runner;

    @GuardedBy("lock")
    private boolean cancelled;

    @GuardedBy("lock")
    private boolean hasReturned;

    /**
     * The number of tasks whose outcome was reported and has not reached the listener yet. Without it
     * {@link Listener#returned} could overtake the last conclusion.
     */
    @GuardedBy("lock")
    private int concluding;

    @GuardedBy("lock")
    private boolean reported;

    public Attempt(
            Stage<T> stage, List<RunningTask<T>> tasks, Tracing tracing, long startedNanos, Listener<T> listener) {
        this.stage = stage;
        this.tasks = List.copyOf(tasks);
        this.trace = tracing.call(stage, this.tasks);
        for (int i = 0; i < tasks.size(); i++) {
            tasks.get(i).trace(trace.task(i));
        }
        this.startedNanos = startedNanos;
        this.listener = listener;
        open.addAll(tasks);
    }

    public List<InFlightTask<T>> tasks() {
        return tasks.stream().map(RunningTask::inFlightTask).toList();
    }

    public int size() {
        return tasks.size();
    }

    public long startedNanos() {
        return startedNanos;
    }

    /** Returns whether no task is left whose outcome would count. */
    public boolean isFutile() {
        return tasks.stream().noneMatch(task -> task.inFlightTask().state == State.RUNNING);
    }

    /** Interrupts the handler, or prevents its call. Idempotent. */
    public void cancel() {
        tasks.forEach(RunningTask::cancel);
        lock.lock();
        try {
            cancelled = true;
            // The lock is held, so the thread cannot have gone on to other work, which the interrupt would hit.
            if (runner != null) {
                runner.interrupt();
            }
        } finally {
            lock.unlock();
        }
        reportIfEnded();
    }

    @Override
    // Whatever a handler throws, its tasks are tried again and its permit is free. A scope has its effect by being
    // open.
    @SuppressWarnings({"CatchingUnchecked", "try"})
    public void run() {
        try {
            if (!begin()) {
                conclude(HandlerResult.retry("handler: no longer called"));
                return;
            }
            List<Task<T>> readable = readable();
            if (!readable.isEmpty()) {
                try (Scope scope = trace.enter()) {
                    stage.handler().handle(readable, this);
                }
            }
            if (!stage.finishesLater()) {
                conclude(HandlerResult.retry("handler: returned without an outcome (expected: one for each task)"));
            }
        } catch (Throwable error) {
            conclude(HandlerResult.failed(error));
        } finally {
            end();
            reportIfEnded();
        }
    }

    /**
     * Calls {@link Listener#returned} once, as soon as the handler has returned and no outcome is to come or would
     * count.
     */
    private void reportIfEnded() {
        boolean isEnded;
        lock.lock();
        try {
            isEnded = hasReturned && concluding == 0 && (open.isEmpty() || cancelled) && !reported;
            if (isEnded) {
                reported = true;
                open.clear();
            }
        } finally {
            lock.unlock();
        }
        if (isEnded) {
            trace.returned();
            listener.returned(this);
        }
    }

    /** Registers the thread of the handler. Returns false if the attempt was cancelled before it began. */
    private boolean begin() {
        lock.lock();
        try {
            runner = cancelled ? null : Thread.currentThread();
            return !cancelled;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the time in which {@link #cancel} interrupts this thread, and clears the interrupt flag: the thread may go
     * on to other work.
     */
    @SuppressWarnings("InterruptedExceptionSwallowed")
    private void end() {
        lock.lock();
        try {
            runner = null;
            hasReturned = true;
        } finally {
            lock.unlock();
        }
        // From here on cancel() does not find this thread, so no interrupt can follow.
        Thread.interrupted();
    }

    private List<Task<T>> readable() {
        List<Task<T>> readable = new ArrayList<>();
        for (RunningTask<T> task : tasks) {
            try {
                task.decode();
                readable.add(task);
            } catch (RuntimeException | StackOverflowError e) {
                with(task, Outcome.dead("data: cannot be decoded: " + HandlerResult.textOf(e)));
            } catch (LinkageError e) {
                // This says nothing about the data: the class that is missing here may be present at another worker.
                with(task, Outcome.retry("data: cannot be decoded by this worker: " + HandlerResult.textOf(e)));
            }
        }
        return readable;
    }

    @Override
    public void with(Task<T> task, @Nullable Outcome outcome) {
        RunningTask<T> runningTask = (RunningTask<T>) task;
        if (close(runningTask)) {
            conclude(runningTask, HandlerResult.of(runningTask.lease(), runningTask.trace(), outcome));
        }
    }

    private void conclude(RunningTask<T> task, HandlerResult handlerResult) {
        listener.concluded(task.inFlightTask(), handlerResult);
        lock.lock();
        try {
            concluding--;
        } finally {
            lock.unlock();
        }
        reportIfEnded();
    }

    private void conclude(HandlerResult remaining) {
        for (RunningTask<T> task : tasks) {
            if (close(task)) {
                conclude(task, remaining);
            }
        }
    }

    /** Removes a task from the open ones. Returns whether this is its first outcome. */
    private boolean close(RunningTask<T> task) {
        lock.lock();
        try {
            boolean first = open.remove(task);
            concluding += first ? 1 : 0;
            return first;
        } finally {
            lock.unlock();
        }
    }
}
