package io.taskmaster.proxy.rpc.scatter;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of expensive questions, answered a few at a time, first come, first served. A question that equals
 * one in flight joins it and shares its answer. A question over the bound is refused with {@code OVERLOADED}.
 * Thread-safe; never blocks.
 *
 * @param <Q> the type of questions, with {@code equals} and {@code hashCode}
 * @param <A> the type of answers
 */
final class QueryLimiter<Q, A> {

    private static final Duration RETRY = Duration.ofMillis(200);

    private final int atOnce;
    private final int open;
    private final Function<Q, CompletableFuture<A>> answer;
    private final ReentrantLock lock = new ReentrantLock();

    /** Questions that are not answered yet, begun or waiting. */
    @GuardedBy("lock")
    private final Map<Q, CompletableFuture<A>> pending = new HashMap<>();

    /** Those of them that have not begun, in order of arrival. */
    @GuardedBy("lock")
    private final ArrayDeque<Q> waiting = new ArrayDeque<>();

    /**
     * Creates an empty queue.
     *
     * @param atOnce the bound on questions in flight
     * @param open the bound on questions in flight and waiting
     * @param answer completes in the end, whatever happens
     */
    QueryLimiter(int atOnce, int open, Function<Q, CompletableFuture<A>> answer) {
        this.atOnce = atOnce;
        this.open = open;
        this.answer = answer;
    }

    /** Returns the answer to come, or throws a refusal. */
    CompletableFuture<A> query(Q question) {
        CompletableFuture<A> result = new CompletableFuture<>();
        lock.lock();
        try {
            CompletableFuture<A> known = pending.get(question);
            if (known != null) {
                return known;
            }
            if (pending.size() == open) {
                throw TaskMasterException.withoutStackTrace(
                        ErrorCode.OVERLOADED,
                        "queries: " + open + " in flight (expected: fewer; try again)",
                        RETRY,
                        null);
            }
            pending.put(question, result);
            if (pending.size() > atOnce) {
                waiting.add(question);
                return result;
            }
        } finally {
            lock.unlock();
        }
        // Outside the lock: an answer that is there at once runs callbacks of other components on this thread.
        begin(question, result);
        return result;
    }

    private void begin(Q question, CompletableFuture<A> result) {
        CompletableFuture<A> _ = answer.apply(question).whenComplete((found, failure) -> {
            // First, so that a callback of this answer that asks the same question again gets a new answer.
            startNext(question);
            if (failure == null) {
                result.complete(found);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    private void startNext(Q completed) {
        Q next;
        @Nullable CompletableFuture<A> future;
        lock.lock();
        try {
            pending.remove(completed);
            next = waiting.poll();
            future = next == null ? null : pending.get(next);
        } finally {
            lock.unlock();
        }
        if (next != null && future != null) {
            begin(next, future);
        }
    }
}
