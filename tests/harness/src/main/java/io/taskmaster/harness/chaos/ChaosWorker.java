package io.taskmaster.harness.chaos;

import io.taskmaster.harness.chaos.token.RecordingCaller;
import io.taskmaster.harness.chaos.token.SideWork;
import io.taskmaster.harness.chaos.token.TokenRing;
import io.taskmaster.harness.chaos.token.TokenWork;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.proxy.logging.Logs;
import io.taskmaster.testkit.history.HistoryWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A worker process that works until it is terminated with SIGTERM, or dies. Each of its threads makes one call after
 * the other. Each life of the process has a history file of its own.
 */
final class ChaosWorker {

    private static final List<String> FLAGS = List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final int THREADS = 3;
    private static final long GRACE_SECONDS = 20;
    private static final int MIN_WAIT_MILLIS = 1_500;

    /** The longest pause between two steps of a thread: the load leaves the cores time to recover. */
    private static final int MAX_PAUSE_MILLIS = 60;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(THREADS);

    private final int maxWaitMillis;

    private ChaosWorker(int maxWaitMillis) {
        this.maxWaitMillis = maxWaitMillis;
    }

    /**
     * Returns the command that starts one.
     *
     * @param maxWait the longest deadline of its calls
     */
    static JvmCommand command(
            String target, String name, long seed, TokenRing tokenRing, Path history, Duration maxWait) {
        return JvmCommand.of(
                        ChaosWorker.class.getName(),
                        List.of(
                                target,
                                name,
                                Long.toString(seed),
                                Integer.toString(tokenRing.queues()),
                                history.toString(),
                                Long.toString(maxWait.toMillis())))
                .withFlags(FLAGS);
    }

    /**
     * @param arguments the address of the server, the name of this worker, its seed, the number of queues in a ring,
     *     the folder of histories, and the longest deadline of its calls in milliseconds
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Logs.forCommand();
        Path file = ChaosFolder.fresh(Path.of(arguments[4]), arguments[1]);
        String life = file.getFileName().toString().replaceFirst("\\.jsonl$", "");
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]) * 31 + life.hashCode());
        new ChaosWorker(Integer.parseInt(arguments[5]))
                .run(arguments[0], life, random, new TokenRing(Integer.parseInt(arguments[3])), file);
    }

    private void run(String target, String life, SplittableRandom random, TokenRing tokenRing, Path file)
            throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::finish, "finish"));
        try (HistoryWriter history = HistoryWriter.create(file);
                RecordingCaller connection = RecordingCaller.open(target, life, history)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                RecordingCaller recordingCaller = connection.with(life + "/" + i, history);
                SplittableRandom own = random.split();
                threads.add(Thread.ofPlatform()
                        .name(recordingCaller.name())
                        .start(() -> work(recordingCaller, tokenRing, own)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void work(RecordingCaller recordingCaller, TokenRing tokenRing, SplittableRandom random) {
        TokenWork tokens = new TokenWork(recordingCaller, tokenRing, random.split());
        SideWork side = new SideWork(recordingCaller, tokenRing, random.split());
        try {
            while (!isStopped()) {
                recordingCaller.deadline(Duration.ofMillis(random.nextInt(MIN_WAIT_MILLIS, maxWaitMillis)));
                if (random.nextInt(3) > 0) {
                    tokens.step();
                } else {
                    side.step();
                }
                stopped.await(random.nextInt(MAX_PAUSE_MILLIS), TimeUnit.MILLISECONDS);
            }
            done.countDown();
        } catch (InterruptedException | RuntimeException unexpected) {
            // A worker whose code fails must not go on: its parent sees that it has ended, and finds the reason in its
            // log.
            unexpected.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Lets every thread complete its step. */
    private void finish() {
        stopped.countDown();
        try {
            done.await(GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
