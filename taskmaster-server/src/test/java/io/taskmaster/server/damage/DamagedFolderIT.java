package io.taskmaster.server.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Tests of start-ups on a data folder of which one file was damaged while no server ran on it. The server is then asked
 * for everything. It may refuse to start, naming the folder; or serve, refuse what is corrupt, and log that; or have
 * lost nothing. Its answers must be what was written, and no acknowledged data may be missing silently.
 *
 * <p>{@code -Dtaskmaster.corruption.seeds} sets the number of faults (default 30), {@code -Dtaskmaster.corruption.seed}
 * the first seed.
 */
final class DamagedFolderIT {

    private static final long FIRST_SEED = Long.getLong("taskmaster.corruption.seed", 0);
    private static final long SEEDS = Long.getLong("taskmaster.corruption.seeds", 30);
    /** The limit for a start and reading everything, which takes a second or two. */
    private static final Duration A_START = Duration.ofMinutes(2);

    private static final int SEEDS_BETWEEN_COUNTS = 50;
    private static final int MINUTES = 60;

    /** The result of a start on a damaged folder. */
    private enum Result {
        REFUSED,
        SERVED_IN_PART,
        NOTHING_LOST
    }

    @TempDir
    Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.taskmaster");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Map<FileKind, Map<Result, Integer>> counts = new EnumMap<>(FileKind.class);

    /** Keeps the log off the console: it would be thousands of expected lines. */
    @BeforeEach
    void listenToTheLog() {
        logger.setAdditive(false);
        logger.addAppender(logged);
        logged.start();
    }

    @AfterEach
    void letTheLogBe() {
        logger.detachAppender(logged);
        logger.setAdditive(true);
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void damagedFilesAreNoticedAndNeverServed() throws Exception {
        Path killed = folder.resolve("killed");
        Path stopped = folder.resolve("stopped");
        FilledFolder.make(folder.resolve("filled"), killed, stopped);
        Contents ofKilled = fullContents(killed);
        Contents ofStopped = fullContents(stopped);
        assertThat(ofStopped.contradiction(ofKilled)).isEmpty();

        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            boolean kill = random.nextBoolean();
            Path original = kill ? killed : stopped;
            List<Path> files = Folders.files(original);
            FileKind[] kinds = files.stream().map(FileKind::of).distinct().toArray(FileKind[]::new);
            // Files that hold data are chosen more often.
            FileKind kind = random.nextInt(3) == 0
                    ? kinds[random.nextInt(kinds.length)]
                    : random.nextBoolean() ? FileKind.TABLES : FileKind.WRITE_AHEAD_LOGS;
            List<Path> candidates =
                    files.stream().filter(file -> FileKind.of(file) == kind).toList();
            Path file = candidates.get(random.nextInt(candidates.size()));
            FileFault fault = FileFault.drawn(random, Files.size(original.resolve(file)));
            String what = "taskmaster.corruption.seed=%d: %s, %s in %s"
                    .formatted(seed, fault, file, kill ? "a killed folder" : "a stopped folder");
            try {
                Result result = assertTimeoutPreemptively(
                        A_START, () -> tryOn(original, file, fault, kill ? ofKilled : ofStopped));
                counts.computeIfAbsent(kind, _ -> new EnumMap<>(Result.class)).merge(result, 1, Integer::sum);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(what + "\n" + logLines(), e);
            }
            if ((seed - FIRST_SEED + 1) % SEEDS_BETWEEN_COUNTS == 0) {
                print();
            }
        }
        print();
    }

    private Contents fullContents(Path original) throws Exception {
        Path copy = folder.resolve("whole");
        Folders.copy(original, copy, Path.of(""));
        try (var server = TaskMasterServer.start(FilledFolder.config(copy, "1m"), Nodes.factory());
                var client = Contents.connect(server.rpcPort())) {
            Contents contents = Contents.read(client, FilledFolder.queues());
            assertThat(contents.refusals()).isEmpty();
            assertThat(contents.listed().orElseThrow()).hasSizeGreaterThan(40);
            return contents;
        } finally {
            Folders.delete(copy);
        }
    }

    private Result tryOn(Path original, Path file, FileFault fault, Contents fullContents) throws Exception {
        Path copy = folder.resolve("damaged");
        Folders.copy(original, copy, file);
        fault.strike(copy.resolve(file));
        logged.list.clear();
        try (var server = TaskMasterServer.start(FilledFolder.config(copy, "1m"), Nodes.factory());
                var client = Contents.connect(server.rpcPort())) {
            Contents contents = Contents.read(client, FilledFolder.queues());
            Optional<String> contradiction = contents.contradiction(fullContents);
            assertThat(contradiction).isEmpty();
            if (contents.refusals().isEmpty()) {
                return Result.NOTHING_LOST;
            }
            assertThat(logged.list)
                    .filteredOn(event -> event.getLevel() == Level.ERROR)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.contains("damaged") && line.contains("partition"));
            return Result.SERVED_IN_PART;
        } catch (StartException refused) {
            assertThat(refused.status()).as(refused.getMessage()).isEqualTo(ExitStatus.DATA_UNUSABLE);
            assertThat(refused).hasMessageContaining(copy.toString());
            return Result.REFUSED;
        } finally {
            Folders.delete(copy);
        }
    }

    private String logLines() {
        return logged.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .limit(20)
                .collect(Collectors.joining("\n"));
    }

    private void print() {
        counts.forEach((kind, results) -> System.out.printf(
                "damaged %-18s %s%n",
                kind,
                Arrays.stream(Result.values())
                        .map(result -> "%s %d".formatted(result, results.getOrDefault(result, 0)))
                        .collect(Collectors.joining(", "))));
    }
}
