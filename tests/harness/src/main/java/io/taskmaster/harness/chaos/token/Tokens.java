package io.taskmaster.harness.chaos.token;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The tokens of a run: enqueued at its beginning, and taken out at its end, when there are no faults any more. Blocks.
 * Single-threaded.
 */
public final class Tokens {

    private static final int BATCH = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 100;

    private final RecordingCaller recordingCaller;
    private final TokenRing tokenRing;
    private final int count;

    public Tokens(RecordingCaller recordingCaller, TokenRing tokenRing, int count) {
        this.recordingCaller = recordingCaller;
        this.tokenRing = tokenRing;
        this.count = count;
    }

    /** Enqueues the tokens, spread over all queues. */
    public void enqueue() throws InterruptedException {
        for (ByteString group : TokenRing.GROUPS) {
            List<Enqueue> enqueues = IntStream.range(0, count)
                    .filter(token -> TokenRing.groupOf(token).equals(group))
                    .mapToObj(token -> Enqueue.newBuilder()
                            .setQueue(tokenRing.queue(token / TokenRing.GROUPS.size() % tokenRing.queues()))
                            .setPid(ByteString.copyFromUtf8("start-" + TokenRing.label(token)))
                            .setIfExists(IfExists.COLLAPSE)
                            .setData(TokenRing.data(TokenRing.label(token), recordingCaller.nextEnqueue()))
                            .build())
                    .toList();
            if (!enqueues.isEmpty()) {
                update(UpdateRequest.newBuilder()
                        .setGroup(group)
                        .addAllEnqueue(enqueues)
                        .build());
            }
        }
    }

    /** Hands every token to the last queue of its ring, counts them there, and takes them out. */
    public Conservation drain() throws InterruptedException {
        for (ByteString group : TokenRing.GROUPS) {
            deleteSideQueues(group);
            awaitEmpty(group, tokenRing.names().subList(0, tokenRing.queues() - 1), this::moveToLast);
            awaitSettled(group);
        }
        List<String> found = new ArrayList<>();
        for (ByteString group : TokenRing.GROUPS) {
            found.addAll(labelsIn(group));
            awaitEmpty(group, List.of(tokenRing.last()), this::dequeue);
        }
        return Conservation.of(
                count,
                found,
                list(QueueSelector.newBuilder().setAllGroups(true)).stream()
                        .map(Tokens::text)
                        .toList());
    }

    private void deleteSideQueues(ByteString group) throws InterruptedException {
        QueueSelector.Builder side = QueueSelector.newBuilder().setGroup(group);
        IntStream.range(0, TokenRing.SIDE_QUEUES).forEach(i -> side.addNames(TokenRing.sideQueue(i)));
        DeleteRequest request = DeleteRequest.newBuilder().setQueues(side).build();
        retry(() -> recordingCaller.ask(stub -> stub.deleteQueues(request)));
    }

    /** An update that settles leased tasks. */
    @FunctionalInterface
    private interface Treatment {
        UpdateRequest of(ByteString group, List<LeasedTask> tasks);
    }

    /**
     * Leases and settles tasks until none is left: neither available, nor leased by a worker that has ended, nor
     * delayed.
     */
    private void awaitEmpty(ByteString group, List<ByteString> queues, Treatment treatment)
            throws InterruptedException {
        QueueSelector selector =
                QueueSelector.newBuilder().setGroup(group).addAllNames(queues).build();
        LeaseRequest lease = LeaseRequest.newBuilder()
                .setQueues(selector)
                .setMaxTasks(BATCH)
                .setLease(Durations.fromSeconds(5))
                .setWorker(recordingCaller.name())
                .build();
        long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
        while (!list(selector.toBuilder()).isEmpty()) {
            LeaseReply leased = retry(() -> recordingCaller.ask(stub -> stub.leaseTasks(lease)));
            if (leased.getTasksCount() > 0) {
                update(treatment.of(group, leased.getTasksList()));
                deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
            } else {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException("not drained: "
                            + list(selector.toBuilder()).stream()
                                    .map(Tokens::text)
                                    .toList());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    private UpdateRequest moveToLast(ByteString group, List<LeasedTask> tasks) {
        UpdateRequest.Builder update = dequeue(group, tasks).toBuilder();
        for (LeasedTask task : tasks) {
            update.addEnqueue(Enqueue.newBuilder()
                    .setQueue(tokenRing.last())
                    .setData(TokenRing.data(TokenRing.labelOf(task.getData()), recordingCaller.nextEnqueue())));
        }
        return update.build();
    }

    private UpdateRequest dequeue(ByteString group, List<LeasedTask> tasks) {
        UpdateRequest.Builder update = UpdateRequest.newBuilder().setGroup(group);
        for (LeasedTask task : tasks) {
            update.addDequeue(Dequeue.newBuilder()
                    .setQueue(task.getQueue())
                    .setPid(task.getPid())
                    .setLeaseId(task.getLeaseId()));
        }
        return update.build();
    }

    /** Applies an update. If it is refused it changes nothing: its tasks become available when their leases expire. */
    private UpdateReply update(UpdateRequest request) throws InterruptedException {
        return retry(() -> recordingCaller.ask(stub -> stub.updateTasks(request)));
    }

    /** Waits until every task in the last queue is available. */
    private void awaitSettled(ByteString group) throws InterruptedException {
        QueueSelector.Builder last = QueueSelector.newBuilder().setGroup(group).addNames(tokenRing.last());
        long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
        while (list(last).stream().anyMatch(queue -> queue.getLeased() + queue.getDelayed() > 0)) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("leases or delays did not end: " + list(last));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private List<String> labelsIn(ByteString group) throws InterruptedException {
        List<String> labels = new ArrayList<>();
        ByteString from = ByteString.EMPTY;
        do {
            PeekRequest request = PeekRequest.newBuilder()
                    .setGroup(group)
                    .setQueue(tokenRing.last())
                    .setFromPid(from)
                    .setMaxTasks(BATCH)
                    .setWithData(true)
                    .build();
            PeekReply page = retry(() -> recordingCaller.ask(stub -> stub.peekTasks(request)));
            page.getTasksList().stream()
                    .map(PeekedTask::getData)
                    .map(TokenRing::labelOf)
                    .forEach(labels::add);
            from = page.getNextPid();
        } while (!from.isEmpty());
        return labels;
    }

    private List<QueueSummary> list(QueueSelector.Builder queues) throws InterruptedException {
        ListRequest request = ListRequest.newBuilder().setQueues(queues).build();
        ListReply reply = retry(() -> recordingCaller.ask(stub -> stub.listQueues(request)));
        return reply.getQueuesList();
    }

    /** Retries a call until it is answered: there are no faults any more. */
    private static <T> T retry(Supplier<CallAnswer<T>> question) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            if (question.get() instanceof CallAnswer.Known<T>(T reply)) {
                return reply;
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(
                        "no reply for " + TIMEOUT.toSeconds() + " s, although no fault is active");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static String text(QueueSummary queue) {
        return "%s/%s: %d available, %d leased, %d delayed"
                .formatted(
                        queue.getGroup().toStringUtf8(),
                        queue.getName().toStringUtf8(),
                        queue.getAvailable(),
                        queue.getLeased(),
                        queue.getDelayed());
    }
}
