package io.taskmaster.proxy.http;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * A wait for the answer to a request that checks in between whether the client is still connected: a long poll of a
 * client that disconnected must not lease tasks. Thread-safe: stateless.
 */
final class DisconnectWatcher {

    /**
     * The time before the first check, in milliseconds. A shorter call is answered also if the client has shut down its
     * side of the connection.
     */
    private static final long FIRST_CHECK_MILLIS = 100;

    private static final long CHECK_MILLIS = 200;

    private DisconnectWatcher() {}

    /**
     * Blocks until there is an answer.
     *
     * @param isDisconnected returns whether the client disconnected
     * @throws CallerGoneException if the client disconnected, or the port is being closed; the answer is cancelled
     */
    static <T> T await(ListenableFuture<T> answer, BooleanSupplier isDisconnected) throws ExecutionException {
        long waitMillis = FIRST_CHECK_MILLIS;
        try {
            while (true) {
                try {
                    return answer.get(waitMillis, TimeUnit.MILLISECONDS);
                } catch (TimeoutException longer) {
                    if (isDisconnected.getAsBoolean()) {
                        throw cancelled(answer, "the caller closed the connection");
                    }
                    waitMillis = CHECK_MILLIS;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cancelled(answer, "the port is being closed");
        }
    }

    private static CallerGoneException cancelled(ListenableFuture<?> answer, String reason) {
        answer.cancel(true);
        return new CallerGoneException(reason);
    }
}
