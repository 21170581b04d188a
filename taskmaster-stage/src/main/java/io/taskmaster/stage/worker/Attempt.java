package io.taskmaster.stage.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.stage.BatchHandler.Finish;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.Held.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One call of a handler, with one task or some. Every task gets a conclusion, once, whatever the handler does: what it left without an
 * outcome is tried again, unless the stage {@linkplain Stage#finishesLater finishes later}. Thread-safe.
 */
final class Attempt<T> implements Runnable, Finish<T> {

    /** Hears of an attempt, on the handler's threads. */
    interface Listener<T> {

        void concluded(Held<T> task, Conclusion conclusion);

        /** The handler has returned, or was never called, and no outcome counts any more. The last word. */
        void returned(Attempt<T> attempt);
    }

    private final Stage<T> stage;
    private final List<AtWork<T>> tasks;
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

    /** Tasks whose outcome has been said and not been told yet. */
    @GuardedBy("lock")
    private int concluding;

    @GuardedBy("lock")
    private boolean told;

    Attempt(Stage<T> stage, List<AtWork<T>> tasks, Tracing tracing, long startedNanos, Listener<T> listener) {
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

    List<Held<T>> tasks() {
        return tasks.stream().map(AtWork::held).toList();
    }

    int size() {
        return tasks.size();
    }

    long startedNanos() {
        return startedNanos;
    }

    /** Whether no task is left whose outcome would count. */
    boolean isInVain() {
        return tasks.stream().noneMatch(task -> task.held().state == State.RUNNING);
    }

    /** Interrupts the handler, or keeps it from being called. Idempotent. */
    void cancel() {
        tasks.forEach(AtWork::cancel);
        lock.lock();
        try {
            cancelled = true;
            if (runner != null) {
                runner.interrupt();
            }
        } finally {
            lock.unlock();
        }
        tellIfOver();
    }

    @Override
    @SuppressWarnings(
            "CatchingUnchecked") // Whatever a handler throws, its tasks are tried again and its permit is free.
    public void run() {
        try {
            if (!begin()) {
                conclude(Conclusion.retry("handler: not called any more"));
                return;
            }
            List<Task<T>> readable = readable();
            if (!readable.isEmpty()) {
                try (Scope _ = trace.enter()) {
                    stage.handler().handle(readable, this);
                }
            }
            if (!stage.finishesLater()) {
                conclude(Conclusion.retry("handler: returned without an outcome (expected: one for each task)"));
            }
        } catch (Throwable error) {
            conclude(Conclusion.failed(error));
        } finally {
            end();
            tellIfOver();
        }
    }

    /** Tells, once: when the handler has returned, and no outcome is to come or nobody waits for it. */
    private void tellIfOver() {
        boolean isOver;
        lock.lock();
        try {
            isOver = hasReturned && concluding == 0 && (open.isEmpty() || cancelled) && !told;
            if (isOver) {
                told = true;
                open.clear();
            }
        } finally {
            lock.unlock();
        }
        if (isOver) {
            trace.returned();
            listener.returned(this);
        }
    }

    /** False if it was cancelled before it began. */
    private boolean begin() {
        lock.lock();
        try {
            runner = cancelled ? null : Thread.currentThread();
            return !cancelled;
        } finally {
            lock.unlock();
        }
    }

    /** From here on nobody interrupts the thread, which has other work to do. */
    @SuppressWarnings("InterruptedExceptionSwallowed")
    private void end() {
        lock.lock();
        try {
            runner = null;
            hasReturned = true;
        } finally {
            lock.unlock();
        }
        boolean _ = Thread.interrupted();
    }

    private List<Task<T>> readable() {
        List<Task<T>> readable = new ArrayList<>();
        for (AtWork<T> task : tasks) {
            try {
                task.decode();
                readable.add(task);
            } catch (RuntimeException | StackOverflowError e) {
                with(task, Outcome.dead("data: cannot be read: " + Conclusion.textOf(e)));
            } catch (LinkageError e) {
                // It says nothing about the data: another worker may have the class that is missing here.
                with(task, Outcome.retry("data: cannot be read here: " + Conclusion.textOf(e)));
            }
        }
        return readable;
    }

    @Override
    public void with(Task<T> task, @Nullable Outcome outcome) {
        AtWork<T> atWork = (AtWork<T>) task;
        if (close(atWork)) {
            conclude(atWork, Conclusion.of(atWork.lease(), atWork.trace(), outcome));
        }
    }

    private void conclude(AtWork<T> task, Conclusion conclusion) {
        listener.concluded(task.held(), conclusion);
        lock.lock();
        try {
            concluding--;
        } finally {
            lock.unlock();
        }
        tellIfOver();
    }

    private void conclude(Conclusion rest) {
        for (AtWork<T> task : tasks) {
            if (close(task)) {
                conclude(task, rest);
            }
        }
    }

    /** Whether this is the first outcome of the task. */
    private boolean close(AtWork<T> task) {
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
