package io.taskmaster.cli;

import io.taskmaster.cli.screen.Key;
import io.taskmaster.cli.screen.Screen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A fake screen, whose contents a test reads and whose keys it presses. Thread-safe. */
public final class FakeScreen implements Screen {

    private final BlockingQueue<Optional<Key>> events = new LinkedBlockingQueue<>();
    private volatile Size size = new Size(100, 30);
    private volatile String shown = "";
    private volatile boolean closed;

    /** The contents of the screen. */
    public String shown() {
        return shown;
    }

    boolean isClosed() {
        return closed;
    }

    public void press(char key) {
        press(new Key(key));
    }

    public void press(Key key) {
        events.add(Optional.of(key));
    }

    public void resize(int width, int height) {
        size = new Size(width, height);
        wake();
    }

    @Override
    public Size size() {
        return size;
    }

    @Override
    public void show(List<Line> lines) {
        shown = lines.stream().map(Line::text).collect(Collectors.joining("\n"));
    }

    @Override
    public Optional<Key> next(Duration timeout) {
        try {
            Optional<Key> event = events.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return event == null ? Optional.empty() : event;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of(Key.END);
        }
    }

    @Override
    public void wake() {
        events.add(Optional.empty());
    }

    @Override
    public void close() {
        closed = true;
    }
}
