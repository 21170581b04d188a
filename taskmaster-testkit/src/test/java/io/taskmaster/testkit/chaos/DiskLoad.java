package io.taskmaster.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import io.taskmaster.testkit.history.HistoryBuffer;
import io.taskmaster.testkit.history.Outcome;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.OracleSettings;
import io.taskmaster.testkit.oracle.Verdict;
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
 * Clients of a server whose disk fails: they hand tokens on, in threads of this process, and bring ballast, so that flush rounds are large. All they
 * ask is recorded, and judged in the end. Single-threaded, but for its own threads.
 */
final class DiskLoad implements AutoCloseable {

    private static final int TOKENS = 60;
    private static final int THREADS = 4;
    private static final ByteString GROUP = Ring.GROUPS.getFirst();
    private static final ByteString BALLAST = ByteString.copyFromUtf8("ballast");
    private static final int BALLAST_TASKS = 48;
    private static final ByteString BALLAST_DATA = ByteString.copyFrom(new byte[128 << 10]);

    private final HistoryBuffer history = new HistoryBuffer();
    private final SplittableRandom random;
    private final Caller caller;
    private final Ring ring = new Ring(3);
    private final Tokens tokens;
    private int threads;
    private int ballast;

    DiskLoad(String target, SplittableRandom random) throws InterruptedException {
        this.random = random;
        this.caller = Caller.open(target, "tokens", history);
        caller.deadline(Duration.ofSeconds(5));
        this.tokens = new Tokens(caller, ring, TOKENS);
        tokens.enqueue();
    }

    /** Works until so many more calls were answered, and something was done meanwhile; then it is told to end, and has. */
    void work(int answers, Runnable meanwhile) {
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> working = new ArrayList<>();
        try (ExecutorService running = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < THREADS; i++) {
                Caller own = caller.with("thread-" + threads++, history);
                own.deadline(Duration.ofSeconds(5));
                SplittableRandom itsRandom = random.split();
                working.add(running.submit(() -> handOn(new TokenWork(own, ring, itsRandom), over)));
            }
            try {
                bringBallast();
                awaitAnswers(answers);
                meanwhile.run();
            } finally {
                over.set(true);
                // Of a server that is gone they would wait for every call in turn.
                running.shutdownNow();
            }
        }
        assertThat(working).allMatch(work -> work.state() == Future.State.SUCCESS);
    }

    private static void handOn(TokenWork work, AtomicBoolean over) {
        try {
            while (!over.get()) {
                work.step();
            }
        } catch (InterruptedException _) {
            // The same.
        }
    }

    /** Waits until so many more calls were answered; for who works meanwhile. */
    void awaitAnswers(int answers) {
        long enough = answered() + answers;
        await().until(() -> answered() >= enough);
    }

    /** Enqueues so much that the flush round is staged. It may fail. */
    void bringBallast() {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(GROUP);
        for (int i = 0; i < BALLAST_TASKS; i++) {
            update.addEnqueue(Enqueue.newBuilder()
                    .setQueue(BALLAST)
                    .setPid(ByteString.copyFromUtf8("ballast-" + ballast++))
                    .setData(BALLAST_DATA));
        }
        UpdateRequest whole = update.build();
        caller.ask(stub -> stub.updateTasks(whole));
    }

    private long answered() {
        return history.history().calls().stream()
                .filter(call -> call.outcome() instanceof Outcome.Replied)
                .count();
    }

    /** Takes everything out. What is wrong with what was found, and with all that was answered; empty if nothing is. */
    List<String> drain() throws InterruptedException {
        takeBallast();
        List<String> wrong = new ArrayList<>(tokens.drain().wrong());
        wrong.addAll(Tally.of(history.history()).unexpected());
        Verdict verdict = Oracle.judge(history.history(), OracleSettings.DEFAULT.drained());
        verdict.findings().forEach(finding -> wrong.add(finding.toString()));
        return wrong;
    }

    private void takeBallast() {
        LeaseRequest lease = LeaseRequest.newBuilder()
                .setQueues(QueueSelector.newBuilder().setGroup(GROUP).addNames(BALLAST))
                .setMaxTasks(20)
                .setLease(Durations.fromSeconds(60))
                .build();
        await().until(() -> caller.ask(stub -> stub.leaseTasks(lease))
                .known()
                .map(this::dequeue)
                .orElse(false));
    }

    /** True if there was none any more. */
    private boolean dequeue(LeaseReply leased) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(GROUP);
        leased.getTasksList()
                .forEach(task -> update.addDequeue(Dequeue.newBuilder()
                        .setQueue(task.getQueue())
                        .setPid(task.getPid())
                        .setLeaseId(task.getLeaseId())));
        UpdateRequest whole = update.build();
        if (leased.getTasksCount() > 0) {
            caller.ask(stub -> stub.updateTasks(whole));
        }
        return leased.getTasksCount() == 0;
    }

    @Override
    public void close() {
        caller.close();
    }
}
