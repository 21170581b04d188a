package io.taskmaster.server.damage;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The complete answers of a server: from listing, from peeking, and from leasing all available tasks. Answers that it
 * refuses because of corruption are missing here, and recorded in {@code refusals}. Immutable.
 *
 * @param listed empty: refused
 * @param peeked the tasks of each queue
 * @param leased the data of all available tasks, as they were leased
 * @param refusals the messages of the refusals
 */
record Contents(
        Optional<List<QueueSummary>> listed,
        Map<QueueKey, List<PeekedTask>> peeked,
        Map<QueueKey, Map<Pid, Bytes>> leased,
        List<String> refusals) {

    private static final Set<ErrorCode> REFUSALS =
            EnumSet.of(ErrorCode.INTERNAL, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.READ_FAILED);
    private static final int ALL = 10_000;
    private static final int MAX_BYTES = 32 << 20;

    /** Returns a client that accepts answers of this size and never retries. */
    static TaskMasterClient connect(int port) {
        return TaskMasterClient.builder("127.0.0.1:" + port)
                .maxRetries(0)
                .deadline(Duration.ofSeconds(30))
                .maxInboundBytes(MAX_BYTES + (4 << 20))
                .build();
    }

    /**
     * Reads everything.
     *
     * @param queues the queues to read, listed or not
     */
    static Contents read(TaskMasterClient client, List<QueueKey> queues) {
        List<String> refusals = new ArrayList<>();
        Optional<List<QueueSummary>> listed = allowed(
                () -> client.blocking()
                        .list(ListRequest.of(QueueSelector.all()))
                        .queues(),
                refusals);
        Map<QueueKey, List<PeekedTask>> peeked = new HashMap<>();
        Map<QueueKey, Map<Pid, Bytes>> leased = new HashMap<>();
        for (QueueKey queue : queues) {
            allowed(() -> peek(client, queue), refusals).ifPresent(tasks -> peeked.put(queue, tasks));
        }
        for (QueueKey queue : queues) {
            allowed(() -> lease(client, queue), refusals).ifPresent(tasks -> leased.put(queue, tasks));
        }
        return new Contents(listed, peeked, leased, refusals);
    }

    private static List<PeekedTask> peek(TaskMasterClient client, QueueKey queue) {
        PeekRequest request = PeekRequest.of(queue).maxTasks(ALL).withData(true).maxBytes(MAX_BYTES);
        PeekResult page = client.blocking().peek(request);
        List<PeekedTask> tasks = new ArrayList<>(page.tasks());
        while (page.next().isPresent()) {
            page = client.blocking().peek(request.from(page.next().get()));
            tasks.addAll(page.tasks());
        }
        return tasks;
    }

    private static Map<Pid, Bytes> lease(TaskMasterClient client, QueueKey queue) {
        Map<Pid, Bytes> all = new TreeMap<>();
        LeaseRequest request =
                LeaseRequest.from(queue).maxTasks(ALL).maxBytes(MAX_BYTES).length(Duration.ofHours(1));
        for (List<LeasedTask> some = client.blocking().lease(request);
                !some.isEmpty();
                some = client.blocking().lease(request)) {
            some.forEach(task -> all.put(task.pid(), task.data()));
        }
        return all;
    }

    /**
     * Returns the answer; empty if it is that data are corrupt, or were found to be during the call. Any other failure
     * fails the test.
     */
    private static <T> Optional<T> allowed(Supplier<T> call, List<String> refusals) {
        try {
            return Optional.of(call.get());
        } catch (TaskMasterException refusal) {
            if (!REFUSALS.contains(refusal.code())) {
                throw refusal;
            }
            refusals.add(String.valueOf(refusal.getMessage()));
            return Optional.empty();
        }
    }

    /** Returns a difference from the whole contents; empty if every answer here is the same there. */
    Optional<String> contradiction(Contents full) {
        if (listed.isPresent() && !listed.equals(full.listed)) {
            return Optional.of("listed: " + listed.get() + " (expected: " + full.listed + ")");
        }
        for (Map.Entry<QueueKey, List<PeekedTask>> queue : peeked.entrySet()) {
            if (!queue.getValue().equals(full.peeked.get(queue.getKey()))) {
                return Optional.of("peeked in " + queue.getKey() + ": "
                        + queue.getValue().size() + " tasks (expected: "
                        + full.peeked.getOrDefault(queue.getKey(), List.of()).size() + ", and the same)");
            }
        }
        for (Map.Entry<QueueKey, Map<Pid, Bytes>> queue : leased.entrySet()) {
            if (!queue.getValue().equals(full.leased.get(queue.getKey()))) {
                return Optional.of("leased from " + queue.getKey() + ": "
                        + queue.getValue().size() + " tasks (expected: "
                        + full.leased.getOrDefault(queue.getKey(), Map.of()).size() + ", and the same)");
            }
        }
        return Optional.empty();
    }
}
