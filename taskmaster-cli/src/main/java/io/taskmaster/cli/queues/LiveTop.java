package io.taskmaster.cli.queues;

import io.taskmaster.cli.common.ErrorAdvice;
import io.taskmaster.cli.screen.Key;
import io.taskmaster.cli.screen.Screen;
import io.taskmaster.client.RankRequest;
import io.taskmaster.client.RankResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.time.Clock;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The loop of {@code taskmaster top} at a terminal: it draws, waits for a key, a reply or the time of the next request,
 * and draws again. At most one request is in flight; it is cancelled when the view changes. An error is shown in place
 * of the status line, and the server is asked again. Single-threaded.
 */
final class LiveTop {

    private final TaskMasterClient client;
    private final Screen screen;
    private final Clock clock;
    private final String server;
    private final Duration interval;

    private TopView view;
    private Optional<RankResult> lastResult = Optional.empty();
    private Optional<String> lastFailure = Optional.empty();

    /** The last request. */
    private @Nullable RankRequest lastRequest;

    /** The reply to it; null once it was taken. */
    private @Nullable CompletableFuture<RankResult> inFlight;

    private long nextRequestNanos;

    LiveTop(TaskMasterClient client, Screen screen, Clock clock, String server, Duration interval, TopView view) {
        this.client = client;
        this.screen = screen;
        this.clock = clock;
        this.server = server;
        this.interval = interval;
        this.view = view;
    }

    /** Runs until the user quits. Blocks. */
    void run() {
        while (view.mode() != TopView.Mode.OVER) {
            requestIfDue();
            screen.show(new TopPage(view, server, lastResult, lastFailure).lines(screen.size()));
            Optional<Key> key = screen.next(keyTimeout());
            if (key.isPresent()) {
                view = view.on(key.get());
            }
            takeResult();
        }
        giveUp();
    }

    private void requestIfDue() {
        RankRequest request =
                view.request(Math.clamp(screen.size().height() - TopPage.HEADER_LINES, 1, TopPage.MAX_ROWS));
        // A changed view or height of the screen makes another request, which is sent at once; the same one waits for
        // its time.
        if (request.equals(lastRequest) && (inFlight != null || clock.nanos() - nextRequestNanos < 0)) {
            return;
        }
        giveUp();
        lastRequest = request;
        CompletableFuture<RankResult> answer = client.rank(request);
        inFlight = answer;
        CompletableFuture<?> _ = answer.whenComplete((_, _) -> screen.wake());
    }

    private Duration keyTimeout() {
        return inFlight == null ? Duration.ofNanos(Math.max(0, nextRequestNanos - clock.nanos())) : interval;
    }

    private void takeResult() {
        CompletableFuture<RankResult> answer = inFlight;
        if (answer == null || !answer.isDone()) {
            return;
        }
        inFlight = null;
        nextRequestNanos = Deadlines.afterNanos(clock.nanos(), Deadlines.nanos(interval));
        try {
            lastResult = Optional.of(answer.get());
            lastFailure = Optional.empty();
        } catch (ExecutionException failed) {
            lastFailure = Optional.of(
                    failed.getCause() instanceof TaskMasterException error
                            ? ErrorAdvice.lineOf(error)
                            : String.valueOf(failed.getCause()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            view = view.on(Key.END);
        }
    }

    private void giveUp() {
        if (inFlight != null) {
            inFlight.cancel(false);
        }
    }
}
