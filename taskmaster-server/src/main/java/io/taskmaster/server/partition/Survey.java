package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What is asked of several partitions. None is waited for without end, and once nobody waits for it a look that is under way ends. Stateless. */
public final class Survey {

    /** A partition that has not answered by then is stuck. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private Survey() {}

    /** All that they say, in their order. Fails with a {@link TaskMasterException}. */
    public static <A> CompletableFuture<List<A>> of(List<CompletableFuture<A>> looks) {
        CompletableFuture<List<A>> answers = new CompletableFuture<>();
        CompletableFuture<Void> all = CompletableFuture.allOf(looks.toArray(CompletableFuture<?>[]::new))
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        var _ = all.whenComplete((_, failure) -> {
            if (failure == null) {
                answers.complete(looks.stream().map(CompletableFuture::join).toList());
            } else {
                looks.forEach(look -> look.cancel(false));
                answers.completeExceptionally(refusal(failure));
            }
        });
        // The first that fails is reason enough.
        for (CompletableFuture<A> look : looks) {
            var _ = look.whenComplete((_, failure) -> {
                if (failure != null) {
                    all.completeExceptionally(failure);
                }
            });
        }
        return answers;
    }

    /** What one says. */
    public static <A> CompletableFuture<A> of(CompletableFuture<A> look) {
        return of(List.of(look)).thenApply(List::getFirst);
    }

    /** Why a look failed, or whatever was to be done with what it found. */
    public static TaskMasterException refusal(Throwable failure) {
        return switch (failure) {
            case TaskMasterException refusal -> refusal;
            case CompletionException wrapped when wrapped.getCause() != null -> refusal(wrapped.getCause());
            case TimeoutException _ ->
                new TaskMasterException(
                        ErrorCode.PARTITION_OPENING, "a partition has not answered in " + PATIENCE.toSeconds() + " s");
            case RejectedExecutionException _ ->
                new TaskMasterException(ErrorCode.SHUTTING_DOWN, "the node is shutting down");
            default ->
                new TaskMasterException(ErrorCode.INTERNAL, "a defect of the server: see its log", null, failure);
        };
    }
}
