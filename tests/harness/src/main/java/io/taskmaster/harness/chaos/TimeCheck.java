package io.taskmaster.harness.chaos;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.taskmaster.harness.chaos.token.RecordingCaller;
import io.taskmaster.harness.chaos.token.TokenRing;
import io.taskmaster.testkit.history.HistorySink;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A check that time goes on for the clients of a server, whatever its wall clock shows: a lease expires, a long poll
 * returns, and a delayed task becomes available. It has queues of its own, empty before and after. Limits are generous:
 * lateness on a busy machine is no violation. Blocks; single-threaded, apart from its own threads.
 */
final class TimeCheck {

    private static final ByteString GROUP = ByteString.copyFromUtf8("time");
    private static final ByteString PID = ByteString.copyFromUtf8("task");
    private static final long PAUSE_MILLIS = 20;

    private final RecordingCaller recordingCaller;
    private final HistorySink history;
    private final Duration length;
    private final Duration timeout;
    private final String lengthText;
    private int checks;

    /**
     * @param recordingCaller the caller whose connection is used
     * @param length the length of the lease, the poll and the delay
     * @param timeout the timeout of each of them, and of every call
     */
    TimeCheck(RecordingCaller recordingCaller, HistorySink history, Duration length, Duration timeout) {
        this.recordingCaller = recordingCaller;
        this.history = history;
        this.length = length;
        this.timeout = timeout;
        this.lengthText = Spans.text(length);
    }

    /** Returns what does not go on, in words; empty if everything does. */
    List<String> wrong() throws InterruptedException {
        checks++;
        List<Callable<Optional<String>>> parts = List.of(this::lease, this::poll, this::delay);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(parts).stream()
                    .map(Future::resultNow)
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    private Optional<String> lease() throws InterruptedException {
        Queue queue = new Queue("lease");
        boolean passed = queue.enqueue(Optional.empty()) && queue.leases() && queue.leases();
        return queue.empties() && passed
                ? Optional.empty()
                : Optional.of("a lease of " + lengthText + " did not expire");
    }

    private Optional<String> poll() throws InterruptedException {
        boolean passed = new Queue("poll").polls();
        return passed ? Optional.empty() : Optional.of("a long poll of " + lengthText + " did not return");
    }

    private Optional<String> delay() throws InterruptedException {
        Queue queue = new Queue("delay");
        boolean passed = queue.enqueue(Optional.of(length)) && queue.leases();
        return queue.empties() && passed
                ? Optional.empty()
                : Optional.of("a task that is delayed by " + lengthText + " did not become available");
    }

    /** A queue with one task or none. Its methods return false if they are not done in time. */
    private final class Queue {

        private final ByteString name;
        private final RecordingCaller own;

        Queue(String word) {
            name = ByteString.copyFromUtf8(word);
            // A name of its own makes its request ids new.
            own = recordingCaller.with("%s/%s-%d".formatted(recordingCaller.name(), word, checks), history);
            own.deadline(timeout);
        }

        boolean enqueue(Optional<Duration> delay) throws InterruptedException {
            Enqueue.Builder task =
                    Enqueue.newBuilder().setQueue(name).setPid(PID).setData(TokenRing.data("time", own.nextEnqueue()));
            delay.ifPresent(by -> task.setNotBefore(Timestamps.fromMillis(System.currentTimeMillis() + by.toMillis())));
            return update(UpdateRequest.newBuilder().addEnqueue(task));
        }

        /** Leases the task, once it is available. */
        boolean leases() throws InterruptedException {
            LeaseRequest request = lease();
            return eventually(
                    () -> own.ask(stub -> stub.leaseTasks(request)).known().filter(reply -> reply.getTasksCount() > 0));
        }

        /** Polls without a result. */
        boolean polls() throws InterruptedException {
            LeaseRequest request = lease();
            return eventually(() -> own.ask(stub -> stub.leaseTasks(request)).known());
        }

        private LeaseRequest lease() {
            return LeaseRequest.newBuilder()
                    .setQueues(QueueSelector.newBuilder().setGroup(GROUP).addNames(name))
                    .setMaxTasks(1)
                    .setLease(Durations.fromMillis(length.toMillis()))
                    .setWait(Durations.fromMillis(length.toMillis()))
                    .setWorker(own.name())
                    .build();
        }

        /** Dequeues the task, leased or not. */
        boolean empties() throws InterruptedException {
            return update(UpdateRequest.newBuilder()
                    .addDequeue(Dequeue.newBuilder().setQueue(name).setPid(PID)));
        }

        private boolean update(UpdateRequest.Builder update) throws InterruptedException {
            UpdateRequest request = update.setGroup(GROUP)
                    .setRequestId(ByteString.copyFromUtf8(own.nextEnqueue()))
                    .build();
            return eventually(() -> own.ask(stub -> stub.updateTasks(request)).known());
        }
    }

    private <T> boolean eventually(Supplier<Optional<T>> question) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (question.get().isEmpty()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return true;
    }
}
