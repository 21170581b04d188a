package io.taskmaster.server.http;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Waits for the answer to a request, and watches meanwhile whether the caller is still there: a long poll of somebody who hung up
 * must not lease tasks that nobody will see. Stateless.
 */
final class Callers {

    /** What takes no longer than this is not worth a watch, and is answered also where the caller sends nothing more. */
    private static final long PATIENCE_MILLIS = 100;

    private static final long LOOK_MILLIS = 200;

    private Callers() {}

    /**
     * Blocks until there is an answer.
     *
     * @param gone whether the caller hung up
     * @throws CallerGoneException when the caller hung up, or the port is being closed; the answer is cancelled
     */
    static <T> T await(ListenableFuture<T> answer, BooleanSupplier gone) throws ExecutionException {
        long patience = PATIENCE_MILLIS;
        try {
            while (true) {
                try {
                    return answer.get(patience, TimeUnit.MILLISECONDS);
                } catch (TimeoutException longer) {
                    if (gone.getAsBoolean()) {
                        throw cancelled(answer, "the caller hung up");
                    }
                    patience = LOOK_MILLIS;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cancelled(answer, "the port is being closed");
        }
    }

    private static CallerGoneException cancelled(ListenableFuture<?> answer, String why) {
        answer.cancel(true);
        return new CallerGoneException(why);
    }
}
