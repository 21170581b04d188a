package io.taskmaster.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.cli.Main;
import io.taskmaster.tests.JavaProgram;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The process of {@code taskmaster demo ...}, with ways to kill it and its children. Single-threaded. */
public final class DemoProcess implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final Path folder;
    private final Path output;
    private final Process process;

    private DemoProcess(Path folder, Path output, Process process) {
        this.folder = folder;
        this.output = output;
        this.process = process;
    }

    public static DemoProcess start(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JavaProgram.onClassPath());
        command.addAll(List.of(Main.class.getName(), "demo"));
        command.addAll(List.of(arguments));
        command.add("--dir=" + folder);
        Path output = Files.createTempFile("demo", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(output.toFile()))
                .start();
        return new DemoProcess(folder, output, process);
    }

    /**
     * Returns its progress from its output: the largest number so far.
     *
     * @param pattern the pattern, with the number as its first group
     */
    public int progress(Pattern pattern) throws IOException {
        return lines().stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .max()
                .orElse(0);
    }

    /** Waits until its progress has reached a number. */
    public void awaitProgress(Pattern pattern, int number) {
        Awaitility.await()
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(
                        () -> assertThat(progress(pattern)).as("%s", lines()).isGreaterThanOrEqualTo(number));
    }

    /** Returns the exit status, once everything has been printed. */
    public int await() throws InterruptedException, IOException {
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the demo does not end:\n" + String.join("\n", lines()));
        }
        return process.exitValue();
    }

    public List<String> lines() throws IOException {
        return Files.readAllLines(output);
    }

    /** Returns the lines before the next steps, of which the last one is for scripts. */
    public static List<String> summary(List<String> lines) {
        int next = lines.indexOf(DemoRun.NEXT);
        // An empty line separates the two.
        return next < 0 ? lines : lines.subList(0, next - 1);
    }

    /** Returns the lines of the next steps. */
    public List<String> nextSteps() throws IOException {
        List<String> lines = lines();
        return lines.subList(lines.indexOf(DemoRun.NEXT) + 1, lines.size());
    }

    /** Waits until it has printed a line. */
    public void awaitLine(String line) {
        Awaitility.await()
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(lines()).contains(line));
    }

    public String lastLine() throws IOException {
        return summary(lines()).getLast();
    }

    /** Returns a child process, by the name under which the demo has recorded its id. */
    ProcessHandle child(String name) throws IOException {
        long pid = Long.parseLong(
                Files.readString(folder.resolve("run").resolve(name + ".pid")).strip());
        return process.descendants()
                .filter(child -> child.pid() == pid)
                .findAny()
                .orElseThrow(() -> new AssertionError(name + ": " + pid + " (expected: a child of the demo)"));
    }

    public void kill(String name) throws IOException {
        child(name).destroyForcibly();
    }

    /** Kills the demo itself, and nothing else. Returns the processes that it leaves behind. */
    public List<ProcessHandle> killAlone() throws InterruptedException {
        List<ProcessHandle> orphans = children();
        process.destroyForcibly().waitFor();
        return orphans;
    }

    /** Interrupts the demo as Ctrl-C does. Returns the processes that it had started. */
    public List<ProcessHandle> interrupt() {
        List<ProcessHandle> started = children();
        process.destroy();
        return started;
    }

    private List<ProcessHandle> children() {
        try (Stream<ProcessHandle> all = process.descendants()) {
            return all.toList();
        }
    }

    @Override
    public void close() throws IOException {
        List<ProcessHandle> left = children();
        process.destroyForcibly().onExit().join();
        left.forEach(ProcessHandle::destroyForcibly);
        Files.deleteIfExists(output);
    }

    /** Returns the output of a run that ends at once. */
    public static Optional<List<String>> output(Path folder, String... arguments)
            throws IOException, InterruptedException {
        try (DemoProcess run = start(folder, arguments)) {
            return run.await() == 0 ? Optional.of(run.lines()) : Optional.empty();
        }
    }
}
