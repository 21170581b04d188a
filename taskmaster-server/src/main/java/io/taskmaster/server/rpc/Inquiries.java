package io.taskmaster.server.rpc;

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
 * Questions that cost much, answered a few at a time, in the order in which they come. Who asks what somebody asks already gets the same
 * answer, and who comes where too many wait is refused. Thread-safe; never blocks.
 *
 * @param <Q> with equality
 */
final class Inquiries<Q, A> {

    private static final Duration RETRY = Duration.ofMillis(200);

    private final int atOnce;
    private final int open;
    private final Function<Q, CompletableFuture<A>> answer;
    private final ReentrantLock lock = new ReentrantLock();

    /** Not answered yet. */
    @GuardedBy("lock")
    private final Map<Q, CompletableFuture<A>> asked = new HashMap<>();

    /** Those of them that have not begun. */
    @GuardedBy("lock")
    private final ArrayDeque<Q> waiting = new ArrayDeque<>();

    /**
     * @param atOnce so many are under way
     * @param open so many are under way or wait
     * @param answer finds the answer, in the end, whatever happens
     */
    Inquiries(int atOnce, int open, Function<Q, CompletableFuture<A>> answer) {
        this.atOnce = atOnce;
        this.open = open;
        this.answer = answer;
    }

    /** The answer; or a refusal, thrown. */
    CompletableFuture<A> ask(Q question) {
        CompletableFuture<A> mine = new CompletableFuture<>();
        lock.lock();
        try {
            CompletableFuture<A> known = asked.get(question);
            if (known != null) {
                return known;
            }
            if (asked.size() == open) {
                throw TaskMasterException.withoutStackTrace(
                        ErrorCode.OVERLOADED,
                        "questions: " + open + " others are not answered yet (expected: fewer)",
                        RETRY,
                        null);
            }
            asked.put(question, mine);
            if (asked.size() > atOnce) {
                waiting.add(question);
                return mine;
            }
        } finally {
            lock.unlock();
        }
        begin(question, mine);
        return mine;
    }

    private void begin(Q question, CompletableFuture<A> mine) {
        CompletableFuture<A> _ = answer.apply(question).whenComplete((found, failure) -> {
            goOnBehind(question);
            if (failure == null) {
                mine.complete(found);
            } else {
                mine.completeExceptionally(failure);
            }
        });
    }

    private void goOnBehind(Q answered) {
        Q next;
        @Nullable CompletableFuture<A> future;
        lock.lock();
        try {
            asked.remove(answered);
            next = waiting.poll();
            future = next == null ? null : asked.get(next);
        } finally {
            lock.unlock();
        }
        if (next != null && future != null) {
            begin(next, future);
        }
    }
}
