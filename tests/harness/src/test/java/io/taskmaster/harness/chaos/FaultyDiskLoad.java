package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import io.taskmaster.harness.chaos.token.RecordingCaller;
import io.taskmaster.harness.chaos.token.TokenRing;
import io.taskmaster.harness.chaos.token.TokenWork;
import io.taskmaster.harness.chaos.token.Tokens;
import io.taskmaster.testkit.history.HistoryBuffer;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A load on a server whose disk fails: clients in threads of this process hand off tokens, and enqueue ballast to make
 * flush rounds large. All calls are recorded, and judged at the end. Single-threaded, apart from its own threads.
 */
final class FaultyDiskLoad implements AutoCloseable {

    private static final int TOKENS = 60;
    private static final int THREADS = 4;
    private static final ByteString GROUP = TokenRing.GROUPS.getFirst();
    private static final ByteString BALLAST = ByteString.copyFromUtf8("ballast");
    private static final int BALLAST_TASKS = 48;
    private static final ByteString BALLAST_DATA = ByteString.copyFrom(new byte[128 << 10]);

    private final HistoryBuffer history = new HistoryBuffer();
    private final SplittableRandom random;
    private final RecordingCaller recordingCaller;
    private final TokenRing tokenRing = new TokenRing(3);
    private final Tokens tokens;
    private int threads;
    private int ballast;

    FaultyDiskLoad(String target, SplittableRandom random) throws InterruptedException {
        this.random = random;
        this.recordingCaller = RecordingCaller.open(target, "tokens", history);
        recordingCaller.deadline(Duration.ofSeconds(5));
        this.tokens = new Tokens(recordingCaller, tokenRing, TOKENS);
        tokens.enqueue();
    }

    /**
     * Runs the threads until so many more calls were answered and an action was run meanwhile; then stops them, and
     * waits for their end.
     */
    void work(int answers, Runnable meanwhile) {
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> working = new ArrayList<>();
        try (ExecutorService running = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < THREADS; i++) {
                RecordingCaller own = recordingCaller.with("thread-" + threads++, history);
                own.deadline(Duration.ofSeconds(5));
                SplittableRandom itsRandom = random.split();
                working.add(running.submit(() -> moveTokens(new TokenWork(own, tokenRing, itsRandom), over)));
            }
            try {
                bringBallast();
                awaitAnswers(answers);
                meanwhile.run();
            } finally {
                over.set(true);
                // If the server is gone, each thread would wait for every remaining call until its deadline.
                running.shutdownNow();
            }
        }
        assertThat(working).allMatch(work -> work.state() == Future.State.SUCCESS);
    }

    private static void moveTokens(TokenWork work, AtomicBoolean over) {
        try {
            while (!over.get()) {
                work.step();
            }
        } catch (InterruptedException _) {
            // Equivalent to the end of the load.
        }
    }

    /** Waits until so many more calls were answered, while the threads work. */
    void awaitAnswers(int answers) {
        long enough = answered() + answers;
        await().until(() -> answered() >= enough);
    }

    /** Enqueues so much that the flush round is staged. The call may fail. */
    void bringBallast() {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(GROUP);
        for (int i = 0; i < BALLAST_TASKS; i++) {
            update.addEnqueue(Enqueue.newBuilder()
                    .setQueue(BALLAST)
                    .setPid(ByteString.copyFromUtf8("ballast-" + ballast++))
                    .setData(BALLAST_DATA));
        }
        UpdateRequest builtUpdate = update.build();
        recordingCaller.ask(stub -> stub.updateTasks(builtUpdate));
    }

    private long answered() {
        return history.history().calls().stream()
                .filter(call -> call.recordedOutcome() instanceof RecordedOutcome.Replied)
                .count();
    }

    /** Drains all queues. Returns the discrepancies of their contents, and of all replies; empty if there are none. */
    List<String> drain() throws InterruptedException {
        takeBallast();
        List<String> wrong = new ArrayList<>(tokens.drain().wrong());
        wrong.addAll(ChaosCounters.of(history.history()).unexpected());
        OracleVerdict verdict = Oracle.judge(history.history(), OracleSettings.DEFAULT.drained());
        verdict.findings().forEach(finding -> wrong.add(finding.toString()));
        return wrong;
    }

    private void takeBallast() {
        LeaseRequest lease = LeaseRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().setGroup(GROUP).addNames(BALLAST))
                .setMaxTasks(20)
                .setLease(Durations.fromSeconds(60))
                .build();
        await().until(() -> recordingCaller
                .ask(stub -> stub.leaseTasks(lease))
                .known()
                .map(this::dequeue)
                .orElse(false));
    }

    /** Returns true if there was none left. */
    private boolean dequeue(LeaseReply leased) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(GROUP);
        leased.getTasksList()
                .forEach(task -> update.addDequeue(Dequeue.newBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid())
                        .setLeaseId(task.getLeaseId())));
        UpdateRequest builtUpdate = update.build();
        if (leased.getTasksCount() > 0) {
            recordingCaller.ask(stub -> stub.updateTasks(builtUpdate));
        }
        return leased.getTasksCount() == 0;
    }

    @Override
    public void close() {
        recordingCaller.close();
    }
}
