package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.tests.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of queues far larger than memory: a heap of 256 MB, windows of 64 MB. The profile {@code slow} has a million
 * tasks of 1 KB, two million live leases, and ten million delayed tasks of 100 bytes, and judges memory and rates.
 * Every build has a small part of each, with even smaller windows, and judges order and the rows that are read.
 */
final class BacklogIT {

    private static final boolean SLOW = Profile.isSlow();
    private static final long TASKS = SLOW ? 1_000_000 : 30_000;
    private static final long LEASES = SLOW ? 300_000 : 15_000;
    private static final long LIVE_LEASES = SLOW ? 2_000_000 : 60_000;
    private static final long DELAYED = SLOW ? 10_000_000 : 200_000;
    private static final long WINDOW_BYTES = SLOW ? 64 << 20 : 2 << 20;
    private static final long MAX_RESIDENT_MEGABYTES = 700;
    private static final double MAX_STEPS_PER_LEASE = 2;
    private static final double MIN_RATE = 0.8;

    private static final int BATCH = 500;
    private static final int IN_FLIGHT = 4;
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final QueueKey QUEUE = QueueKey.of("backlog", "long");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aServerKeepsTheOrderOfABacklogThatDoesNotFitIntoMemory() {
        try (var server = ForkedServer.start(folder.resolve("data"), folder, "window.bytes=" + WINDOW_BYTES);
                var client = TaskMasterClient.builder(server.awaitServing())
                        .deadline(Duration.ofMinutes(1))
                        .build()) {
            long started = System.nanoTime();
            enqueueAll(client);
            System.out.printf("server: enqueued %d tasks, %.0f/s%n", TASKS, TASKS / seconds(started));
            started = System.nanoTime();
            for (long next = 0; next < LEASES; ) {
                List<LeasedTask> leased = client.blocking()
                        .lease(LeaseRequest.from(QUEUE).maxTasks(BATCH).length(Duration.ofHours(1)));
                UpdateBuilder done = Update.in(QUEUE.group());
                for (LeasedTask task : leased) {
                    assertThat(task.pid()).isEqualTo(pid(next++));
                    done.dequeue(task);
                }
                assertThat(client.blocking().update(done.build()).success()).isTrue();
            }
            System.out.printf(
                    "server: leased and dequeued, %.0f/s; resident at most %d MB%n",
                    LEASES / seconds(started), server.memory().peakMegabytes());
            assertMemory((double) server.memory().peakMegabytes());
            assertThat(client.blocking()
                            .list(ListRequest.of(QueueSelector.of(QUEUE)))
                            .queues()
                            .getFirst()
                            .total())
                    .isBetween(TASKS - LEASES - BATCH, TASKS - LEASES);
        }
    }

    @Test
    void refillsDoNotWalkOverWhatIsGone() throws Exception {
        Map<String, Double> figures = run("order", TASKS, LEASES);

        assertThat(figures.get("rows")).as("scans brought most of the tasks").isGreaterThan(LEASES / 2.0);
        assertThat(figures.get("steps.per.lease")).isLessThan(MAX_STEPS_PER_LEASE);
        assertMemory(figures.getOrDefault("peak.megabytes", Double.MAX_VALUE));
    }

    @Test
    void liveLeasesAtTheHeadOfAQueueDoNotSlowDownItsLeases() throws Exception {
        assertUnburdened(run("live-leases", LIVE_LEASES, SLOW ? 60 : 8, SLOW ? 50 : 8), LIVE_LEASES);
    }

    @Test
    void delayedTasksAtTheHeadOfAQueueDoNotSlowDownItsLeases() throws Exception {
        assertUnburdened(run("delayed", DELAYED, SLOW ? 60 : 8, SLOW ? 330 : 8), DELAYED);
    }

    /** Checks that beside the leased tasks less is read than one walk over the head of the queue would read. */
    private static void assertUnburdened(Map<String, Double> figures, long head) {
        assertThat(figures.getOrDefault("rows", Double.MAX_VALUE)
                        + figures.getOrDefault("tombstones", Double.MAX_VALUE)
                        - figures.getOrDefault("leased", 0.0))
                .isLessThan((double) head);
        assertMemory(figures.getOrDefault("peak.megabytes", Double.MAX_VALUE));
        if (SLOW) {
            assertThat(figures.get("steps.per.lease")).isLessThan(MAX_STEPS_PER_LEASE);
            assertThat(figures.getOrDefault("rate.ratio", 0.0)).isGreaterThan(MIN_RATE);
        }
    }

    private static void assertMemory(double peakMegabytes) {
        if (SLOW) {
            assertThat(peakMegabytes).isLessThan(MAX_RESIDENT_MEGABYTES);
        }
    }

    /** Enqueues batches in scattered order, a few of them in flight. */
    private static void enqueueAll(TaskMasterClient client) {
        long batches = TASKS / BATCH;
        List<CompletableFuture<UpdateResult>> inFlight = new ArrayList<>();
        for (long i = 0; i < batches; i++) {
            UpdateBuilder update = Update.in(QUEUE.group());
            long from = BacklogProgram.scattered(i, batches) * BATCH;
            for (long number = from; number < from + BATCH; number++) {
                update.enqueue(QUEUE.name(), pid(number), DirectClient.incompressible(1024));
            }
            inFlight.add(client.update(update.build()));
            if (inFlight.size() == IN_FLIGHT) {
                assertThat(inFlight.removeFirst().join().success()).isTrue();
            }
        }
        inFlight.forEach(update -> assertThat(update.join().success()).isTrue());
    }

    /** Runs {@link BacklogProgram}. Returns its figures by name. */
    private Map<String, Double> run(String workload, long... sizes) throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of(folder.resolve("data").toString(), Long.toString(WINDOW_BYTES), workload));
        for (long size : sizes) {
            arguments.add(Long.toString(size));
        }
        Path output = folder.resolve("figures");
        Process program = ForkedJvm.start(BacklogProgram.class.getName(), arguments, output, folder.resolve("errors"));
        try {
            assertThat(program.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            program.destroyForcibly();
        }
        assertThat(program.exitValue())
                .as(Files.readString(folder.resolve("errors")) + Files.readString(output))
                .isZero();
        Map<String, Double> figures = new HashMap<>();
        for (String line : Files.readAllLines(output)) {
            String[] parts = line.split(" ", -1);
            if (parts.length == 3 && parts[0].equals("figure")) {
                figures.put(parts[1], Double.valueOf(parts[2]));
            }
        }
        System.out.println(workload + ": " + figures);
        return figures;
    }

    private static Pid pid(long number) {
        return BacklogProgram.pid(number);
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }
}
