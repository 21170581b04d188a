package io.taskmaster.server.http;

import com.google.common.util.concurrent.ListenableFuture;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the answer to a request, and watches meanwhile whether the caller is still there: a long poll of somebody who hung up
 * must not lease tasks that nobody will see. The web server tells a handler nothing about the connection, but a listener is given it on
 * the connection's thread before each request. Thread-safe.
 */
final class Callers implements Http1ConnectionListener {

    /** What takes no longer than this is not worth a watch. */
    private static final long PATIENCE_MILLIS = 100;

    private static final long LOOK_MILLIS = 200;

    /** A connection has its thread to itself, and keeps it. */
    private static final ThreadLocal<@Nullable HelidonSocket> SOCKET = new ThreadLocal<>();

    @Override
    public void prologue(ConnectionContext connection, HttpPrologue prologue) {
        SOCKET.set(connection.serverSocket());
    }

    /**
     * Blocks until there is an answer. To be called on the thread that handles the request, after its body was read.
     *
     * @throws CloseConnectionException when the caller hung up, or the port is being closed; the answer is cancelled
     */
    <T> T await(ListenableFuture<T> answer) throws ExecutionException {
        try {
            return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException longer) {
            return awaitWatching(answer);
        } catch (InterruptedException e) {
            throw given(answer, "the port is being closed");
        }
    }

    private <T> T awaitWatching(ListenableFuture<T> answer) throws ExecutionException {
        HelidonSocket caller = SOCKET.get();
        if (caller != null) {
            caller.idle();
        }
        while (caller == null || caller.isConnected()) {
            try {
                return answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                // Looks at the caller again.
            } catch (InterruptedException e) {
                throw given(answer, "the port is being closed");
            }
        }
        throw given(answer, "the caller hung up");
    }

    private static CloseConnectionException given(ListenableFuture<?> up, String why) {
        up.cancel(true);
        return new CloseConnectionException(why);
    }
}
