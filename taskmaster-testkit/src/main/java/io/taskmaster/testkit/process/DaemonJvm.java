package io.taskmaster.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A Java process that goes on when the one that started it has ended, and is found again by others. Its id is in a file, and beside
 * that its arguments, in a file that the command line names: a process of that id is the one that was started here only if its command
 * line names that very file. A file that was left behind by a machine that went down therefore never leads to somebody else's process.
 * Immutable: what runs is asked each time.
 */
public final class DaemonJvm {

    /** Neither the keys of a terminal nor its end reach what was started from there. */
    private static final List<String> OUT_OF_REACH = List.of("sh", "-c", "trap '' INT HUP; exec \"$0\" \"$@\"");

    private static final File NOTHING = new File("/dev/null");
    private static final long POLL_MILLIS = 20;

    /** How often a process is looked at that shows no arguments; whoever shows none for longer is of another user. */
    private static final int LOOKS = 50;

    private static final long BETWEEN_LOOKS_NANOS = 1_000_000;

    private final Path arguments;
    private final Path id;
    private final Path log;

    /**
     * @param folder for what is to be known of it; there may be several of different names
     * @param log where its output is appended
     */
    public DaemonJvm(String name, Path folder, Path log) {
        Path absolute = folder.toAbsolutePath().normalize();
        this.arguments = absolute.resolve(name + ".args");
        this.id = absolute.resolve(name + ".pid");
        this.log = log;
    }

    /** Starts it if it does not run. */
    public void start(JvmCommand command) {
        if (isAlive()) {
            return;
        }
        try {
            Files.createDirectories(id.getParent());
            Files.write(arguments, command.argumentLines());
            List<String> words = new ArrayList<>(OUT_OF_REACH);
            words.addAll(JvmCommand.wordsIn(arguments));
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectInput(NOTHING)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
            Files.writeString(id, Long.toString(process.pid()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.mainClass(), e);
        }
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process().isPresent();
    }

    /** Its id, if it runs. */
    public Optional<Long> pid() {
        return process().map(ProcessHandle::pid);
    }

    /** Since when it runs, if it does. */
    public Optional<Instant> runningSince() {
        return process().flatMap(process -> process.info().startInstant());
    }

    /** Asks it to end, and kills it if it has not ended within the limit. True if it ended by itself, or did not run. Blocks. */
    public boolean stop(Duration limit) throws InterruptedException {
        process().ifPresent(ProcessHandle::destroy);
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (isAlive()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                kill();
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        forget();
        return true;
    }

    /** Ends it without warning. Blocks until it has ended. */
    public void kill() throws InterruptedException {
        // Not ProcessHandle.onExit: that waits for ever where nobody asks for the exit status of an orphan.
        for (Optional<ProcessHandle> left = process(); left.isPresent(); left = process()) {
            boolean _ = left.get().destroyForcibly();
            Thread.sleep(POLL_MILLIS);
        }
        forget();
    }

    /** The end of what it printed. */
    public String lastWords() {
        return LogFile.lastWords(log);
    }

    private Optional<ProcessHandle> process() {
        return savedPid()
                .flatMap(ProcessHandle::of)
                .filter(ProcessHandle::isAlive)
                .filter(this::isOurs);
    }

    private boolean isOurs(ProcessHandle process) {
        List<String> words = JvmCommand.wordsIn(arguments);
        Optional<String[]> actual = process.info().arguments();
        // The shell becomes the JVM, and shows none for a moment.
        for (int look = 1; actual.isEmpty() && process.isAlive() && look < LOOKS; look++) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
            actual = process.info().arguments();
        }
        return actual.map(List::of)
                .filter(shown -> shown.contains(words.getLast()))
                .isPresent();
    }

    private Optional<Long> savedPid() {
        try {
            return Optional.of(Long.valueOf(Files.readString(id, UTF_8).strip()));
        } catch (NoSuchFileException neverStarted) {
            return Optional.empty();
        } catch (NumberFormatException cutShort) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void forget() {
        try {
            Files.deleteIfExists(id);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
