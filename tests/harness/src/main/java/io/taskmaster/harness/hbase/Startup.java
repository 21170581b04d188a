package io.taskmaster.harness.hbase;

import io.taskmaster.harness.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A start of the processes of an HBase that do not run, all at once: each waits for those that it needs. The first
 * start formats an empty file system before. If a start fails, the processes that it began are killed again. Immutable.
 */
record Startup(HBaseSetup setup, List<? extends Startable> processes) {

    private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);

    /**
     * Starts the processes, and waits until the HBase takes work if that is wanted.
     *
     * @param progress receives what is being waited for
     * @throws HBaseException if it does not within the limit, or a process ends
     */
    void run(boolean waits, Duration limit, Consumer<String> progress) throws InterruptedException {
        setup.write();
        List<Startable> begun = new ArrayList<>();
        boolean started = false;
        try {
            progress.accept("starts " + names());
            formatOnce();
            for (Startable process : processes) {
                if (!process.isAlive()) {
                    begun.add(process);
                    process.start();
                }
            }
            if (waits) {
                awaitReady(limit, progress);
            }
            started = true;
        } finally {
            if (!started) {
                for (Startable process : begun) {
                    process.kill();
                }
            }
        }
    }

    private String names() {
        return processes.stream()
                .filter(process -> !process.isAlive())
                .map(process -> process.member().name())
                .collect(Collectors.joining(", "));
    }

    private void formatOnce() throws InterruptedException {
        HBaseFolder folder = setup.folder();
        if (Files.exists(folder.formatted())) {
            return;
        }
        try (ChildJvm format = ChildJvm.start(setup.format(), folder.log("format"))) {
            OptionalInt status = format.awaitExit(FORMAT_LIMIT);
            if (status.isEmpty() || status.getAsInt() != 0) {
                throw new HBaseException("could not create a file system in %s:%n%s"
                        .formatted(folder.nameNodeData(), format.lastOutput()));
            }
            Files.createFile(folder.formatted());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the HBase takes work.
     *
     * @throws HBaseException if it does not within the limit, or a process has ended that no supervisor restarts
     */
    void awaitReady(Duration limit, Consumer<String> progress) throws InterruptedException {
        try {
            Files.deleteIfExists(setup.folder().log("probe"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (ChildJvm probe = ChildJvm.start(setup.probe(limit), setup.folder().log("probe"))) {
            OptionalInt status = probe.awaitExit(POLL);
            while (status.isEmpty()) {
                if (!setup.plan().supervised()) {
                    requireAlive();
                }
                progress.accept("waits for " + awaited(probe));
                status = probe.awaitExit(POLL);
            }
            if (status.getAsInt() != 0) {
                throw new HBaseException(
                        "HBase is not ready after %d s; it waits for %s".formatted(limit.toSeconds(), awaited(probe)));
            }
        }
    }

    private void requireAlive() {
        for (Startable process : processes) {
            if (!process.isAlive()) {
                throw new HBaseException(
                        "%s ended:%n%s".formatted(process.member().name(), process.lastOutput()));
            }
        }
    }

    private static String awaited(ChildJvm probe) {
        return probe.lastOutput().lines().reduce((former, last) -> last).orElse("HBase");
    }
}
