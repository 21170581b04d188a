package io.taskmaster.proxy.route;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An operation on several partitions at once. Its wait is bounded, and an operation that is still in flight is
 * cancelled when the result is not needed any more. Stateless.
 */
public final class ScatterGather {

    /** The timeout of a partition; one that has not answered by then is stuck. */
    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    private ScatterGather() {}

    /** Returns all results, in the order of the operations. Fails with a {@link TaskMasterException}. */
    public static <A> CompletableFuture<List<A>> of(List<CompletableFuture<A>> queries) {
        CompletableFuture<List<A>> answers = new CompletableFuture<>();
        CompletableFuture<Void> all = CompletableFuture.allOf(queries.toArray(CompletableFuture<?>[]::new))
                .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        var _ = all.whenComplete((_, failure) -> {
            if (failure == null) {
                answers.complete(queries.stream().map(CompletableFuture::join).toList());
            } else {
                queries.forEach(query -> query.cancel(false));
                answers.completeExceptionally(refusal(failure));
            }
        });
        // The first failure is enough: the other operations are not waited for.
        for (CompletableFuture<A> query : queries) {
            var _ = query.whenComplete((_, failure) -> {
                if (failure != null) {
                    all.completeExceptionally(failure);
                }
            });
        }
        return answers;
    }

    /** Returns the result of one operation. */
    public static <A> CompletableFuture<A> of(CompletableFuture<A> query) {
        return of(List.of(query)).thenApply(List::getFirst);
    }

    /** Returns the error for a failed operation, or for a failure in handling its result. */
    public static TaskMasterException refusal(Throwable failure) {
        return switch (failure) {
            case TaskMasterException refusal -> refusal;
            case CompletionException wrapped when wrapped.getCause() != null -> refusal(wrapped.getCause());
            case TimeoutException _ ->
                new TaskMasterException(
                        ErrorCode.PARTITION_OPENING, "a partition did not answer within " + TIMEOUT.toSeconds() + " s");
            case RejectedExecutionException _ ->
                new TaskMasterException(ErrorCode.SHUTTING_DOWN, "the node is shutting down");
            default ->
                new TaskMasterException(ErrorCode.INTERNAL, "internal error: see the log of the server", null, failure);
        };
    }
}
