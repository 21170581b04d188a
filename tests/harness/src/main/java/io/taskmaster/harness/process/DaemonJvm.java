package io.taskmaster.harness.process;

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
 * A Java process that outlives the one that started it, and can be found again by other processes.
 *
 * <p>Its id is in a file; its arguments are in another file, which its command line names. A live process of that id is
 * taken for ours only if its command line names that very file. So an id file that survived a reboot never leads to a
 * foreign process. Immutable: the state of the process is queried each time.
 */
public final class DaemonJvm {

    /** A prefix of the command line that shields the process from the keys of a terminal, and from its end. */
    private static final List<String> OUT_OF_REACH = List.of("sh", "-c", "trap '' INT HUP; exec \"$0\" \"$@\"");

    private static final File DEV_NULL = new File("/dev/null");
    private static final long POLL_MILLIS = 20;

    /**
     * The number of looks at a process that shows no arguments yet. One that shows none for longer belongs to another
     * user.
     */
    private static final int MAX_POLLS = 50;

    private static final long POLL_NANOS = 1_000_000;

    private final Path arguments;
    private final Path id;
    private final Path log;

    /**
     * @param folder the folder of its files; several daemons of different names can share it
     * @param log the file to which its output is appended
     */
    public DaemonJvm(String name, Path folder, Path log) {
        Path absolute = folder.toAbsolutePath().normalize();
        this.arguments = absolute.resolve(name + ".args");
        this.id = absolute.resolve(name + ".pid");
        this.log = log;
    }

    /** Starts it, if it does not run. */
    public void start(JvmCommand command) {
        if (isAlive()) {
            return;
        }
        try {
            Files.createDirectories(id.getParent());
            Files.write(arguments, command.argumentLines());
            List<String> commandLine = new ArrayList<>(OUT_OF_REACH);
            commandLine.addAll(JvmCommand.readCommand(arguments));
            Process process = new ProcessBuilder(commandLine)
                    .redirectErrorStream(true)
                    .redirectInput(DEV_NULL)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
            Files.writeString(id, Long.toString(process.pid()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.mainClass(), e);
        }
    }

    /** Returns whether it runs. */
    public boolean isAlive() {
        return process().isPresent();
    }

    /** Returns its process id, if it runs. */
    public Optional<Long> pid() {
        return process().map(ProcessHandle::pid);
    }

    /** Returns the time of its start, if it runs. */
    public Optional<Instant> runningSince() {
        return process().flatMap(process -> process.info().startInstant());
    }

    /**
     * Terminates it, and kills it if it has not ended within the limit. Returns true if it ended by itself, or did not
     * run. Blocks.
     */
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

    /** Kills it. Blocks until it has ended. */
    public void kill() throws InterruptedException {
        // ProcessHandle.onExit would wait forever if no parent collects the exit status of an orphan.
        for (Optional<ProcessHandle> survivor = process(); survivor.isPresent(); survivor = process()) {
            boolean _ = survivor.get().destroyForcibly();
            Thread.sleep(POLL_MILLIS);
        }
        forget();
    }

    /** Returns the end of its output. */
    public String lastOutput() {
        return LogFile.lastLines(log);
    }

    private Optional<ProcessHandle> process() {
        return savedPid()
                .flatMap(ProcessHandle::of)
                .filter(ProcessHandle::isAlive)
                .filter(this::matches);
    }

    private boolean matches(ProcessHandle process) {
        List<String> commandLine = JvmCommand.readCommand(arguments);
        Optional<String[]> actual = process.info().arguments();
        // The shell is replaced by the JVM, and shows no arguments for a moment.
        for (int poll = 1; actual.isEmpty() && process.isAlive() && poll < MAX_POLLS; poll++) {
            LockSupport.parkNanos(POLL_NANOS);
            actual = process.info().arguments();
        }
        return actual.map(List::of)
                .filter(line -> line.contains(commandLine.getLast()))
                .isPresent();
    }

    private Optional<Long> savedPid() {
        try {
            return Optional.of(Long.valueOf(Files.readString(id, UTF_8).strip()));
        } catch (NoSuchFileException neverStarted) {
            return Optional.empty();
        } catch (NumberFormatException malformed) {
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
