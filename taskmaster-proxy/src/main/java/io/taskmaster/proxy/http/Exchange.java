package io.taskmaster.proxy.http;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.access.Identity;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of the port that all connections share: access, routes, budget of bodies, and the virtual threads that
 * answer. Thread-safe.
 */
final class Exchange implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final AuthHandler authHandler;
    private final Routes routes;
    private final ByteBudget budget;
    private final ExecutorService workers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("http-request-", 0).factory());

    Exchange(AuthHandler authHandler, Routes routes, ByteBudget budget) {
        this.authHandler = authHandler;
        this.routes = routes;
        this.budget = budget;
    }

    Identity admit(ReceivedRequest request) throws RefusedException {
        return authHandler.admit(request);
    }

    ByteBudget.Share share() {
        return budget.share();
    }

    /**
     * Answers a request on a virtual thread of its own.
     *
     * @param answered receives the answer, once and on that thread, unless the client disconnected
     * @param dropped runs instead of {@code answered} if the client disconnected or the port is being closed
     */
    void answer(ReceivedRequest.Admitted request, Consumer<Response> answered, Runnable dropped) {
        try {
            workers.execute(() -> {
                Response response;
                try {
                    response = routes.handle(request);
                } catch (CallerGoneException gone) {
                    dropped.run();
                    return;
                } catch (IOException | RuntimeException | Error e) {
                    LOG.error(
                            "{} {} failed",
                            request.request().method(),
                            request.request().path(),
                            e);
                    response = Response.of(HttpFailure.of(
                            new TaskMasterException(ErrorCode.INTERNAL, "internal error: see the log of the server")));
                }
                answered.accept(response);
            });
        } catch (RejectedExecutionException closing) {
            dropped.run();
        }
    }

    /** Interrupts the threads that wait. Idempotent. */
    @Override
    public void close() {
        workers.shutdownNow();
    }
}
