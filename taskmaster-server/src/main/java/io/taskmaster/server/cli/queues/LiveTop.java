package io.taskmaster.server.cli.queues;

import io.taskmaster.client.RankRequest;
import io.taskmaster.client.RankResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.cli.common.ErrorAdvice;
import io.taskmaster.server.cli.screen.Key;
import io.taskmaster.server.cli.screen.Screen;
import io.taskmaster.server.partition.loop.Clock;
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
    private Optional<RankResult> looked = Optional.empty();
    private Optional<String> trouble = Optional.empty();

    /** The last request. */
    private @Nullable RankRequest asked;

    /** The reply to it; null once it was taken. */
    private @Nullable CompletableFuture<RankResult> underWay;

    private long askAgainNanos;

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
            askIfWanted();
            screen.show(new TopPage(view, server, looked, trouble).lines(screen.size()));
            Optional<Key> key = screen.next(keyTimeout());
            if (key.isPresent()) {
                view = view.on(key.get());
            }
            takeAnswer();
        }
        giveUp();
    }

    private void askIfWanted() {
        RankRequest wanted =
                view.request(Math.clamp(screen.size().height() - TopPage.HEADER_LINES, 1, TopPage.MAX_ROWS));
        // A changed view or height of the screen makes another request, which is sent at once; the same one waits for
        // its time.
        if (wanted.equals(asked) && (underWay != null || clock.nanos() - askAgainNanos < 0)) {
            return;
        }
        giveUp();
        asked = wanted;
        CompletableFuture<RankResult> answer = client.rank(wanted);
        underWay = answer;
        CompletableFuture<?> _ = answer.whenComplete((_, _) -> screen.wake());
    }

    private Duration keyTimeout() {
        return underWay == null ? Duration.ofNanos(Math.max(0, askAgainNanos - clock.nanos())) : interval;
    }

    private void takeAnswer() {
        CompletableFuture<RankResult> answer = underWay;
        if (answer == null || !answer.isDone()) {
            return;
        }
        underWay = null;
        askAgainNanos = Deadlines.afterNanos(clock.nanos(), Deadlines.nanos(interval));
        try {
            looked = Optional.of(answer.get());
            trouble = Optional.empty();
        } catch (ExecutionException failed) {
            trouble = Optional.of(
                    failed.getCause() instanceof TaskMasterException error
                            ? ErrorAdvice.lineOf(error)
                            : String.valueOf(failed.getCause()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            view = view.on(Key.END);
        }
    }

    private void giveUp() {
        if (underWay != null) {
            underWay.cancel(false);
        }
    }
}
