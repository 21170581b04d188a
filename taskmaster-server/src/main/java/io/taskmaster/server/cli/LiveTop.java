package io.taskmaster.server.cli;

import io.taskmaster.client.RankRequest;
import io.taskmaster.client.RankResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.cli.screen.Key;
import io.taskmaster.server.cli.screen.Screen;
import io.taskmaster.server.partition.Clock;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * {@code taskmaster top} at a terminal: draws, waits for a key, for an answer or for the next time to ask, and draws again. A server that does not answer is told in place
 * of what is shown, and asked again. Single-threaded.
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

    /** What was asked last. */
    private @Nullable RankRequest asked;

    /** The answer to it; null: it was taken. */
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

    /** Until somebody has seen enough. Blocks. */
    void run() {
        while (view.mode() != TopView.Mode.OVER) {
            askIfWanted();
            screen.show(new TopPage(view, server, looked, trouble).lines(screen.size()));
            Optional<Key> key = screen.next(patience());
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
        if (wanted.equals(asked) && (underWay != null || clock.nanos() - askAgainNanos < 0)) {
            return;
        }
        giveUp();
        asked = wanted;
        CompletableFuture<RankResult> answer = client.rank(wanted);
        underWay = answer;
        CompletableFuture<?> _ = answer.whenComplete((_, _) -> screen.wake());
    }

    private Duration patience() {
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
                            ? Advices.lineOf(error)
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
