package io.taskmaster.examples.crawl;

import io.taskmaster.server.cli.Main;
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

/** {@code taskmaster demo}, as somebody starts it who then kills things. Single-threaded. */
final class DemoProcess implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Pattern INDEXED = Pattern.compile("^(\\d+) of \\d+ pages indexed");

    private final Path folder;
    private final Path output;
    private final Process process;

    private DemoProcess(Path folder, Path output, Process process) {
        this.folder = folder;
        this.output = output;
        this.process = process;
    }

    static DemoProcess start(Path folder, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "demo",
                "--dir=" + folder));
        command.addAll(List.of(options));
        Path output = Files.createTempFile("demo", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(output.toFile()))
                .start();
        return new DemoProcess(folder, output, process);
    }

    /** How many pages it says that it has indexed so far. */
    int indexed() throws IOException {
        return lines().stream()
                .map(INDEXED::matcher)
                .filter(Matcher::find)
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .max()
                .orElse(0);
    }

    /** The exit status; everything has been printed by then. */
    int await() throws InterruptedException, IOException {
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the demo does not end:\n" + String.join("\n", lines()));
        }
        return process.exitValue();
    }

    List<String> lines() throws IOException {
        return Files.readAllLines(output);
    }

    String lastLine() throws IOException {
        return lines().getLast();
    }

    /** A child process, by the name under which the demo has written its id down. */
    ProcessHandle child(String name) throws IOException {
        long pid = Long.parseLong(
                Files.readString(folder.resolve("run").resolve(name + ".pid")).strip());
        return process.descendants()
                .filter(child -> child.pid() == pid)
                .findAny()
                .orElseThrow(() -> new AssertionError(name + ": " + pid + " (expected: a child of the demo)"));
    }

    void kill(String name) throws IOException {
        child(name).destroyForcibly();
    }

    /** Kills the demo itself, and nothing else. Returns what it leaves behind. */
    List<ProcessHandle> killAlone() throws InterruptedException {
        List<ProcessHandle> orphans = children();
        process.destroyForcibly().waitFor();
        return orphans;
    }

    /** As Ctrl-C does. Returns what it had started. */
    List<ProcessHandle> interrupt() {
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

    /** What a run that ends at once prints. */
    static Optional<List<String>> output(Path folder, String... options) throws IOException, InterruptedException {
        try (DemoProcess run = start(folder, options)) {
            return run.await() == 0 ? Optional.of(run.lines()) : Optional.empty();
        }
    }
}
