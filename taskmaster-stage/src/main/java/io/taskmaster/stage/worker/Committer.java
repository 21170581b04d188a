package io.taskmaster.stage.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends updates, many in one call: what is asked while enough calls are under way goes with the next one. So a worker with little to do
 * waits for nobody, and one with much to do makes few calls. Each update is still atomic by itself. Thread-safe.
 */
final class Committer {

    /** Calls under way. */
    static final int MAX_CALLS = 2;

    /** Updates in a call. */
    static final int MAX_UPDATES = 500;

    /** Elements of updates in a call, but for one large update. */
    static final int MAX_ELEMENTS = 5_000;

    /** In a call, about, but for one large update. */
    static final long MAX_BYTES = 4 << 20;

    /** What an element takes besides what it holds. */
    private static final int ELEMENT_BYTES = 48;

    private final TaskService tasks;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int calls;

    /** Whether somebody is at it. */
    @GuardedBy("lock")
    private boolean sending;

    /**
     * @param alone whether it goes in a call of its own
     */
    private record Waiting(Update update, long bytes, boolean alone, CompletableFuture<UpdateResult> result) {

        int elements() {
            return update.enqueues().size()
                    + update.dequeues().size()
                    + update.releases().size();
        }

        Waiting byItself() {
            return new Waiting(update, bytes, true, result);
        }
    }

    Committer(TaskService tasks) {
        this.tasks = tasks;
    }

    /** Completes as {@link io.taskmaster.client.TaskMasterClient#update} does. */
    CompletableFuture<UpdateResult> commit(Update update) {
        Waiting asked = new Waiting(update, bytesOf(update), false, new CompletableFuture<>());
        lock.lock();
        try {
            waiting.add(asked);
        } finally {
            lock.unlock();
        }
        sendNext();
        return asked.result;
    }

    /** One at a time takes batches and sends them, until there is none to take; so a call that fails at once does not nest. */
    private void sendNext() {
        for (List<Waiting> batch = next(true); !batch.isEmpty(); batch = next(false)) {
            List<Waiting> sent = batch;
            CompletableFuture<?> _ = send(sent).whenComplete((results, error) -> {
                ended();
                settle(sent, results, error);
                sendNext();
            });
        }
    }

    /** Empty if there is nothing to send, or nothing may be, or somebody else does. */
    private List<Waiting> next(boolean isNewcomer) {
        lock.lock();
        try {
            if (isNewcomer && sending) {
                return List.of();
            }
            sending = calls < MAX_CALLS && !waiting.isEmpty();
            if (!sending) {
                return List.of();
            }
            calls++;
            return takeBatch();
        } finally {
            lock.unlock();
        }
    }

    private void ended() {
        lock.lock();
        try {
            calls--;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private List<Waiting> takeBatch() {
        List<Waiting> batch = new ArrayList<>();
        long bytes = 0;
        int elements = 0;
        while (batch.size() < MAX_UPDATES) {
            Waiting next = waiting.peek();
            if (next == null) {
                break;
            }
            bytes += next.bytes;
            elements += next.elements();
            boolean fits = bytes <= MAX_BYTES && elements <= MAX_ELEMENTS;
            if (!batch.isEmpty() && (!fits || next.alone)) {
                break;
            }
            batch.add(waiting.remove());
            if (next.alone) {
                break;
            }
        }
        return batch;
    }

    private CompletableFuture<List<BatchResult>> send(List<Waiting> batch) {
        return Mailbox.call(() ->
                tasks.batch(List.copyOf(batch.stream().map(Waiting::update).toList())));
    }

    private void settle(List<Waiting> batch, @Nullable List<BatchResult> results, @Nullable Throwable error) {
        if (results == null && batch.size() > 1 && isRefused(Mailbox.cause(error))) {
            // Together they are too much for the server, or one of them is: each is judged by itself.
            lock.lock();
            try {
                batch.forEach(each -> waiting.add(each.byItself()));
            } finally {
                lock.unlock();
            }
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            settle(batch.get(i).result, i, results, Mailbox.cause(error));
        }
    }

    private static boolean isRefused(@Nullable Throwable error) {
        return !(error instanceof TaskMasterException known) || known.code().advice() == Advice.CALLER_FAULT;
    }

    private static void settle(
            CompletableFuture<UpdateResult> result,
            int index,
            @Nullable List<BatchResult> results,
            @Nullable Throwable error) {
        if (results == null) {
            result.completeExceptionally(error == null ? broken() : error);
            return;
        }
        switch (index < results.size() ? results.get(index) : null) {
            case BatchResult.Updated(UpdateResult updated) -> result.complete(updated);
            case BatchResult.Failed(TaskMasterException failed) -> result.completeExceptionally(failed);
            case BatchResult.Leased _ -> result.completeExceptionally(broken());
            case null -> result.completeExceptionally(broken());
        }
    }

    private static TaskMasterException broken() {
        return new TaskMasterException(
                ErrorCode.OUTCOME_UNKNOWN, "batch: no result (expected: one for each update)", null, null);
    }

    /** About as many as are sent. */
    private static long bytesOf(Update update) {
        long bytes = 0;
        for (Update.Enqueue enqueue : update.enqueues()) {
            bytes += ELEMENT_BYTES
                    + enqueue.queue().size()
                    + enqueue.pid().map(Pid::size).orElse(0)
                    + enqueue.data().size();
            for (Map.Entry<String, String> header : enqueue.headers().entrySet()) {
                bytes += ELEMENT_BYTES
                        + header.getKey().length()
                        + header.getValue().length();
            }
        }
        for (Update.Dequeue dequeue : update.dequeues()) {
            bytes += ELEMENT_BYTES + dequeue.queue().size() + dequeue.pid().size();
        }
        for (Update.Release release : update.releases()) {
            bytes += ELEMENT_BYTES + release.queue().size() + release.pid().size();
        }
        return bytes;
    }
}
