package io.taskmaster.integration.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.harness.relay.Relay;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that a hand-off is applied once. Worker processes are killed, and frozen beyond their leases; connections
 * break with replies in flight; the server is killed. At the end every token is in the last queue, and has left one
 * receipt.
 *
 * <p>System properties: {@code taskmaster.stage.rounds}, the number of rounds, each with every kind of trouble;
 * {@code taskmaster.seed}.
 */
final class HandOffIT {

    private static final int ROUNDS = Integer.getInteger("taskmaster.stage.rounds", 1);
    private static final long SEED = Long.getLong("taskmaster.seed", System.nanoTime());
    private static final int WORKERS = 3;
    private static final int TOKENS_AT_ONCE = 75;
    private static final Duration CALL = Duration.ofMinutes(1);
    private static final Duration ARRIVAL = Duration.ofMinutes(3);
    private static final int PAGE = 10_000;

    @TempDir
    private Path folder = Path.of("");

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void everyTokenArrivesOnceWhateverIsKilled() throws Exception {
        System.out.printf("seed %d%n", SEED);
        try (ServerProcess server = ServerProcess.start(ServerPlan.in(folder));
                Relay relay = Relay.to(server.address());
                TaskMasterClient client =
                        TaskMasterClient.builder(server.target()).deadline(CALL).build()) {
            List<ChildJvm> workers = IntStream.range(0, WORKERS)
                    .mapToObj(i -> worker(i, relay.target()))
                    .toList();
            try {
                List<String> tokens = injectFaults(server, relay, workers, client.blocking());
                workers.forEach(ChildJvm::start);
                await().atMost(ARRIVAL).until(() -> remainingTasks(client.blocking()) == 0);
                judge(client.blocking(), tokens);
                for (ChildJvm worker : workers) {
                    assertThat(worker.terminate(Duration.ofSeconds(40)))
                            .as("drained: %s", worker.lastOutput())
                            .isPresent();
                }
            } finally {
                workers.forEach(ChildJvm::close);
            }
        }
    }

    private ChildJvm worker(int number, String target) {
        return ChildJvm.start(
                JvmCommand.of(TokenPipeline.class.getName(), List.of(target))
                        .withFlags(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")),
                folder.resolve("worker-" + number + ".log"));
    }

    /** A kind of trouble, with its number of times in a round, in random order. */
    private enum Trouble {
        KILL_WORKER(6),
        FREEZE_WORKER(2),
        KILL_SERVER(1),
        CUT_CONNECTIONS(6);

        private final int times;

        Trouble(int times) {
            this.times = times;
        }
    }

    /** Enqueues tokens while trouble happens. */
    private List<String> injectFaults(ServerProcess server, Relay relay, List<ChildJvm> workers, BlockingClient client)
            throws InterruptedException {
        List<String> tokens = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Trouble trouble : shuffledRound()) {
                tokens.addAll(enqueue(client, tokens.size()));
                Thread.sleep(500);
                make(trouble, server, relay, workers.get(random.nextInt(WORKERS)));
            }
        }
        System.out.printf(
                "%d tokens; workers were started %d times%n",
                tokens.size(), workers.stream().mapToInt(ChildJvm::starts).sum());
        return tokens;
    }

    private List<Trouble> shuffledRound() {
        List<Trouble> round = new ArrayList<>();
        for (Trouble trouble : Trouble.values()) {
            round.addAll(Collections.nCopies(trouble.times, trouble));
        }
        Collections.shuffle(round, new Random(random.nextLong()));
        return round;
    }

    private static void make(Trouble trouble, ServerProcess server, Relay relay, ChildJvm worker)
            throws InterruptedException {
        switch (trouble) {
            case KILL_WORKER -> {
                worker.kill();
                worker.start();
            }
            case FREEZE_WORKER -> {
                worker.pause();
                Thread.sleep(TokenPipeline.LEASE.multipliedBy(3).dividedBy(2));
                worker.resume();
            }
            case KILL_SERVER -> {
                server.kill();
                server.start();
                server.awaitServing();
            }
            case CUT_CONNECTIONS -> relay.cut();
        }
    }

    private static List<String> enqueue(BlockingClient client, int from) {
        List<String> tokens = IntStream.range(from, from + TOKENS_AT_ONCE)
                .mapToObj("token-%06d"::formatted)
                .toList();
        var update = Update.in(TokenPipeline.GROUP);
        for (String token : tokens) {
            update.enqueue(QueueName.of(TokenPipeline.FIRST.name()), Pid.of(token), Bytes.of(token));
        }
        assertThat(client.update(update.build()).success()).isTrue();
        return tokens;
    }

    /** Returns the number of tasks that have not arrived. */
    private static long remainingTasks(BlockingClient client) {
        return client.list(ListRequest.of(QueueSelector.allIn(TokenPipeline.GROUP))).queues().stream()
                .filter(queue -> !isLast(queue))
                .mapToLong(QueueSummary::total)
                .sum();
    }

    private static boolean isLast(QueueSummary queue) {
        String name = queue.queue().name().toString();
        return name.equals(TokenPipeline.LAST.name()) || name.equals(TokenPipeline.RECEIPTS.name());
    }

    private static void judge(BlockingClient client, List<String> tokens) {
        assertThat(contents(client, TokenPipeline.LAST.name())).containsExactlyElementsOf(tokens);
        List<String> receipts = contents(client, TokenPipeline.RECEIPTS.name());
        Set<String> distinct = new HashSet<>(receipts);
        assertThat(distinct).containsExactlyInAnyOrderElementsOf(tokens);
        assertThat(receipts).as("receipts, each once").hasSameSizeAs(tokens);
    }

    private static List<String> contents(BlockingClient client, String queue) {
        List<String> contents = new ArrayList<>();
        QueueKey key = new QueueKey(TokenPipeline.GROUP, QueueName.of(queue));
        Optional<Pid> from = Optional.of(Pid.EMPTY);
        while (from.isPresent()) {
            PeekResult page = client.peek(
                    PeekRequest.of(key).from(from.get()).maxTasks(PAGE).withData(true));
            page.tasks().forEach(task -> contents.add(task.data().toString()));
            from = page.next();
        }
        return contents;
    }
}
