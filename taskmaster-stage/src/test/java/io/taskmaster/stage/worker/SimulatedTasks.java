package io.taskmaster.stage.worker;

import io.taskmaster.client.BatchOperation;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Timer;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Dequeue;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.Update.Release;
import io.taskmaster.client.Update.Renewal;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.worker.task.TaskService;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A minimal server that fulfils the contract, behind a network that delays messages and loses requests and replies. One
 * group; queues by name. Single-threaded: owned by the test.
 */
public final class SimulatedTasks {

    private static final GroupName GROUP = GroupName.of("g");
    private static final Duration POLL = Duration.ofMillis(50);

    private static final class Entry {
        final Bytes data;
        final Map<String, String> headers;
        final Instant enqueued;
        Instant availableFrom;
        long leaseId;
        int attempt;

        Entry(Enqueue enqueue, Instant now) {
            data = enqueue.data();
            headers = enqueue.headers();
            enqueued = now;
            availableFrom = enqueue.notBefore().orElse(now);
        }
    }

    private final SimulatedTime time;
    private final SplittableRandom random;
    private final Map<QueueName, SortedMap<Pid, Entry>> queues = new HashMap<>();
    private final Queue<ErrorCode> refusals = new ArrayDeque<>();
    private final KnownLeases known;
    private long lastLease;
    private long lastPid;

    /** The percentage of calls with a fault. */
    private int failurePercent;

    /** The longest delay of a message without a fault. */
    private Duration networkDelay = Duration.ofMillis(5);

    /** The time after which every commit fails; absent: commits succeed. */
    private Optional<Duration> commitsFail = Optional.empty();

    SimulatedTasks(SimulatedTime time, SplittableRandom random) {
        this.time = time;
        this.random = random;
        this.known = new KnownLeases(time);
    }

    void failurePercent(int percent) {
        failurePercent = percent;
    }

    /** Makes every commit fail from now on, each after this time, and nothing else. */
    void commitsFail(Duration after) {
        commitsFail = Optional.of(after);
    }

    void commitsPass() {
        commitsFail = Optional.empty();
    }

    /** The record of what workers know of their leases. */
    KnownLeases known() {
        return known;
    }

    /** Returns the view of one worker, which sends and receives nothing more once it is dead. */
    TaskService service(Timer timer, BooleanSupplier alive) {
        return new TaskService() {
            @Override
            public CompletableFuture<List<LeasedTask>> lease(LeaseRequest request) {
                CompletableFuture<List<LeasedTask>> call =
                        call(alive, exchange -> poll(request, time.now().plus(request.maxWait()), exchange));
                CompletableFuture<?> _ =
                        call.thenAccept(leased -> leased.forEach(task -> known.leased(task, request.length())));
                return call;
            }

            @Override
            public CompletableFuture<List<BatchResult>> batch(List<BatchOperation> operations) {
                ErrorCode refusal = refusals.poll();
                if (refusal != null) {
                    return SimulatedTasks.this.<List<BatchResult>>call(
                            alive,
                            exchange -> exchange.answer(operations.stream()
                                    .map(_ -> (BatchResult) new BatchResult.Failed(error(refusal)))
                                    .toList()));
                }
                List<Update> updates =
                        operations.stream().map(operation -> (Update) operation).toList();
                if (alive.getAsBoolean()) {
                    updates.forEach(known::sent);
                }
                return SimulatedTasks.this
                        .<List<UpdateResult>>call(alive, exchange -> commit(updates, exchange))
                        .whenComplete((_, _) -> known.answered())
                        .thenApply(results -> results(updates, results));
            }

            @Override
            public LeaseKeeper keepLeases(Duration length) {
                return new LeaseKeeper((renewals, _) -> renew(renewals, alive), timer, length);
            }
        };
    }

    /** Answers the next update calls with these errors. */
    void refuse(ErrorCode... next) {
        refusals.addAll(List.of(next));
    }

    private void commit(List<Update> updates, Exchange<List<UpdateResult>> exchange) {
        if (commitsFail.isPresent()) {
            time.schedule(
                    () -> exchange.completeExceptionally(error(ErrorCode.OVERLOADED)),
                    commitsFail.get().toNanos());
        } else {
            exchange.answer(updates.stream().map(this::apply).toList());
        }
    }

    private List<BatchResult> results(List<Update> updates, List<UpdateResult> results) {
        for (int i = 0; i < updates.size(); i++) {
            known.committed(updates.get(i), results.get(i));
        }
        return results.stream()
                .map(result -> (BatchResult) new BatchResult.Updated(result))
                .toList();
    }

    private CompletableFuture<UpdateResult> renew(Update renewals, BooleanSupplier alive) {
        long sentNanos = time.nanoTime();
        return this.<UpdateResult>call(alive, exchange -> exchange.answer(apply(renewals)))
                .thenApply(result -> {
                    known.renewed(renewals, sentNanos, result);
                    return result;
                });
    }

    public void enqueue(String queue, String pid, String data) {
        enqueue(queue, pid, data, Map.of());
    }

    void enqueue(String queue, String pid, String data, Map<String, String> headers) {
        apply(Update.in(GROUP)
                .enqueue(Enqueue.of(QueueName.of(queue), Pid.of(pid), Bytes.of(data))
                        .headers(headers))
                .build());
    }

    void enqueueBytes(String queue, String pid, byte[] data) {
        apply(Update.in(GROUP)
                .enqueue(Enqueue.of(QueueName.of(queue), Pid.of(pid), Bytes.wrap(data)))
                .build());
    }

    /** The PIDs of a queue, in order. */
    public List<String> pids(String queue) {
        return tasks(QueueName.of(queue)).keySet().stream().map(Pid::toString).toList();
    }

    Map<String, String> headers(String queue, String pid) {
        return entry(queue, pid).headers;
    }

    String data(String queue, String pid) {
        return entry(queue, pid).data.toString();
    }

    int attempts(String queue, String pid) {
        return entry(queue, pid).attempt;
    }

    /** The number of leases so far, of all tasks. */
    long leases() {
        return lastLease;
    }

    boolean isLeased(String queue, String pid) {
        return isLeased(entry(queue, pid));
    }

    /** Returns whether the last holder has released the task. */
    boolean isReleased(String queue, String pid) {
        return entry(queue, pid).leaseId == 0;
    }

    boolean isOffered(String queue, String pid) {
        return !entry(queue, pid).availableFrom.isAfter(time.now());
    }

    /** Leases the task to another worker, whatever its lease. */
    void steal(String queue, String pid) {
        entry(queue, pid).leaseId = ++lastLease;
    }

    /** Makes the lease of the task expire. */
    void expire(String queue, String pid) {
        entry(queue, pid).availableFrom = time.now();
    }

    private Entry entry(String queue, String pid) {
        return Objects.requireNonNull(tasks(QueueName.of(queue)).get(Pid.of(pid)), "no such task");
    }

    private SortedMap<Pid, Entry> tasks(QueueName queue) {
        return queues.computeIfAbsent(queue, _ -> new TreeMap<>());
    }

    private interface Served<R> {
        void by(Exchange<R> exchange);
    }

    /** A call: the future of its caller, and the reply of the server. */
    private final class Exchange<R> extends CompletableFuture<R> {

        private final boolean replyIsLost = fails();
        private boolean isAbandoned;

        void answer(R answer) {
            later(() -> {
                if (replyIsLost) {
                    completeExceptionally(error(ErrorCode.OUTCOME_UNKNOWN));
                } else {
                    complete(answer);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            later(() -> isAbandoned = true);
            return super.cancel(mayInterruptIfRunning);
        }
    }

    private <R> CompletableFuture<R> call(BooleanSupplier alive, Served<R> work) {
        Exchange<R> exchange = new Exchange<>();
        if (!alive.getAsBoolean()) {
            return exchange;
        }
        if (fails()) {
            later(() -> exchange.completeExceptionally(error(ErrorCode.OVERLOADED)));
        } else {
            later(() -> work.by(exchange));
        }
        return exchange;
    }

    private boolean fails() {
        return random.nextInt(100) < failurePercent;
    }

    private void later(Runnable event) {
        boolean isSlow = fails();
        time.schedule(
                event, random.nextLong(isSlow ? networkDelay.multipliedBy(1_000).toNanos() : networkDelay.toNanos()));
    }

    private static TaskMasterException error(ErrorCode code) {
        return new TaskMasterException(code, "simulated", null, null);
    }

    private void poll(LeaseRequest request, Instant end, Exchange<List<LeasedTask>> exchange) {
        if (exchange.isAbandoned) {
            return;
        }
        List<LeasedTask> leased = lease(request);
        if (!leased.isEmpty() || !time.now().isBefore(end)) {
            exchange.answer(leased);
        } else {
            time.schedule(() -> poll(request, end, exchange), POLL.toNanos());
        }
    }

    private List<LeasedTask> lease(LeaseRequest request) {
        List<LeasedTask> leased = new ArrayList<>();
        for (QueueName queue : request.queues().names()) {
            tasks(queue).forEach((pid, task) -> {
                boolean isWithin =
                        request.maxPid().map(last -> pid.compareTo(last) <= 0).orElse(true);
                if (leased.size() < request.maxTasks()
                        && isWithin
                        && !task.availableFrom.isAfter(time.now())
                        && hasRoom(queue, request.maxLeasedPerQueue())) {
                    task.leaseId = ++lastLease;
                    task.availableFrom = time.now().plus(request.length());
                    task.attempt++;
                    leased.add(new LeasedTask(
                            new QueueKey(GROUP, queue),
                            pid,
                            task.data,
                            task.headers,
                            task.leaseId,
                            task.availableFrom,
                            task.attempt,
                            task.enqueued));
                }
            });
        }
        return leased;
    }

    private boolean hasRoom(QueueName queue, int maxLeased) {
        return maxLeased == 0
                || tasks(queue).values().stream().filter(this::isLeased).count() < maxLeased;
    }

    private boolean isLeased(Entry task) {
        return task.leaseId != 0 && task.availableFrom.isAfter(time.now());
    }

    private UpdateResult apply(Update update) {
        List<Status> renewals = update.renewals().stream().map(this::renew).toList();
        List<Status> releases = update.releases().stream()
                .map(release -> held(release.queue(), release.pid(), release.leaseId()))
                .toList();
        List<Status> dequeues = update.dequeues().stream()
                .map(dequeue -> held(dequeue.queue(), dequeue.pid(), dequeue.leaseId()))
                .toList();
        List<Status> enqueues = update.enqueues().stream().map(this::judge).toList();
        boolean success = List.of(releases, dequeues, enqueues).stream()
                .allMatch(statuses -> statuses.stream().allMatch(s -> s == Status.OK || s == Status.COLLAPSED));
        if (success) {
            update.releases().forEach(this::release);
            update.dequeues().forEach(this::dequeue);
            update.enqueues().forEach(this::enqueue);
        }
        return new UpdateResult(success, enqueues, dequeues, renewals, releases, List.of());
    }

    private Status renew(Renewal renewal) {
        Status status = held(renewal.queue(), renewal.pid(), renewal.leaseId());
        Entry task = tasks(renewal.queue()).get(renewal.pid());
        if (status == Status.OK && task != null) {
            if (!task.availableFrom.isAfter(time.now())) {
                return Status.LEASE_EXPIRED;
            }
            task.availableFrom = time.now().plus(renewal.length());
        }
        return status;
    }

    private Status held(QueueName queue, Pid pid, long leaseId) {
        @Nullable Entry task = tasks(queue).get(pid);
        return task == null ? Status.NOT_FOUND : task.leaseId == leaseId ? Status.OK : Status.LEASE_LOST;
    }

    private Status judge(Enqueue enqueue) {
        Optional<Entry> existing =
                enqueue.pid().map(pid -> tasks(enqueue.queue()).get(pid));
        if (existing.isEmpty()) {
            return Status.OK;
        }
        return switch (enqueue.ifExists()) {
            case COLLAPSE -> Status.COLLAPSED;
            case FAIL -> Status.ALREADY_EXISTS;
            case REPLACE -> isLeased(existing.get()) ? Status.LEASED : Status.OK;
            case RERUN -> Status.OK;
        };
    }

    private void release(Release release) {
        Entry task = Objects.requireNonNull(tasks(release.queue()).get(release.pid()));
        task.leaseId = 0;
        task.availableFrom = release.notBefore().orElse(time.now());
        task.attempt -= release.untried() ? 1 : 0;
    }

    private void dequeue(Dequeue dequeue) {
        tasks(dequeue.queue()).remove(dequeue.pid());
    }

    private void enqueue(Enqueue enqueue) {
        Supplier<Pid> next = () -> Pid.of("%016d".formatted(++lastPid));
        Pid pid = enqueue.pid().orElseGet(next);
        SortedMap<Pid, Entry> tasks = tasks(enqueue.queue());
        if (enqueue.ifExists() == IfExists.REPLACE || !tasks.containsKey(pid)) {
            tasks.put(pid, new Entry(enqueue, time.now()));
        }
    }
}
