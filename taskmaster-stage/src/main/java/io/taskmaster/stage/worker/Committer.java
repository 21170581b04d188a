package io.taskmaster.stage.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.worker.task.Mailbox;
import io.taskmaster.stage.worker.task.TaskService;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sender of updates, which batches them: updates that are requested while {@link #MAX_CALLS} calls are in flight go
 * with the next call. So an idle worker never waits to fill a batch, and a busy one makes few calls. Each update is
 * still atomic by itself. Thread-safe.
 */
final class Committer {

    /** The maximum number of calls in flight. */
    static final int MAX_CALLS = 2;

    /** The maximum number of updates in a call. */
    static final int MAX_UPDATES = 500;

    /** The maximum number of elements in all updates of a call, unless it is one large update. */
    static final int MAX_ELEMENTS = 5_000;

    /** The approximate maximum size of a call, in bytes, unless it is one large update. */
    static final long MAX_BYTES = 4 << 20;

    /** The approximate overhead of an element, in bytes. */
    private static final int ELEMENT_BYTES = 48;

    private final TaskService tasks;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int calls;

    /** True while a thread is in the loop of {@link #sendNext}. */
    @GuardedBy("lock")
    private boolean sending;

    /**
     * An update that waits for its call.
     *
     * @param alone whether it goes in a call of its own
     */
    private record Waiting(Update update, long bytes, boolean alone, CompletableFuture<UpdateResult> result) {

        int elements() {
            return update.enqueues().size()
                    + update.dequeues().size()
                    + update.releases().size();
        }

        Waiting asSingle() {
            return new Waiting(update, bytes, true, result);
        }
    }

    Committer(TaskService tasks) {
        this.tasks = tasks;
    }

    /**
     * Sends an update. The future completes as that of {@link io.taskmaster.client.TaskMasterClient#update}. Does not
     * block.
     */
    CompletableFuture<UpdateResult> commit(Update update) {
        Waiting pending = new Waiting(update, bytesOf(update), false, new CompletableFuture<>());
        lock.lock();
        try {
            waiting.add(pending);
        } finally {
            lock.unlock();
        }
        sendNext();
        return pending.result;
    }

    /**
     * Takes batches and sends them until there is none to take. One thread at a time does so, so calls that fail at
     * once do not nest.
     */
    private void sendNext() {
        for (List<Waiting> batch = next(true); !batch.isEmpty(); batch = next(false)) {
            List<Waiting> sent = batch;
            var unused = send(sent).whenComplete((results, error) -> {
                ended();
                // A refused batch goes back into the queue here, so the next one is taken after that.
                settle(sent, results, error);
                sendNext();
            });
        }
    }

    /**
     * Takes the next batch. Empty if no update waits, too many calls are in flight, or another thread sends.
     *
     * @param isNew whether the caller is not in the loop yet
     */
    private List<Waiting> next(boolean isNew) {
        lock.lock();
        try {
            // The thread in the loop looks at the queue under this lock before it leaves, so it sees the update of a
            // newcomer.
            if (isNew && sending) {
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
            // The first update goes even if it exceeds a bound by itself; otherwise it would never be sent.
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
            // Together they are too much for the server, or one of them is invalid: each is sent again by itself.
            lock.lock();
            try {
                batch.forEach(each -> waiting.add(each.asSingle()));
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
        // Any failure that is no error of the service is one to make the request, so nothing was sent.
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
            case BatchResult.Leased leased -> result.completeExceptionally(broken());
            case null -> result.completeExceptionally(broken());
        }
    }

    private static TaskMasterException broken() {
        return new TaskMasterException(
                ErrorCode.OUTCOME_UNKNOWN, "batch: no result (expected: one for each update)", null, null);
    }

    /** Returns the approximate encoded size of an update. */
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
