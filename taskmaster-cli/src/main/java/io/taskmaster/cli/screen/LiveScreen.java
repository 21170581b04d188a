package io.taskmaster.cli.screen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOError;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jline.utils.NonBlockingReader;

/**
 * The terminal of the process, on its alternate screen, so that the earlier contents come back. Keys arrive as they are
 * pressed, Ctrl-C included. The terminal is restored at any end of the process but SIGKILL.
 */
public final class LiveScreen implements Screen {

    /**
     * {@code stty}, which leaves all other settings unchanged. The library's other providers lose the speed of the
     * line.
     */
    private static final String PROVIDER = TerminalBuilder.PROP_PROVIDER_EXEC;

    private static final String ENTER = "\033[?1049h\033[?25l\033[?7l";
    private static final String LEAVE_SEQUENCE = "\033[?7h\033[?25h\033[?1049l";
    private static final Duration LISTENER_TIMEOUT = Duration.ofSeconds(1);
    private static final Size USUAL = new Size(80, 24);

    private final Terminal terminal;
    private final Attributes found;

    /** Keys; an empty element wakes a wait. */
    private final BlockingQueue<Optional<Key>> events = new LinkedBlockingQueue<>();

    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread listener =
            Thread.ofPlatform().daemon().name("keyboard").unstarted(this::listen);
    private volatile Size size;

    private LiveScreen(Terminal terminal) {
        this.terminal = terminal;
        this.found = terminal.enterRawMode();
        // With ISIG off, Ctrl-C comes as a key, even if the parent process has set the signal to be ignored; Ctrl-Z
        // would leave a shell on the alternate screen.
        Attributes raw = terminal.getAttributes();
        raw.setLocalFlag(LocalFlag.ISIG, false);
        terminal.setAttributes(raw);
        this.size = sizeOf(terminal);
    }

    /** Opens the screen, if standard input and output are a terminal that can be drawn on. */
    public static Optional<Screen> open() {
        try {
            Terminal terminal = TerminalBuilder.builder()
                    .provider(PROVIDER)
                    .systemOutput(SystemOutput.SysOut)
                    .dumb(false)
                    .encoding(UTF_8)
                    .build();
            if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
                terminal.close();
                return Optional.empty();
            }
            LiveScreen screen = new LiveScreen(terminal);
            screen.begin();
            return Optional.of(screen);
        } catch (IOException | IllegalStateException noTerminal) {
            return Optional.empty();
        }
    }

    private void begin() {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
        terminal.handle(Signal.WINCH, _ -> resized());
        write(ENTER);
        listener.start();
    }

    private void listen() {
        NonBlockingReader reader = terminal.reader();
        Keyboard keyboard = new Keyboard(reader::read);
        Optional<Key> key = Optional.empty();
        while (!closed.get() && !key.equals(Optional.of(Key.END))) {
            try {
                key = keyboard.next();
            } catch (IOException closed) {
                key = Optional.of(Key.END);
            }
            if (key.isPresent()) {
                events.add(key);
            }
        }
    }

    private void resized() {
        size = sizeOf(terminal);
        wake();
    }

    private static Size sizeOf(Terminal terminal) {
        org.jline.terminal.Size now = terminal.getSize();
        return now.getColumns() > 0 && now.getRows() > 0 ? new Size(now.getColumns(), now.getRows()) : USUAL;
    }

    @Override
    public Size size() {
        return size;
    }

    @Override
    public void show(List<Line> lines) {
        StringBuilder page = new StringBuilder();
        int row = 1;
        for (Line line : lines) {
            page.append("\033[").append(row++).append(";1H\033[2K").append(begin(line.style()));
            page.append(line.text()).append("\033[0m");
        }
        if (row <= size().height()) {
            page.append("\033[").append(row).append(";1H\033[J");
        }
        write(page.toString());
    }

    private static String begin(Style style) {
        return switch (style) {
            case PLAIN -> "";
            case BOLD -> "\033[1m";
            case REVERSE -> "\033[7m";
        };
    }

    private void write(String text) {
        terminal.writer().write(text);
        terminal.writer().flush();
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
        if (closed.getAndSet(true)) {
            return;
        }
        awaitListener();
        try {
            write(LEAVE_SEQUENCE);
            terminal.setAttributes(found);
            terminal.close();
        } catch (IOException | IOError closed) {
            // The terminal is gone, so there is nothing to restore.
        }
    }

    /**
     * Waits until the listener has ended: its reads depend on raw mode, and would block for a whole line once the
     * terminal is restored.
     */
    private void awaitListener() {
        try {
            listener.join(LISTENER_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
