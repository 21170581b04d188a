package io.taskmaster.harness.chaos;

import io.taskmaster.harness.chaos.token.CallAnswer;
import io.taskmaster.harness.chaos.token.RecordingCaller;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.QueueSelector;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A thread that polls the totals of all queues twice a second, and reports them. Closing it ends the thread. */
final class Observer implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final DescribeRequest EVERYTHING = DescribeRequest.newBuilder()
            .setQueues(QueueSelector.newBuilder().setAllGroups(true))
            .setMaxQueues(1)
            .build();

    private final RecordingCaller recordingCaller;
    private final Supplier<String> parts;
    private final Consumer<String> listener;
    private final long beginNanos = System.nanoTime();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private long answeredNanos = System.nanoTime();

    private Observer(RecordingCaller recordingCaller, Supplier<String> parts, Consumer<String> listener) {
        this.recordingCaller = recordingCaller;
        this.parts = parts;
        this.listener = listener;
        this.thread = Thread.ofVirtual().name("observer").unstarted(this::observe);
    }

    /**
     * Starts the thread.
     *
     * @param parts supplies the state of processes and network
     */
    static Observer start(RecordingCaller recordingCaller, Supplier<String> parts, Consumer<String> listener) {
        recordingCaller.deadline(Duration.ofSeconds(2));
        Observer observer = new Observer(recordingCaller, parts, listener);
        observer.thread.start();
        return observer;
    }

    private void observe() {
        try {
            while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                listener.accept(Spans.text(Duration.ofNanos(System.nanoTime() - beginNanos)) + "  " + describe() + "  "
                        + parts.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String describe() {
        CallAnswer<DescribeReply> callAnswer = recordingCaller.ask(stub -> stub.describeQueues(EVERYTHING));
        if (callAnswer instanceof CallAnswer.Known<DescribeReply>(DescribeReply reply)) {
            answeredNanos = System.nanoTime();
            QueueDescription total = reply.getTotal();
            return "%d available, %d leased, %d delayed; %.0f leases/s, %.0f dequeues/s;"
                    .formatted(
                            total.getSummary().getAvailable(),
                            total.getSummary().getLeased(),
                            total.getSummary().getDelayed(),
                            total.getLeaseRate(),
                            total.getDequeueRate());
        }
        return "no reply for %s;".formatted(Spans.text(Duration.ofNanos(System.nanoTime() - answeredNanos)));
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
